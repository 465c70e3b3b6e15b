"""Baselines in a folder."""

import os
from pathlib import Path

from proton_xpu.report.regress.errors import BaselineError


class FolderStore:
    """Files of one folder, which is made when the first is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        try:
            return sorted(path.name for path in self._folder.iterdir() if path.is_file())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BaselineError(f"{self._folder}: {error.strerror}; check the baseline") from error

    def read(self, name: str) -> bytes:
        """A file's content."""
        try:
            return (self._folder / name).read_bytes()
        except OSError as error:
            raise BaselineError(f"{self._folder / name}: {error.strerror}") from error

    def write(self, name: str, data: bytes, message: str) -> None:  # noqa: ARG002
        """Writes beside the file first, so that a reader never meets half of it."""
        partial = self._folder / f".{name}.{os.getpid()}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(data)
            partial.replace(self._folder / name)
        except OSError as error:
            raise BaselineError(f"{self._folder / name}: {error.strerror}") from error
