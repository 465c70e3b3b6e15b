"""Speed of the viewer on large profiles, next to hatchet's on the same file.

    python -m benchmarks.viewer_speed [--repeat N] [--json FILE]

Times are the best of N runs of the work after all imports, in seconds of this process's CPU.
"""

import argparse
import contextlib
import gc
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proton_xpu.cli.view import main as view

_BUDGETS_S = {"help": 0.1, "print 10,000 nodes": 0.15, "load 100,000, filter, depth 5": 1.0}

_KERNEL_NAMES = 97
_DEPTH = 12


def random_profile(nodes: int, seed: int) -> list[Any]:
    """A profile of nested scopes with kernels, as a training step leaves one."""
    choice = random.Random(seed)  # noqa: S311 (no secret)
    root: dict[str, Any] = _node("ROOT", {"count": 0, "time (ns)": 0})
    scopes = [(root, 1)]
    for number in range(nodes - 1):
        parent, depth = choice.choice(scopes[-50:])
        if depth < _DEPTH and choice.random() < 0.25:
            child = _node(f"scope_{number}", {})
            scopes.append((child, depth + 1))
        else:
            child = _node(f"kernel_{number % _KERNEL_NAMES}", _kernel_metrics(choice))
        parent["children"].append(child)
    device = {"arch": "pvc", "clock_rate": 1600000, "num_sms": 64, "pci_device_id": 0x0BD5}
    return [root, {"XPU": {"0": device}}]


def _node(name: str, metrics: dict[str, Any]) -> dict[str, Any]:
    return {"children": [], "frame": {"name": name, "type": "function"}, "metrics": metrics}


def _kernel_metrics(choice: random.Random) -> dict[str, Any]:
    return {
        "count": choice.randint(1, 9),
        "device_id": "0",
        "device_type": "XPU",
        "time (ns)": choice.randint(1000, 10**7),
    }


def best_of(repeat: int, work: Callable[[], object]) -> float:
    """The shortest CPU time of `work` in seconds."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def quietly(work: Callable[[], object]) -> Callable[[], object]:
    """`work` with its standard output kept in memory."""

    def run() -> object:
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
            return work()

    return run


def help_wall_time(repeat: int) -> float:
    """Wall time of `proton-xpu-viewer --help` in a process of its own, in seconds."""
    command = [sys.executable, "-m", "proton_xpu.cli.view", "--help"]
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def hatchet_print(path: Path) -> Callable[[], object]:
    """The same tree through hatchet."""
    import hatchet

    def run() -> object:
        content = json.loads(path.read_text(encoding="utf-8"))
        frame = hatchet.GraphFrame.from_literal(content[:1])
        frame.update_inclusive_columns()
        return print(frame.tree(metric_column=["time (ns) (inc)", "count (inc)"]))

    return run


def measure(repeat: int) -> dict[str, float]:
    """Seconds by what was done."""
    results = {"help": help_wall_time(repeat)}
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.hatchet"), Path(folder, "large.hatchet")
        small.write_text(json.dumps(random_profile(10_000, 1), indent=4), encoding="utf-8")
        large.write_text(json.dumps(random_profile(100_000, 2), indent=4), encoding="utf-8")
        results["print 10,000 nodes"] = best_of(repeat, quietly(lambda: view([str(small)])))
        results["load 100,000, filter, depth 5"] = best_of(
            repeat, quietly(lambda: view(["-d", "5", "-e", "kernel_1", str(large)]))
        )
        results["hatchet: print 10,000 nodes"] = best_of(1, quietly(hatchet_print(small)))
    return results


def main() -> int:
    """Prints the table; always returns 0, for a budget missed is no error here."""
    parser = argparse.ArgumentParser(description="Measures the viewer's speed.")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    results = measure(options.repeat)
    print(f"{'what':32} {'seconds':>8} {'budget':>8} {'ratio':>6}")
    for what, seconds in results.items():
        budget = _BUDGETS_S.get(what)
        told = f"{budget:8.2f} {seconds / budget:6.2f}" if budget else f"{'-':>8} {'-':>6}"
        print(f"{what:32} {seconds:8.3f} {told}")
    ratio = results["hatchet: print 10,000 nodes"] / results["print 10,000 nodes"]
    print(f"printing 10,000 nodes, hatchet's time over ours: {ratio:.1f}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
