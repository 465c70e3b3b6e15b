import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_xpu.softgpu import low_precision

_FLOATS = st.floats(width=32, allow_nan=True, allow_infinity=True)


def _nearest(value: float, name: str) -> set[float]:
    """The finite values of a format that are nearest to one; NaN is left out."""
    count = 256 if name != "bfloat16" else 65536
    storage = low_precision.FORMATS[name]
    values = low_precision.decode(np.arange(count).astype(storage), name).astype(np.float64)
    values = values[np.isfinite(values)]
    distance = np.abs(values - value)
    return set(values[distance == distance.min()].tolist())


@pytest.mark.parametrize("name", low_precision.FORMATS)
def test_every_pattern_survives_a_round_trip(name: str) -> None:
    count = 256 if name != "bfloat16" else 65536
    bits = np.arange(count).astype(low_precision.FORMATS[name])
    values = low_precision.decode(bits, name)
    again = low_precision.decode(low_precision.encode(values, name), name)
    np.testing.assert_array_equal(again, values)
    numbers = ~np.isnan(values)
    np.testing.assert_array_equal(low_precision.encode(values, name)[numbers], bits[numbers])


@pytest.mark.parametrize(
    ("name", "largest", "above", "smallest"),
    [
        ("bfloat16", 3.3895313892515355e38, math.inf, 9.183549615799121e-41),
        ("float8_e4m3fn", 448.0, math.nan, 2.0**-9),
        ("float8_e5m2", 57344.0, math.inf, 2.0**-16),
    ],
)
def test_range(name: str, largest: float, above: float, smallest: float) -> None:
    values = [largest, -largest, smallest, 0.0, 3.4e38, math.nan]
    got = low_precision.decode(low_precision.encode(values, name), name)
    np.testing.assert_array_equal(got, np.array([*values[:4], above, math.nan], np.float32))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
@given(value=_FLOATS)
def test_float8_rounds_to_nearest(name: str, value: float) -> None:
    got = float(low_precision.decode(low_precision.encode(np.float32(value), name), name))
    if math.isnan(value):
        assert math.isnan(got)
    elif math.isfinite(got):
        assert got in _nearest(value, name)
    else:
        assert abs(value) > max(_nearest(math.inf, name), default=0) or abs(value) >= 448


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("bfloat16", 1 + 2.0**-8, 1.0),
        ("bfloat16", 1 + 3 * 2.0**-8, 1 + 2 * 2.0**-7),
        ("float8_e4m3fn", 1 + 2.0**-4, 1.0),
        ("float8_e4m3fn", 1 + 3 * 2.0**-4, 1.25),
        ("float8_e4m3fn", 464.0, 448.0),
        ("float8_e5m2", 1 + 2.0**-3, 1.0),
        ("float8_e5m2", 61440.0, math.inf),
    ],
)
def test_ties_go_to_even(name: str, value: float, expected: float) -> None:
    assert low_precision.decode(low_precision.encode(value, name), name) == expected
