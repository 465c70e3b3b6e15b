"""The demo as a user runs it: kernels, numbers, profile and the printed tree."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
REPEAT = 2
KERNELS = {
    ("examples", "elementwise", "vector_add", "add_kernel"),
    ("examples", "by row", "fused_softmax", "softmax_kernel"),
    ("examples", "by row", "layer_norm", "layer_norm_kernel"),
    ("examples", "matmul", "fp32", "matmul_kernel"),
    ("examples", "matmul", "fp16", "matmul_kernel"),
}


class Demo:
    """One run of the demo: what it printed and what it wrote."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "examples", "--repeat", str(REPEAT)]
        self.result = subprocess.run(
            [*command, "--output", str(folder / "demo")],
            cwd=ROOT,
            env={**os.environ, "PROTON_XPU_DEVICE": "soft"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert self.result.returncode == 0, self.result.stdout + self.result.stderr
        self.lines = self.result.stdout.splitlines()
        self.root, self.devices = json.loads((folder / "demo.hatchet").read_text())

    def kernels(self) -> dict[tuple[str, ...], dict[str, Any]]:
        """Metrics of each kernel by its path below the root."""
        found = {}

        def visit(node: dict[str, Any], path: tuple[str, ...]) -> None:
            if node["metrics"].get("count"):
                found[path] = node["metrics"]
            for child in node["children"]:
                visit(child, (*path, child["frame"]["name"]))

        visit(self.root, ())
        return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return Demo(tmp_path_factory.mktemp("demo"))


def test_it_says_which_device_it_uses(demo: Demo) -> None:
    assert demo.lines[0].startswith("Using the software device Intel Data Center GPU Max 1550")


def test_each_result_is_compared_with_numpy(demo: Demo) -> None:
    compared = [line.split(":")[0].strip() for line in demo.lines if "as numpy has it" in line]
    assert compared == ["vector_add", "fused_softmax", "layer_norm", "fp32", "fp16"]


def test_each_launch_is_in_the_profile_under_its_scopes(demo: Demo) -> None:
    counts = {path: metrics["count"] for path, metrics in demo.kernels().items()}
    assert counts == dict.fromkeys(KERNELS, REPEAT)


def test_each_kernel_took_time(demo: Demo) -> None:
    assert all(metrics["time (ns)"] > 0 for metrics in demo.kernels().values())


def test_no_launch_is_lost(demo: Demo) -> None:
    accounting = demo.root["proton_xpu"]["accounting"]
    assert accounting["kernels"] == REPEAT * len(KERNELS)
    assert (accounting["lost"], accounting["untimed"]) == (0, 0)


def test_the_device_in_the_profile_is_marked_as_software(demo: Demo) -> None:
    (facts,) = demo.devices["XPU"].values()
    assert facts["arch"] == "pvc"
    assert "software" in facts["name"]


def test_it_prints_the_tree_with_shares_of_the_whole(demo: Demo) -> None:
    start = next(i for i, line in enumerate(demo.lines) if line.startswith("time/ms"))
    header, *rows = (line.split() for line in demo.lines[start:])
    assert header == ["time/ms", "count", "avg_time/us", "time/%", "frame"]
    assert rows[0][1] == str(REPEAT * len(KERNELS))
    assert rows[0][3:] == ["100.000", "ROOT"]
    names = [row[-1] for row in rows]
    assert [name for name in names if name.endswith("_kernel")] == [
        "add_kernel",
        "softmax_kernel",
        "layer_norm_kernel",
        "matmul_kernel",
        "matmul_kernel",
    ]


def test_nothing_is_printed_to_standard_error(demo: Demo) -> None:
    assert demo.result.stderr == ""
