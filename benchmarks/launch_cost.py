"""What a launch costs the launching thread: nothing attached, raw PTI, and this profiler.

    python -m benchmarks.launch_cost [--runs N] [--batches N]

Kernels have zero length and are launched straight through Level Zero on the software device. Each
attachment runs in processes of its own, in turn with the others, so that what else the machine does
meets all of them. Nanoseconds are medians over all batches; compare the ratios, not the numbers of
different machines.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "build" / "dev" / "benchmarks" / "launch_cost"
ATTACHMENTS = {
    "none": "nothing attached",
    "raw_pti": "raw PTI client, three views",
    "raw_pti_callback": "raw PTI client, views and callback",
    "tracer": "proton_xpu's tracer alone",
    "proton_xpu": "proton_xpu, tree in three scopes",
}


def measure(runs: int, batches: int) -> dict[str, list[float]]:
    """Return nanoseconds per launch of each batch, by attachment."""
    times: dict[str, list[float]] = {name: [] for name in ATTACHMENTS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for name, batch_times in times.items():
                command = [str(PROGRAM), name, str(batches), folder]
                result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                batch_times += [float(line) for line in result.stdout.split()]
    return times


def print_table(times: dict[str, list[float]]) -> None:
    """Print medians, spread, and what is added to nothing and to the raw client."""
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"{'attached':38} {'ns/launch':>10} {'p10':>8} {'p90':>8} {'added':>8} {'to raw':>7}")
    for name, values in times.items():
        tenths = statistics.quantiles(values, n=10)
        added = medians[name] - medians["none"]
        ratio = medians[name] / medians["raw_pti_callback"]
        print(
            f"{ATTACHMENTS[name]:38} {medians[name]:10.0f} {tenths[0]:8.0f} {tenths[-1]:8.0f}"
            f" {added:8.0f} {ratio:7.2f}"
        )


def main() -> int:
    """Measure and print; returns 0."""
    parser = argparse.ArgumentParser(description="Measures the cost of a launch.")
    parser.add_argument("--runs", type=int, default=5, help="processes for each attachment")
    parser.add_argument("--batches", type=int, default=100, help="batches of 1,000 launches")
    options = parser.parse_args()
    print_table(measure(options.runs, options.batches))
    return 0


if __name__ == "__main__":
    sys.exit(main())
