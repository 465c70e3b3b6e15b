"""Speed and memory of merging many ranks.

    python -m benchmarks.merge_speed [--ranks N] [--nodes N] [--json FILE]

The profiles are made in memory, so that what is measured is the merge and not the disk. Time is
this process's CPU time.
"""

import argparse
import json
import random
import resource
import sys
import time
from pathlib import Path

from proton_xpu.report.calltree import CallTree, Metrics
from proton_xpu.report.merge import Merge
from proton_xpu.report.profile import Profile

_BUDGET_S = 3.0
_BUDGET_GB = 1.0

_KERNELS_PER_SCOPE = 19


def rank_profile(rank: int, nodes: int) -> Profile:
    """A rank's profile: the same tree for all ranks but for the times."""
    choice = random.Random(rank)  # noqa: S311 (no secret)
    tree = CallTree()
    root = tree.add("ROOT", -1, {"count": 0, "time (ns)": 0})
    scope = root
    for number in range(nodes - 1):
        if number % (_KERNELS_PER_SCOPE + 1) == 0:
            scope = tree.add(f"scope_{number}", root, {})
            continue
        row: Metrics = {
            "count": 10,
            "device_id": "0",
            "device_type": "XPU",
            "time (ns)": choice.randint(10**4, 10**6),
        }
        tree.add(f"kernel_{number}", scope, row)
    return Profile(tree, {"XPU": {"0": {"arch": "pvc"}}})


def measure(ranks: int, nodes: int) -> dict[str, float]:
    """Seconds spent in the merge, and the process's largest memory in GB."""
    merge = Merge()
    seconds = 0.0
    for rank in range(ranks):
        profile = rank_profile(rank, nodes)
        start = time.process_time()
        merge.add(profile, f"rank {rank}")
        seconds += time.process_time() - start
    start = time.process_time()
    merge.finish()
    seconds += time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return {"seconds": seconds, "memory GB": memory}


def main() -> int:
    """Prints the results; always returns 0, for a budget missed is no error here."""
    parser = argparse.ArgumentParser(description="Measures merging of many ranks.")
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    results = measure(options.ranks, options.nodes)
    print(f"{options.ranks} ranks of {options.nodes} frames")
    print(f"{results['seconds']:6.2f} s   budget {_BUDGET_S:.0f} s")
    print(f"{results['memory GB']:6.2f} GB  budget {_BUDGET_GB:.0f} GB")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
