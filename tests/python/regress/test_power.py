"""How often reports are wrong, measured on simulated ones.

benchmarks/regress_power.py measures the same over more reports.
"""

import pytest
from support.regress_errors import tally
from support.simulated_launches import Simulation


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
