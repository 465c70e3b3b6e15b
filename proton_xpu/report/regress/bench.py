"""Profiling parts of tests; what the pytest plugin's fixtures are made of."""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proton_xpu.report.regress.marked_limits import folder_beside, write_limit
from proton_xpu.report.regress.quantities import share

PROFILE_VARIABLE = "PROTON_XPU_REGRESS_PROFILE"
"""Set by `proton-xpu regress record`: the path, without suffix, of the launch's profile."""

_NO_FILE_NAME = re.compile(r"[^A-Za-z0-9._=-]+")
_LONGEST_NAME = 120


class ProtonBench:
    """Profiles blocks of one test, each under a name of its own, into files of `folder`."""

    def __init__(self, folder: Path, test: str) -> None:
        self._folder = folder
        self._test = test
        self._sessions: dict[str, int | None] = {}

    @contextmanager
    def __call__(
        self,
        name: str,
        *,
        max_regression: str | float | None = None,
        hook: str | None = "triton",
        context: str = "shadow",
        data: str = "tree",
    ) -> Iterator[None]:
        """Profiles the block. Blocks of one name in one test go into one file.

        `max_regression`, such as "5%", is the limit for the kernels of the block. The other
        arguments are those of `proton_xpu.start`. Under the command `proton-xpu`, which has its
        own session, the block is a scope of that session instead. Raises `ConfigError` for a
        limit that is no share, or what `proton_xpu.start` raises.
        """
        import proton_xpu

        file = file_name(f"{self._test}-{name}" if name else self._test)
        limit = None if max_regression is None else share(max_regression, "max_regression")
        known = self._sessions.get(file)
        if known is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = str(self._folder / file)
            session = proton_xpu.start(path, context=context, data=data, hook=hook)
            self._sessions[file] = session
        else:
            session = known
            proton_xpu.activate(session)
        if limit is not None:
            write_limit(self._limits_folder(session) / file, limit)
        if session is None:
            with proton_xpu.scope(file):
                yield
            return
        try:
            yield
        finally:
            proton_xpu.deactivate(session, flushing=True)

    def finish(self) -> None:
        """Writes the files."""
        import proton_xpu

        for session in self._sessions.values():
            if session is not None:
                proton_xpu.finalize(session)
        self._sessions.clear()

    def _limits_folder(self, session: int | None) -> Path:
        profile = os.environ.get(PROFILE_VARIABLE)
        if session is None and profile:
            return folder_beside(Path(profile))
        return self._folder


def file_name(test: str) -> str:
    """A test's name as one of a file: equal for equal names, and different for others."""
    name = _NO_FILE_NAME.sub("-", test.replace("::", ".").replace("/", ".")).strip("-")
    digest = hashlib.sha256(test.encode()).hexdigest()[:8]
    return f"{name[:_LONGEST_NAME]}-{digest}"
