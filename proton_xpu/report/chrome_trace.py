"""Chrome traces, of Proton, the PyTorch profiler, unitrace or others, as call trees."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

from proton_xpu.report import kineto, unitrace
from proton_xpu.report.calltree import Metrics, MetricValue, from_paths
from proton_xpu.report.document import DeviceTable, Document
from proton_xpu.report.errors import ProfileFormatError
from proton_xpu.report.stack_frames import StackFrames
from proton_xpu.report.timeline import from_trace
from proton_xpu.report.track_tree import tree_of

_SUFFIX = re.compile(r"\s*\((?:exc|pty)\)$")

_SCOPE_CATEGORIES = frozenset({"scope", "metric"})
_DEVICE_CATEGORIES = frozenset({"kernel", "memcpy", "memset"})
_LAUNCH_CATEGORY = "launch"

# Lanes of proton_xpu's traces; without a device it is the first one.
_LANE = re.compile(r"GPU Stream \d+(?: \(device (\d+)\))?(?:, overlap \d+)?")

_DEVICE_TYPE = "XPU"

_T = TypeVar("_T")


def read_trace(content: dict[str, Any], source: str) -> Document:
    """Sums up a decoded trace: kernels into count and time, scopes into host time.

    A kernel's place is its recorded call stack, or where the PyTorch profiler or unitrace saw its
    launch; without either it hangs below the root. Of other tools' traces all slices are summed up
    as they are nested. Raises `ProfileFormatError` that names the event.
    """
    events = content.get("traceEvents")
    if not isinstance(events, list):
        raise ProfileFormatError(f'{source}: a trace needs a list under "traceEvents"')
    devices: DeviceTable = {}
    if kineto.is_kineto(events):
        tree = _built(lambda: from_paths(kineto.rows(events)), source)
    elif unitrace.is_unitrace(events):
        devices, index_of = _built(lambda: unitrace.devices(events), source)
        tree = _built(lambda: from_paths(unitrace.rows(events, index_of)), source)
    elif _is_foreign(events):
        tree = tree_of(from_trace(content, source))
    else:
        trace = _ProtonTrace(content, source)
        devices = trace.devices
        tree = from_paths((path, row) for _, path, row in trace.rows())
    if not len(tree):
        tree.add("ROOT", -1, {})
    left_out = ("traceEvents", "stackFrames")
    metadata = {key: value for key, value in content.items() if key not in left_out}
    return Document(tree, devices, metadata)


def kernel_durations(content: dict[str, Any], source: str) -> dict[tuple[str, ...], list[int]]:
    """Durations in ns of every kernel of a decoded trace, by its path below the root.

    Raises `ProfileFormatError` that names the event.
    """
    durations: dict[tuple[str, ...], list[int]] = {}
    for category, path, row in _ProtonTrace(content, source).rows():
        time = row.get("time (ns)")
        if category == "kernel" and isinstance(time, int):
            durations.setdefault(tuple(path[1:]), []).append(time)
    return durations


def _is_foreign(events: list[Any]) -> bool:
    """Whether something lasts, but nothing that Proton records."""
    lasting = [e for e in events if isinstance(e, dict) and e.get("ph") in ("X", "B")]
    ours = _SCOPE_CATEGORIES | _DEVICE_CATEGORIES | {_LAUNCH_CATEGORY}
    return bool(lasting) and not any(str(event.get("cat")) in ours for event in lasting)


def _built(build: Callable[[], _T], source: str) -> _T:
    try:
        return build()
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ProfileFormatError(
            f'{source}: an event of the trace lacks its "name", "ts" or "dur": {error}'
        ) from error


class _ProtonTrace:
    """A trace that Proton or proton_xpu wrote.

    `devices` is empty for Proton's own traces, which do not tell them.
    """

    def __init__(self, content: dict[str, Any], source: str) -> None:
        self._source = source
        events = content.get("traceEvents")
        self._events: list[Any] = events if isinstance(events, list) else []
        self._stacks = StackFrames(content)
        own = content.get("proton_xpu")
        told = own.get("devices") if isinstance(own, dict) else None
        facts = told if isinstance(told, dict) else {}
        self.devices: DeviceTable = (
            {_DEVICE_TYPE: {str(i): f for i, f in facts.items() if isinstance(f, dict)}}
            if facts
            else {}
        )
        self._device_of_lane: dict[Any, str] = {}

    def rows(self) -> Iterator[tuple[str, list[str], Metrics]]:
        """Category, path from the root, and metrics of each scope and each device activity."""
        for number, event in enumerate(self._events):
            if not isinstance(event, dict):
                self._reject(number, "must be an object")
            if event.get("name") == "thread_name":
                self._note_lane(event)
            category = event.get("cat")
            on_device = category in _DEVICE_CATEGORIES
            if event.get("ph") != "X" or not (on_device or category in _SCOPE_CATEGORIES):
                continue
            duration, name, args = event.get("dur", 0), event.get("name"), event.get("args", {})
            if (
                not isinstance(duration, (int, float))
                or not isinstance(name, str)
                or not isinstance(args, dict)
            ):
                self._reject(number, 'needs a string "name", a number "dur" and an object "args"')
            path = self._path(number, event, args)
            if path is None:
                if not on_device:
                    continue
                path = ["ROOT", name]
            row = _parsed_metrics(args.get("metrics"))
            if on_device:
                self._add_activity(row, event, args)
            else:
                row["cpu_time (ns)"] = round(duration * 1000)
            yield str(category), path, row

    def _add_activity(self, row: Metrics, event: dict[str, Any], args: dict[str, Any]) -> None:
        row["count"] = 1
        row["time (ns)"] = round(event.get("dur", 0) * 1000)
        if isinstance(args.get("bytes"), int):
            row["bytes"] = args["bytes"]
        device = self._device_of_lane.get(event.get("tid"))
        if device is not None and self.devices:
            row["device_id"], row["device_type"] = device, _DEVICE_TYPE

    def _note_lane(self, event: dict[str, Any]) -> None:
        args = event.get("args")
        match = _LANE.fullmatch(str(args.get("name"))) if isinstance(args, dict) else None
        if match:
            self._device_of_lane[event.get("tid")] = match[1] or "0"

    def _path(self, number: int, event: dict[str, Any], args: dict[str, Any]) -> list[str] | None:
        """The event's call stack, from its arguments or by reference; None if it has none."""
        stack = args.get("call_stack")
        if isinstance(stack, list):
            return [str(frame) for frame in stack]
        if "sf" not in event:
            return None
        try:
            return self._stacks.stack(event["sf"])
        except KeyError as error:
            self._reject(number, f'refers to the frame {error.args[0]}, which "stackFrames" lacks')

    def _reject(self, number: int, reason: str) -> NoReturn:
        raise ProfileFormatError(f"{self._source}: trace event {number} {reason}")


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
