"""Chrome traces, of Proton or of the PyTorch profiler, summed up into a call tree."""

import json
import re
from collections.abc import Iterator
from typing import Any

from proton_xpu.report import kineto
from proton_xpu.report.calltree import CallTree, Metrics, MetricValue, from_paths
from proton_xpu.report.document import Document
from proton_xpu.report.errors import ProfileFormatError

_SUFFIX = re.compile(r"\s*\((?:exc|pty)\)$")

_SCOPE_CATEGORIES = frozenset({"scope", "metric"})


def read_trace(content: dict[str, Any], source: str) -> Document:
    """Sums up a decoded trace: kernels into count and time, scopes into host time.

    A kernel's place is its recorded call stack, or where the PyTorch profiler saw its launch;
    without either it hangs below the root. Raises `ProfileFormatError` that names the event.
    """
    events = content.get("traceEvents")
    if not isinstance(events, list):
        raise ProfileFormatError(f'{source}: a trace needs a list under "traceEvents"')
    if kineto.is_kineto(events):
        tree = _kineto_tree(events, source)
    else:
        tree = from_paths(_rows(events, source))
    if not len(tree):
        tree.add("ROOT", -1, {})
    metadata = {key: value for key, value in content.items() if key != "traceEvents"}
    return Document(tree, {}, metadata)


def kernel_durations(content: dict[str, Any], source: str) -> dict[tuple[str, ...], list[int]]:
    """Durations in ns of every kernel of a decoded trace, by its path below the root.

    Raises `ProfileFormatError` that names the event.
    """
    durations: dict[tuple[str, ...], list[int]] = {}
    for path, row in _rows(content.get("traceEvents", []), source):
        time = row.get("time (ns)")
        if isinstance(time, int):
            durations.setdefault(tuple(path[1:]), []).append(time)
    return durations


def _kineto_tree(events: list[Any], source: str) -> CallTree:
    try:
        return from_paths(kineto.rows(events))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ProfileFormatError(
            f'{source}: an event of the trace lacks its "name", "ts" or "dur": {error}'
        ) from error


def _rows(events: list[Any], source: str) -> Iterator[tuple[list[str], Metrics]]:
    for number, event in enumerate(events):
        if not isinstance(event, dict):
            raise ProfileFormatError(f"{source}: trace event {number} must be an object")
        category = event.get("cat")
        if event.get("ph") != "X" or not (category == "kernel" or category in _SCOPE_CATEGORIES):
            continue
        duration = event.get("dur", 0)
        name = event.get("name")
        args = event.get("args", {})
        if (
            not isinstance(duration, (int, float))
            or not isinstance(name, str)
            or not isinstance(args, dict)
        ):
            raise ProfileFormatError(
                f'{source}: trace event {number} needs a string "name", a number "dur" and an'
                ' object "args"'
            )
        stack = args.get("call_stack")
        if category != "kernel" and stack is None:
            continue
        path = [str(frame) for frame in stack] if isinstance(stack, list) else ["ROOT", name]
        row = _parsed_metrics(args.get("metrics"))
        nanoseconds = round(duration * 1000)
        if category == "kernel":
            row["count"] = 1
            row["time (ns)"] = nanoseconds
        else:
            row["cpu_time (ns)"] = nanoseconds
        yield path, row


def _parsed_metrics(metrics: Any) -> Metrics:
    if not isinstance(metrics, dict):
        return {}
    return {_SUFFIX.sub("", str(name)): _parsed_value(value) for name, value in metrics.items()}


def _parsed_value(value: Any) -> MetricValue:
    """Traces hold metric values as text; numbers and vectors become numbers again."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    if isinstance(value, list):
        return [item for item in value if isinstance(item, (int, float))]
    return value if isinstance(value, (int, float)) else str(value)
