"""Profiles as hatchet's `GraphFrame`, and back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from proton_xpu.report.calltree import NO_PARENT, CallTree, Metrics
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.metrics import MetricTable
from proton_xpu.report.packages import require


def to_graphframe(tree: CallTree, devices: DeviceTable) -> Any:
    """A `hatchet.GraphFrame` whose data frame has hatchet's conventional columns.

    Per inclusive metric `<name>` (own value) and `<name> (inc)` (with all below); other metrics
    under their recorded names; `name` and `type` of the frame. Values a frame does not have are
    NaN.
    """
    pd = require("pandas", "pandas", "a hatchet GraphFrame")
    table = MetricTable(tree, devices)
    columns: dict[str, Any] = {"name": tree.names, "type": ["function"] * len(tree)}
    inclusive: list[str] = []
    exclusive: list[str] = []
    for name, raw in table.recorded().items():
        numeric = table.is_numeric(name)
        if numeric and table.is_inclusive(name):
            columns[f"{raw} (inc)"] = _floats(tree.subtree_sum(tree.numbers(raw)))
            inclusive.append(f"{raw} (inc)")
        columns[raw] = (
            _floats(tree.numbers(raw)) if numeric else [row.get(raw) for row in tree.metrics]
        )
        exclusive.append(raw)
    return _assembled(tree, pd.DataFrame(columns), exclusive, inclusive)


def _floats(values: Iterable[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def _graph_nodes(tree: CallTree) -> list[Any]:
    hatchet_node = require("hatchet.node", "llnl-hatchet", "a hatchet GraphFrame")
    hatchet_frame = require("hatchet.frame", "llnl-hatchet", "a hatchet GraphFrame")
    nodes: list[Any] = []
    for name, parent in zip(tree.names, tree.parents, strict=True):
        above = nodes[parent] if parent >= 0 else None
        frame = hatchet_frame.Frame({"name": name, "type": "function"})
        node = hatchet_node.Node(frame, above, hnid=-1)
        if above is not None:
            above.add_child(node)
        nodes.append(node)
    return nodes


def from_graphframe(graphframe: Any) -> tuple[CallTree, list[Any]]:
    """A graph frame's nodes as a call tree, and the hatchet node of each.

    Node metrics hold the data frame's values under the columns' names; NaN is absent.
    """
    frame = graphframe.dataframe
    rows = dict(zip(frame.index, frame.to_dict("records"), strict=True))
    tree = CallTree()
    nodes: list[Any] = []
    stack = [(root, NO_PARENT) for root in reversed(graphframe.graph.roots)]
    while stack:
        node, parent = stack.pop()
        row = rows[node]
        index = tree.add(str(row["name"]), parent, row_metrics(row))
        nodes.append(node)
        stack.extend((child, index) for child in reversed(node.children))
    return tree, nodes


def row_metrics(row: dict[str, Any]) -> Metrics:
    """What a data frame's row holds as metrics; NaN is absent."""
    return {
        name: value
        for name, value in row.items()
        if name not in ("name", "type") and value is not None and value == value
    }


def selected(graphframe: Any, tree: CallTree, nodes: Sequence[Any], keep: Sequence[bool]) -> Any:
    """A graph frame of the kept nodes of `tree`, which `from_graphframe` made."""
    smaller, origin = tree.select(keep)
    frame = graphframe.dataframe.loc[[nodes[index] for index in origin]].copy()
    return _assembled(smaller, frame, graphframe.exc_metrics, graphframe.inc_metrics)


def from_columns(tree: CallTree, columns: Mapping[str, Iterable[float | None]]) -> Any:
    """A graph frame that has the given columns only; a name with " (inc)" is inclusive."""
    pd = require("pandas", "pandas", "a hatchet GraphFrame")
    frame = pd.DataFrame({name: _floats(values) for name, values in columns.items()})
    frame["name"] = tree.names
    inclusive = [name for name in columns if name.endswith(" (inc)")]
    exclusive = [name for name in columns if not name.endswith(" (inc)")]
    return _assembled(tree, frame, exclusive, inclusive)


def _assembled(
    tree: CallTree, frame: Any, exclusive: Sequence[str], inclusive: Sequence[str]
) -> Any:
    """Puts a graph over a data frame that has one row per node of `tree`, in order."""
    hatchet = require("hatchet", "llnl-hatchet", "a hatchet GraphFrame")
    nodes = _graph_nodes(tree)
    graph = hatchet.graph.Graph([nodes[root] for root in tree.roots()])
    graph.enumerate_traverse()
    frame["node"] = nodes
    return hatchet.GraphFrame(
        graph,
        frame.set_index("node").sort_index(),
        exc_metrics=list(exclusive),
        inc_metrics=list(inclusive),
        default_metric="time",
    )
