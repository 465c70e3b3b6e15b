"""Metrics on their way to the sessions, tensors on a device without a wait.

Such a tensor is copied on its device, in the order of its queue, so that what the program does to
it later is not seen. Zeros of its type and length stand for it until the session's data are asked
for; then the copies are read and added where the zeros went. A conflict of types is thus reported
where the metric is given. Traces, whose events are final, and tensors that cannot be copied are
read at once.
"""

import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from proton_xpu import _native
from proton_xpu.metric import (
    FORCED_TYPES,
    element_count,
    is_floating,
    is_on_device,
    normalize_value,
)

_PROPERTY_SUFFIX = "(pty)"
_PENDING_LIMIT = 4096
"""So many copies are held; then they are read, to bound memory."""


class DeferredTensor(NamedTuple):
    """A copy of a tensor that is still on its device, and the Python type of its elements."""

    copy: Any
    kind: Callable[[Any], int | float]

    def zeros(self) -> Any:
        """What stands for the value until it is read."""
        count = element_count(self.copy)
        return self.kind(0) if count == 1 else [self.kind(0)] * count

    def read(self, name: str) -> Any:
        """The value of the metric `name`. Waits for the device."""
        value = normalize_value(name, self.copy)
        return (
            [self.kind(element) for element in value]
            if isinstance(value, list)
            else (self.kind(value))
        )


class _Pending(NamedTuple):
    places: Any
    name: str
    tensor: DeferredTensor

    def settle(self) -> None:
        try:
            _native.settle_metrics(self.places, {self.name: self.tensor.read(self.name)})
        except Exception as error:  # noqa: BLE001 (whatever a tensor's own code raises)
            warnings.warn(
                f"The metric {self.name!r} is left out, since its tensor cannot be read: "
                f"{type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=5,
            )


class _PendingTensors:
    """Values that are yet to be read, in the order in which they were given."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: list[_Pending] = []

    def add(self, entry: _Pending) -> None:
        with self._lock:
            self._entries.append(entry)
            is_full = len(self._entries) >= _PENDING_LIMIT
        if is_full:
            self.settle()

    def settle(self) -> None:
        if not self._entries:
            return
        with self._lock:
            entries, self._entries = self._entries, []
        for entry in entries:
            entry.settle()

    def forget(self) -> None:
        self._lock = threading.Lock()
        self._entries = []


_pending = _PendingTensors()


def prepared(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """`metrics` as `add` takes them; copies tensors on a device, there, without waiting."""
    return {name: _prepared(name, value) for name, value in metrics.items()}


def add(scope_id: int, metrics: Mapping[str, Any]) -> None:
    """Add prepared metrics to the thread's op, or else to the scope.

    Errors are those of the native `add_metrics`. A property that is given while others wait makes
    those be read first: the last one given is to stand.
    """
    deferred = {name: value for name, value in metrics.items() if type(value) is DeferredTensor}
    if any(name.endswith(_PROPERTY_SUFFIX) for name in metrics if name not in deferred):
        _pending.settle()
    if not deferred:
        _native.add_metrics(scope_id, metrics)
        return
    plain = {name: value for name, value in metrics.items() if name not in deferred}
    if plain:
        _native.add_metrics(scope_id, plain)
    for name, tensor in deferred.items():
        _add_deferred(scope_id, name, tensor)


def _add_deferred(scope_id: int, name: str, tensor: DeferredTensor) -> None:
    places = _native.new_metric_places()
    try:
        is_deferred = _native.defer_metrics(places, scope_id, {name: tensor.zeros()})
    except ValueError:
        # The other sessions have taken the zeros.
        _pending.add(_Pending(places, name, tensor))
        raise
    if is_deferred:
        _pending.add(_Pending(places, name, tensor))
    else:
        _native.add_metrics(scope_id, {name: tensor.read(name)})


def record(scope_id: int, metrics: Mapping[str, Any]) -> None:
    """Add metrics as users give them."""
    add(scope_id, prepared(metrics))


def settle() -> None:
    """Read the tensors that wait, which waits for the device if there are any."""
    _pending.settle()


def forget_pending() -> None:
    """Drop the tensors that wait; for a forked child."""
    _pending.forget()


def _prepared(name: str, value: Any) -> Any:
    kind = type(value)
    if kind is not int and kind is not float and is_on_device(value):
        copy = _copy_on_device(value)
        if copy is not None and element_count(copy) > 0:
            element: Callable[[Any], int | float] = float if is_floating(value) else int
            return DeferredTensor(copy, FORCED_TYPES.get(name, element))
    return normalize_value(name, value)


def _copy_on_device(tensor: Any) -> Any:
    """A copy in the order of the tensor's queue, or None if there is no way to make one."""
    if callable(getattr(tensor, "clone", None)):
        detach = getattr(tensor, "detach", None)
        return (detach() if callable(detach) else tensor).clone()
    if hasattr(tensor, "__sycl_usm_array_interface__"):
        import dpctl.tensor

        return dpctl.tensor.copy(dpctl.tensor.asarray(tensor))
    return None


_native.set_metrics_recorder(record)
