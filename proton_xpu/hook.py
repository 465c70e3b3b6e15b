"""The launch hook in the form of Triton 3.3 to 3.5: `triton.profiler.hook`."""

from typing import Any, ClassVar

from proton_xpu.hooks.hook import HookManager
from proton_xpu.hooks.launch import LaunchHook
from proton_xpu.metric import FLOPS_WIDTHS
from proton_xpu.state import COMPUTE_METADATA_SCOPE_NAME

__all__ = [
    "COMPUTE_METADATA_SCOPE_NAME",
    "TritonHook",
    "register_triton_hook",
    "unregister_triton_hook",
]

_NO_SESSION = -1


class TritonHook:
    """The launch hook as two static functions."""

    flops_width: ClassVar[list[int]] = list(FLOPS_WIDTHS)
    metrics: ClassVar[list[str]] = [f"flops{width}" for width in FLOPS_WIDTHS] + ["bytes", "flops"]

    @staticmethod
    def enter(lazy_dict: Any) -> None:
        """A kernel is about to be launched."""
        LaunchHook().enter(lazy_dict)

    @staticmethod
    def exit(lazy_dict: Any) -> None:
        """The kernel has been submitted."""
        LaunchHook().exit(lazy_dict)


def register_triton_hook() -> None:
    """Plug the launch hook into Triton, for whatever sessions are active."""
    HookManager.register(LaunchHook(), _NO_SESSION)


def unregister_triton_hook() -> None:
    """Undo `register_triton_hook`."""
    HookManager.unregister(_NO_SESSION)
