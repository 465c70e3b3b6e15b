import numpy as np
import pytest
from scipy import stats

from proton_xpu.report.regress.launch_test import (
    Noise,
    compare_launches,
    interval,
    within_variance,
)
from proton_xpu.report.regress.robust import Floats

FLOOR = 5e-4


def compared(base: Floats, new: Floats, noise: Noise | None = None):
    return compare_launches(
        base,
        new,
        floor=np.full(len(base), FLOOR),
        noise=noise or Noise.unknown(len(base)),
        material_shift=0.02,
    )


def noisy(kernels: int, launches: int, sigma: float, seed: int, factor: float = 1.0) -> Floats:
    rng = np.random.default_rng(seed)
    return factor * 1000 * np.exp(rng.normal(0, sigma, (kernels, launches)))


def test_one_kernel_gets_students_t_test_on_logarithms() -> None:
    base, new = noisy(1, 4, 0.02, seed=1), noisy(1, 4, 0.02, seed=2, factor=1.03)
    test = compared(base, new)
    expected = stats.ttest_ind(np.log(new[0]), np.log(base[0]), alternative="greater")
    assert test.slower[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert test.faster[0] == pytest.approx(1 - expected.pvalue, rel=1e-9)
    low, high = interval(test, 0.95)
    bounds = stats.ttest_ind(np.log(new[0]), np.log(base[0])).confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx((bounds.low, bounds.high))


def test_equal_launches_still_have_the_least_deviation() -> None:
    test = compared(np.full((1, 3), 1000.0), np.full((1, 3), 1050.0))
    assert test.deviation[0] == pytest.approx(FLOOR)
    assert test.error[0] == pytest.approx(FLOOR * np.sqrt(2 / 3))


def test_one_launch_a_side_has_no_p_value() -> None:
    test = compared(noisy(30, 1, 0.01, seed=1), noisy(30, 1, 0.01, seed=2))
    assert np.isnan(test.slower).all()
    assert np.isnan(test.error).all()


def test_history_stands_in_for_launches() -> None:
    noise = Noise(np.full(1, 1e-4), np.full(1, 40.0), np.zeros(1), np.zeros(1))
    test = compared(np.full((1, 1), 1000.0), np.full((1, 1), 1050.0), noise)
    assert test.degrees[0] == 40
    assert test.error[0] == pytest.approx(0.01 * np.sqrt(2))


def test_noise_between_results_widens_the_error() -> None:
    base, new = noisy(1, 5, 0.01, seed=1), noisy(1, 5, 0.01, seed=2)
    alone = compared(base, new)
    noise = Noise(np.zeros(1), np.zeros(1), np.full(1, 1e-4), np.full(1, 6.0))
    taught = compared(base, new, noise)
    launches = alone.error[0] ** 2
    assert taught.error[0] ** 2 == pytest.approx(launches + 2e-4, rel=1e-9)
    expected = (launches + 2e-4) ** 2 / (launches**2 / 8 + 2e-4**2 / 6)
    assert taught.degrees[0] == pytest.approx(expected)


def test_a_launch_that_slows_all_kernels_is_no_change_of_any() -> None:
    base, new = noisy(100, 5, 0.005, seed=1), noisy(100, 5, 0.005, seed=2)
    new[:, 2] *= 1.2
    test = compared(base, new)
    assert np.max(np.abs(test.excess)) < 0.02
    assert np.median(test.deviation) == pytest.approx(0.005, rel=0.2)


def test_a_firm_shift_of_all_kernels_is_a_change_of_each() -> None:
    base, new = noisy(100, 5, 0.005, seed=1), noisy(100, 5, 0.005, seed=2, factor=1.05)
    test = compared(base, new)
    assert test.shifted
    assert np.median(test.excess) == pytest.approx(np.log(1.05), abs=0.002)
    assert np.max(test.slower) < 1e-3


def test_a_shift_within_the_drift_is_taken_out() -> None:
    base, new = noisy(100, 5, 0.005, seed=1), noisy(100, 5, 0.005, seed=2)
    drift = np.array([-0.06, 0.05, 0.0, 0.06, -0.04])
    test = compared(base * np.exp(drift), new * np.exp(drift + 0.03))
    assert not test.shifted
    assert test.common == pytest.approx(0.03, abs=0.005)
    assert np.abs(np.median(test.excess)) < 0.002


def test_outlying_launches_are_counted() -> None:
    base, new = noisy(30, 5, 0.01, seed=1), noisy(30, 5, 0.01, seed=2)
    new[7, 1] *= 1.5
    test = compared(base, new)
    assert test.set_aside[7] == 1
    assert abs(test.excess[7]) < 0.02


def test_missing_launches_are_not_counted() -> None:
    base, new = noisy(1, 5, 0.01, seed=1), noisy(1, 5, 0.01, seed=2)
    base[0, :2] = np.nan
    assert compared(base, new).degrees[0] == 2 + 4


def test_the_variance_within_a_result() -> None:
    values = noisy(1, 4, 0.02, seed=3)
    variance, degrees = within_variance(values, np.full(1, FLOOR))
    assert variance[0] == pytest.approx(np.var(np.log(values[0]), ddof=1))
    assert degrees[0] == 3
