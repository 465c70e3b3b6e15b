"""`Profile`: one profile, loaded from a file, with derived metrics and data frames."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proton_xpu.report import alignment
from proton_xpu.report.calltree import CallTree
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.hatchet_layout import write_tree
from proton_xpu.report.loading import load_documents
from proton_xpu.report.metrics import Column, MetricTable
from proton_xpu.report.packages import require

if TYPE_CHECKING:
    import pandas as pd


class Profile:
    """A call tree with metrics, the devices it ran on, and what the writer noted about the run.

    `Profile.load(path)` reads every format Proton writes, of any vendor's device.
    """

    def __init__(
        self,
        tree: CallTree,
        devices: DeviceTable | None = None,
        metadata: Mapping[str, Any] | None = None,
        path: str | None = None,
    ) -> None:
        self.tree = tree
        self.devices: DeviceTable = devices or {}
        self.metadata: dict[str, Any] = dict(metadata or {})
        self.path = path

    @classmethod
    def load(
        cls, path: str | Path, on_loaded: Callable[[int], None] = lambda _count: None
    ) -> "Profile":
        """Loads hatchet JSON, MessagePack, a chrome trace or a Perfetto trace, gzipped or not.

        Traces may also be those of the PyTorch profiler, unitrace or other tools.

        If there is no file at `path` but part files of a session with phases
        (`<name>.part_<n>.<suffix>`), their sum is loaded, with the metadata of the last;
        `on_loaded` is told how many more of them were. Raises `FileNotFoundError`, another
        `OSError`, or `ProfileFormatError`.
        """
        documents = load_documents(path, on_loaded)
        if len(documents) == 1:
            tree = documents[0].tree
        else:
            tree = alignment.summed([document.tree for document in documents])
        devices: DeviceTable = {}
        metadata: dict[str, Any] = {}
        for document in documents:
            for kind, by_index in document.devices.items():
                devices.setdefault(kind, {}).update(by_index)
            metadata.update(document.metadata)
        return cls(tree, devices, metadata, str(path))

    def __len__(self) -> int:
        return len(self.tree)

    def __repr__(self) -> str:
        return f"<Profile {self.path or ''} with {len(self)} frames>"

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        from proton_xpu.report.notebook import profile_html

        return profile_html(self)

    @property
    def accounting(self) -> dict[str, int]:
        """What became of the launches, e.g. `launches`, `kernels`, `lost`; empty if not told."""
        own = self.metadata.get("proton_xpu")
        entries = own.get("accounting") if isinstance(own, dict) else None
        if not isinstance(entries, dict):
            return {}
        return {name: value for name, value in entries.items() if isinstance(value, int)}

    def metrics(self) -> MetricTable:
        """The metrics of all frames, raw and derived."""
        return MetricTable(self.tree, self.devices)

    def column(self, metric: str) -> Column:
        """One metric per frame, e.g. `time/ms`, `count`, `tflop16/s`.

        Raises `MetricNotFoundError` or `MetricUnitError`.
        """
        return self.metrics().derive(metric)

    def dataframe(self, metrics: Sequence[str] = ()) -> "pd.DataFrame":
        """One row per frame in tree order: path, name, depth, and every metric.

        Columns: `path` (tuple of names), `name`, `depth`, the recorded metrics under their names
        in the file, then the asked-for `metrics` under their names with "(inc)" if inclusive.
        """
        pandas = require("pandas", "pandas", "a data frame")
        tree = self.tree
        columns: dict[str, Any] = {
            "path": [tuple(tree.path(index)) for index in range(len(tree))],
            "name": tree.names,
            "depth": tree.depths(),
        }
        for name in tree.metric_names():
            columns[name] = [row.get(name) for row in tree.metrics]
        for metric in metrics:
            column = self.column(metric)
            columns[column.label] = column.values
        return pandas.DataFrame(columns)  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """The profile as a hatchet JSON file, with this object's metadata beside the tree."""
        roots = write_tree(self.tree)
        if roots:
            roots[0].update(self.metadata)
        return json.dumps([*roots, self.devices]) + "\n"

    def graphframe(self) -> Any:
        """The profile as a `hatchet.GraphFrame` with inclusive columns."""
        from proton_xpu.report.hatchet_frame import to_graphframe

        return to_graphframe(self.tree, self.devices)
