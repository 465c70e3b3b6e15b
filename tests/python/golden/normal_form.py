"""What two profilers must have in common in what they wrote.

Left out: device facts, times that the host took, lane numbers, the frames of everything but the
scenarios. Times that the device was told to take stay.
"""

import json
import re
from pathlib import Path
from typing import Any

import msgpack

_DEVICE_METRICS = ("device_id", "device_type")
_SCENARIO_FRAME = re.compile(r".*/scenarios/\w+\.py:\d+@(?P<function>.+)")
_ANY_PYTHON_FRAME = re.compile(r".+:\d+@.+")

Json = Any


def files_below(folder: Path) -> dict[str, Json]:
    """Normal forms of all files in `folder`, by their paths in it; why not if one has none."""
    return {
        str(path.relative_to(folder)): _normal_form_or_reason(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _normal_form_or_reason(path: Path) -> Json:
    try:
        return normal_form(path)
    except Exception as error:  # noqa: BLE001 (a broken file must fail only its own scenario)
        return f"unreadable: {error!r}"


def normal_form(path: Path) -> Json:
    """Normal form of one file."""
    content = path.read_bytes()
    if not content:
        return "empty"
    if path.suffix == ".hatchet_msgpack":
        return _of_tree(msgpack.unpackb(content))
    parsed = json.loads(content)
    return _of_trace(parsed) if isinstance(parsed, dict) else _of_tree(parsed)


def _of_tree(tree: Json) -> Json:
    root, devices = tree
    indices = sorted(index for entries in devices.values() for index in entries)
    return {"tree": _of_node(root), "devices": indices}


def _of_node(node: Json) -> Json:
    name = node["frame"]["name"]
    assert node["frame"]["type"] == "function"
    children = [
        normal for child in node["children"] for normal in _without_foreign_frame(_of_node(child))
    ]
    return [_of_frame(name), _of_metrics(node["metrics"]), children]


def _without_foreign_frame(node: Json) -> list[Json]:
    """The node, or its children in its place if it is a Python frame of no scenario."""
    name, _, children = node
    return children if name is None else [node]


def _of_frame(name: str) -> str | None:
    scenario = _SCENARIO_FRAME.fullmatch(name)
    if scenario is not None:
        return "@" + scenario["function"]
    return None if _ANY_PYTHON_FRAME.fullmatch(name) else name


def _of_metrics(metrics: Json) -> Json:
    normal = {}
    for name, value in metrics.items():
        if name in _DEVICE_METRICS:
            assert isinstance(value, str)
        elif name == "cpu_time (ns)":
            assert value >= 0
            normal[name] = type(value).__name__
        else:
            normal[name] = value
    return normal


def _of_trace(trace: Json) -> Json:
    assert trace["displayTimeUnit"] == "us"
    events = trace["traceEvents"]
    lanes = {
        event["tid"]: re.sub(r"Stream \d+", "Stream", event["args"]["name"])
        for event in events
        if event["name"] == "thread_name"
    }
    return [_of_event(event, lanes) for event in events]


def _of_event(event: Json, lanes: dict[int, str]) -> Json:
    assert event["pid"] == 0
    if event["ph"] == "M":
        name = event["args"].get("name")
        return ["M", event["name"], re.sub(r"Stream \d+", "Stream", name or "") or None]
    normal = [event["ph"], event["cat"], event["name"], lanes.get(event["tid"], event["tid"])]
    if event["cat"] == "kernel":
        normal.append(event["dur"])
    arguments = dict(event.get("args", {}))
    if "scope_id" in arguments:
        arguments["scope_id"] = type(arguments["scope_id"]).__name__
    if "call_stack" in arguments:
        frames = [_of_frame(frame) for frame in arguments["call_stack"]]
        arguments["call_stack"] = [frame for frame in frames if frame is not None]
    return [*normal, arguments]
