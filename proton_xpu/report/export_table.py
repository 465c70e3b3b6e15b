"""A view as JSON or CSV: one row per frame, in tree order, linked by ids.

`id` counts the rows, `parent` is the id of the parent's row (JSON: null, CSV: empty for a root).
Absent values are null in JSON and empty in CSV.
"""

import csv
import json
import math
from collections.abc import Sequence
from typing import TextIO

from proton_xpu.report.calltree import Number
from proton_xpu.report.text_cells import csv_text
from proton_xpu.report.view import View


def to_json(view: View, names: Sequence[str], depth: int, out: TextIO) -> None:
    """Writes `{"metrics": [...], "frames": [...]}`."""
    rows, depths = _rows(view, depth)
    frames = [
        {
            "id": index,
            "parent": parent if parent >= 0 else None,
            "depth": depths[index],
            "name": names[index],
            **({"mark": view.marks[index]} if view.marks[index] else {}),
            "values": [_finite(column.values[index]) for column in view.columns],
        }
        for index, parent in rows
    ]
    metrics = [{"name": column.name, "inclusive": column.inclusive} for column in view.columns]
    json.dump({"metrics": metrics, "frames": frames}, out, indent=1)
    out.write("\n")


def to_csv(view: View, names: Sequence[str], depth: int, out: TextIO) -> None:
    """Writes a header, then the frames; control characters in names are escaped."""
    rows, depths = _rows(view, depth)
    writer = csv.writer(out, lineterminator="\n")
    labels = [csv_text(column.label) for column in view.columns]
    marked = any(view.marks)
    writer.writerow(["id", "parent", "depth", "name", *(["mark"] if marked else []), *labels])
    for index, parent in rows:
        writer.writerow(
            [
                index,
                parent if parent >= 0 else "",
                depths[index],
                csv_text(names[index]),
                *([view.marks[index]] if marked else []),
                *("" if (v := c.values[index]) is None else v for c in view.columns),
            ]
        )


def _rows(view: View, depth: int) -> tuple[list[tuple[int, int]], list[int]]:
    depths = view.tree.depths()
    rows = [(i, parent) for i, parent in enumerate(view.tree.parents) if depths[i] < depth]
    return rows, depths


def _finite(value: Number | None) -> Number | None:
    return value if value is None or math.isfinite(value) else None
