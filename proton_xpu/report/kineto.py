"""Traces of the PyTorch profiler (Kineto): where on the host each device activity was launched."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from proton_xpu.report.calltree import Metrics

Event: TypeAlias = dict[str, Any]

DEVICE_CATEGORIES = frozenset({"kernel", "gpu_memcpy", "gpu_memset"})

_HOST_CATEGORIES = frozenset({"cpu_op", "user_annotation", "python_function"})
_RUNTIME = re.compile(r"(?P<vendor>cuda|hip|xpu)_(runtime|driver)")


def is_kineto(events: Iterable[Any]) -> bool:
    """Whether device activities carry correlation ids in place of Proton's call stacks."""
    return any(
        isinstance(event, dict)
        and event.get("cat") in DEVICE_CATEGORIES
        and isinstance(event.get("args"), dict)
        and "correlation" in event["args"]
        for event in events
    )


def rows(events: list[Event]) -> Iterable[tuple[list[str], Metrics]]:
    """Path from the root and metrics of each device activity.

    The path goes through the annotations and operators that were open on the host when the
    activity was launched, found by its correlation id. Raises `KeyError` or `TypeError` for an
    event that lacks its name or its times.
    """
    launches, vendor = _launches(events)
    for event in events:
        if event.get("ph") != "X" or event.get("cat") not in DEVICE_CATEGORIES:
            continue
        args = event.get("args", {})
        path = launches.get(args.get("correlation"), ["ROOT"])
        metrics: Metrics = {"count": 1, "time (ns)": round(event["dur"] * 1000)}
        if "device" in args:
            metrics.update(device_id=str(args["device"]), device_type=vendor)
        if isinstance(args.get("bytes"), int):
            metrics["bytes"] = args["bytes"]
        yield [*path, event["name"]], metrics


def _launches(events: list[Event]) -> tuple[dict[Any, list[str]], str]:
    """Host path of each correlation id, and the vendor's device type."""
    threads: dict[tuple[Any, Any], list[Event]] = {}
    vendor = "XPU"
    for event in events:
        runtime = _RUNTIME.fullmatch(str(event.get("cat")))
        if runtime:
            vendor = runtime["vendor"].upper()
        if event.get("ph") == "X" and (runtime or event.get("cat") in _HOST_CATEGORIES):
            threads.setdefault((event.get("pid"), event.get("tid")), []).append(event)
    found: dict[Any, list[str]] = {}
    for on_thread in threads.values():
        stack: list[Event] = []
        for event in sorted(on_thread, key=lambda e: (e["ts"], -e["dur"])):
            while stack and stack[-1]["ts"] + stack[-1]["dur"] <= event["ts"]:
                stack.pop()
            if event["cat"] in _HOST_CATEGORIES:
                stack.append(event)
                continue
            correlation = event.get("args", {}).get("correlation")
            if correlation is not None:
                found[correlation] = ["ROOT", *(str(open_["name"]) for open_ in stack)]
    return found, vendor
