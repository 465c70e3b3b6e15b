"""How often reports are wrong, measured on simulated ones: the promises of docs/regress.md.

Each bound is checked on so many reports that the measured share is well on its side of the bound.
"""

from dataclasses import dataclass

import pytest
from support.simulated_launches import Simulation

from proton_xpu.report.regress.comparing import compare_results
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.verdicts import ExitCode, Verdict


@dataclass
class Tally:
    reports: int = 0
    failed: int = 0
    changed: int = 0
    found: int = 0
    flagged: int = 0
    falsely: int = 0


def tally(simulation: Simulation, reports: int) -> Tally:
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
    return total


@pytest.mark.parametrize("in_turns", [True, False])
@pytest.mark.parametrize("runs", [5, 10])
def test_at_most_3_percent_of_unchanged_reports_fail(runs: int, in_turns: bool) -> None:
    total = tally(Simulation(runs=runs, in_turns=in_turns), 120)
    assert total.failed / total.reports <= 0.03


@pytest.mark.parametrize(("runs", "power"), [(5, 0.90), (10, 0.97)])
def test_kernels_5_percent_slower_are_found_and_few_others(runs: int, power: float) -> None:
    total = tally(Simulation(runs=runs, changed=0.02), 60)
    assert total.changed == 600
    assert total.found / total.changed >= power
    assert total.falsely / total.flagged <= 0.10
