"""What every reader returns: the content of one profile file."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from proton_xpu.report.calltree import CallTree

DeviceTable: TypeAlias = dict[str, dict[str, dict[str, Any]]]
"""Device facts as the file has them: type ("XPU") -> index ("0") -> fact -> value."""


@dataclass
class Document:
    """One file's call tree, its device table, and whatever the writer noted about the run."""

    tree: CallTree
    devices: DeviceTable = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
