"""Profiles as weighted stacks: for flame graph tools and speedscope."""

import json
from collections.abc import Iterator

from proton_xpu.report.calltree import CallTree, Number
from proton_xpu.report.errors import MetricNotFoundError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.metrics import base_name
from proton_xpu.report.profile import Profile
from proton_xpu.report.text_cells import printable

_SPEEDSCOPE_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
_SPEEDSCOPE_UNITS = {"time": "nanoseconds", "cpu_time": "nanoseconds", "bytes": "bytes"}


def collapsed(profile: Profile, metric: str = "time") -> str:
    """One line per frame with an own value: the path, joined by semicolons, and the value.

    Semicolons in names become colons; control characters are escaped. Values are rounded to whole
    numbers, as the tools of this format expect. Raises `MetricNotFoundError`.
    """
    tree = without_helpers(profile.tree)
    names = [printable(name).replace(";", ":") for name in tree.names]
    lines = [
        f"{';'.join(names[at] for at in _path(tree, index))} {round(value)}"
        for index, value in _weights(tree, metric)
    ]
    return "".join(f"{line}\n" for line in lines)


def speedscope(profile: Profile, metric: str = "time") -> str:
    """A speedscope file with one sampled profile. Raises `MetricNotFoundError`."""
    tree = without_helpers(profile.tree)
    frames = {name: number for number, name in enumerate(dict.fromkeys(tree.names))}
    weighted = list(_weights(tree, metric))
    weights = [value for _, value in weighted]
    sampled = {
        "type": "sampled",
        "name": profile.path or "profile",
        "unit": _SPEEDSCOPE_UNITS.get(base_name(metric), "none"),
        "startValue": 0,
        "endValue": sum(weights),
        "samples": [[frames[tree.names[at]] for at in _path(tree, i)] for i, _ in weighted],
        "weights": weights,
    }
    content = {
        "$schema": _SPEEDSCOPE_SCHEMA,
        "shared": {"frames": [{"name": name} for name in frames]},
        "profiles": [sampled],
        "name": profile.path or "profile",
        "exporter": "proton_xpu",
    }
    return json.dumps(content) + "\n"


def _weights(tree: CallTree, metric: str) -> Iterator[tuple[int, Number]]:
    """Nodes with a positive own value of a recorded metric."""
    wanted = base_name(metric)
    raw = next((raw for raw in tree.metric_names() if base_name(raw) == wanted), None)
    if raw is None:
        known = ", ".join(map(base_name, tree.metric_names())) or "none"
        raise MetricNotFoundError(f"Metric {metric} is not recorded; this profile has: {known}")
    for index, value in enumerate(tree.numbers(raw)):
        if value is not None and value > 0:
            yield index, value


def _path(tree: CallTree, index: int) -> list[int]:
    path: list[int] = []
    while index >= 0:
        path.append(index)
        index = tree.parents[index]
    return path[::-1]
