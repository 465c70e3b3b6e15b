"""Counting the wrong verdicts over many simulated reports."""

from dataclasses import dataclass

from proton_xpu.report.regress.comparing import compare_results
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.verdicts import ExitCode, Verdict
from support.simulated_launches import Simulation


@dataclass
class Tally:
    """Over `reports` reports: how many failed; of kernels that changed, how many were found; of
    rows flagged as REGRESSED, how many falsely; and how many rows were AMBIGUOUS."""

    reports: int = 0
    failed: int = 0
    changed: int = 0
    found: int = 0
    flagged: int = 0
    falsely: int = 0
    undecided: int = 0


def tally(simulation: Simulation, reports: int) -> Tally:
    """Compares the pairs of the first `reports` seeds at the default settings."""
    total = Tally()
    for seed in range(reports):
        base, new, slower = simulation.pair(seed)
        comparison = compare_results(base, new, Config())
        flagged = {row.path for row in comparison.rows if row.verdict is Verdict.REGRESSED}
        total.reports += 1
        total.failed += comparison.exit_code is ExitCode.REGRESSED
        total.changed += len(slower)
        total.found += len(flagged & slower)
        total.flagged += len(flagged)
        total.falsely += len(flagged - slower)
        total.undecided += comparison.count(Verdict.AMBIGUOUS)
    return total
