"""Triton kernels on the software device, each launch of which lasts 1,000 ticks of 1 ns."""

# ruff: noqa: N803 (kernels name block sizes with capitals, as Triton's own do)

from collections.abc import Callable, Mapping
from typing import Any

import triton
import triton.language as tl

from proton_xpu import softgpu

_ELEMENTS = 64


@triton.jit
def add_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def mul_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def _roofline(_grid: object, _metadata: object, args: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": f"meta_{args['n']}", "flops32": 2.0 * args["n"], "bytes": 8 * args["n"]}


@triton.jit(launch_metadata=_roofline, do_not_specialize=["n"])
def meta_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 3, mask=i < n)


def _raise(_grid: object, _metadata: object, _args: object) -> dict[str, Any]:
    raise ZeroDivisionError("metadata")


@triton.jit(launch_metadata=_raise)
def bad_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 4, mask=i < n)


def _launch_another(_grid: object, _metadata: object, args: Mapping[str, Any]) -> dict[str, Any]:
    add_kernel[(1,)](args["x"], args["y"], _ELEMENTS, BLOCK=_ELEMENTS)
    return {"flops": 1}


@triton.jit(launch_metadata=_launch_another)
def outer_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 5, mask=i < n)


class SoftKernels:
    """Launches of these kernels; see `golden.scenarios.Kernels`."""

    def __init__(self, make_array: Callable[[], Any]) -> None:
        self._x = make_array()
        self._y = make_array()

    def add(self) -> None:
        self._launch(add_kernel)

    def mul(self) -> None:
        self._launch(mul_kernel)

    def meta(self, size: int) -> None:
        self._launch(meta_kernel, size)

    def bad(self) -> None:
        self._launch(bad_kernel)

    def nested(self) -> None:
        self._launch(outer_kernel)

    def _launch(self, kernel: Any, size: int = _ELEMENTS) -> None:
        kernel[(1,)](self._x, self._y, size, BLOCK=_ELEMENTS)


def soft_kernels() -> SoftKernels:
    """Make the software device that of this process, with kernels that are timed and not run."""
    softgpu.activate(clock="scripted", execution=False)
    from proton_xpu.softgpu import array, triton_driver

    triton_driver.install()
    return SoftKernels(lambda: array.DeviceArray(_ELEMENTS))
