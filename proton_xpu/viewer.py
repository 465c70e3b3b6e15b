"""The names that scripts import from `triton.profiler.viewer`, on hatchet graph frames.

New code is better served by `proton_xpu.report.Profile`, which is faster and right on parents.
Hatchet and pandas are imported when a function here needs them.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from proton_xpu.cli.view import main
from proton_xpu.report import frames, hatchet_frame, hatchet_layout, loading
from proton_xpu.report.calltree import CallTree
from proton_xpu.report.diff import Overlay
from proton_xpu.report.document import DeviceTable, Document
from proton_xpu.report.errors import MetricNotFoundError, ReportError
from proton_xpu.report.frames import LAUNCH_METADATA_SCOPE as COMPUTE_METADATA_SCOPE_NAME
from proton_xpu.report.metrics import Column, MetricTable, base_name
from proton_xpu.report.packages import require
from proton_xpu.report.tree_text import Style, render, render_sorted
from proton_xpu.report.view import View

__all__ = [
    "COMPUTE_METADATA_SCOPE_NAME",
    "apply_diff_profile",
    "derive_metrics",
    "emit_warnings",
    "filter_frames",
    "format_frames",
    "get_min_time_bytes",
    "get_min_time_flops",
    "get_raw_metrics",
    "main",
    "match_available_metrics",
    "parse",
    "print_tree",
    "read",
    "remove_frames",
    "show_metrics",
]

GraphFrame: TypeAlias = Any
"""A `hatchet.GraphFrame`; hatchet has no types."""

DataFrame: TypeAlias = Any
"""A `pandas.DataFrame`."""

RawMetrics: TypeAlias = tuple[GraphFrame, list[str], list[str], DeviceTable]


def parse(
    metrics: Sequence[str],
    filename: str | Path,
    include: str | None = None,
    exclude: str | None = None,
    threshold: float | None = None,
) -> tuple[GraphFrame, list[str]]:
    """Reads a profile and derives `metrics`.

    Returns the graph frame and the names of the columns made, e.g. `time/ms (inc)`.
    """
    graphframe, inclusive, exclusive, devices = read(filename)
    derived = derive_metrics(graphframe, metrics, inclusive, exclusive, devices)
    graphframe = filter_frames(graphframe, include, exclude, threshold, derived[0])
    return graphframe, derived


def read(filename: str | Path) -> RawMetrics:
    """Reads a profile of any format. Returns what `get_raw_metrics` does."""
    document = loading.load_documents(filename)[0]
    return _raw_metrics(Document(frames.without_helpers(document.tree), document.devices))


def get_raw_metrics(database: Any) -> RawMetrics:
    """Graph frame, inclusive metrics, exclusive metrics and device table of a decoded profile.

    `database` is the file's JSON content, or a file object to read it from.
    """
    content = json.load(database) if hasattr(database, "read") else database
    return _raw_metrics(hatchet_layout.read_layout(content, "the profile"))


def _raw_metrics(document: Document) -> RawMetrics:
    table = MetricTable(document.tree, document.devices)
    recorded = table.recorded()
    if not recorded:
        raise MetricNotFoundError("No metrics found in the input file: no kernel was recorded")
    inclusive = [recorded[name] for name in table.inclusive_names()]
    exclusive = ["name", *(recorded[name] for name in table.exclusive_names())]
    graphframe = hatchet_frame.to_graphframe(document.tree, document.devices)
    return graphframe, inclusive, exclusive, document.devices


def remove_frames(database: list[Any]) -> list[Any]:
    """Drops launch-metadata frames and empty frames from a decoded profile."""
    document = hatchet_layout.read_layout(database, "the profile")
    return [*hatchet_layout.write_tree(frames.without_helpers(document.tree)), document.devices]


def match_available_metrics(
    metrics: str | Sequence[str], inclusive_metrics: Sequence[str], exclusive_metrics: Sequence[str]
) -> list[str]:
    """Columns of recorded metrics named without unit, whatever the case.

    Without names, all inclusive metrics. Raises `RuntimeError` for an unknown one.
    """
    if not metrics:
        return [f"{raw} (inc)" for raw in inclusive_metrics]
    columns: list[str] = []
    for metric in [metrics] if isinstance(metrics, str) else metrics:
        wanted = base_name(metric)
        matched = [f"{raw} (inc)" for raw in inclusive_metrics if base_name(raw) == wanted]
        matched += [raw for raw in exclusive_metrics if base_name(raw) == wanted]
        if not matched:
            raise MetricNotFoundError(
                f"Metric {metric} is not found. Use the --list flag to list available metrics"
            )
        columns += matched
    return columns


def derive_metrics(
    gf: GraphFrame,
    metrics: Sequence[str],
    inclusive_metrics: Sequence[str],
    exclusive_metrics: Sequence[str],
    device_info: DeviceTable,
) -> list[str]:
    """Adds columns of the asked-for metrics to the data frame and returns their names."""
    derived: list[str] = []
    nodes, table = _table_of(gf, inclusive_metrics, exclusive_metrics, device_info)
    for metric in metrics:
        column = table.derive(metric)
        recorded = table.recorded().get(base_name(metric))
        if recorded is not None and "/" not in metric:
            label = f"{recorded} (inc)" if column.inclusive else recorded
        else:
            label = column.label
            _add_column(gf, nodes, column, label)
        derived.append(label)
    return derived


def _table_of(
    gf: GraphFrame,
    inclusive_metrics: Sequence[str],
    exclusive_metrics: Sequence[str],
    device_info: DeviceTable,
) -> tuple[list[Any], MetricTable]:
    """The graph frame's nodes in tree order, and its recorded metrics."""
    tree, nodes = hatchet_frame.from_graphframe(gf)
    recorded = {*inclusive_metrics, *exclusive_metrics}
    tree.metrics[:] = [
        {name: value for name, value in row.items() if name in recorded} for row in tree.metrics
    ]
    for root in tree.roots():
        tree.metrics[root].update({n: 0 for n in inclusive_metrics if n not in tree.metrics[root]})
    return nodes, MetricTable(tree, device_info)


