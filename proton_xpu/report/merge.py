"""Many ranks or runs as one profile: sums, and how unevenly the time is spread.

`Merge` holds what is needed of each profile and can be combined with another one; the result does
not depend on how the profiles were grouped or ordered.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from proton_xpu.report.alignment import Union
from proton_xpu.report.calltree import CallTree, Metrics
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.errors import NoMatchError, ReportError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.json_text import paused_gc
from proton_xpu.report.metrics import base_name
from proton_xpu.report.profile import Profile

Floats = NDArray[np.float64]

_DIGITS = re.compile(r"(\d+)")

_PATHS_PER_TASK = 16

_DeviceKey: TypeAlias = tuple[str | None, str | None]
_NO_DEVICE: _DeviceKey = (None, None)

# Whole numbers up to here are exact as floats.
_EXACT = 2**53

_WHOLE_TYPES = frozenset({int, bool, type(None)})

_NOT_ADDED = frozenset(
    {
        *("device_id", "device_type"),
        *("min time (ns)", "median time (ns)", "max time (ns)"),
        *("imbalance", "straggler", "profiles"),
    }
)


@dataclass
class _Part:
    """One profile: the union's frame of each node, and the recorded numbers (NaN: none)."""

    frames: NDArray[np.int64]
    numbers: dict[str, Floats]
    whole: frozenset[str]
    """Metrics that hold whole numbers only."""
    devices: NDArray[np.int64]
    """Number of each node's device among the merge's device keys, -1 for none."""


@dataclass
class Spread:
    """How the inclusive time of each frame is spread over the profiles that have the frame.

    Times in nanoseconds. `imbalance` is the largest over the mean; `straggler` indexes the
    profile that took longest; `present` counts the profiles. Frames without any time have NaN,
    and -1 for the straggler.
    """

    least: Floats
    median: Floats
    largest: Floats
    imbalance: Floats
    straggler: NDArray[np.int64]
    present: NDArray[np.int64]


@dataclass
class MergedProfile:
    """The sum of the merged profiles, and the spread of the times over them.

    `labels` are in the order that `spread.straggler` indexes.
    """

    profile: Profile
    spread: Spread
    labels: list[str]


