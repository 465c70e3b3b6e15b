"""Hooks into Triton's kernel launches."""

from proton_xpu.hooks.hook import Hook, HookManager
from proton_xpu.hooks.instrumentation import InstrumentationHook
from proton_xpu.hooks.launch import LaunchHook

__all__ = ["Hook", "HookManager", "InstrumentationHook", "LaunchHook"]
