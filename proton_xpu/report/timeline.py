"""Slices of time on tracks: what trace formats hold.

A trace gives them as they were; a call tree is laid out like a flame graph, each frame as long as
its time and its children one after the other.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from proton_xpu.report.calltree import CallTree
from proton_xpu.report.errors import NoMatchError, ProfileFormatError
from proton_xpu.report.metrics import base_name
from proton_xpu.report.stack_frames import StackFrames

FRAME_CATEGORY = "profile_frame"
"""Category of slices that are the frames of a call tree; their arguments are its metrics."""


class Slice(NamedTuple):
    """A named stretch of time in nanoseconds, `end` not before `start`.

    `depth` counts the slices of its track around it; None: those that its times lie in.
    """

    name: str
    start: int
    end: int
    category: str = ""
    args: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    depth: int | None = None


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
    depths = tree.depths()
    for index, parent in enumerate(tree.parents):
        start = cursors[parent] if parent >= 0 else next_root
        end = start + round(times[index] or 0)
        cursors.append(start)
        if parent >= 0:
            cursors[parent] = end
        else:
            next_root = end
        row, depth = tree.metrics[index], depths[index]
        track.slices.append(Slice(tree.names[index], start, end, FRAME_CATEGORY, row, depth))
    return [track]


def from_trace(content: dict[str, Any], source: str) -> list[Track]:
    """The events of a Chrome trace that last, one track per lane of properly nested slices.

    What has begun and not ended ends with the trace. Times are absolute if the trace has
    `baseTimeNanoseconds`. Raises `ProfileFormatError`.
    """
    events = content.get("traceEvents")
    if not isinstance(events, list):
        raise ProfileFormatError(f'{source}: a trace needs a list under "traceEvents"')
    lanes = _Lanes(content.get("baseTimeNanoseconds", 0), StackFrames(content))
    number = 0
    try:
        for number, event in enumerate(events):  # noqa: B007 (named in the error)
            lanes.add(event)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ProfileFormatError(
            f'{source}: trace event {number} lacks a "name", a number "ts", its "args" or its stack'
        ) from error
    return [
        Track(name if part == 0 else f"{name} (overlap {part})", nested)
        for name, slices in lanes.named()
        for part, nested in enumerate(nested_lanes(slices))
    ]


Lane: TypeAlias = tuple[Any, Any]
"""Process and thread of a trace's events."""


def event_lanes(events: Iterable[dict[str, Any]]) -> dict[Lane, list[Slice]]:
    """The slices of a Chrome trace's events by lane, in no particular order.

    Raises `KeyError`, `TypeError` or another error for a broken event.
    """
    lanes = _Lanes(0, StackFrames({}))
    for event in events:
        lanes.add(event)
    return lanes.slices()


class _Lanes:
    """Slices of a trace by process and thread."""

    def __init__(self, base: int, stacks: StackFrames) -> None:
        self._base = base
        self._stacks = stacks
        self._last = base
        self._slices: dict[Lane, list[Slice]] = {}
        self._begun: dict[Lane, list[Slice]] = {}
        self._threads: dict[Lane, str] = {}
        self._processes: dict[Any, str] = {}

    def add(self, event: dict[str, Any]) -> None:
        lane = (event.get("pid"), event.get("tid"))
        phase = event.get("ph")
        if phase in ("X", "B", "E"):
            start = self._base + round(event["ts"] * 1000)
            end = start
            if phase == "X":
                end += max(round(event.get("dur", 0) * 1000), 0)
            self._last = max(self._last, end)
            if phase == "E":
                self._end(lane, end)
                return
            args = dict(event.get("args", {}))
            if "sf" in event:
                args["call_stack"] = self._stacks.stack(event["sf"])
            made = Slice(str(event["name"]), start, end, str(event.get("cat", "")), args)
            (self._slices if phase == "X" else self._begun).setdefault(lane, []).append(made)
        elif event.get("name") == "thread_name":
            self._threads[lane] = str(event["args"]["name"])
        elif event.get("name") == "process_name":
            self._processes[lane[0]] = str(event["args"]["name"])

    def _end(self, lane: Lane, time: int) -> None:
        begun = self._begun.get(lane)
        if begun:
            self._slices.setdefault(lane, []).append(begun.pop()._replace(end=time))

    def slices(self) -> dict[Lane, list[Slice]]:
        for lane, begun in self._begun.items():
            while begun:
                self._end(lane, self._last)
        return self._slices

    def named(self) -> Iterator[tuple[str, list[Slice]]]:
        found = self.slices()
        several = len({pid for pid, _ in found}) > 1
        for lane, slices in found.items():
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
        while ends and (ends[-1] <= item.start if item.depth is None else len(ends) > item.depth):
            yield ends.pop(), None
        yield item.start, item
        ends.append(item.end)
    while ends:
        yield ends.pop(), None
