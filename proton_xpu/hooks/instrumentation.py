"""Stand-in for in-kernel instrumentation, which Intel GPUs do not have.

Code that registers an `InstrumentationHook` keeps running; the hook warns and records nothing.
"""

import warnings
from typing import Any, ClassVar

from proton_xpu.hooks.hook import Hook
from proton_xpu.mode import MMA, Default, InstrumentationMode

_MODES: dict[str, type[Default] | type[MMA]] = {"default": Default, "mma": MMA}


class InstrumentationHook(Hook):
    """Takes the place of Proton's instrumentation hook; one may be active at a time."""

    priority = 0

    active_count: ClassVar[int] = 0
    enable_host_buffer: ClassVar[bool] = False
    host_buffer: ClassVar[Any] = None
    profile_buffer_size: ClassVar[int] = 1
    profile_buffer_alignment: ClassVar[int] = 128

    def __init__(self, mode_obj: str | InstrumentationMode | None) -> None:
        """`mode_obj`: a mode, its string, or None or "" for the default mode.

        `ValueError` for a mode, option or option value that does not exist.
        """
        self.mode = _parse_mode(mode_obj)

    def activate(self) -> None:
        """Count as active. `RuntimeError` if another instance is."""
        if InstrumentationHook.active_count > 0:
            raise RuntimeError(
                "Only one instance of the instrumentation hook can be active at a time."
            )
        InstrumentationHook.active_count += 1
        warnings.warn(
            "In-kernel instrumentation is not available on Intel GPUs: nothing is recorded by it.",
            RuntimeWarning,
            stacklevel=2,
        )

    def deactivate(self) -> None:
        """Count as inactive."""
        InstrumentationHook.active_count = max(0, InstrumentationHook.active_count - 1)


def _parse_mode(mode: str | InstrumentationMode | None) -> InstrumentationMode:
    if isinstance(mode, InstrumentationMode):
        return mode
    if not mode:
        return Default()
    name, *parts = mode.split(":")
    if name not in _MODES:
        raise ValueError(f"Unknown mode: {name}")
    options: dict[str, Any] = {}
    for part in parts:
        key, separator, value = part.partition("=")
        if not separator:
            raise ValueError(f"Malformed instrumentation option: '{part}'")
        options[key] = int(value) if key == "buffer_size" else value
    return _MODES[name](**options)
