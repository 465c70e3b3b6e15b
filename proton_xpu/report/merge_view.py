"""The spread of times over merged profiles, as a table."""

from proton_xpu.report.calltree import Number
from proton_xpu.report.merge import Floats, MergedProfile
from proton_xpu.report.metrics import Column
from proton_xpu.report.view import View

_MS_PER_NS = 1e-6


def spread_view(merged: MergedProfile) -> View:
    """Columns in milliseconds, the imbalance, and the slowest profile as mark of each frame."""
    spread = merged.spread
    columns = [
        Column("min/ms", True, False, _values(spread.least, _MS_PER_NS)),
        Column("median/ms", True, False, _values(spread.median, _MS_PER_NS)),
        Column("max/ms", True, False, _values(spread.largest, _MS_PER_NS)),
        Column("imbalance", True, False, _values(spread.imbalance, 1)),
        Column("profiles", True, False, [int(count) for count in spread.present]),
    ]
    slowest = [
        f"slowest: {merged.labels[index]}" if index >= 0 else "" for index in spread.straggler
    ]
    return View(merged.profile.tree, columns, slowest)


def _values(values: Floats, factor: float) -> list[Number | None]:
    return [None if value != value else value * factor for value in values.tolist()]