@dataclass
class Merge:
    """Profiles on the way to being merged."""

    _union: Union = field(default_factory=Union)
    _parts: dict[str, _Part] = field(default_factory=dict)
    _devices: DeviceTable = field(default_factory=dict)
    _device_keys: dict[_DeviceKey, int] = field(default_factory=lambda: {_NO_DEVICE: -1})
    _shapes: dict[tuple[tuple[str, ...], tuple[int, ...]], NDArray[np.int64]] = field(
        default_factory=dict
    )

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, profile: Profile, label: str) -> None:
        """Adds a profile. Raises `ReportError` if `label` is taken."""
        self._claim(label)
        with paused_gc():
            self._add(without_helpers(profile.tree), label)
        _add_devices(self._devices, profile.devices)

    def _add(self, tree: CallTree, label: str) -> None:
        numbers: dict[str, Floats] = {}
        whole: set[str] = set()
        for metric in tree.metric_names():
            if metric in _NOT_ADDED:
                continue
            column: list[Any] = [row.get(metric) for row in tree.metrics]
            is_whole = _WHOLE_TYPES.issuperset(map(type, column))
            if not is_whole:
                column = list(tree.numbers(metric))
                is_whole = _WHOLE_TYPES.issuperset(map(type, column))
            values = np.array(column, dtype=np.float64)
            if not np.isnan(values).all():
                numbers[metric] = values
                if is_whole:
                    whole.add(metric)
        devices = self._device_numbers(tree.metrics)
        self._parts[label] = _Part(self._frames_of(tree), numbers, frozenset(whole), devices)

    def combine(self, other: "Merge") -> "Merge":
        """This merge with all profiles of `other`. Raises `ReportError` for a label of both."""
        place = np.array(self._union.add_union(other._union), dtype=np.int64)
        # The last number stands for "none", so that -1 finds it.
        numbers = [self._device_number(*key) for key in other._device_keys if key != _NO_DEVICE]
        device = np.array([*numbers, -1], dtype=np.int64)
        for label, part in other._parts.items():
            self._claim(label)
            self._parts[label] = _Part(
                place[part.frames], part.numbers, part.whole, device[part.devices]
            )
        _add_devices(self._devices, other._devices)
        return self

    def finish(self) -> MergedProfile:
        """The merged profile. Raises `NoMatchError` if nothing was added."""
        if not self._parts:
            raise NoMatchError("there is no profile to merge")
        with paused_gc():
            return self._finish()

    def _finish(self) -> MergedProfile:
        labels = sorted(self._parts, key=_natural)
        parts = [self._parts[label] for label in labels]
        tree, order = self._ordered(parts)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        nodes = [place[part.frames] for part in parts]
        for metric, values in _sums(parts, nodes, len(order)):
            for row, value in zip(tree.metrics, values, strict=True):
                if value is not None:
                    row[metric] = value
        self._add_device_keys(tree, parts, nodes)
        spread = _spread(tree, parts, nodes)
        _add_spread(tree, spread, labels)
        metadata = {"proton_xpu": {"merged": labels}}
        return MergedProfile(Profile(tree, self._devices, metadata), spread, labels)

    def _claim(self, label: str) -> None:
        if label in self._parts:
            raise ReportError(f"{label} is given twice; give each profile once")

    def _frames_of(self, tree: CallTree) -> NDArray[np.int64]:
        """Frames of the nodes; ranks mostly have equal trees, which are looked up only once."""
        shape = (tuple(tree.names), tuple(tree.parents))
        frames = self._shapes.get(shape)
        if frames is None:
            frames = self._shapes[shape] = np.array(self._union.add(tree), dtype=np.int64)
        return frames

    def _device_numbers(self, rows: Sequence[Metrics]) -> NDArray[np.int64]:
        known: dict[Any, int] = self._device_keys
        kinds = [row.get("device_type") for row in rows]
        indices = [row.get("device_id") for row in rows]
        pairs = zip(kinds, indices, strict=True)
        try:
            return np.fromiter(map(known.__getitem__, pairs), np.int64, len(rows))
        except (KeyError, TypeError):
            # A new device, or something else than text where a device should stand.
            return np.array([self._device_number(*_device_of(row)) for row in rows], np.int64)

    def _device_number(self, kind: str | None, index: str | None) -> int:
        known = self._device_keys
        return known.setdefault((kind, index), len(known) - 1)

    def _add_device_keys(
        self, tree: CallTree, parts: Sequence[_Part], nodes: Sequence[NDArray[np.int64]]
    ) -> None:
        """Gives each node the device of the first profile that has one for it."""
        chosen = np.full(len(tree), -1, dtype=np.int64)
        for part, places in zip(parts, nodes, strict=True):
            open_ = chosen[places] < 0
            chosen[places[open_]] = part.devices[open_]
        keys = list(self._device_keys)
        for row, number in zip(tree.metrics, chosen.tolist(), strict=True):
            if number >= 0:
                row["device_type"], row["device_id"] = keys[number + 1]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shapes": {}}

    def _ordered(self, parts: Sequence[_Part]) -> tuple[CallTree, NDArray[np.int64]]:
        """The union's tree with siblings in the order in which `parts` first have them."""
        rank = np.empty(len(self._union), dtype=np.int64)
        end = sum(len(part.frames) for part in parts)
        # Backwards, so that the first profile with a frame has the last word.
        for part in reversed(parts):
            rank[part.frames] = np.arange(end - len(part.frames), end)
            end -= len(part.frames)
        ranks = rank.tolist()
        grown = CallTree(self._union.names, self._union.parents, [{} for _ in self._union.names])
        order = grown.reordered(lambda siblings: sorted(siblings, key=ranks.__getitem__))
        return grown.rearranged(order), np.array(order, dtype=np.int64)


def _device_of(row: Metrics) -> _DeviceKey:
    kind, index = row.get("device_type"), row.get("device_id")
    return (kind, index) if isinstance(kind, str) and isinstance(index, str) else _NO_DEVICE


def _add_devices(total: DeviceTable, more: DeviceTable) -> None:
    """Adds devices; of two entries for one index the one that sorts first is kept."""
    for kind, by_index in more.items():
        known = total.setdefault(kind, {})
        for index, facts in by_index.items():
            known[index] = min(known.get(index, facts), facts, key=_facts_text)


def _facts_text(facts: dict[str, Any]) -> str:
    return json.dumps(facts, sort_keys=True)


def _natural(label: str) -> list[tuple[bool, int, str]]:
    """Sorts "rank10" after "rank9"."""
    return [
        (True, int(part), "") if part.isdecimal() else (False, 0, part)
        for part in _DIGITS.split(label)
    ]


