"""How commands of the read side end: one line on stderr and code 2 when something is wrong."""

import io
import os
import sys
from collections.abc import Callable

from proton_xpu.report.errors import ReportError
from proton_xpu.report.json_text import paused_gc
from proton_xpu.report.text_cells import printable

FAILURE = 2


def run(program: str, work: Callable[[], int]) -> int:
    """Runs `work`; turns errors a user can mend into one line on stderr and code 2."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Names may hold anything: what the encoding lacks is escaped.
            sys.stdout.reconfigure(errors="backslashreplace")
        with paused_gc():
            code = work()
        sys.stdout.flush()
    except ReportError as error:
        return fail(program, str(error))
    except BrokenPipeError:
        # The reader closed the pipe, e.g. `head`: end quietly, and let exit not flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return fail(program, message)
    return code


def fail(program: str, message: str) -> int:
    """Prints an error and returns the exit code for it."""
    print(f"{program}: error: {printable(message)}", file=sys.stderr)
    return FAILURE


def warn(program: str, message: str) -> None:
    """Prints a warning."""
    print(f"{program}: warning: {printable(message)}", file=sys.stderr)
