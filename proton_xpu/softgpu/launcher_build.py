"""What Triton's launchers, compiled at run time, need of Level Zero: headers and a library.

They are compiled with -I$ZE_PATH/include and linked with -lze_loader. What the user has set stays.
"""

import os
import shutil
from pathlib import Path

from proton_xpu.softgpu import loader

_HEADER = Path("level_zero") / "ze_api.h"
_LINK_NAME = "libze_loader.so"
_SYSTEM_INCLUDES = (Path("/usr/include"), Path("/usr/local/include"))


def prepare() -> None:
    """Set ZE_PATH and LIBRARY_PATH so that a launcher compiles, where they do not do so already.

    Raises:
        RuntimeError: there is no compiler or there are no Level Zero headers.
    """
    compilers = (os.environ.get("CXX", ""), "g++", "clang++", "icpx")
    if not any(shutil.which(name) for name in compilers):
        raise RuntimeError("Triton compiles its launchers, but there is no C++ compiler; get g++")
    present = loader.mapped_files("libze_loader.so")
    path = present[0] if present else loader.find()
    _see_to_headers(path)
    _see_to_library(path)


def _see_to_headers(loader_path: Path) -> None:
    if "ZE_PATH" in os.environ:
        return
    root = loader_path.parent.parent
    if (root / "include" / _HEADER).exists():
        os.environ["ZE_PATH"] = str(root)
        return
    if not any((folder / _HEADER).exists() for folder in (*_SYSTEM_INCLUDES, *_user_includes())):
        raise RuntimeError(
            "Triton compiles its launchers with Level Zero's headers, which are not installed; "
            "install Debian's libze-dev or set ZE_PATH to a folder with include/level_zero"
        )


def _user_includes() -> list[Path]:
    variables = ("CPATH", "CPLUS_INCLUDE_PATH")
    return [
        Path(folder)
        for variable in variables
        for folder in os.environ.get(variable, "").split(":")
        if folder
    ]


def _see_to_library(loader_path: Path) -> None:
    folder = loader_path.parent
    if not (folder / _LINK_NAME).exists():
        folder = _link_folder(loader_path)
    told = [part for part in os.environ.get("LIBRARY_PATH", "").split(":") if part]
    if str(folder) not in told:
        os.environ["LIBRARY_PATH"] = ":".join([*told, str(folder)])


def _link_folder(loader_path: Path) -> Path:
    """A folder with the name that linkers look for, as the package with the headers has it."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(cache) / "proton_xpu" / "link"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / _LINK_NAME
    if not link.exists() or link.resolve() != loader_path.resolve():
        fresh = folder / f"{_LINK_NAME}.{os.getpid()}"
        fresh.symlink_to(loader_path)
        fresh.replace(link)
    return folder
