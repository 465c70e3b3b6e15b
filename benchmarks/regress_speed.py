"""Speed of comparing results in CI.

    python -m benchmarks.regress_speed [--kernels N] [--launches N] [--history N] [--json FILE]

Reads two results from files, compares them with a history, and writes every output. Time is this
process's CPU time, imports included.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python"))

_BUDGET_S = 2.0


def measure(kernels: int, launches: int, history: int) -> dict[str, float]:
    """Seconds of each step."""
    from support.simulated_launches import Simulation

    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulation = Simulation(kernels=kernels, runs=launches, changed=0.02)
        for number in range((history + 1) // 2 + 1):
            base, new, _ = simulation.pair(number)
            base.save(folder / f"{2 * number}.json")
            new.save(folder / f"{2 * number + 1}.json")
        files = [folder / f"{number}.json" for number in range(history + 2)]
        start = time.process_time()

        from proton_xpu.report.regress.comparing import compare_results
        from proton_xpu.report.regress.config import Config
        from proton_xpu.report.regress.outputs import html, json_report, junit, markdown, terminal
        from proton_xpu.report.regress.result import Result

        results = [Result.load(file) for file in files]
        seconds["reading"] = time.process_time() - start
        start = time.process_time()
        comparison = compare_results(results[-2], results[-1], Config(), results[:-2])
        seconds["comparing"] = time.process_time() - start
        start = time.process_time()
        terminal.render(comparison, color=False)
        for output in (html, json_report, junit, markdown):
            output.render(comparison)
        seconds["writing"] = time.process_time() - start
    seconds["all"] = sum(seconds.values())
    return seconds


def main() -> int:
    """Prints the results; always returns 0, for a budget missed is no error here."""
    parser = argparse.ArgumentParser(description="Measures the comparison of two results.")
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--launches", type=int, default=10)
    parser.add_argument("--history", type=int, default=0, help="older results to learn noise from")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    results = measure(options.kernels, options.launches, options.history)
    print(f"{options.kernels} kernels, {options.launches} launches a side")
    for step, seconds in results.items():
        print(f"{step:10} {seconds:6.2f} s")
    print(f"{'budget':10} {_BUDGET_S:6.2f} s")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
