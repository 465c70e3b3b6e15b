"""Baselines on a git branch or ref of their own, written without touching the work tree."""

import os
import subprocess
import tempfile
from pathlib import Path

from proton_xpu.report.regress.errors import BaselineError

_AUTHOR = {
    "GIT_AUTHOR_NAME": "proton-xpu",
    "GIT_AUTHOR_EMAIL": "proton-xpu@localhost",
    "GIT_COMMITTER_NAME": "proton-xpu",
    "GIT_COMMITTER_EMAIL": "proton-xpu@localhost",
}


class GitStore:
    """Files in `folder` of a ref of the current folder's repository.

    A name without a slash is a branch; if only the remote `origin` has it, it is read from there.
    Writing adds a commit to the local ref; pushing it is left to the caller.
    """

    def __init__(self, reference: str, folder: str = "") -> None:
        if not reference or reference.startswith("-"):
            raise BaselineError(f"git:{reference} names no branch or ref; write git:BRANCH")
        self._reference = reference if reference.startswith("refs/") else f"refs/heads/{reference}"
        self._folder = folder.strip("/")
        self._git("rev-parse", "--git-dir")

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        commit = self._commit()
        if commit is None:
            return []
        listed = self._git("ls-tree", "-z", "--name-only", self._tree(commit), failure="")
        return sorted(name for name in listed.decode().split("\0") if name)

    def read(self, name: str) -> bytes:
        """A file's content."""
        commit = self._commit()
        if commit is None:
            raise BaselineError(f"there is no {self._reference} in this repository")
        return self._git("cat-file", "blob", f"{commit}:{self._path(name)}")

    def write(self, name: str, data: bytes, message: str) -> None:
        """Commits the file on the ref; fails if another process moved the ref meanwhile."""
        parent = self._commit()
        blob = self._git("hash-object", "-w", "--stdin", data=data).decode().strip()
        with tempfile.TemporaryDirectory(prefix="proton-xpu-index-") as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            if parent is not None:
                self._git("read-tree", parent, extra=index)
            entry = f"100644,{blob},{self._path(name)}"
            self._git("update-index", "--add", "--cacheinfo", entry, extra=index)
            tree = self._git("write-tree", extra=index).decode().strip()
        parents = ["-p", parent] if parent is not None else []
        commit = self._git("commit-tree", tree, *parents, "-m", message, extra=_AUTHOR)
        local = self._resolved(self._reference) or "0" * len(blob)
        self._git("update-ref", self._reference, commit.decode().strip(), local)

    def _commit(self) -> str | None:
        found = self._resolved(self._reference)
        if found is None and self._reference.startswith("refs/heads/"):
            branch = self._reference.removeprefix("refs/heads/")
            found = self._resolved(f"refs/remotes/origin/{branch}")
        return found

    def _resolved(self, reference: str) -> str | None:
        found = self._git("rev-parse", "--verify", "-q", f"{reference}^{{commit}}", failure="")
        return found.decode().strip() or None

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name

    def _tree(self, commit: str) -> str:
        return f"{commit}:{self._folder}"

    def _git(
        self,
        *arguments: str,
        data: bytes = b"",
        extra: dict[str, str] | None = None,
        failure: str | None = None,
    ) -> bytes:
        """Output of git; if it fails, `failure`, or else `BaselineError`."""
        try:
            done = subprocess.run(  # noqa: S603
                ["git", *arguments],  # noqa: S607
                input=data,
                capture_output=True,
                env={**os.environ, **(extra or {})},
                check=False,
            )
        except OSError as error:
            raise BaselineError(f"git could not be started: {error.strerror}") from error
        if done.returncode == 0:
            return done.stdout
        if failure is not None:
            return failure.encode()
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise BaselineError(f"git {arguments[0]} failed: {reason[-1] if reason else 'no reason'}")
