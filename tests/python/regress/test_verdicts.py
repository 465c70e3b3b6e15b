"""Every verdict and reason that a kernel can get, from launches made for it."""

from dataclasses import replace

import numpy as np
import pytest
from support.simulated_launches import kernel_path, simulated_result

from proton_xpu.report.regress.comparing import compare_results
from proton_xpu.report.regress.comparison import Comparison, Row
from proton_xpu.report.regress.config import Config, from_mapping
from proton_xpu.report.regress.result import Result
from proton_xpu.report.regress.verdicts import ExitCode, Reason, Verdict

STEADY = [100_000.0, 100_400.0, 99_700.0, 100_100.0, 99_900.0]
NOISY = [100_000.0, 109_000.0, 93_000.0, 104_000.0, 97_000.0]


def scaled(times: list[float], factor: float) -> list[float]:
    return [time * factor for time in times]


def compared(
    base: list[float] | Result, new: list[float] | Result, config: Config | None = None
) -> Comparison:
    sides = [side if isinstance(side, Result) else simulated_result([side]) for side in (base, new)]
    return compare_results(*sides, config or Config())


def row(comparison: Comparison, number: int = 0) -> Row:
    return next(row for row in comparison.rows if row.path == kernel_path(number))


@pytest.mark.parametrize(
    ("base", "new", "verdict", "reason"),
    [
        (STEADY, STEADY, Verdict.OK, Reason.NO_CHANGE),
        (STEADY, scaled(STEADY, 1.01), Verdict.OK, Reason.BELOW_LIMIT),
        (STEADY, scaled(STEADY, 1.05), Verdict.REGRESSED, Reason.WORSE),
        (STEADY, scaled(STEADY, 0.95), Verdict.IMPROVED, Reason.BETTER),
        (NOISY, scaled(NOISY, 1.06), Verdict.AMBIGUOUS, Reason.UNDECIDED),
        (NOISY, NOISY, Verdict.OK, Reason.NO_CHANGE),
        (STEADY[:1], scaled(STEADY[:1], 1.5), Verdict.AMBIGUOUS, Reason.SINGLE_LAUNCH),
        (STEADY[:1], scaled(STEADY, 1.5), Verdict.AMBIGUOUS, Reason.SINGLE_LAUNCH),
        (STEADY, scaled(STEADY[:1], 0.5), Verdict.AMBIGUOUS, Reason.SINGLE_LAUNCH),
        (STEADY[:1], scaled(STEADY[:1], 1.01), Verdict.OK, Reason.NO_CHANGE),
    ],
)
def test_times(base: list[float], new: list[float], verdict: Verdict, reason: Reason) -> None:
    found = row(compared(base, new))
    assert (found.verdict, found.reason) == (verdict, reason)


def test_the_numbers_of_a_regression() -> None:
    found = row(compared(STEADY, scaled(STEADY, 1.05)))
    assert found.ratio == pytest.approx(1.05)
    assert found.low is not None
    assert found.high is not None
    assert 1.04 < found.low < 1.05 < found.high < 1.06
    assert found.base is not None
    assert found.base.median == 100_000
    assert found.base.cv == pytest.approx(np.std(STEADY, ddof=1) / np.mean(STEADY))
    assert found.p is not None
    assert found.q is not None
    assert found.p < 1e-6
    assert found.p == found.q
    assert found.limit == 0.02
    assert found.share == 1.0
    assert found.more_launches is None


def test_the_launches_that_would_settle_it_do() -> None:
    rng = np.random.default_rng(1)
    few = row(compared(NOISY, scaled(NOISY, 1.06)))
    assert few.more_launches is not None
    count = 5 + few.more_launches
    settled = 0
    for _ in range(50):
        base, new = (list(1e5 * f * np.exp(rng.normal(0, 0.06, count))) for f in (1.0, 1.06))
        settled += row(compared(base, new)).verdict is Verdict.REGRESSED
    assert settled >= 40


def test_the_smallest_detectable_change_is_found_nine_times_in_ten() -> None:
    rng = np.random.default_rng(2)
    sigma, launches = 0.02, 8
    found = detected = 0
    for _ in range(60):
        base = list(1e5 * np.exp(rng.normal(0, sigma, launches)))
        probe = row(compared(base, base))
        assert probe.detectable is not None
        factor = 1 + probe.detectable
        new = list(1e5 * factor * np.exp(rng.normal(0, sigma, launches)))
        detected += row(compared(base, new)).verdict is Verdict.REGRESSED
        found += 1
    assert detected / found >= 0.85


