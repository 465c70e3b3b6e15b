"""Hooks into Triton's kernel launches."""

import importlib
from typing import TYPE_CHECKING, Any

from proton_xpu.hooks.hook import Hook, HookManager

if TYPE_CHECKING:
    from proton_xpu.hooks.instrumentation import InstrumentationHook
    from proton_xpu.hooks.launch import LaunchHook

__all__ = ["Hook", "HookManager", "InstrumentationHook", "LaunchHook"]

_MODULES = {"InstrumentationHook": "instrumentation", "LaunchHook": "launch"}


def __getattr__(name: str) -> Any:
    """Import a hook when it is first used: the package itself must load fast."""
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
