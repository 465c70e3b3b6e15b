"""Finding a Level Zero loader that is new enough, and having this process use that one."""

import ctypes
import os
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SONAME = "libze_loader.so.1"
MINIMUM_VERSION = (1, 16, 15)
"""Intel PTI finds no usable zesInit in older ones."""

_SYSTEM_FOLDERS = (
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/x86_64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
)
# In the loader's API since a version that is new enough.
_SYMBOL_OF_NEW_LOADERS = "zeInitDrivers"


class LoaderError(RuntimeError):
    """No Level Zero loader can be used. The message says what to do."""


def mapped_files(name_part: str) -> list[Path]:
    """Files mapped into this process whose name contains `name_part`, each once."""
    found: dict[Path, None] = {}
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and name_part in Path(fields[5]).name:
            found[Path(fields[5].removesuffix(" (deleted)"))] = None
    return list(found)


def private_folder() -> Path | None:
    """The folder of the project's own copy: `lib` and `include` under it. None if there is none.

    Beside the checkout that this package is run from, or under the environment's prefix.
    """
    checkout = Path(__file__).resolve().parents[2]
    for folder in (
        checkout / ".deps" / "level-zero",
        Path(sysconfig.get_path("data")) / "share" / "proton_xpu" / "level-zero",
    ):
        if (folder / "lib" / SONAME).exists():
            return folder
    return None


def find() -> Path:
    """The loader to use: the one that PROTON_XPU_LEVEL_ZERO_LOADER names, else a new enough one.

    Looked for in the project's own copy, then LD_LIBRARY_PATH, then the system's folders.

    Raises:
        LoaderError: there is none, or the one named is not there or too old.
    """
    told = os.environ.get("PROTON_XPU_LEVEL_ZERO_LOADER")
    if told:
        if not Path(told).exists():
            raise LoaderError(
                f"PROTON_XPU_LEVEL_ZERO_LOADER names {told!r}, which is not there; set it to the "
                f"path of {SONAME} or unset it"
            )
        if not is_new_enough(Path(told)):
            raise LoaderError(_too_old(Path(told)))
        return Path(told)
    too_old = None
    for path in _candidates():
        if is_new_enough(path):
            return path
        too_old = too_old or path
    if too_old is not None:
        raise LoaderError(_too_old(too_old))
    raise LoaderError(
        f"no Level Zero loader was found; install Debian's libze1 or set "
        f"PROTON_XPU_LEVEL_ZERO_LOADER to the path of {SONAME}"
    )


def preload() -> ctypes.CDLL:
    """Load the loader that `find` gives, so that all of this process uses it.

    Everybody opens the loader by its soname, which is that of the one already there. If this
    process has one, that is it.

    Raises:
        LoaderError: there is none, the one in this process is too old, or another one than
            PROTON_XPU_LEVEL_ZERO_LOADER names.
    """
    present = mapped_files("libze_loader.so")
    if present:
        _check_present(present[0])
        path = present[0]
    else:
        path = find()
    try:
        library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise LoaderError(f"the Level Zero loader cannot be loaded: {error}") from error
    # For child processes, and for the loader's own layers, which lie next to it.
    os.environ.setdefault("PROTON_XPU_LEVEL_ZERO_LOADER", str(path))
    os.environ.setdefault("ZEL_LIBRARY_PATH", str(path.parent))
    return library


def is_new_enough(path: Path) -> bool:
    """Whether a loader is of `MINIMUM_VERSION`: by its file's name, else by what it exports."""
    match = re.search(r"\.so\.(\d+)\.(\d+)\.(\d+)$", path.resolve().name)
    if match:
        return tuple(int(part) for part in match.groups()) >= MINIMUM_VERSION
    return _SYMBOL_OF_NEW_LOADERS.encode() in path.read_bytes()


def _candidates() -> Iterator[Path]:
    private = private_folder()
    if private is not None:
        yield private / "lib" / SONAME
    searched = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for folder in (*searched, *_SYSTEM_FOLDERS):
        path = Path(folder) / SONAME
        if folder and path.exists():
            yield path


def _check_present(path: Path) -> None:
    told = os.environ.get("PROTON_XPU_LEVEL_ZERO_LOADER")
    if told and Path(told).resolve() != path.resolve():
        raise LoaderError(
            f"the Level Zero loader {path} is already in this process, but "
            f"PROTON_XPU_LEVEL_ZERO_LOADER names {told}; activate before importing what loads it"
        )
    if not is_new_enough(path):
        raise LoaderError(_too_old(path))


def _too_old(path: Path) -> str:
    minimum = ".".join(map(str, MINIMUM_VERSION))
    return (
        f"the Level Zero loader {path} is older than {minimum}, which Intel PTI needs; install a "
        f"newer libze1 or set PROTON_XPU_LEVEL_ZERO_LOADER to the path of a newer {SONAME}"
    )
