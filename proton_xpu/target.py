"""Running a program in this process as if Python had been started with it."""

import runpy
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple


class Target(NamedTuple):
    """What to run: a script, a module (as with `python -m`) or pytest, and its arguments."""

    name: str
    arguments: Sequence[str]
    is_module: bool = False

    @property
    def is_pytest(self) -> bool:
        """Whether pytest is to be run, by whatever path it is named."""
        return Path(self.name).name in ("pytest", "py.test")


def run(target: Target) -> int:
    """Run `target` as `__main__` to its end, non-daemon threads included. Returns its exit code.

    1 after an uncaught exception, whose traceback goes to stderr.
    """
    sys.argv = [target.name, *target.arguments]
    try:
        if target.is_pytest:
            return _run_pytest(target.arguments)
        if target.is_module:
            sys.path.insert(0, "")
            runpy.run_module(target.name, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(target.name).resolve().parent))
            runpy.run_path(target.name, run_name="__main__")
    except SystemExit as request:
        return _exit_code(request.code)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 (whatever the program raises)
        print("An error occurred while executing the script:", file=sys.stderr)
        traceback.print_exception(type(error), error, _part_of_the_program(error.__traceback__))
        return 1
    finally:
        _join_threads()
    return 0


def _run_pytest(arguments: Sequence[str]) -> int:
    import pytest

    return int(pytest.main(list(arguments)))


def _part_of_the_program(trace: TracebackType | None) -> TracebackType | None:
    """`trace` without the frames that lead to the program's first."""
    while trace is not None and trace.tb_frame.f_globals.get("__name__") in (__name__, "runpy"):
        trace = trace.tb_next
    return trace


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _join_threads() -> None:
    """Wait for what the interpreter would wait for at its end."""
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
