"""The hook behind `start(hook="triton")`: names launches and adds their launch metadata.

While it is active each Triton launch is an op: its kernels appear under the op's name, which is
the `name` that the kernel's `launch_metadata` function returns or else the compiled kernel's name,
with all numbers that the function returns as metrics.
"""

import re
import threading
import warnings
from collections.abc import Mapping
from numbers import Number
from typing import Any, Generic, TypeVar

from proton_xpu import metric_recording
from proton_xpu._native import (
    enter_op,
    enter_state,
    exit_op,
    exit_state,
    record_scope,
)
from proton_xpu.hooks.hook import Hook
from proton_xpu.metric import FORCED_TYPES, is_tensor
from proton_xpu.state import COMPUTE_METADATA_SCOPE_PREFIX

_T = TypeVar("_T")


class _Launch:
    """The launch that a thread is in, or was in last."""

    __slots__ = ("enabled", "id", "in_hook", "op_name")

    def __init__(self) -> None:
        self.id: int | None = None
        self.op_name: str | None = None
        self.enabled = False
        self.in_hook = False


class _Threads(threading.local):
    """What belongs to the calling thread.

    A launch begins and ends on one thread without giving way to another task, and context variables
    would cost a microsecond a launch.
    """

    def __init__(self) -> None:
        self.launch = _Launch()


_threads = _Threads()


class LaunchVariable(Generic[_T]):
    """One value of the calling thread's launch, to be read as a context variable is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self) -> _T:
        """The value for the calling thread."""
        value: _T = getattr(_threads.launch, self.name)
        return value


id: LaunchVariable[int | None] = LaunchVariable("id")  # noqa: A001 (upstream's name)
"""Id of the op of the thread's last launch."""

op_name: LaunchVariable[str | None] = LaunchVariable("op_name")
"""Name of the op of the thread's last launch."""

enabled: LaunchVariable[bool] = LaunchVariable("enabled")
"""Whether an op is open for the launch that the thread is in."""

in_hook: LaunchVariable[bool] = LaunchVariable("in_hook")
"""Whether launch metadata is being evaluated; launches are then left alone."""

_PLAIN_TYPES = (int, float)
_RESERVED_KEYS = frozenset({"name", "function", "stream"})


class LaunchHook(Hook):
    """Makes an op of each Triton launch. One instance for the process."""

    priority = 100

    _instance: "LaunchHook | None" = None
    _is_filtered = False
    _include: re.Pattern[str] | None = None
    _exclude: re.Pattern[str] | None = None
    _selected: dict[str, bool]
    _warned: set[tuple[str, str]]

    def __new__(cls) -> "LaunchHook":  # noqa: PYI034 (Self is not in Python 3.10)
        """The one instance."""
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance._selected = {}
            cls._instance._warned = set()
        return cls._instance

    def configure(self, *, include: str | None = None, exclude: str | None = None) -> None:
        """Leave launches alone whose name `include` does not match, or `exclude` does.

        The expressions are matched from the start of the compiled kernel's name and of the op's.
        The choice stays until the next call, across sessions. `re.error` if one is malformed.
        """
        compiled = [
            None if pattern is None else re.compile(pattern) for pattern in (include, exclude)
        ]
        self._include, self._exclude = compiled
        self._is_filtered = include is not None or exclude is not None
        self._selected = {}

    def enter(self, metadata: Any) -> None:
        """Open an op for the launch."""
        launch = _threads.launch
        if launch.in_hook:
            return
        if launch.enabled:
            # The launch before failed between its hooks.
            self.exit(metadata)
        kernel_name: str = metadata.data.get("name") or ""
        if self._is_filtered and not self._is_selected(kernel_name):
            return
        # Without extras the data is complete: another tool's hook may have evaluated it.
        fields = metadata.data
        if metadata.extras:
            fields = self._evaluate(launch, metadata, kernel_name)
        name: str = fields.get("name") or kernel_name
        if self._is_filtered and not self._is_selected(name):
            return
        metrics = self._metrics(launch, fields, kernel_name)
        launch.id = op = record_scope()
        launch.op_name = name
        launch.enabled = True
        enter_op(op, name)
        if metrics:
            try:
                metric_recording.add(op, metrics)
            except Exception as error:  # noqa: BLE001 (whatever a value's own code raises)
                self._warn(kernel_name, error)

    def exit(self, metadata: Any) -> None:  # noqa: ARG002 (the interface of all hooks)
        """Close the op that `enter` opened."""
        launch = _threads.launch
        if launch.enabled:
            launch.enabled = False
            exit_op(launch.id or 0, "")

    def _is_selected(self, name: str) -> bool:
        selected = self._selected.get(name)
        if selected is None:
            selected = not name or (
                (self._include is None or self._include.match(name) is not None)
                and (self._exclude is None or self._exclude.match(name) is None)
            )
            self._selected[name] = selected
        return selected

    def _evaluate(self, launch: _Launch, metadata: Any, kernel_name: str) -> Mapping[str, Any]:
        launch.in_hook = True
        enter_state(COMPUTE_METADATA_SCOPE_PREFIX + kernel_name)
        try:
            evaluated: Mapping[str, Any] = metadata.get()
        except Exception as error:  # noqa: BLE001 (whatever the user's function raises)
            self._warn(kernel_name, error)
            evaluated = metadata.data
        finally:
            exit_state()
            launch.in_hook = False
        return evaluated

    def _metrics(
        self, launch: _Launch, fields: Mapping[str, Any], kernel_name: str
    ) -> dict[str, Any] | None:
        """The numbers among `fields`. Tensors are copied outside the op, which counts kernels."""
        if len(fields) <= len(_RESERVED_KEYS):
            return None
        metrics = _numbers(fields)
        if all(type(value) in _PLAIN_TYPES for value in metrics.values()):
            return metrics
        launch.in_hook = True
        enter_state(COMPUTE_METADATA_SCOPE_PREFIX + kernel_name)
        try:
            return metric_recording.prepared(metrics)
        except Exception as error:  # noqa: BLE001 (whatever a value's own code raises)
            self._warn(kernel_name, error)
            return None
        finally:
            exit_state()
            launch.in_hook = False

    def _warn(self, kernel_name: str, error: Exception) -> None:
        """Say once that metadata is left out: it must not stop a launch."""
        occasion = (kernel_name, type(error).__name__)
        if occasion not in self._warned:
            self._warned.add(occasion)
            warnings.warn(
                f"The launch metadata of kernel {kernel_name} is left out: "
                f"{type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=5,
            )


def _numbers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers and tensors among `fields`; those of plain types are as sessions take them."""
    metrics: dict[str, Any] = {}
    for key, value in fields.items():
        kind = type(value)
        if key in _RESERVED_KEYS:
            continue
        if kind is float or kind is int:
            metrics[key] = FORCED_TYPES.get(key, kind)(value)
        elif _is_metric(value):
            metrics[key] = value
    return metrics


def _is_metric(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(element, Number) for element in value)
    return isinstance(value, Number) or is_tensor(value)
