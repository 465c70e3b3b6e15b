"""Turning the software device on in this process, or finding out that a GPU makes it needless."""

import importlib.metadata
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from proton_xpu.softgpu import level_zero, loader
from proton_xpu.softgpu.control import Clock, Control, driver_path

_PROFILES = Path(__file__).resolve().with_name("profiles")
_PROBE_SECONDS = 60


@dataclass(frozen=True)
class Device:
    """What kernels of this process run on, and why. Printed, it is one sentence."""

    kind: Literal["gpu", "soft"]
    name: str
    reason: str

    def __str__(self) -> str:
        what = "the GPU" if self.kind == "gpu" else "the software device"
        return f"Using {what} {self.name}: {self.reason}."


@dataclass(frozen=True)
class _Activation:
    profile: Path
    device: Device


_active: _Activation | None = None


def activate(
    profile: str | os.PathLike[str] | None = None,
    *,
    clock: Clock = "real",
    execution: bool = True,
    reason: str = "asked for",
) -> Device:
    """Make the software device the Level Zero device of this process.

    To be called before SYCL or Level Zero start. A second call with the same profile changes clock
    and execution only. Sets, for this process and its children, ZE_ENABLE_ALT_DRIVERS,
    PROTON_XPU_SOFTGPU_PROFILE and, where they are not set yet, PROTON_XPU_OPENCL_RUNTIME,
    PROTON_XPU_LEVEL_ZERO_LOADER and ZEL_LIBRARY_PATH.

    Args:
        profile: the device to be: a name of `profiles()` or the path of a JSON file; None for
            what PROTON_XPU_SOFTGPU_PROFILE says, else a Max 1550 of one tile.
        clock: "real", or "scripted" where `Control` tells what kernels last.
        execution: whether kernels are executed, or only accepted, ordered and timed.
        reason: why, for the description.

    Raises:
        ValueError: no such profile or clock.
        RuntimeError: too late, or something is not installed; the message says what to do.
    """
    global _active  # noqa: PLW0603 (a process has one device)
    path = _profile_path(profile)
    if _active is None:
        _refuse_if_started()
        runtime = opencl_runtime()
        driver = driver_path()
        loader.preload()
        os.environ.setdefault("PROTON_XPU_OPENCL_RUNTIME", str(runtime))
        os.environ["PROTON_XPU_SOFTGPU_PROFILE"] = str(path)
        os.environ["ZE_ENABLE_ALT_DRIVERS"] = str(driver)
        name = json.loads(path.read_text(encoding="utf-8"))["name"]
        _active = _Activation(path, Device("soft", name, reason))
    elif _active.profile != path:
        raise RuntimeError(
            f"the software device is active with profile {_active.profile.stem!r}; another profile "
            f"needs a new process"
        )
    control = Control()
    control.set_clock(clock)
    control.set_execution(enabled=execution)
    return _active.device


def is_active() -> bool:
    """Whether `activate` has been called in this process."""
    return _active is not None


def profiles() -> list[str]:
    """Names of the devices that the software device can be."""
    return sorted(path.stem for path in _PROFILES.glob("*.json"))


def select() -> Device:
    """Find out what PROTON_XPU_DEVICE makes of this machine, without starting anything here.

    "gpu" and "auto", its default, ask Level Zero in a short-lived helper process.

    Raises:
        ValueError: PROTON_XPU_DEVICE is something else than auto, gpu or soft.
        RuntimeError: PROTON_XPU_DEVICE is gpu and there is none.
    """
    wanted = os.environ.get("PROTON_XPU_DEVICE") or "auto"
    if wanted not in ("auto", "gpu", "soft"):
        raise ValueError(f"PROTON_XPU_DEVICE is auto, gpu or soft, not {wanted!r}")
    if wanted == "soft":
        return _soft_device("PROTON_XPU_DEVICE=soft")
    found, problem = _probe()
    if found:
        return Device("gpu", found[0].name, f"first of {len(found)} that Level Zero offers")
    if wanted == "gpu":
        raise RuntimeError(
            f"PROTON_XPU_DEVICE is gpu, but there is no Level Zero GPU ({problem}); install the "
            f"GPU's driver, or set it to soft for the software device"
        )
    return _soft_device(f"no Level Zero GPU, {problem}")


