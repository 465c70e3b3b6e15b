"""Profiles with the numbers of upstream's example files for NVIDIA and AMD devices."""

from typing import Any

from support.profiles import Node, kernel, root

_WORK = {"flops8": 0, "bytes": 0}


def _kernel(name: str, kind: str, device: str, count: int, flops8: float, bytes_: float) -> Node:
    made = kernel(name, 204800, count, device, flops8=flops8, bytes=bytes_)
    made["metrics"]["device_type"] = kind
    return made


def _facts(arch: str, bus: int, clock: int, memory_clock: int, cores: int) -> dict[str, Any]:
    return {
        "arch": arch,
        "bus_width": bus,
        "clock_rate": clock,
        "memory_clock_rate": memory_clock,
        "num_sms": cores,
    }


def cuda_profile() -> tuple[Node, dict[str, Any]]:
    tree = root(
        _kernel("foo0", "CUDA", "1", 10, 1e11, 1e8),
        _kernel("foo1", "CUDA", "0", 1, 1e10, 1e7),
        _kernel("foo2", "CUDA", "2", 1, 1e11, 1e7),
        **_WORK,
    )
    devices = {
        "0": _facts("89", 384, 2625000, 10501000, 128),
        "1": _facts("90", 6144, 1980000, 2619000, 132),
        "2": _facts("100", 6144, 1700000, 2625000, 148),
    }
    return tree, {"CUDA": devices}


def hip_profile() -> tuple[Node, dict[str, Any]]:
    tree = root(
        _kernel("foo0", "HIP", "1", 1, 1e11, 1e8),
        _kernel("foo1", "HIP", "0", 1, 1e10, 1e7),
        _kernel("foo2", "HIP", "2", 1, 1e12, 1e9),
        **_WORK,
    )
    devices = {
        "0": _facts("gfx90a", 4096, 1700000, 1600000, 104),
        "1": _facts("gfx942", 8192, 2100000, 2525000, 304),
        "2": _facts("gfx950", 8192, 2200000, 2525000, 256),
    }
    return tree, {"HIP": devices}
