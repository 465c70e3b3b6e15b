"""Numbers that numpy lacks: bfloat16 and the 8 bit floats of the OCP specification.

Each is kept as its bit pattern. Rounding is to nearest, ties to even.
"""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.unsignedinteger[Any]]

FORMATS: dict[str, type[np.unsignedinteger[Any]]] = {
    "bfloat16": np.uint16,
    "float8_e4m3fn": np.uint8,
    "float8_e5m2": np.uint8,
}
"""Name of each format and the integer that holds its bits."""


def encode(values: npt.ArrayLike, name: str) -> Bits:
    """The bit patterns of `values` in a format, same shape.

    What is too large becomes infinity, or NaN in float8_e4m3fn, which has no infinity.
    """
    numbers = np.asarray(values, np.float32)
    if name == "bfloat16":
        bits = numbers.view(np.uint32)
        rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        quiet = bits >> 16 | 0x40
        return np.where(np.isnan(numbers), quiet, rounded).astype(np.uint16)
    magnitudes, overflow, not_a_number = _float8_codes(name)
    middles = (magnitudes[:-1] + magnitudes[1:]) / 2
    absolute = np.abs(numbers).astype(np.float64)
    code = np.searchsorted(middles, absolute, side="left")
    tie = np.isin(absolute, middles) & (code % 2 == 1)
    code = np.where(tie, code + 1, code)
    code = np.where(code >= len(magnitudes) - 1, overflow, code)
    code = np.where(np.isnan(numbers), not_a_number, code)
    return (code | np.signbit(numbers).astype(np.int64) << 7).astype(np.uint8)


def decode(bits: Bits, name: str) -> npt.NDArray[np.float32]:
    """The values of bit patterns, exact, same shape."""
    if name == "bfloat16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return np.asarray(_float8_values(name)[bits], np.float32)


@functools.cache
def _float8_values(name: str) -> npt.NDArray[np.float32]:
    """The value of each of the 256 patterns."""
    fraction_bits = 3 if name == "float8_e4m3fn" else 2
    exponent_bits = 7 - fraction_bits
    bias = 2 ** (exponent_bits - 1) - 1
    code = np.arange(256)
    exponent = code >> fraction_bits & (2**exponent_bits - 1)
    fraction = (code & (2**fraction_bits - 1)) / 2**fraction_bits
    magnitude = np.where(
        exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias)
    )
    if name == "float8_e4m3fn":
        magnitude[code & 0x7F == 0x7F] = np.nan
    else:
        largest_exponent = exponent == 2**exponent_bits - 1
        magnitude[largest_exponent] = np.where(fraction[largest_exponent] == 0, np.inf, np.nan)
    values: npt.NDArray[np.float64] = np.where(code & 0x80, -magnitude, magnitude)
    return values.astype(np.float32)


@functools.cache
def _float8_codes(name: str) -> tuple[npt.NDArray[np.float64], int, int]:
    """Finite magnitudes by code and the next one as if it were finite; overflow's code; NaN's."""
    values = _float8_values(name)[:128].astype(np.float64)
    finite = values[np.isfinite(values)]
    magnitudes = np.append(finite, finite[-1] + (finite[-1] - finite[-2]))
    overflow = len(finite)  # Infinity, or NaN in float8_e4m3fn.
    return magnitudes, overflow, 0x7F
