"""Limits that pytest's markers set: one small file next to each test's profile."""

import json
from pathlib import Path

from proton_xpu.report.regress.errors import ResultFormatError

SUFFIX = ".limits.json"


def write_limit(profile: Path, limit: float) -> None:
    """Notes by what share the kernels of `profile`, a path without suffix, may get slower."""
    profile.with_name(profile.name + SUFFIX).write_text(
        json.dumps({"max_regression": limit}) + "\n", encoding="utf-8"
    )


def read_limits(folder: Path) -> dict[str, float]:
    """The limits in a folder of profiles by profile name; empty if it is no folder.

    Raises `OSError` or `ResultFormatError`.
    """
    paths = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    return {path.name.removesuffix(SUFFIX): _read_limit(path) for path in paths}


def _read_limit(path: Path) -> float:
    try:
        return float(json.loads(path.read_text(encoding="utf-8"))["max_regression"])
    except (ValueError, KeyError, TypeError) as error:
        raise ResultFormatError(f"{path}: this holds no limit: {error!r}") from error
