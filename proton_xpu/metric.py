"""Normalisation of user metrics before they reach the native module.

Rules: `flops` and `flops8` to `flops64` become float and `bytes` int, as scalars and as vectors;
NumPy scalars and arrays and any tensor (`.item()` or DLPack) become Python numbers, floating types
to float and all others to int, one element to a scalar and more to a vector in C order. Other
values pass as they are; the native module refuses what is no number with a `TypeError`.
"""

import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

MetricValue: TypeAlias = "int | float | list[int] | list[float]"

_INT64_INDEX = 1
_DOUBLE_INDEX = 2
_VECTOR_INT64_INDEX = 5
_VECTOR_DOUBLE_INDEX = 6

_HOST_DEVICE_TYPES = (1, 3)  # DLPack's numbers of plain and pinned host memory.

FLOPS_WIDTHS = (8, 16, 32, 64)
"""Operand widths, in bits, that have a `flops<width>` metric."""

_FLOAT_DTYPE: tuple[type, int, int] = (float, _DOUBLE_INDEX, _VECTOR_DOUBLE_INDEX)

FLOPS_DTYPES = {
    "flops": _FLOAT_DTYPE,
    **{f"flops{width}": _FLOAT_DTYPE for width in FLOPS_WIDTHS},
}
"""Python type and native scalar and vector type numbers of the `flops` metrics."""

ROOFLINE_DTYPES: dict[str, tuple[type, int, int]] = {
    **FLOPS_DTYPES,
    "bytes": (int, _INT64_INDEX, _VECTOR_INT64_INDEX),
}
"""Like `FLOPS_DTYPES`, with `bytes`."""

FORCED_TYPES: dict[str, Callable[[Any], Any]] = {
    name: dtype[0] for name, dtype in ROOFLINE_DTYPES.items()
}
"""Python types of the metrics whose type does not depend on the value."""


def normalize_metrics(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """`metrics` with every value as the native module takes it. Waits for tensors on a device."""
    return {name: normalize_value(name, value) for name, value in metrics.items()}


def normalize_value(name: str, value: Any) -> Any:
    """`value` of the metric `name` as a Python number, a list of them, or unchanged."""
    kind = type(value)
    if kind is not int and kind is not float:
        value = _plain(value)
    force = FORCED_TYPES.get(name)
    if force is None:
        return value
    if isinstance(value, list):
        return [force(element) for element in value]
    return force(value)


def is_tensor(value: Any) -> bool:
    """Whether `value` is array-like: a NumPy scalar or array, or a tensor of any framework."""
    return callable(getattr(value, "item", None)) or hasattr(value, "__dlpack__")


def transform_tensor_metrics(metrics: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split metrics into host values and device tensors, as Proton does.

    Here tensors are read, and the second dictionary is always empty. Recording does without this.
    """
    return normalize_metrics(metrics), {}


def set_metric_kernels() -> None:
    """Does nothing: no kernel is needed to record metrics. Kept for code that calls it."""


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if isinstance(value, numbers.Number):
        return _plain_number(value)
    if is_tensor(value):
        return _plain_tensor(value)
    return value


def _plain_number(value: Any) -> Any:
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return value


def _plain_tensor(tensor: Any) -> Any:
    if not callable(getattr(tensor, "item", None)):
        tensor = _from_dlpack(tensor)
    if element_count(tensor) == 1:
        return _plain_number(tensor.item())
    if callable(getattr(tensor, "detach", None)):
        tensor = tensor.detach().cpu()
    elif callable(getattr(tensor, "numpy", None)):
        tensor = tensor.numpy()
    elements: Sequence[Any] = tensor.reshape(-1).tolist()
    return [_plain_number(element) for element in elements]


def is_on_device(value: Any) -> bool:
    """Whether `value` is a tensor in a device's memory, so that reading it waits."""
    if hasattr(value, "__sycl_usm_array_interface__"):
        return True
    if not hasattr(value, "__dlpack_device__"):
        return False
    device_type, _ = value.__dlpack_device__()
    return int(device_type) not in _HOST_DEVICE_TYPES


def is_floating(tensor: Any) -> bool:
    """Whether the elements are floating-point numbers; does not read them."""
    is_floating_point = getattr(tensor, "is_floating_point", None)
    return (
        bool(is_floating_point()) if callable(is_floating_point) else "float" in str(tensor.dtype)
    )


def element_count(tensor: Any) -> int:
    """Number of elements; does not read them."""
    numel = getattr(tensor, "numel", None)
    if callable(numel):
        return int(numel())
    return int(getattr(tensor, "size", 1))


def _from_dlpack(tensor: Any) -> Any:
    device_type, _ = tensor.__dlpack_device__()
    if int(device_type) in _HOST_DEVICE_TYPES:
        import numpy as np

        return np.from_dlpack(tensor)
    import dpctl.tensor

    return dpctl.tensor.asnumpy(dpctl.tensor.from_dlpack(tensor))
