"""Limits that pytest's markers set: one small file next to each test's profile."""

import json
from pathlib import Path

from proton_xpu.report.regress.errors import ResultFormatError

SUFFIX = ".limits.json"


def folder_beside(profile: Path) -> Path:
    """Where the limits of a run stand whose one profile is `profile`, a path without suffix."""
    return profile.with_name(f"{profile.name}.limits")


def write_limit(profile: Path, limit: float) -> None:
    """Notes by what share the kernels of `profile`, a path without suffix, may get slower."""
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.with_name(profile.name + SUFFIX).write_text(
        json.dumps({"max_regression": limit}) + "\n", encoding="utf-8"
    )


def read_limits(run: Path) -> dict[str, float]:
    """The limits of a run by the first name of the kernels' paths.

    `run` is a folder of profiles, or the path without suffix of one profile. Raises `OSError` or
    `ResultFormatError`.
    """
    folder = run if run.is_dir() else folder_beside(run)
    paths = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    return {path.name.removesuffix(SUFFIX): _read_limit(path) for path in paths}


def _read_limit(path: Path) -> float:
    try:
        return float(json.loads(path.read_text(encoding="utf-8"))["max_regression"])
    except (ValueError, KeyError, TypeError) as error:
        raise ResultFormatError(f"{path}: this holds no limit: {error!r}") from error
