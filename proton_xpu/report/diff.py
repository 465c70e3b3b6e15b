"""The difference of two profiles, frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from proton_xpu.report.alignment import Union
from proton_xpu.report.calltree import CallTree, Number
from proton_xpu.report.errors import MetricNotFoundError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.metrics import Column, MetricTable
from proton_xpu.report.profile import Profile
from proton_xpu.report.view import View

NEW = "new"
GONE = "gone"


class Overlay:
    """Two call trees laid over each other: `tree` is their union."""

    def __init__(self, ours: CallTree, theirs: CallTree) -> None:
        union = Union()
        ids = [union.add(ours), union.add(theirs)]
        self.tree, order = union.tree()
        place = {frame: index for index, frame in enumerate(order)}
        self._places = [[place[frame] for frame in frames] for frames in ids]
        self.in_ours, self.in_theirs = (self._presence(places) for places in self._places)

    def _presence(self, places: Sequence[int]) -> list[bool]:
        present = [False] * len(self.tree)
        for index in places:
            present[index] = True
        return present

    def marks(self) -> list[str]:
        """Per frame `NEW`, `GONE` or nothing."""
        return [
            "" if here and there else NEW if here else GONE
            for here, there in zip(self.in_ours, self.in_theirs, strict=True)
        ]

    def spread(self, side: int, values: Sequence[Number | None]) -> list[Number | None]:
        """Values of one side's nodes (0: ours, 1: theirs), per node of the union."""
        spread: list[Number | None] = [None] * len(self.tree)
        for value, index in zip(values, self._places[side], strict=True):
            spread[index] = value
        return spread

    def difference(
        self, ours: Sequence[Number | None], theirs: Sequence[Number | None], additive: bool
    ) -> list[Number | None]:
        """Ours minus theirs per node of the union, from values that `spread` made.

        A node that one side lacks counts as nothing there if values add up; else it has no
        difference.
        """
        return [
            _minus(a if here or not additive else 0, b if there or not additive else 0)
            for a, b, here, there in zip(ours, theirs, self.in_ours, self.in_theirs, strict=True)
        ]


def _minus(a: Number | None, b: Number | None) -> Number | None:
    return None if a is None or b is None else a - b


@dataclass
class Comparison:
    """Two profiles laid over each other.

    `columns[k]` holds, for the k-th metric, the values of the profile and of the baseline per
    frame of the overlay's tree; None where a side does not have the frame or the metric.
    """

    overlay: Overlay
    columns: list[tuple[Column, Column]]
    notes: list[str]


def compare(profile: Profile, baseline: Profile, metrics: Sequence[str]) -> Comparison:
    """Aligns two profiles and evaluates `metrics` in both.

    A metric that one side lacks is absent there and noted. Raises `MetricNotFoundError` if both
    lack it.
    """
    sides = (profile, baseline)
    tables = [MetricTable(without_helpers(side.tree), side.devices) for side in sides]
    overlay = Overlay(tables[0].tree, tables[1].tree)
    notes: list[str] = []
    columns: list[tuple[Column, Column]] = []
    for metric in metrics:
        ours, theirs = (
            replace(column, values=overlay.spread(side, column.values))
            for side, column in enumerate(_derive_both(metric, tables, sides, notes))
        )
        columns.append((ours, theirs))
    for table in tables:
        notes.extend(table.notes)
    notes.extend(device_notes(profile, baseline))
    return Comparison(overlay, columns, notes)


def _derive_both(
    metric: str, tables: Sequence[MetricTable], sides: Sequence[Profile], notes: list[str]
) -> list[Column]:
    columns = [_derived_or_none(table, metric) for table in tables]
    known = next((column for column in columns if column is not None), None)
    if known is None:
        known = tables[0].derive(metric)
    for index, side in enumerate(sides):
        if columns[index] is None:
            notes.append(f"{side.path or 'one profile'} has no {metric}, so it has no difference")
    return [
        column or Column(metric, known.inclusive, False, [None] * len(table.tree))
        for column, table in zip(columns, tables, strict=True)
    ]


def _derived_or_none(table: MetricTable, metric: str) -> Column | None:
    try:
        return table.derive(metric)
    except MetricNotFoundError:
        return None


def device_notes(profile: Profile, baseline: Profile) -> list[str]:
    """Sentences on devices that differ between the two profiles."""
    notes: list[str] = []
    for kind in dict.fromkeys([*profile.devices, *baseline.devices]):
        ours, theirs = profile.devices.get(kind, {}), baseline.devices.get(kind, {})
        for index in dict.fromkeys([*ours, *theirs]):
            if index not in ours or index not in theirs:
                side = profile if index in ours else baseline
                notes.append(f"device {kind} {index} is only in {side.path or 'one profile'}")
                continue
            facts = [
                f"{fact} {theirs[index].get(fact)} -> {value}"
                for fact, value in ours[index].items()
                if theirs[index].get(fact) != value
            ]
            if facts:
                notes.append(f"device {kind} {index} differs: {', '.join(facts)}")
    return notes


def difference_view(
    profile: Profile, baseline: Profile, metrics: Sequence[str], sort_by: str | None = None
) -> View:
    """The profile minus the baseline; see `Overlay.difference` for frames of one side only.

    Sort keys are the differences of the metric `sort_by`, by default the first one.
    """
    both = compare(profile, baseline, [*metrics, sort_by or metrics[0]])
    columns = [
        replace(
            ours,
            values=both.overlay.difference(
                ours.values, theirs.values, ours.additive and theirs.additive
            ),
        )
        for ours, theirs in both.columns
    ]
    keys = columns.pop().values
    return View(both.overlay.tree, columns, both.overlay.marks(), keys, both.notes)


def change_view(before: Profile, after: Profile, metric: str) -> View:
    """Both sides of one metric, their difference and their ratio.

    Columns `before`, `after`, `change` (after minus before) and `change/%` (of before). Sort keys
    are the sizes of the changes.
    """
    both = compare(after, before, [metric])
    ours, theirs = both.columns[0]
    additive = ours.additive and theirs.additive
    changes = both.overlay.difference(ours.values, theirs.values, additive)
    shares = [
        100 * change / abs(old) if change is not None and old else None
        for change, old in zip(changes, theirs.values, strict=True)
    ]
    return View(
        both.overlay.tree,
        [
            replace(theirs, name="before"),
            replace(ours, name="after"),
            replace(ours, name="change", values=changes),
            replace(ours, name="change/%", values=shares),
        ],
        both.overlay.marks(),
        [None if change is None else abs(change) for change in changes],
        both.notes,
    )
