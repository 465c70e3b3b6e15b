"""Profiles for tests of the read side: made by hand or at random."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Node = dict[str, Any]

PVC = {
    "arch": "pvc",
    "bus_width": 64,
    "clock_rate": 1_600_000,
    "memory_clock_rate": 3_200_000,
    "name": "software Max 1550",
    "num_sms": 64,
    "pci_device_id": 0x0BD5,
}

DEVICES = {"XPU": {"0": PVC}}


def node(name: str, *children: Node, **metrics: object) -> Node:
    frame = {"name": name, "type": "function"}
    return {"children": list(children), "frame": frame, "metrics": metrics}


def kernel(name: str, time: int, count: int = 1, device: str = "0", **metrics: object) -> Node:
    row = {"count": count, "device_id": device, "device_type": "XPU", "time (ns)": time}
    return {**node(name), "metrics": {**row, **metrics}}


def root(*children: Node, **metrics: object) -> Node:
    return {**node("ROOT", *children), "metrics": {"count": 0, "time (ns)": 0, **metrics}}


class ProfileWriter:
    """Writes profiles into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, tree: Node, devices: Any = None, name: str = "p.hatchet") -> Path:
        return self.text(json.dumps([tree, DEVICES if devices is None else devices]), name)

    def text(self, content: str, name: str = "p.hatchet") -> Path:
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        return path

    def steps(self, name: str = "p.hatchet") -> Path:
        """ROOT > step > (gemm 3 x 3000 ns, add 1000 ns), ROOT > copy 500 ns."""
        step = node(
            "step",
            kernel("gemm", 9000, 3, flops16=6e9, bytes=3000),
            kernel("add", 1000, bytes=500),
        )
        return self.file(root(step, kernel("copy", 500)), name=name)


def names() -> st.SearchStrategy[str]:
    return st.text(max_size=12) | st.sampled_from(["a", "b", "k", "</script>", "\x1b[31m", "\n"])


def metric_rows() -> st.SearchStrategy[dict[str, Any]]:
    numbers = st.integers(0, 2**40)
    return st.fixed_dictionaries(
        {},
        optional={
            "count": st.integers(0, 1000),
            "time (ns)": numbers,
            "bytes": numbers,
            "note": st.text(max_size=5),
            "latency": st.lists(st.integers(0, 9), min_size=2, max_size=2),
        },
    )


def trees(leaves: int = 20) -> st.SearchStrategy[Node]:
    """Random call trees in the files' form."""

    def wrap(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        return st.builds(
            lambda name, row, below: {**node(name, *below), "metrics": row},
            names(),
            metric_rows(),
            st.lists(children, max_size=4),
        )

    leaf = st.builds(lambda name, row: {**node(name), "metrics": row}, names(), metric_rows())
    return st.recursive(leaf, wrap, max_leaves=leaves)