def activate_if_needed(
    profile: str | os.PathLike[str] | None = None, *, clock: Clock = "real"
) -> Device:
    """Use a GPU if PROTON_XPU_DEVICE and the machine allow, else activate the software device.

    To be called before SYCL or Level Zero start. Returns what is used; print it.

    Raises:
        ValueError, RuntimeError: as `select` and `activate` do.
    """
    if _active is not None:
        return activate(profile or _active.profile, clock=clock)
    device = select()
    if device.kind == "soft":
        return activate(profile, clock=clock, reason=device.reason)
    loader.preload()
    return device


def opencl_runtime() -> Path:
    """The OpenCL CPU runtime, which executes kernels: libintelocl.so.

    The one that PROTON_XPU_OPENCL_RUNTIME names, else that of the package intel-opencl-rt.

    Raises:
        RuntimeError: there is none.
    """
    told = os.environ.get("PROTON_XPU_OPENCL_RUNTIME")
    if told:
        if not Path(told).exists():
            raise RuntimeError(
                f"PROTON_XPU_OPENCL_RUNTIME names {told!r}, which is not there; set it to the path "
                f"of libintelocl.so or unset it"
            )
        return Path(told)
    try:
        files = importlib.metadata.files("intel-opencl-rt") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate())).resolve()
        if file.name == "libintelocl.so" and path.exists():
            return path
    raise RuntimeError(
        "the software device needs the OpenCL CPU runtime; install the package intel-opencl-rt "
        "(pip install 'proton_xpu[softgpu]') or set PROTON_XPU_OPENCL_RUNTIME to the path of "
        "libintelocl.so"
    )


def _profile_path(profile: str | os.PathLike[str] | None) -> Path:
    told = profile or os.environ.get("PROTON_XPU_SOFTGPU_PROFILE") or "max1550"
    if isinstance(told, str) and told in profiles():
        return _PROFILES / f"{told}.json"
    path = Path(told).resolve()
    if not path.is_file():
        raise ValueError(
            f"no device profile {os.fspath(told)!r}; there are {', '.join(profiles())}, or give "
            f"the path of a JSON file"
        )
    return path


def _soft_device(reason: str) -> Device:
    path = _profile_path(None)
    name = json.loads(path.read_text(encoding="utf-8"))["name"]
    return Device("soft", name, reason)


def _refuse_if_started() -> None:
    """The loader looks for drivers once, when Level Zero starts."""
    started = [
        *loader.mapped_files("libur_adapter_level_zero"),
        *loader.mapped_files("libze_intel_"),
        *loader.mapped_files("libze_softgpu"),
    ]
    if started:
        raise RuntimeError(
            f"the software device must be activated before SYCL or Level Zero start, but "
            f"{started[0].name} is already in this process; call proton_xpu.softgpu.activate() "
            f"before the first use of dpctl, Triton or torch.xpu"
        )


def _probe() -> tuple[list[level_zero.Gpu], str]:
    """The machine's real GPUs and, if there are none, why."""
    try:
        path = loader.find()
    except loader.LoaderError as error:
        return [], str(error)
    environment = dict(os.environ)
    if "libze_softgpu" in environment.get("ZE_ENABLE_ALT_DRIVERS", ""):
        del environment["ZE_ENABLE_ALT_DRIVERS"]
    try:
        answer = subprocess.run(  # noqa: S603 (our own file)
            [sys.executable, level_zero.__file__, str(path)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=True,
        )
        found = [level_zero.Gpu(*gpu) for gpu in json.loads(answer.stdout)]
    except subprocess.TimeoutExpired:
        return [], f"Level Zero does not answer within {_PROBE_SECONDS} s"
    except (subprocess.CalledProcessError, json.JSONDecodeError, TypeError) as error:
        return [], f"Level Zero fails in a helper process: {error}"
    return found, "" if found else "no driver offers one"
