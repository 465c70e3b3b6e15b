"""Slices of time on tracks: what trace formats hold.

A trace gives them as they were; a call tree is laid out like a flame graph, each frame as long as
its time and its children one after the other.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from proton_xpu.report.calltree import CallTree
from proton_xpu.report.errors import NoMatchError, ProfileFormatError
from proton_xpu.report.metrics import base_name


class Slice(NamedTuple):
    """A named stretch of time in nanoseconds, `end` not before `start`."""

    name: str
    start: int
    end: int
    category: str = ""
    args: dict[str, Any] = {}  # noqa: RUF012 (never changed)


@dataclass
class Track:
    """Slices of one lane, in order of their starts, enclosing ones first.

    Any two are disjoint or nested.
    """

    name: str
    slices: list[Slice] = field(default_factory=list)


def from_tree(tree: CallTree, name: str = "kernels") -> list[Track]:
    """Lays a call tree out on one track by its times. Raises `NoMatchError` if it has none."""
    raw = next((raw for raw in tree.metric_names() if base_name(raw) == "time"), None)
    if raw is None:
        raise NoMatchError("the profile has no times, so there is nothing to lay out")
    times = tree.subtree_sum(tree.numbers(raw))
    track = Track(name)
    # Where the next child of each node, and the next root, begins.
    cursors: list[int] = []
    next_root = 0
    for index, parent in enumerate(tree.parents):
        start = cursors[parent] if parent >= 0 else next_root
        end = start + round(times[index] or 0)
        cursors.append(start)
        if parent >= 0:
            cursors[parent] = end
        else:
            next_root = end
        track.slices.append(Slice(tree.names[index], start, end, "frame", tree.metrics[index]))
    return [track]


def from_trace(content: dict[str, Any], source: str) -> list[Track]:
    """The complete events of a Chrome trace, one track per lane of properly nested slices.

    Times are absolute if the trace has `baseTimeNanoseconds`. Raises `ProfileFormatError`.
    """
    events = content.get("traceEvents")
    if not isinstance(events, list):
        raise ProfileFormatError(f'{source}: a trace needs a list under "traceEvents"')
    lanes = _Lanes(content.get("baseTimeNanoseconds", 0))
    number = 0
    try:
        for number, event in enumerate(events):  # noqa: B007 (named in the error)
            lanes.add(event)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ProfileFormatError(
            f'{source}: trace event {number} lacks a "name", a number "ts" or its "args"'
        ) from error
    return [
        Track(name if part == 0 else f"{name} (overlap {part})", nested)
        for name, slices in lanes.named()
        for part, nested in enumerate(nested_lanes(slices))
    ]


class _Lanes:
    """Slices of a trace by process and thread."""

    def __init__(self, base: int) -> None:
        self._base = base
        self._slices: dict[tuple[Any, Any], list[Slice]] = {}
        self._threads: dict[tuple[Any, Any], str] = {}
        self._processes: dict[Any, str] = {}

    def add(self, event: dict[str, Any]) -> None:
        lane = (event.get("pid"), event.get("tid"))
        if event.get("ph") == "X":
            start = self._base + round(event["ts"] * 1000)
            end = start + max(round(event.get("dur", 0) * 1000), 0)
            args = dict(event.get("args", {}))
            made = Slice(str(event["name"]), start, end, str(event.get("cat", "")), args)
            self._slices.setdefault(lane, []).append(made)
        elif event.get("name") == "thread_name":
            self._threads[lane] = str(event["args"]["name"])
        elif event.get("name") == "process_name":
            self._processes[lane[0]] = str(event["args"]["name"])

    def named(self) -> Iterator[tuple[str, list[Slice]]]:
        several = len({pid for pid, _ in self._slices}) > 1
        for lane, slices in self._slices.items():
            name = self._threads.get(lane, f"lane {lane[1]}")
            yield (f"{self._processes.get(lane[0], lane[0])}: {name}" if several else name), slices


def nested_lanes(slices: Iterable[Slice]) -> list[list[Slice]]:
    """Distributes slices over as few lanes as it takes for each to be properly nested."""
    lanes: list[list[Slice]] = []
    open_ends: list[list[int]] = []
    for item in sorted(slices, key=lambda item: (item.start, -item.end)):
        for lane, ends in zip(lanes, open_ends, strict=True):
            while ends and ends[-1] <= item.start:
                ends.pop()
            if not ends or item.end <= ends[-1]:
                lane.append(item)
                ends.append(item.end)
                break
        else:
            lanes.append([item])
            open_ends.append([item.end])
    return lanes


def edges(track: Track) -> Iterator[tuple[int, Slice | None]]:
    """Begins (with their slice) and ends (None) of a track's slices, in order."""
    ends: list[int] = []
    for item in track.slices:
        while ends and ends[-1] <= item.start:
            yield ends.pop(), None
        yield item.start, item
        ends.append(item.end)
    while ends:
        yield ends.pop(), None