def _add_column(gf: GraphFrame, nodes: Sequence[Any], column: Column, label: str) -> None:
    values = {
        node: float("nan") if value is None else value
        for node, value in zip(nodes, column.values, strict=True)
    }
    gf.dataframe[label] = [values[node] for node in gf.dataframe.index]
    known = gf.inc_metrics if column.inclusive else gf.exc_metrics
    if label not in known:
        known.append(label)


def filter_frames(
    gf: GraphFrame,
    include: str | None = None,
    exclude: str | None = None,
    threshold: float | None = None,
    metric: str | None = None,
) -> GraphFrame:
    """Keeps whole paths through frames that match `include`, drops subtrees under `exclude`.

    With a `threshold`, keeps frames whose `metric` column reaches it. The given frame stays as it
    is. Raises `NoMatchError` if nothing is left.
    """
    tree, nodes = hatchet_frame.from_graphframe(gf)
    keep = frames.matching(tree, include, exclude)
    if threshold is not None and metric is not None:
        values = gf.dataframe[metric]
        keep = [
            kept and bool(values[node] >= threshold) for kept, node in zip(keep, nodes, strict=True)
        ]
    if all(keep):
        return gf
    return hatchet_frame.selected(gf, tree, nodes, keep)


def format_frames(gf: GraphFrame, format: str | None) -> GraphFrame:  # noqa: A002 (Proton's name)
    """Shortens the names of Python frames in place; see `proton-xpu-viewer --help`."""
    if format is not None and format not in frames.NAME_STYLES:
        raise ReportError(f"unknown format {format}; use one of {', '.join(frames.NAME_STYLES)}")
    gf.dataframe["name"] = [frames.styled_name(n, format) for n in gf.dataframe["name"]]
    return gf


def print_tree(
    gf: GraphFrame,
    metrics: Sequence[str],
    depth: int = 100,
    format: str | None = None,  # noqa: A002 (Proton's name)
    print_sorted: bool = False,
) -> None:
    """Prints columns of a graph frame as a tree; with `print_sorted` also as a sorted list."""
    tree, _ = hatchet_frame.from_graphframe(gf)
    columns = [
        Column(metric.removesuffix(" (inc)"), metric.endswith(" (inc)"), True, tree.numbers(metric))
        for metric in metrics
    ]
    view = View(tree, columns)
    names = [frames.styled_name(name, format) for name in tree.names]
    print(render(view, names, depth, Style())[0])
    if print_sorted:
        print(render_sorted(view, names))


def get_min_time_flops(df: DataFrame, device_info: DeviceTable) -> DataFrame:
    """Seconds that the flops of each row need at the device's peak; column `min_time`."""
    return _least_times(df, device_info, "flops")


def get_min_time_bytes(df: DataFrame, device_info: DeviceTable) -> DataFrame:
    """Seconds that the bytes of each row need at the device's peak; column `min_time`."""
    return _least_times(df, device_info, "bytes")


def _least_times(df: DataFrame, device_info: DeviceTable, work: str) -> DataFrame:
    pandas = require("pandas", "pandas", "a data frame")
    rows = df.to_dict("records")
    tree = CallTree(
        names=[str(row.get("name")) for row in rows],
        parents=[-1] * len(rows),
        metrics=[hatchet_frame.row_metrics(row) for row in rows],
    )
    table = MetricTable(tree, device_info)
    times = table.flop_times() if work == "flops" else table.byte_times()
    return pandas.DataFrame(
        {"min_time": [time or 0.0 for time in times]}, index=df.index, dtype="float64"
    )


def apply_diff_profile(
    gf: GraphFrame,
    derived_metrics: Sequence[str],
    diff_file: str | Path,
    metrics: Sequence[str],
    include: str | None = None,
    exclude: str | None = None,
    threshold: float | None = None,
) -> GraphFrame:
    """The graph frame minus the profile in `diff_file`, in the columns `derived_metrics`."""
    ours, _ = hatchet_frame.from_graphframe(gf)
    theirs, _ = hatchet_frame.from_graphframe(parse(metrics, diff_file, include, exclude)[0])
    overlay = Overlay(ours, theirs)
    columns = {
        name: overlay.difference(
            overlay.spread(0, ours.numbers(name)), overlay.spread(1, theirs.numbers(name)), True
        )
        for name in derived_metrics
    }
    result = hatchet_frame.from_columns(overlay.tree, columns)
    return filter_frames(result, None, None, threshold, derived_metrics[0])


def emit_warnings(gf: GraphFrame, metrics: Iterable[str]) -> None:
    """Prints a warning if a sum of bytes is negative, i.e. has overflown."""
    if "bytes (inc)" in metrics and (gf.dataframe["bytes (inc)"] < 0).any():
        print("Warning: bytes (inc) is negative somewhere, so a count of bytes has overflown.")


def show_metrics(file_name: str | Path) -> None:
    """Prints the metrics that a profile has."""
    _, inclusive, exclusive, _ = read(file_name)
    for kind, names in (("inclusive", inclusive), ("exclusive", exclusive)):
        print(f"Available {kind} metrics:")
        for name in names:
            print(f"- {base_name(name)}")
