"""A line that tells how far long work is, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SECONDS_BETWEEN_UPDATES = 0.1


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Gives a function to tell how many more of `total` are done.

    They are counted on one line of standard error, which is gone at the end; nothing is written
    where that is no terminal.
    """
    done = 0
    shown = False
    last = time.monotonic()

    def advance(count: int) -> None:
        nonlocal done, shown, last
        done += count
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_UPDATES and sys.stderr.isatty():
            last, shown = now, True
            print(f"\r{what} {done}/{total}", end="", file=sys.stderr, flush=True)

    try:
        yield advance
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
