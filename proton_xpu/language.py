"""In-kernel instrumentation: importable and usable in kernels, and without any effect.

Intel GPUs have no in-kernel instrumentation yet. Kernels written with it compile to what they are
without it.
"""

# ruff: noqa: ARG001 (nothing is done with the arguments)

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from triton.language.core import base_type, base_value

__all__ = [
    "Event",
    "allocate_event",
    "disable_semantic",
    "enable_semantic",
    "end_event",
    "enter_scope",
    "exit_scope",
    "record",
    "record_event",
    "scope",
    "start_event",
]

_F = TypeVar("_F", bound=Callable[..., Any])

_SEMANTIC_NAMES = ("triton", "gluon")


class _EventType(base_type):  # type: ignore[misc]
    """The type of events as Triton's compiler wants to know it: without any IR."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def _unflatten_ir(self, _handles: list[Any], cursor: int) -> tuple["Event", int]:
        return Event(), cursor

    def _flatten_ir_types(self, _builder: Any, _out: list[Any]) -> None:
        return None

    def mangle(self) -> str:
        """The type's part of the name of a function that takes an event."""
        return "proton_event"


class Event(base_value):  # type: ignore[misc]
    """What `allocate_event` returns; has no handle here."""

    def __init__(self, handle: Any = None) -> None:
        self.handle = handle
        self.type = _EventType()

    def _flatten_ir(self, _handles: list[Any]) -> None:
        return None

    def _set_name(self, _builder: Any, _name: str) -> None:
        return None


def _builtin(function: _F) -> _F:
    """Mark `function` as one that Triton's compiler calls while it compiles a kernel."""
    function.__triton_builtin__ = True  # type: ignore[attr-defined]
    return function


@_builtin
def enter_scope(name: Any, _semantic: Any = None, _builder: Any = None) -> None:
    """Mark the beginning of a region of a kernel."""


@_builtin
def exit_scope(name: Any, _semantic: Any = None, _builder: Any = None) -> None:
    """Mark the end of a region of a kernel."""


@_builtin
def allocate_event(name: Any, _semantic: Any = None, _builder: Any = None) -> Any:
    """An event for `start_event` and `end_event`."""
    return Event()


@_builtin
def start_event(event: Any, _semantic: Any = None, _builder: Any = None) -> None:
    """Mark the beginning of `event`. `TypeError` if it is not one."""
    _check_event(event)


@_builtin
def end_event(event: Any, _semantic: Any = None, _builder: Any = None) -> None:
    """Mark the end of `event`. `TypeError` if it is not one."""
    _check_event(event)


class scope:  # noqa: N801 (upstream's name)
    """A region of a kernel as a context manager."""

    def __init__(self, name: str, _semantic: Any = None) -> None:
        self.name = name

    def __enter__(self) -> "scope":  # noqa: PYI034 (Self is not in Python 3.10)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        return None


def record(
    is_start: Any = None,
    scope_name: Any = None,
    semantic: Any = None,
    *,
    isStart: Any = None,  # noqa: N803 (Triton 3.3's name)
    regionId: Any = None,  # noqa: N803 (Triton 3.3's name)
) -> None:
    """Does nothing; also takes the arguments of Triton 3.3."""


def record_event(event: Any, is_start: Any, _semantic: Any = None) -> None:
    """Does nothing. `TypeError` if `event` is not one."""
    _check_event(event)


def enable_semantic(semantic_name: str) -> None:
    """Accepted for `triton` and `gluon`; `KeyError` for another name."""
    _check_semantic(semantic_name)


def disable_semantic(semantic_name: str) -> None:
    """Accepted for `triton` and `gluon`; `KeyError` for another name."""
    _check_semantic(semantic_name)


def _check_event(event: Any) -> None:
    if not isinstance(event, Event):
        raise TypeError("expected an event returned by allocate_event")


def _check_semantic(name: str) -> None:
    if name not in _SEMANTIC_NAMES:
        raise KeyError(name)
