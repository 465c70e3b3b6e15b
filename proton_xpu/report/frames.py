"""Choosing and naming frames: helper frames out, include and exclude, short names."""

import re
from collections.abc import Sequence
from itertools import compress

from proton_xpu.report.calltree import CallTree, Metrics, Number, add_metrics
from proton_xpu.report.errors import NoMatchError, ReportError

LAUNCH_METADATA_SCOPE = "__proton_launch_metadata"
"""Frame under which kernels that only compute launch metadata are recorded."""

NAME_STYLES = ("full", "file_function_line", "function_line", "file_function")

# Python frames: `file:line@function`, and `file:function@line` before Proton 3.4.
_PYTHON_FRAME = re.compile(r"(?P<file>.*):(?:(?P<line>\d+)@(?P<func>.*)|(?P<f>[^:]*)@(?P<l>\d+))")


def without_helpers(tree: CallTree) -> CallTree:
    """Drops launch-metadata subtrees, then every frame without metrics of its own or below it."""
    useful = list(map(bool, tree.metrics))
    # One search over all names is much faster than one per name.
    if LAUNCH_METADATA_SCOPE in "\n".join(tree.names):
        ends = tree.ends()
        for index, name in enumerate(tree.names):
            if _is_helper(name):
                useful[index : ends[index]] = [False] * (ends[index] - index)
    for parent in set(compress(tree.parents, useful)):
        ancestor = parent
        while ancestor >= 0 and not useful[ancestor]:
            useful[ancestor] = True
            ancestor = tree.parents[ancestor]
    for root in tree.roots():
        useful[root] = True
    return tree if all(useful) else tree.select(useful)[0]


def _is_helper(name: str) -> bool:
    return name == LAUNCH_METADATA_SCOPE or name.startswith(LAUNCH_METADATA_SCOPE + ":")


def matching(tree: CallTree, include: str | None, exclude: str | None) -> list[bool]:
    """Per node whether it stays. Expressions match from the start of the name.

    `exclude` drops matching frames with all below them; then `include` keeps the whole paths
    through matching frames. Raises `ReportError` for a broken expression, `NoMatchError` if
    nothing stays.
    """
    keep = [True] * len(tree)
    if exclude:
        pattern = _compiled(exclude)
        verdicts: dict[str, bool] = {}
        for index, name in enumerate(tree.names):
            parent = tree.parents[index]
            if name not in verdicts:
                verdicts[name] = pattern.match(name) is None
            keep[index] = verdicts[name] and (parent < 0 or keep[parent])
    if include:
        keep = _on_included_paths(tree, _compiled(include), keep)
    if not any(keep):
        wanted = [
            f"include {include!a}" if include else "",
            f"exclude {exclude!a}" if exclude else "",
        ]
        raise NoMatchError(
            f"no frame is left after {' and '.join(filter(None, wanted))}; expressions match from"
            " the start of a frame's name, so begin with .* to match inside it"
        )
    return keep


def _on_included_paths(
    tree: CallTree, pattern: re.Pattern[str], allowed: Sequence[bool]
) -> list[bool]:
    verdicts: dict[str, bool] = {}
    keep = [False] * len(tree)
    for index, name in enumerate(tree.names):
        parent = tree.parents[index]
        if name not in verdicts:
            verdicts[name] = pattern.match(name) is not None
        keep[index] = allowed[index] and (verdicts[name] or (parent >= 0 and keep[parent]))
    for index in range(len(tree) - 1, 0, -1):
        parent = tree.parents[index]
        if keep[index] and parent >= 0:
            keep[parent] = True
    return keep


def _compiled(expression: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error as error:
        raise ReportError(f"{expression!a} is not a regular expression: {error}") from error


def hot_path(tree: CallTree, values: Sequence[Number | None]) -> list[bool]:
    """Per node whether it lies on the path that follows the child of the largest value."""
    keep = [False] * len(tree)
    children = tree.children()
    siblings = tree.roots()
    while siblings:
        valued = [(values[index], -index) for index in siblings if values[index] is not None]
        if not valued:
            break
        hottest = -max(valued)[1]
        keep[hottest] = True
        siblings = children[hottest]
    return keep


def flattened(tree: CallTree) -> CallTree:
    """A root over one frame per name and device, with the own metrics of all such frames added."""
    flat = CallTree()
    root_metrics: Metrics = {}
    for root in tree.roots():
        root_metrics.update(dict.fromkeys(tree.metrics[root], 0))
    flat.add("ROOT", -1, root_metrics)
    known: dict[tuple[str, object, object], int] = {}
    for name, row, parent in zip(tree.names, tree.metrics, tree.parents, strict=True):
        if not row or parent < 0:
            continue
        key = (name, row.get("device_type"), row.get("device_id"))
        index = known.get(key)
        if index is None:
            index = known[key] = flat.add(name, 0, {})
        add_metrics(flat.metrics[index], row)
    return flat


def styled_name(name: str, style: str | None) -> str:
    """Shortens a Python frame's name in one of `NAME_STYLES`; other names stay whole."""
    if style in (None, "full"):
        return name
    match = _PYTHON_FRAME.fullmatch(name)
    if match is None:
        return name
    short = name.rpartition("/")[2]
    if style == "file_function_line":
        return short
    if style == "function_line":
        return name.rpartition(":")[2]
    file = match["file"].rpartition("/")[2]
    return f"{file}@{match['func']}" if match["line"] else f"{file}:{match['f']}"
