"""Flame graphs: one HTML file that needs no network and no server."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from proton_xpu.report.calltree import CallTree, Number
from proton_xpu.report.diff import compare
from proton_xpu.report.errors import NoMatchError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.metrics import MetricTable
from proton_xpu.report.profile import Profile

_SCRIPTS = ("flame_layout.js", "flame_page.js")

# Metrics for the details only: they do not add up, so no width can show them.
_DETAIL_METRICS = re.compile(r"avg_time/us|util|tflop\d*/s|gbyte/s")


def flame_html(profile: Profile, baseline: Profile | None = None, title: str | None = None) -> str:
    """The page's text. With a `baseline`, colours show what changed from it to `profile`.

    The widths can show every metric that adds up over the tree. Raises `NoMatchError` if the
    profile has none.
    """
    if title is None:
        paths = [side.path or "profile" for side in (baseline, profile) if side is not None]
        title = " → ".join(paths)
    script = "\n".join(_asset(name) for name in _SCRIPTS)
    style = _asset("flame.css")
    data = _single_data(profile) if baseline is None else _difference_data(profile, baseline)
    fields = {
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src {_digest(script)}",
        "title": html.escape(title),
        "style": style,
        "script": script,
        "data": _embedded(data),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match[1]], _asset("flame.html"))


def _asset(name: str) -> str:
    return (files("proton_xpu.report") / "assets" / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _embedded(data: dict[str, Any]) -> str:
    """JSON that no name in it can end the script element with."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _metric_names(table: MetricTable) -> tuple[list[str], list[str]]:
    """Metrics for widths, the time first, and metrics for the details."""
    widths = [name for name in table.inclusive_names() if name != "time"]
    derived = table.derived_names()
    if "time/ms" in derived:
        widths.insert(0, "time/ms")
    return widths, [name for name in derived if _DETAIL_METRICS.fullmatch(name)]


def _single_data(profile: Profile) -> dict[str, Any]:
    table = MetricTable(without_helpers(profile.tree), profile.devices)
    widths, details = _metric_names(table)
    if not widths:
        raise NoMatchError(f"{profile.path or 'the profile'} has no metric to draw")
    tree, place = _rooted(table.tree)
    columns = [table.derive(name) for name in (*widths, *details)]
    metrics = [
        {
            "name": column.name,
            "width": column.name in widths,
            "values": _rooted_values(column.values, place, tree),
        }
        for column in columns
    ]
    return _data(tree, metrics, [""] * len(tree), table.notes)


def _difference_data(profile: Profile, baseline: Profile) -> dict[str, Any]:
    tables = [MetricTable(without_helpers(side.tree), side.devices) for side in (profile, baseline)]
    names = [_metric_names(table) for table in tables]
    widths = list(dict.fromkeys(name for widths, _ in names for name in widths))
    details = list(dict.fromkeys(name for _, more in names for name in more))
    if not widths:
        raise NoMatchError("the profiles have no metric to draw")
    both = compare(profile, baseline, [*widths, *details])
    tree, place = _rooted(both.overlay.tree)
    metrics = [
        {
            "name": ours.name,
            "width": ours.name in widths,
            "values": _rooted_values(ours.values, place, tree),
            "before": _rooted_values(theirs.values, place, tree),
        }
        for ours, theirs in both.columns
    ]
    marks = both.overlay.marks()
    return _data(tree, metrics, ["" if p < 0 else marks[p] for p in place], both.notes)


def _rooted(tree: CallTree) -> tuple[CallTree, list[int]]:
    """The tree under one root, and each node's index in `tree` (-1 for an added root)."""
    if len(tree.roots()) == 1:
        return tree, list(range(len(tree)))
    names = ["all", *tree.names]
    parents = [-1, *(parent + 1 for parent in tree.parents)]
    return CallTree(names, parents, [{}, *tree.metrics]), [-1, *range(len(tree))]


def _rooted_values(
    values: Sequence[Number | None], place: Sequence[int], tree: CallTree
) -> list[Number | None]:
    rooted = [values[index] if index >= 0 else None for index in place]
    if place[0] < 0:
        rooted[0] = sum(values[index - 1] or 0 for index in tree.children()[0])
    return rooted


def _data(
    tree: CallTree, metrics: list[dict[str, Any]], marks: list[str], notes: list[str]
) -> dict[str, Any]:
    index = {name: place for place, name in enumerate(dict.fromkeys(tree.names))}
    return {
        "names": list(index),
        "nodes": [index[name] for name in tree.names],
        "parents": tree.parents,
        "metrics": metrics,
        "marks": marks,
        "notes": notes,
    }
