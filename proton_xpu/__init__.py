"""Profiler for Triton kernels on Intel GPUs, with the interface of `triton.profiler`.

    import proton_xpu as proton

    session = proton.start("run", hook="triton")
    with proton.scope("step"):
        kernel[grid](...)
    proton.finalize(session)

After the import `scope`, `state`, `profile` and `install` are the class or function, not the
module of that name; `from proton_xpu.scope import ...` still reaches the module. Where the native
module is missing, profiles can be read (`proton_xpu.report`) but not recorded.
"""

__all__ = [
    "DEFAULT_PROFILE_NAME",
    "activate",
    "build_info",
    "context",
    "cpu_timed_scope",
    "data",
    "deactivate",
    "enter_scope",
    "enter_state",
    "exit_scope",
    "exit_state",
    "finalize",
    "install",
    "metadata_state",
    "mode",
    "profile",
    "scope",
    "specs",
    "start",
    "state",
    "uninstall",
]

import importlib
from typing import TYPE_CHECKING

from proton_xpu import specs

if TYPE_CHECKING:
    from proton_xpu import mode

_reason = ""

try:
    from proton_xpu._native import build_info
except ImportError as error:
    _reason = str(error)
else:
    from proton_xpu import context, data
    from proton_xpu.install import install, uninstall
    from proton_xpu.profile import (
        DEFAULT_PROFILE_NAME,
        activate,
        deactivate,
        finalize,
        profile,
        start,
    )
    from proton_xpu.scope import cpu_timed_scope, enter_scope, exit_scope, scope
    from proton_xpu.state import enter_state, exit_state, metadata_state, state


def __getattr__(name: str) -> object:
    """Import `mode` when it is first used, since that takes long; say why a name is missing."""
    if name == "mode":
        return importlib.import_module("proton_xpu.mode")
    if name in __all__:
        raise ImportError(
            f"proton_xpu.{name} needs the package's native module, which cannot be loaded: "
            f"{_reason}. Build and install the package to record profiles."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
