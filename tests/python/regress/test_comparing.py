"""What is found about a comparison as a whole, and the exit code that follows."""

from dataclasses import replace
from typing import Any

import pytest
from support.simulated_launches import DEVICE, simulated_result

from proton_xpu.report.regress.comparing import compare_results, is_sound, seeded_comparison
from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.environment import Environment
from proton_xpu.report.regress.result import Launch, Result
from proton_xpu.report.regress.verdicts import ExitCode, Reason, Verdict

TIMES = [[100_000.0, 100_400.0, 99_700.0], [50_000.0, 50_300.0, 49_800.0]]
SLOWER = [[time * 1.1 for time in row] for row in TIMES]


def on(result: Result, **facts: Any) -> Result:
    return replace(result, environment=Environment(devices={"XPU 0": {**DEVICE, **facts}}))


def reasons(comparison: Comparison) -> list[tuple[Verdict, Reason]]:
    return [(finding.verdict, finding.reason) for finding in comparison.findings]


@pytest.mark.parametrize(
    ("facts", "reason", "kind"),
    [
        ({"name": "B"}, Reason.OTHER_DEVICE, "device"),
        ({"driver_version": "2"}, Reason.OTHER_DRIVER, "driver"),
        ({"clock_rate": 1_000_000}, Reason.OTHER_CLOCK, "clock"),
    ],
)
def test_other_machines_are_not_compared_unless_allowed(
    facts: dict[str, Any], reason: Reason, kind: str
) -> None:
    base = on(simulated_result(TIMES), driver_version="1")
    new = on(simulated_result(SLOWER), **{"driver_version": "1", **facts})
    refused = compare_results(base, new, Config())
    assert reasons(refused) == [(Verdict.INVALID, reason)]
    assert (refused.rows, refused.exit_code) == ([], ExitCode.NO_DATA)
    assert f"--allow {kind}" in refused.findings[0].text
    allowed = compare_results(base, new, Config(allow=(kind,)))
    assert reasons(allowed) == [(Verdict.OK, reason)]
    assert allowed.exit_code is ExitCode.REGRESSED


def test_a_launch_that_recorded_nothing_is_no_data() -> None:
    new = simulated_result(SLOWER)
    launches = [Launch(0, "empty", "the profile holds no kernel"), *new.launches[1:]]
    comparison = compare_results(simulated_result(TIMES), replace(new, launches=launches), Config())
    assert reasons(comparison) == [(Verdict.NO_DATA, Reason.LAUNCH_EMPTY)]
    assert (comparison.verdict, comparison.exit_code) == (Verdict.NO_DATA, ExitCode.NO_DATA)


def test_a_launch_that_failed_makes_it_invalid() -> None:
    new = simulated_result(TIMES)
    launches = [Launch(0, "failed", "exit code 1: boom"), *new.launches[1:]]
    comparison = compare_results(simulated_result(TIMES), replace(new, launches=launches), Config())
    assert reasons(comparison) == [(Verdict.INVALID, Reason.LAUNCH_FAILED)]
    assert comparison.findings[0].text == "1 of 3 launches of new failed: exit code 1: boom"


def test_a_result_without_kernels_is_no_data() -> None:
    empty = replace(simulated_result([]), launches=[])
    comparison = compare_results(simulated_result(TIMES), empty, Config())
    assert (Verdict.NO_DATA, Reason.NO_KERNELS) in reasons(comparison)
    assert comparison.exit_code is ExitCode.NO_DATA


def test_lost_records_make_it_invalid() -> None:
    new = simulated_result(TIMES)
    launches = [replace(launch, accounting={"launches": 100, "lost": 1}) for launch in new.launches]
    new = replace(new, launches=launches)
    comparison = compare_results(simulated_result(TIMES), new, Config())
    assert reasons(comparison) == [(Verdict.INVALID, Reason.RECORDS_LOST)]
    assert "new lost the records of 3 of 300" in comparison.findings[0].text
    assert not is_sound(new, Config())
    assert compare_results(simulated_result(TIMES), new, Config(max_lost=0.02)).findings == []


def test_what_the_rows_add_up_to() -> None:
    comparison = compare_results(simulated_result(TIMES), simulated_result(SLOWER), Config())
    assert comparison.total_ratio == pytest.approx(1.1)
    assert comparison.mean_ratio == pytest.approx(1.1)
    assert comparison.common_ratio == 1.0
    assert [row.share for row in comparison.rows] == pytest.approx([2 / 3, 1 / 3], rel=0.01)
    assert comparison.interleaved


def test_a_first_result_passes() -> None:
    comparison = seeded_comparison(simulated_result(TIMES), "the first", Config())
    assert reasons(comparison) == [(Verdict.OK, Reason.BASELINE_SEEDED)]
    assert comparison.exit_code is ExitCode.FINE


def test_a_first_result_that_holds_nothing_does_not() -> None:
    empty = replace(simulated_result([]), launches=[])
    assert seeded_comparison(empty, "the first", Config()).exit_code is ExitCode.NO_DATA