def _sums(
    parts: Sequence[_Part], nodes: Sequence[NDArray[np.int64]], size: int
) -> Iterator[tuple[str, list[int | float | None]]]:
    """Each metric's sum over the profiles, per node of the merged tree."""
    for metric in dict.fromkeys(name for part in parts for name in part.numbers):
        total = np.zeros(size)
        present = np.zeros(size, dtype=bool)
        for part, places in zip(parts, nodes, strict=True):
            values = part.numbers.get(metric)
            if values is not None:
                known = ~np.isnan(values)
                total[places[known]] += values[known]
                present[places[known]] = True
        whole = all(metric in part.whole for part in parts if metric in part.numbers)
        whole = whole and np.abs(total).max(initial=0) < _EXACT
        plain = total.astype(np.int64).tolist() if whole else total.tolist()
        yield metric, [v if p else None for v, p in zip(plain, present.tolist(), strict=True)]


def _spread(tree: CallTree, parts: Sequence[_Part], nodes: Sequence[NDArray[np.int64]]) -> Spread:
    times = np.full((len(tree), len(parts)), np.nan)
    for column, (part, places) in enumerate(zip(parts, nodes, strict=True)):
        own = next((v for name, v in part.numbers.items() if base_name(name) == "time"), None)
        if own is not None:
            times[places, column] = own
    _sum_subtrees(times, tree.parents)
    known = ~np.isnan(times)
    present = known.sum(axis=1)
    some = present > 0
    least, median, largest, imbalance = (np.full(len(tree), np.nan) for _ in range(4))
    straggler = np.full(len(tree), -1, dtype=np.int64)
    if some.any():
        ordered = np.sort(times[some], axis=1)
        count = present[some]
        row = np.arange(len(ordered))
        least[some] = ordered[:, 0]
        median[some] = (ordered[row, (count - 1) // 2] + ordered[row, count // 2]) / 2
        largest[some] = ordered[row, count - 1]
        mean = np.nansum(times[some], axis=1) / count
        imbalance[some] = np.divide(largest[some], mean, out=np.ones_like(mean), where=mean > 0)
        straggler[some] = np.nanargmax(times[some], axis=1)
    return Spread(least, median, largest, imbalance, straggler, present)


def _sum_subtrees(times: Floats, parents: Sequence[int]) -> None:
    """Makes own times of nodes (rows) inclusive, in place; NaN where a subtree has none."""
    known = ~np.isnan(times)
    np.nan_to_num(times, copy=False)
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if parent >= 0:
            times[parent] += times[node]
            known[parent] |= known[node]
    times[~known] = np.nan


def _add_spread(tree: CallTree, spread: Spread, labels: Sequence[str]) -> None:
    """Records the spread as metrics of the frames below the roots.

    A root's metrics are those that readers add up over the tree, which these must not be.
    """
    for node, parent in enumerate(tree.parents):
        if parent < 0 or not spread.present[node]:
            continue
        tree.metrics[node].update(
            {
                "min time (ns)": float(spread.least[node]),
                "median time (ns)": float(spread.median[node]),
                "max time (ns)": float(spread.largest[node]),
                "imbalance": float(spread.imbalance[node]),
                "straggler": labels[int(spread.straggler[node])],
                "profiles": int(spread.present[node]),
            }
        )


def merge_files(
    paths: Iterable[str | Path], jobs: int = 1, on_loaded: Callable[[int], None] | None = None
) -> MergedProfile:
    """Loads and merges files, in `jobs` processes; each is labelled by its path.

    Files are let go as soon as they are read; `on_loaded` is told how many more were. Raises
    `OSError` or `ReportError`.
    """
    every = [str(path) for path in paths]
    size = _PATHS_PER_TASK if jobs > 1 else 1
    chunks = [every[i : i + size] for i in range(0, len(every), size)]
    total = Merge()
    with ExitStack() as stack:
        loads: Iterator[Merge] = map(load_part, chunks)
        if jobs > 1:
            loads = stack.enter_context(ProcessPoolExecutor(jobs)).map(load_part, chunks)
        for chunk, part in zip(chunks, loads, strict=True):
            total.combine(part)
            if on_loaded is not None:
                on_loaded(len(chunk))
    return total.finish()


def load_part(paths: Sequence[str]) -> Merge:
    """Loads some of the files to merge. Raises `OSError` or `ReportError`."""
    merge = Merge()
    for path in paths:
        merge.add(Profile.load(path), path)
    return merge
