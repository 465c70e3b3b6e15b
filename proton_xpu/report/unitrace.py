"""Traces of Intel's unitrace: where on the host each device activity was submitted."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from proton_xpu.report.calltree import Metrics
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.timeline import Slice, event_lanes

Event: TypeAlias = dict[str, Any]

DEVICE_CATEGORY = "gpu_op"

_DEVICE_TYPE = "XPU"
# "DEVICE<host>[name] 0:3a:0:0 #0", with the tile behind the number and the rank in front.
_DEVICE = re.compile(r"(?:RANK \d+ )?DEVICE<[^>]*>(?:\[(?P<name>.*)\])? \S+ #(?P<index>[\d.]+)")
# A submission is the start of a flow from the host to the device, named after the activity's id.
_SUBMISSION = re.compile(r"(?:CL_)?Flow_H2D_(?P<id>\d+)_-?\d+")
# Calls of Level Zero and OpenCL lead to every activity and so tell nothing.
_RUNTIME_CALL = re.compile(r"(?:ze[st]?|cl)[A-Z]\w*")
_COPY = re.compile(r"(?P<name>.+)\[(?P<bytes>\d+) bytes\]")


def is_unitrace(events: Iterable[Any]) -> bool:
    """Whether device activities stand in the category that unitrace gives them."""
    return any(isinstance(event, dict) and event.get("cat") == DEVICE_CATEGORY for event in events)


def devices(events: Iterable[Event]) -> tuple[DeviceTable, dict[Any, str]]:
    """The devices with their names, and the device's index of each process id that stands for one.

    Tiles that unitrace tells apart are devices of their own, such as "0.1".
    """
    table: DeviceTable = {}
    index_of: dict[Any, str] = {}
    for event in events:
        if event.get("name") != "process_name":
            continue
        match = _DEVICE.match(str(event["args"]["name"]))
        if match:
            index_of[event.get("pid")] = match["index"]
            table.setdefault(_DEVICE_TYPE, {})[match["index"]] = {
                "name": match["name"] or "unknown"
            }
    return table, index_of


def rows(events: list[Event], index_of: dict[Any, str]) -> Iterable[tuple[list[str], Metrics]]:
    """Path from the root and metrics of each device activity.

    The path goes through what was open on the host when the activity was submitted: ranges of ITT,
    operators, MPI and SYCL calls. Raises `KeyError`, `TypeError` or `ValueError` for an event that
    lacks its name or its times.
    """
    paths = _submission_paths(events)
    for event in events:
        if event.get("ph") != "X" or event.get("cat") != DEVICE_CATEGORY:
            continue
        name = str(event["name"])
        metrics: Metrics = {"count": 1, "time (ns)": round(event["dur"] * 1000)}
        index = index_of.get(event.get("pid"))
        if index is not None:
            metrics.update(device_id=index, device_type=_DEVICE_TYPE)
        copy = _COPY.fullmatch(name)
        if copy:
            name = copy["name"]
            metrics["bytes"] = int(copy["bytes"])
        yield [*paths.get(str(event.get("args", {}).get("id")), ["ROOT"]), name], metrics


def _submission_paths(events: list[Event]) -> dict[str, list[str]]:
    """Host path of each activity, by the activity's id."""
    ranges: dict[Any, list[Slice]] = {
        lane: [item for item in slices if not _RUNTIME_CALL.fullmatch(item.name)]
        for lane, slices in event_lanes(
            event for event in events if event.get("cat") != DEVICE_CATEGORY
        ).items()
    }
    submissions: dict[Any, list[tuple[int, str]]] = {}
    for event in events:
        match = _SUBMISSION.fullmatch(str(event.get("cat"))) if event.get("ph") == "s" else None
        if match:
            lane = (event.get("pid"), event.get("tid"))
            submissions.setdefault(lane, []).append((round(event["ts"] * 1000), match["id"]))
    return {
        number: path
        for lane, marks in submissions.items()
        for number, path in _paths_at(ranges.get(lane, []), sorted(marks))
    }


def _paths_at(slices: list[Slice], marks: list[tuple[int, str]]) -> Iterable[tuple[str, list[str]]]:
    """The path of the slices that are open at each mark."""
    waiting = sorted(slices, key=lambda item: (item.start, -item.end))[::-1]
    stack: list[Slice] = []
    for time, number in marks:
        while waiting and waiting[-1].start <= time:
            item = waiting.pop()
            while stack and stack[-1].end <= item.start:
                stack.pop()
            stack.append(item)
        while stack and stack[-1].end <= time:
            stack.pop()
        yield number, ["ROOT", *(item.name for item in stack)]
