"""Shares and durations as people write them: "5%", "100ns"."""

import math
import re

from proton_xpu.report.regress.errors import ConfigError

_SHARE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*%\s*")
_DURATION = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(ns|us|ms|s)\s*")
_NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def share(value: object, key: str) -> float:
    """A share from "5%" or from a number such as 0.05. Raises `ConfigError` that names `key`."""
    if isinstance(value, str):
        match = _SHARE.fullmatch(value)
        if match:
            return float(match[1]) / 100
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf:
        return float(value)
    raise ConfigError(f'{key}: {value!r} is no share; write "5%" or 0.05')


def nanoseconds(value: object, key: str) -> float:
    """A duration from "100ns", "2.5us" and so on. Raises `ConfigError` that names `key`."""
    if isinstance(value, str):
        match = _DURATION.fullmatch(value)
        if match:
            return float(match[1]) * _NANOSECONDS[match[2]]
    raise ConfigError(f'{key}: {value!r} is no duration; write "100ns" or "2us"')


def share_text(value: float) -> str:
    """The share as `share` reads it: 0.05 -> "5%"."""
    return f"{value * 100:.10g}%"


def duration_text(nanoseconds: float) -> str:
    """A duration in the unit that suits it: 1234.0 -> "1.23 us"."""
    for unit in ("s", "ms", "us"):
        if nanoseconds >= _NANOSECONDS[unit]:
            return f"{nanoseconds / _NANOSECONDS[unit]:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def change_text(ratio: float) -> str:
    """A ratio as a signed change: 1.05 -> "+5.0 %"."""
    percent = (ratio - 1) * 100
    return f"{percent:+.1f} %" if abs(percent) < 1000 else f"x{ratio:.3g}"
