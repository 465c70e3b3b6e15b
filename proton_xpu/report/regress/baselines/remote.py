"""Baselines at any URL that fsspec knows, such as s3://bucket/folder."""

from typing import Any

from proton_xpu.report.packages import require
from proton_xpu.report.regress.errors import BaselineError


class RemoteStore:
    """Files below a URL."""

    def __init__(self, url: str) -> None:
        fsspec = require("fsspec", "fsspec", f"a baseline at {url}")
        self._url = url.rstrip("/")
        try:
            found: tuple[Any, str] = fsspec.core.url_to_fs(self._url)
        except (ValueError, ImportError, OSError) as error:
            raise BaselineError(f"{url}: {error}") from error
        self._files, self._folder = found

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        try:
            # Other jobs write to the place too: what was listed before is out of date.
            self._files.invalidate_cache()
            entries = self._files.ls(self._folder, detail=True)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BaselineError(f"{self._url}: {error}") from error
        files = [entry["name"] for entry in entries if entry["type"] == "file"]
        return sorted(name.rsplit("/", 1)[-1] for name in files)

    def read(self, name: str) -> bytes:
        """A file's content."""
        try:
            content: bytes = self._files.cat_file(f"{self._folder}/{name}")
        except OSError as error:
            raise BaselineError(f"{self._url}/{name}: {error}") from error
        return content

    def write(self, name: str, data: bytes, message: str) -> None:  # noqa: ARG002
        """Writes the whole file at once."""
        try:
            self._files.makedirs(self._folder, exist_ok=True)
            self._files.pipe_file(f"{self._folder}/{name}", data)
        except OSError as error:
            raise BaselineError(f"{self._url}/{name}: {error}") from error
