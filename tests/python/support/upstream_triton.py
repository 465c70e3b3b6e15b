"""The upstream Triton release that the tests compare with, kept apart from the installed Triton."""

import os
from pathlib import Path

from support.children import REPOSITORY

_FOLDER_VARIABLE = "PROTON_XPU_UPSTREAM_TRITON"


def upstream_triton_folder() -> Path:
    """The folder that holds upstream's unpacked package `triton`."""
    folder = Path(os.environ.get(_FOLDER_VARIABLE, REPOSITORY / ".deps" / "upstream-triton"))
    assert (folder / "triton" / "profiler").is_dir(), (
        f"upstream's Triton is not in {folder}: run ./dev test, which installs it, "
        f"or name its folder in {_FOLDER_VARIABLE}"
    )
    return folder