def test_launches_that_differ_too_much_hide_changes() -> None:
    wild = [100_000.0, 150_000.0, 80_000.0, 120_000.0, 95_000.0]
    found = row(compared(wild, wild))
    assert (found.verdict, found.reason) == (Verdict.AMBIGUOUS, Reason.NOISY)
    assert found.more_launches is not None


def test_a_wild_kernel_that_doubled_still_regressed() -> None:
    wild = [100_000.0, 115_000.0, 88_000.0, 105_000.0, 95_000.0]
    assert row(compared(wild, scaled(wild, 2.5))).verdict is Verdict.REGRESSED


def test_a_change_of_a_few_ticks_is_negligible() -> None:
    base = [1000.0, 1001.0, 999.0, 1000.0, 1000.0]
    found = row(compared(base, scaled(base, 1.09)))
    assert (found.verdict, found.reason) == (Verdict.OK, Reason.NEGLIGIBLE)


def test_a_kernel_of_no_weight_cannot_fail_a_report() -> None:
    base = simulated_result([STEADY, scaled(STEADY, 10_000)])
    new = simulated_result([scaled(STEADY, 1.5), scaled(STEADY, 10_000)])
    config = Config(min_share=0.001)
    found = row(compared(base, new, config))
    assert (found.verdict, found.reason) == (Verdict.OK, Reason.NEGLIGIBLE)
    assert row(compared(base, new)).verdict is Verdict.REGRESSED


def test_new_and_gone() -> None:
    base, new = simulated_result([STEADY, STEADY]), simulated_result([STEADY, STEADY])
    del base.kernels[kernel_path(0)], new.kernels[kernel_path(1)]
    comparison = compared(base, new)
    assert row(comparison, 0).verdict is Verdict.NEW
    assert row(comparison, 0).base is None
    assert row(comparison, 1).verdict is Verdict.GONE
    assert row(comparison, 1).note == "may be model/layer0/kernel0 now"
    assert comparison.exit_code is ExitCode.NO_DATA
    assert compared(base, new, Config(gone="pass")).exit_code is ExitCode.FINE


def test_a_kernel_without_times_has_no_data() -> None:
    new = simulated_result([STEADY])
    new.kernels[kernel_path(0)]["time"] = [None] * 5
    found = compared(STEADY, new)
    assert (row(found).verdict, row(found).reason) == (Verdict.NO_DATA, Reason.NO_VALUES)
    assert found.exit_code is ExitCode.NO_DATA


def test_a_kernel_that_is_not_gated_is_never_worse() -> None:
    config = from_mapping({"thresholds": {"time": {"*/kernel0": "off"}}}, "test")
    found = row(compared(STEADY, scaled(STEADY, 2.0), config))
    assert (found.verdict, found.reason) == (Verdict.OK, Reason.NOT_GATED)


def test_all_kernels_worse_by_the_same() -> None:
    rng = np.random.default_rng(3)
    times = 1e5 * np.exp(rng.normal(0, 0.005, (40, 5)))
    comparison = compared(simulated_result(times), simulated_result(times * 1.05))
    assert {(row.verdict, row.reason) for row in comparison.rows} == {
        (Verdict.REGRESSED, Reason.ALL_WORSE)
    }


def test_drift_larger_than_the_limit_leaves_all_undecided() -> None:
    rng = np.random.default_rng(4)
    drift = np.array([-0.06, 0.05, 0.0, 0.06, -0.04])
    times = 1e5 * np.exp(rng.normal(0, 0.003, (40, 5)) + drift)
    comparison = compared(simulated_result(times), simulated_result(times * 1.03))
    assert {(row.verdict, row.reason) for row in comparison.rows} == {
        (Verdict.AMBIGUOUS, Reason.COMMON_DRIFT)
    }
    assert comparison.exit_code is ExitCode.FINE
    assert (
        compared(
            simulated_result(times), simulated_result(times * 1.03), Config(strict=True)
        ).exit_code
        is ExitCode.AMBIGUOUS
    )


@pytest.mark.parametrize(
    ("metric", "factor", "verdict"),
    [
        ("count", 1.5, Verdict.REGRESSED),
        ("count", 0.5, Verdict.IMPROVED),
        ("bytes", 1.5, Verdict.REGRESSED),
        ("util", 0.8, Verdict.REGRESSED),
        ("util", 1.2, Verdict.IMPROVED),
        ("util", 1.0, Verdict.OK),
    ],
)
def test_other_metrics(metric: str, factor: float, verdict: Verdict) -> None:
    config = from_mapping({"thresholds": {metric: {"*": "5%"}}}, "test")
    base, new = simulated_result([STEADY]), simulated_result([STEADY])
    base.kernels[kernel_path(0)][metric] = [0.5] * 5
    new.kernels[kernel_path(0)][metric] = [0.5 * factor] * 5
    times, other = compared(base, new, config).rows
    assert (times.metric, times.verdict) == ("time", Verdict.OK)
    assert (other.metric, other.verdict) == (metric, verdict)
    assert other.ratio == pytest.approx(factor)
    assert other.low is not None
    assert other.high is not None
    assert other.low <= factor * (1 + 1e-9)
    assert other.high >= factor * (1 - 1e-9)


