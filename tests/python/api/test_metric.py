"""Normalisation of user metrics."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from proton_xpu import softgpu
from proton_xpu.metric import (
    FLOPS_DTYPES,
    FLOPS_WIDTHS,
    ROOFLINE_DTYPES,
    is_tensor,
    normalize_metrics,
    set_metric_kernels,
    transform_tensor_metrics,
)
from proton_xpu.softgpu import array


class HostTensor:
    """A tensor that offers nothing but DLPack."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


class TorchLike:
    """The part of a Torch tensor on a device that is used, with a count of copies to the host."""

    def __init__(self, array: Any, copies: list[str]) -> None:
        self._array = array
        self._copies = copies

    def numel(self) -> int:
        return int(self._array.size)

    def item(self) -> Any:
        self._copies.append("item")
        return self._array.item()

    def detach(self) -> "TorchLike":
        return self

    def cpu(self) -> Any:
        self._copies.append("cpu")
        return self._array


def same(value: Any, expected: Any) -> bool:
    """Equal in value and in the types of all elements."""
    if isinstance(expected, list):
        return (
            type(value) is list
            and len(value) == len(expected)
            and all(same(a, b) for a, b in zip(value, expected, strict=True))
        )
    return type(value) is type(expected) and bool(value == expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        (1.5, 1.5),
        (True, 1),
        (2**70, 2**70),
        (Fraction(1, 4), 0.25),
        ((1, 2), [1, 2]),
        ([1, 2.5], [1, 2.5]),
        ([], []),
        (np.float32(1.5), 1.5),
        (np.int16(-3), -3),
        (np.bool_(True), 1),
        ([np.int64(1), np.int64(2)], [1, 2]),
        (np.array(7), 7),
        (np.array([2.5], np.float32), 2.5),
        (np.array([[1, 2], [3, 4]], np.uint8), [1, 2, 3, 4]),
        (np.array([1, 2], np.float16), [1.0, 2.0]),
    ],
)
def test_values_become_plain_numbers(value: Any, expected: Any) -> None:
    assert same(normalize_metrics({"own": value})["own"], expected)


@pytest.mark.parametrize("value", ["text", None, 1 + 2j, b"bytes"])
def test_what_is_no_number_is_left_to_the_native_module(value: Any) -> None:
    assert normalize_metrics({"own": value})["own"] is value


@pytest.mark.parametrize("name", ["flops", "flops8", "flops16", "flops32", "flops64"])
def test_flops_are_floats(name: str) -> None:
    assert same(normalize_metrics({name: 3})[name], 3.0)
    assert same(normalize_metrics({name: [1, 2]})[name], [1.0, 2.0])
    assert same(normalize_metrics({name: np.array([3, 4])})[name], [3.0, 4.0])


def test_bytes_are_ints() -> None:
    assert same(normalize_metrics({"bytes": 3.7})["bytes"], 3)
    assert same(normalize_metrics({"bytes": np.float32(5.5)})["bytes"], 5)
    assert same(normalize_metrics({"bytes": [1.5, 2.5]})["bytes"], [1, 2])


def test_dlpack_alone_is_enough() -> None:
    assert same(normalize_metrics({"own": HostTensor(np.array([1.5, 2.5]))})["own"], [1.5, 2.5])
    assert same(normalize_metrics({"own": HostTensor(np.array([4]))})["own"], 4)


def test_device_tensor_is_copied_once() -> None:
    copies: list[str] = []
    assert normalize_metrics({"own": TorchLike(np.array([9]), copies)}) == {"own": 9}
    assert copies == ["item"]
    assert normalize_metrics({"own": TorchLike(np.array([1, 2]), copies)}) == {"own": [1, 2]}
    assert copies == ["item", "cpu"]


@pytest.mark.usefixtures("kernels")
def test_arrays_of_the_device_are_read() -> None:
    softgpu.Control().set_execution(enabled=True)
    metrics = {
        "loss": array.from_numpy(np.array([2.5], np.float32)),
        "counts": array.from_numpy(np.array([[1, 2], [3, 4]], np.int32)),
        "low": array.from_numpy(np.array([1.5]), "bfloat16"),
    }
    assert normalize_metrics(metrics) == {"loss": 2.5, "counts": [1, 2, 3, 4], "low": 1.5}


def test_order_of_metrics_is_kept() -> None:
    assert list(normalize_metrics({"b": 1, "a": 2, "c": 3})) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("value", "expected"), [(np.float32(1), True), (HostTensor(0), True), (1.0, False), ({}, False)]
)
def test_is_tensor(value: Any, expected: bool) -> None:
    assert is_tensor(value) is expected


def test_transform_tensor_metrics_leaves_no_tensors() -> None:
    scalars, tensors = transform_tensor_metrics({"a": np.array([1, 2]), "flops": 1})
    assert scalars == {"a": [1, 2], "flops": 1.0}
    assert tensors == {}


def test_metric_kernels_are_not_needed() -> None:
    set_metric_kernels()


def test_tables_of_types() -> None:
    assert FLOPS_WIDTHS == (8, 16, 32, 64)
    assert FLOPS_DTYPES["flops16"] == (float, 2, 6)
    assert ROOFLINE_DTYPES["bytes"] == (int, 1, 5)
    assert set(ROOFLINE_DTYPES) == {"flops", "flops8", "flops16", "flops32", "flops64", "bytes"}
