"""The one interface of all places for baselines, and what is kept in them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from proton_xpu.report.regress.errors import BaselineError
from proton_xpu.report.regress.result import Result

SUFFIX = ".json"
GIT_SCHEME = "git:"

_NUMBER = re.compile(r"--(\d{6,})-")
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class BaselineStore(Protocol):
    """A flat set of named files. All methods raise `BaselineError` if the place cannot be used."""

    def names(self) -> list[str]:
        """Names of all files, sorted; empty if the place does not exist yet."""

    def read(self, name: str) -> bytes:
        """A file's content."""

    def write(self, name: str, data: bytes, message: str) -> None:
        """Adds or replaces a file. `message` says why, where the place keeps such a note."""


@dataclass(frozen=True)
class Baselines:
    """Results under one name in a store, oldest first. Nothing is ever overwritten or removed."""

    store: BaselineStore
    name: str

    def files(self) -> list[str]:
        """Names of the stored results, oldest first."""
        stored = re.compile(re.escape(slug(self.name)) + _NUMBER.pattern + ".*" + re.escape(SUFFIX))
        return [name for name in self.store.names() if stored.fullmatch(name)]

    def load(self, file: str) -> Result:
        """One stored result. Raises `BaselineError` or `ResultFormatError`."""
        return Result.from_bytes(self.store.read(file), file)

    def add(self, result: Result, message: str) -> str:
        """Stores a result as the newest one and returns the name of its file."""
        revision = result.environment.revision or "unversioned"
        stamp = re.sub(r"[^0-9T]", "", result.created.partition("+")[0])
        files = self.files()
        number = int(_NUMBER.findall(files[-1])[-1]) + 1 if files else 1
        file = f"{slug(self.name)}--{number:06d}-{stamp}-{slug(revision)}{SUFFIX}"
        self.store.write(file, result.to_bytes(), message)
        return file


def open_baselines(location: str, name: str) -> Baselines:
    """The results called `name` at a location.

    A location is a folder, `git:REF` or `git:REF:FOLDER`, or a URL that fsspec knows. Raises
    `BaselineError` or `MissingPackageError`.
    """
    return Baselines(_open_store(location), name)


def _open_store(location: str) -> BaselineStore:
    if location.startswith(GIT_SCHEME):
        from proton_xpu.report.regress.baselines.git import GitStore

        reference, _, folder = location.removeprefix(GIT_SCHEME).partition(":")
        return GitStore(reference, folder)
    if "://" in location:
        from proton_xpu.report.regress.baselines.remote import RemoteStore

        return RemoteStore(location)
    from proton_xpu.report.regress.baselines.folder import FolderStore

    return FolderStore(Path(location))


def slug(text: str) -> str:
    """The text with only what every file system takes. Raises `BaselineError` if none is left."""
    name = _NO_NAME.sub("-", text).strip("-.")
    if not name:
        raise BaselineError(f"{text!r} is no name for baselines; use letters and digits")
    return name
