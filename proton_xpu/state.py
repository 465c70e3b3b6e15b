"""States: a frame put below everything that a thread launches while the state is set.

A thread has one state, not a stack: leaving a state clears it, whatever was set before.
"""

import functools
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar, cast

from proton_xpu import _native
from proton_xpu.flags import flags

_F = TypeVar("_F", bound=Callable[..., Any])

COMPUTE_METADATA_SCOPE_NAME = "__proton_launch_metadata"
"""Frame under which kernels appear that were launched while launch metadata was evaluated."""

COMPUTE_METADATA_SCOPE_PREFIX = COMPUTE_METADATA_SCOPE_NAME + ":"


def get_metadata_state_name(kernel_name: str | None = None) -> str:
    """Name of the state in which the launch metadata of `kernel_name` is evaluated."""
    if kernel_name is None:
        return COMPUTE_METADATA_SCOPE_NAME
    return COMPUTE_METADATA_SCOPE_PREFIX + kernel_name


class state:  # noqa: N801 (upstream's name)
    """Context manager and decorator that sets the calling thread's state to `name`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> "state":  # noqa: PYI034 (Self is not in Python 3.10)
        if flags.profiling_on:
            _native.enter_state(self.name)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if flags.profiling_on:
            _native.exit_state()

    def __call__(self, func: _F) -> _F:
        """`func`, with the state set while it runs."""

        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return cast("_F", wrapper)


class metadata_state(state):  # noqa: N801 (upstream's name)
    """The state in which launch metadata is evaluated, of `kernel_name` if given."""

    def __init__(self, kernel_name: str | None = None) -> None:
        super().__init__(get_metadata_state_name(kernel_name))


def enter_state(name: str) -> None:
    """Set the calling thread's state, profiling on or off."""
    _native.enter_state(name)


def exit_state() -> None:
    """Clear the calling thread's state."""
    _native.exit_state()