def test_a_limit_of_zero_allows_no_more_calls() -> None:
    config = from_mapping({"thresholds": {"count": {"*": "0%"}}}, "test")
    base, new = simulated_result([STEADY]), simulated_result([STEADY])
    new.kernels[kernel_path(0)]["count"] = [13.0] * 5
    found = compared(base, new, config)
    assert [row.verdict for row in found.rows] == [Verdict.OK, Verdict.REGRESSED]
    assert found.rows[0].note == "calls 12 -> 13"


@pytest.mark.parametrize(("launches", "verdict"), [(80, Verdict.OK), (82, Verdict.REGRESSED)])
def test_launches_are_those_of_the_whole_run(launches: int, verdict: Verdict) -> None:
    config = from_mapping({"thresholds": {"launches": {"*": "0%"}}}, "test")
    sides = []
    for count in (80, launches):
        side = simulated_result([STEADY, STEADY])
        counted = [replace(launch, accounting={"launches": count}) for launch in side.launches]
        sides.append(replace(side, launches=counted))
    found = compared(sides[0], sides[1], config).rows[-1]
    assert (found.path, found.metric, found.verdict) == (("all kernels",), "launches", verdict)


@pytest.mark.parametrize("metric", ["bytes", "util", "launches"])
def test_a_gated_metric_that_nothing_has_is_no_data(metric: str) -> None:
    config = from_mapping({"thresholds": {metric: {"*": "5%"}}}, "test")
    comparison = compared(STEADY, STEADY, config)
    assert [(f.verdict, f.reason) for f in comparison.findings] == [
        (Verdict.NO_DATA, Reason.NO_VALUES)
    ]
    assert comparison.exit_code is ExitCode.NO_DATA


def test_kernels_that_never_had_a_gated_metric_do_not_matter() -> None:
    config = from_mapping({"thresholds": {"bytes": {"*": "5%"}}}, "test")
    base, new = simulated_result([STEADY, STEADY]), simulated_result([STEADY, STEADY])
    for side in (base, new):
        side.kernels[kernel_path(0)]["bytes"] = [64.0] * 5
    comparison = compared(base, new, config)
    assert [row.metric for row in comparison.rows] == ["time", "time", "bytes"]
    new.kernels[kernel_path(0)]["bytes"] = [None] * 5
    lost = compared(base, new, config)
    assert (lost.rows[2].verdict, lost.exit_code) == (Verdict.NO_DATA, ExitCode.NO_DATA)


def test_a_tests_own_limit_wins_over_the_settings() -> None:
    new = replace(simulated_result([scaled(STEADY, 1.05)]), limits={"model": 0.10})
    found = row(compared(STEADY, new))
    assert (found.verdict, found.limit) == (Verdict.OK, 0.10)


def test_a_renamed_kernel_is_compared_with_its_old_self() -> None:
    new = simulated_result([scaled(STEADY, 1.05)])
    new.kernels[("model", "other")] = new.kernels.pop(kernel_path(0))
    config = Config(renames={"model/layer0/kernel0": "model/other"})
    (found,) = compared(STEADY, new, config).rows
    assert (found.path, found.verdict) == (("model", "other"), Verdict.REGRESSED)
    assert found.note == "was model/layer0/kernel0"


def test_launches_of_a_history_sharpen_the_test() -> None:
    rng = np.random.default_rng(5)
    history = [simulated_result(1e5 * np.exp(rng.normal(0, 0.01, (1, 5)))) for _ in range(6)]
    base = [99_000.0, 101_000.0]
    new = scaled(base, 1.06)
    alone = row(compared(base, new))
    taught = row(
        compare_results(simulated_result([base]), simulated_result([new]), Config(), history)
    )
    assert alone.verdict is Verdict.AMBIGUOUS
    assert taught.verdict is Verdict.REGRESSED
    assert len(taught.history) == 8


def test_no_history_makes_one_launch_enough() -> None:
    history = [simulated_result([STEADY]) for _ in range(6)]
    base, new = simulated_result([STEADY[:1]]), simulated_result([scaled(STEADY[:1], 2.0)])
    found = row(compare_results(base, new, Config(), history))
    assert (found.verdict, found.reason) == (Verdict.AMBIGUOUS, Reason.SINGLE_LAUNCH)
