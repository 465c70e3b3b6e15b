"""Python programs in processes of their own."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]

_TESTS = Path(__file__).resolve().parents[1]
_PATIENCE_S = 300


def python_environment(
    path: Sequence[str | Path] = (), variables: Mapping[str, str | None] | None = None
) -> dict[str, str]:
    """This process's environment, with `path` in front of all modules, and `variables`.

    A variable of None is left out. The child finds what tests share, as the tests do.
    """
    environment = dict(os.environ)
    parts = [*map(str, path), str(_TESTS), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, parts))
    for name, value in (variables or {}).items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


def run_python(
    arguments: Sequence[str | Path],
    *,
    path: Sequence[str | Path] = (),
    variables: Mapping[str, str | None] | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with `arguments` to its end, whatever its exit code."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=python_environment(path, variables),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )


def run_code(code: str, *arguments: str | Path, **options: Any) -> str:
    """Run indented `code` to its end, which must be a good one. Returns what it printed."""
    done = run_python(["-c", textwrap.dedent(code), *arguments], **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_for_json(code: str, *arguments: str | Path, **options: Any) -> Any:
    """Like `run_code` for code that prints JSON as its last line."""
    return json.loads(run_code(code, *arguments, **options).splitlines()[-1])
