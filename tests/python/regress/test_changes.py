import numpy as np
import pytest

from proton_xpu.report.regress.changes import drift, find_steps


def series(levels: list[tuple[float, int]], sigma: float = 0.005, seed: int = 1) -> list[float]:
    rng = np.random.default_rng(seed)
    flat = np.concatenate([np.full(count, level) for level, count in levels])
    return list(flat * np.exp(rng.normal(0, sigma, len(flat))))


def test_a_step_is_found_where_it_is() -> None:
    (step,) = find_steps(series([(100, 12), (105, 10)]))
    assert step.index == 12
    assert step.ratio == pytest.approx(1.05, abs=0.01)


def test_two_steps() -> None:
    steps = find_steps(series([(100, 10), (110, 10), (100, 10)]))
    assert [step.index for step in steps] == [10, 20]
    assert [step.ratio for step in steps] == pytest.approx([1.10, 1 / 1.10], abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_no_step(seed: int) -> None:
    assert find_steps(series([(100, 30)], seed=seed)) == []


def test_one_odd_result_is_no_step() -> None:
    values = series([(100, 20)])
    values[8] *= 1.3
    assert find_steps(values) == []


def test_results_without_the_kernel_are_skipped() -> None:
    values: list[float | None] = [None, *series([(100, 8), (120, 8)]), None]
    values[4] = None
    assert [step.index for step in find_steps(values)] == [9]


def test_too_few_results_have_neither_steps_nor_drift() -> None:
    assert find_steps([1.0, 2.0, 3.0]) == []
    assert drift([1.0, None, 2.0, 3.0]) is None


def test_slow_drift_adds_up() -> None:
    assert drift([100 * 1.002**n for n in range(31)]) == pytest.approx(1.002**28)
