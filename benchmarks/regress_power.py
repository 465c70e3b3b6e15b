"""How often the verdicts of a comparison are wrong, on simulated launches.

    python -m benchmarks.regress_power [--reports N] [--json FILE]

The same simulation as in the tests, over more reports: 500 kernels, of which none or 2 % became 5 %
slower, with 5 and 10 launches a side, at several levels of noise.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python"))


def measure(reports: int) -> list[dict[str, object]]:
    """Shares of unchanged reports that fail, of changes found, and of false REGRESSED rows."""
    from support.regress_errors import Tally, tally
    from support.simulated_launches import Simulation

    between = Simulation()
    simulations = {
        "1 to 2 %, in turns": between,
        "1 to 2 %, base first": replace(between, in_turns=False),
        "1 %, in turns": replace(between, most_sigma=0.01),
        "2 %, in turns": replace(between, least_sigma=0.02),
    }
    found: list[dict[str, object]] = []
    for name, simulation in simulations.items():
        for runs in (5, 10):
            unchanged: Tally = tally(replace(simulation, runs=runs), reports)
            changed: Tally = tally(replace(simulation, runs=runs, changed=0.02), reports)
            found.append(
                {
                    "noise": name,
                    "launches": runs,
                    "failed": unchanged.failed / unchanged.reports,
                    "found": changed.found / changed.changed,
                    "false": changed.falsely / changed.flagged,
                    "undecided": unchanged.undecided / unchanged.reports,
                }
            )
            print_line(found[-1])
    return found


def print_line(values: dict[str, object]) -> None:
    """Prints one line of the table."""
    print(
        f"{values['noise']:22} {values['launches']:>8} {values['failed']:>8.1%}"
        f" {values['found']:>8.1%} {values['false']:>8.1%} {values['undecided']:>10.1f}",
        flush=True,
    )


def main() -> int:
    """Prints the table; returns 0."""
    parser = argparse.ArgumentParser(description="Measures the errors of verdicts.")
    parser.add_argument("--reports", type=int, default=500, help="reports for each line")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    heads = ("launches", "failed", "found", "false", "undecided")
    print(f"{'noise':22} {heads[0]:>8} {heads[1]:>8} {heads[2]:>8} {heads[3]:>8} {heads[4]:>10}")
    results = measure(options.reports)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
