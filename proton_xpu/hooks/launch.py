"""The hook behind `start(hook="triton")`: names launches and adds their launch metadata.

While it is active each Triton launch is an op: its kernels appear under the op's name, which is
the `name` that the kernel's `launch_metadata` function returns or else the compiled kernel's name,
with all numbers that the function returns as metrics.
"""

import re
import warnings
from collections.abc import Mapping
from contextvars import ContextVar
from numbers import Number
from typing import Any

from proton_xpu import _native
from proton_xpu.hooks.hook import Hook
from proton_xpu.metric import is_tensor, normalize_value
from proton_xpu.state import COMPUTE_METADATA_SCOPE_PREFIX

id: ContextVar[int | None] = ContextVar("id", default=None)  # noqa: A001 (upstream's name)
"""Id of the op of the context's last launch."""

op_name: ContextVar[str | None] = ContextVar("op_name", default=None)
"""Name of the op of the context's last launch."""

enabled: ContextVar[bool] = ContextVar("enabled", default=False)
"""Whether an op is open for the launch that the context is in."""

in_hook: ContextVar[bool] = ContextVar("in_hook", default=False)
"""Whether launch metadata is being evaluated; launches are then left alone."""

_RESERVED_KEYS = frozenset({"name", "function", "stream"})


class LaunchHook(Hook):
    """Makes an op of each Triton launch. One instance for the process."""

    priority = 100

    _instance: "LaunchHook | None" = None
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
        self._selected = {}

    def enter(self, metadata: Any) -> None:
        """Open an op for the launch."""
        if in_hook.get():
            return
        kernel_name: str = metadata.data.get("name") or ""
        if not self._is_selected(kernel_name):
            return
        # Without extras the data is complete: another tool's hook may have evaluated it.
        fields = self._evaluate(metadata, kernel_name) if metadata.extras else metadata.data
        name: str = fields.get("name") or kernel_name
        if not self._is_selected(name):
            return
        has_metrics = len(fields) > len(_RESERVED_KEYS)
        metrics = self._metrics(fields, kernel_name) if has_metrics else None
        op = _native.record_scope()
        id.set(op)
        op_name.set(name)
        enabled.set(True)
        _native.enter_op(op, name)
        if metrics:
            try:
                _native.add_metrics(op, metrics)
            except (TypeError, ValueError) as error:
                self._warn(kernel_name, error)

    def exit(self, metadata: Any) -> None:  # noqa: ARG002 (the interface of all hooks)
        """Close the op that `enter` opened."""
        if not enabled.get() or in_hook.get():
            return
        enabled.set(False)
        op = id.get()
        if op is not None:
            _native.exit_op(op, op_name.get() or "")

    def _is_selected(self, name: str) -> bool:
        selected = self._selected.get(name)
        if selected is None:
            selected = not name or (
                (self._include is None or self._include.match(name) is not None)
                and (self._exclude is None or self._exclude.match(name) is None)
            )
            self._selected[name] = selected
        return selected

    def _evaluate(self, metadata: Any, kernel_name: str) -> Mapping[str, Any]:
        in_hook.set(True)
        _native.enter_state(COMPUTE_METADATA_SCOPE_PREFIX + kernel_name)
        try:
            evaluated: Mapping[str, Any] = metadata.get()
        except Exception as error:  # noqa: BLE001 (whatever the user's function raises)
            self._warn(kernel_name, error)
            evaluated = metadata.data
        finally:
            _native.exit_state()
            in_hook.set(False)
        return evaluated

    def _metrics(self, fields: Mapping[str, Any], kernel_name: str) -> dict[str, Any]:
        metrics: dict[str, Any] = {}
        try:
            for key, value in fields.items():
                if key not in _RESERVED_KEYS and _is_metric(value):
                    metrics[key] = normalize_value(key, value)
        except Exception as error:  # noqa: BLE001 (whatever the value's own code raises)
            self._warn(kernel_name, error)
        return metrics

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


def _is_metric(value: Any) -> bool:
    kind = type(value)
    if kind is int or kind is float:
        return True
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(element, Number) for element in value)
    return isinstance(value, Number) or is_tensor(value)
