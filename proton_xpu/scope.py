"""Scopes: named regions of the host program under which launches appear.

`scope` is the native type `proton_xpu._native.Scope`, a context manager and a decorator.
"""

import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple

from proton_xpu import _native, metric_recording
from proton_xpu._native import Scope as scope  # noqa: N813 (upstream's name)
from proton_xpu.flags import flags

__all__ = ["cpu_timed_scope", "enter_scope", "exit_scope", "scope"]

_CPU_TIME = "cpu_time"
_CPU_TIME_METRIC = "cpu_time (ns)(exc)"


class cpu_timed_scope(scope):  # noqa: N801 (upstream's name)
    """A scope that adds the metric `cpu_time (ns)`: host time between entry and exit."""

    _entered_ns = 0
    _is_timed = False

    def __init__(self, name: str, metrics: Mapping[str, Any] | None = None) -> None:
        if metrics is not None and _CPU_TIME in metrics:
            raise ValueError(f"The metric name '{_CPU_TIME}' is reserved.")
        super().__init__(name, metrics)

    def __enter__(self) -> "cpu_timed_scope":  # noqa: PYI034 (Self is not in Python 3.10)
        super().__enter__()
        self._is_timed = flags.profiling_on
        self._entered_ns = time.perf_counter_ns()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        elapsed_ns = time.perf_counter_ns() - self._entered_ns
        try:
            if self._is_timed and flags.profiling_on and self.id is not None:
                _native.add_metrics(self.id, {_CPU_TIME_METRIC: elapsed_ns})
        finally:
            super().__exit__(exc_type, exc, tb)


class _OpenScope(NamedTuple):
    id: int
    name: str
    is_op: bool


class _OpenScopes(threading.local):
    """What the calling thread opened with `enter_scope` and has not closed yet."""

    def __init__(self) -> None:
        self.stack: list[_OpenScope] = []


_open_scopes = _OpenScopes()


def enter_scope(
    name: str, *, triton_op: bool = False, metrics: Mapping[str, Any] | None = None
) -> int | None:
    """Open a scope on the calling thread until `exit_scope`. Returns its id.

    Returns None and does nothing if profiling is off. `triton_op=True` (Triton 3.3) opens an op:
    the launches inside appear as one frame called `name`.
    """
    if not flags.profiling_on:
        return None
    scope_id = _native.record_scope()
    if triton_op:
        _native.enter_op(scope_id, name)
    else:
        _native.enter_scope(scope_id, name)
    _open_scopes.stack.append(_OpenScope(scope_id, name, triton_op))
    if metrics:
        metric_recording.record(scope_id, metrics)
    return scope_id


def exit_scope(
    name: str | None = None,
    *,
    triton_op: bool = False,  # noqa: ARG001 (Triton 3.3 code passes it)
    metrics: Mapping[str, Any] | None = None,
) -> int | None:
    """Close the scope that the calling thread opened last with `enter_scope`. Returns its id.

    Returns None and does nothing if profiling is off. `ValueError` if `name` is given and is not
    the open scope's, which then stays open; `IndexError` if no scope is open on this thread.
    `triton_op` is accepted for Triton 3.3 code; the scope itself knows what it is.
    """
    if not flags.profiling_on:
        return None
    stack = _open_scopes.stack
    if not stack:
        raise IndexError(
            "[PROTON] exit_scope() without an open scope: "
            "call enter_scope() on the same thread first."
        )
    opened = stack[-1]
    if isinstance(name, str) and name != opened.name:
        raise ValueError(f"Scope name mismatch: {name} != {opened.name}")
    stack.pop()
    try:
        if metrics:
            metric_recording.record(opened.id, metrics)
    finally:
        if opened.is_op:
            _native.exit_op(opened.id, opened.name)
        else:
            _native.exit_scope(opened.id, opened.name)
    return opened.id


def forget_open_scopes() -> None:
    """Forget what the calling thread has open; for a forked child."""
    _open_scopes.stack.clear()
