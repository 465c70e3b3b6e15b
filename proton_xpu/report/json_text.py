"""JSON parsing for profiles: fast on many nodes, works on deep nesting, exact about errors."""

import gc
import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from proton_xpu.report.errors import ProfileFormatError

_DEEP_STACK_BYTES = 512 * 1024 * 1024
_DEEP_FRAMES = 400_000

_T = TypeVar("_T")


@contextmanager
def paused_gc() -> Iterator[None]:
    """Switches the cyclic collector off: it would re-scan the growing tree again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def parse(text: str, source: str) -> Any:
    """Parses JSON; NaN and infinities, which are no JSON, become None.

    Raises `ProfileFormatError` that names `source`, line and column.
    """
    try:
        with paused_gc():
            try:
                return json.loads(text, parse_constant=_absent)
            except RecursionError:
                return _with_deep_stack(lambda: _DeepDecoder(parse_constant=_absent).decode(text))
    except json.JSONDecodeError as error:
        ended = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        cut_off = " (the file seems to be cut off)" if ended else ""
        raise ProfileFormatError(
            f"{source}: line {error.lineno}, column {error.colno}: not valid JSON:"
            f" {error.msg}{cut_off}"
        ) from error
    except ValueError as error:
        raise ProfileFormatError(f"{source}: not valid JSON: {error}") from error
    except RecursionError as error:
        raise ProfileFormatError(f"{source}: nested too deeply; this is no profile") from error


def _absent(_constant: str) -> None:
    return None


class _DeepDecoder(json.JSONDecoder):
    """The standard library's decoder in its Python form, which the C stack does not limit."""

    def __init__(self, parse_constant: Callable[[str], Any]) -> None:
        super().__init__(parse_constant=parse_constant)
        decoder, scanner = import_module("json.decoder"), import_module("json.scanner")
        self.parse_object = decoder.JSONObject
        self.parse_array = decoder.JSONArray
        self.scan_once = scanner.py_make_scanner(self)


def _with_deep_stack(function: Callable[[], _T]) -> _T:
    """Runs `function` on a thread with a large stack and a high recursion limit."""
    limit = sys.getrecursionlimit()
    stack = threading.stack_size(_DEEP_STACK_BYTES)
    sys.setrecursionlimit(_DEEP_FRAMES)
    try:
        with ThreadPoolExecutor(max_workers=1) as executor:
            return executor.submit(function).result()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(stack)
