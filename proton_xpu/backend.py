"""Which profiler backend a session uses, on what device, and where its tracing library is."""

import os
import sys
from pathlib import Path
from typing import Any

_DEVICE_VARIABLE = "PROTON_XPU_DEVICE"
_SIGNS_OF_LEVEL_ZERO = ("libur_adapter_level_zero", "libze_intel_", "libze_softgpu")
"""Parts of the names of libraries that are mapped when Level Zero has looked for its drivers."""

_PTI_DISTRIBUTION = "intel-pti"
_PTI_LIBRARY_NAMES = ("libpti_view.so", "libpti_view.so.1", "libpti_view.so.0")
_PTI_LIBRARY_VARIABLE = "PROTON_XPU_PTI_LIBRARY"
_PTI_FOLDER_VARIABLE = "TRITON_XPUPTI_LIB_PATH"

_TARGET_BACKENDS = {"xpu": "xpupti"}
_OTHER_TARGETS = {"nvidia": "cuda", "amd": "hip"}


def select_backend() -> str:
    """The backend for the target that Triton compiles for; `xpupti` if Triton has not chosen one.

    `ValueError` if Triton compiles for a GPU of another vendor.
    """
    target = _triton_target()
    if target is None:
        return _TARGET_BACKENDS["xpu"]
    if target not in _TARGET_BACKENDS:
        raise ValueError(f"No profiler registered for triton backend {target}")
    return _TARGET_BACKENDS[target]


def provide_device() -> None:
    """Use a GPU, or the software device where there is none or `PROTON_XPU_DEVICE` asks for it.

    Does nothing once Level Zero has started in this process: its devices are settled then. Logs
    what is used, as a warning if nobody asked for the software device. `RuntimeError` if neither
    can be used, `ValueError` if `PROTON_XPU_DEVICE` is something else than auto, gpu or soft.
    """
    import logging

    from proton_xpu import softgpu
    from proton_xpu.softgpu import loader

    logger = logging.getLogger("proton_xpu")
    is_soft_asked_for = os.environ.get(_DEVICE_VARIABLE) == "soft"
    if any(loader.mapped_files(name) for name in _SIGNS_OF_LEVEL_ZERO):
        if is_soft_asked_for and not softgpu.is_active():
            logger.warning(
                "PROTON_XPU_DEVICE=soft comes too late: Level Zero has started without the "
                "software device. Start the session, or call proton_xpu.softgpu.activate(), before "
                "anything uses SYCL."
            )
        return
    device = softgpu.select()
    try:
        if device.kind == "gpu":
            loader.preload()
        else:
            softgpu.activate(reason=device.reason)
    except RuntimeError as error:
        reasons = dict.fromkeys([device.reason.removeprefix("no Level Zero GPU: "), str(error)])
        raise RuntimeError(f"[PROTON] No device can be used: {'; '.join(reasons)}.") from error
    is_expected = device.kind == "gpu" or is_soft_asked_for
    logger.log(logging.INFO if is_expected else logging.WARNING, "%s", device)


def provide_pti_library() -> None:
    """Tell the native module where `libpti_view` is, unless the user has.

    `PROTON_XPU_PTI_LIBRARY` wins; else a library in the folder `TRITON_XPUPTI_LIB_PATH`, else that
    of the installed `intel-pti` package; else the native module asks the system's loader.
    """
    if os.environ.get(_PTI_LIBRARY_VARIABLE):
        return
    library = _pti_library_in_folder() or pti_library_of_package()
    if library is not None:
        os.environ[_PTI_LIBRARY_VARIABLE] = str(library)


def pti_library_of_package() -> Path | None:
    """Path of `libpti_view` in the installed `intel-pti` package, or None."""
    from importlib import metadata

    try:
        files = metadata.files(_PTI_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return None
    by_name = {file.name: file for file in files}
    for name in _PTI_LIBRARY_NAMES:
        if name in by_name:
            path = Path(str(by_name[name].locate())).resolve()
            if path.is_file():
                return path
    return None


def _pti_library_in_folder() -> Path | None:
    folder = os.environ.get(_PTI_FOLDER_VARIABLE)
    if not folder:
        return None
    for name in _PTI_LIBRARY_NAMES:
        path = Path(folder, name)
        if path.is_file():
            return path
    return None


def _triton_target() -> str | None:
    """Name of Triton's target, or None while Triton is not imported or has no driver yet.

    An Intel driver is never created here: it would start SYCL before the tracing library is
    loaded, and the queue ids of all records would be lost.
    """
    runtime: Any = sys.modules.get("triton.runtime")
    if runtime is None:
        return None
    # The attribute `active` of newer releases makes a driver if there is none.
    drivers = vars(runtime.driver)
    driver = drivers.get("active", drivers.get("_active"))
    made = getattr(driver, "__dict__", {}).get("_obj", driver)
    if made is not None:
        return str(made.get_current_target().backend)
    return _active_target_of_another_vendor()


def _active_target_of_another_vendor() -> str | None:
    backends: Any = getattr(sys.modules.get("triton.backends"), "backends", {})
    if "torch" not in sys.modules:
        return None
    for name, target in _OTHER_TARGETS.items():
        if name in backends and backends[name].driver.is_active():
            return target
    return None
