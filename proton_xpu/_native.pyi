"""The native module: session core, tracers and writers. Private; use `proton_xpu`.

Errors: `ValueError` for a bad argument, `IndexError` for an unknown session, scope or phase,
`RuntimeError` for the rest; each message starts with `[PROTON] `.
"""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TypeVar

from typing_extensions import Self, disjoint_base

_F = TypeVar("_F", bound=Callable[..., object])

# Sessions (upstream's native surface).
def start(path: str, context: str, data: str, backend: str, mode: str = "") -> int: ...
def activate(session: int) -> None: ...
def activate_all() -> None: ...
def deactivate(session: int, flushing: bool) -> None: ...
def deactivate_all(flushing: bool) -> None: ...
def finalize(session: int, output_format: str) -> None: ...
def finalize_all(output_format: str) -> None: ...
def write(session: int, output_format: str) -> None:
    """Flush and write the files of a live session as they are now; the session goes on.

    What `finalize` writes later replaces them. `IndexError` for an unknown session.
    """

def get_available_profilers() -> list[str]: ...
def get_context_depth(session: int) -> int: ...

# Scopes, ops, states and metrics, for the calling thread.
def set_profiling_on(on: bool, /) -> None:
    """What `Scope` tests on entry; kept equal to `proton_xpu.flags.flags.profiling_on`."""

def record_scope() -> int: ...
def enter_scope(scope_id: int, name: str, /) -> None: ...
def exit_scope(scope_id: int, name: str, /) -> None: ...
def enter_op(op_id: int, name: str, /) -> None: ...
def exit_op(op_id: int, name: str, /) -> None: ...
def enter_state(name: str, /) -> None: ...
def exit_state() -> None: ...
def add_metrics(
    scope_id: int, metrics: Mapping[str, int | float | list[int] | list[float]], /
) -> None: ...
def new_metric_places() -> object:
    """Where metrics go that are put off: nowhere at first."""

def defer_metrics(
    places: object, scope_id: int, zeros: Mapping[str, int | float | list[int] | list[float]], /
) -> bool:
    """Like `add_metrics`, with zeros for values that come later.

    Extends `places`, from `new_metric_places`, even if it raises. False, and nothing is added, if
    a trace is active.
    """

def settle_metrics(
    places: object, values: Mapping[str, int | float | list[int] | list[float]], /
) -> None:
    """Add the values to the zeros, in the sessions and phases that still exist."""

@disjoint_base
class Scope:
    """`scope(name, metrics=None)`: context manager and decorator, a C type for speed."""

    name: str
    metrics: Mapping[str, object] | None
    @property
    def id(self) -> int | None: ...
    def __init__(self, name: str, metrics: Mapping[str, object] | None = None) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
        /,
    ) -> None: ...
    def __call__(self, func: _F) -> _F: ...

def set_metrics_recorder(function: Callable[[int, Mapping[str, object]], object], /) -> None:
    """Called by `Scope` with its id and its metrics, unless they are None."""

# Data.
def get_data(session: int, phase: int) -> str: ...
def get_data_msgpack(session: int, phase: int) -> bytes: ...
def clear_data(session: int, phase: int, clear_up_to_phase: bool = False) -> None: ...
def advance_data_phase(session: int) -> int: ...
def is_data_phase_complete(session: int, phase: int) -> bool: ...

# What is going on.
def get_session_stats(session: int) -> dict[str, int]:
    """`launches`, `kernels`, `copies`, `fills`, `lost`, `untimed` of a live session."""

def get_tracer_info() -> dict[str, object]:
    """`backend`, `library`, `version`, `notes` of the running tracer; empty if none runs."""

def get_devices() -> list[dict[str, object]]:
    """Level Zero devices with their properties. Initialises Level Zero in this process."""

def build_info() -> dict[str, str]: ...
