from dataclasses import replace

import numpy as np
import pytest
from support.simulated_launches import kernel_path, simulated_result

from proton_xpu.report.regress.comparing import compare_results
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.history_noise import learn_noise
from proton_xpu.report.regress.launch_test import Noise
from proton_xpu.report.regress.result import Result
from proton_xpu.report.regress.verdicts import ExitCode

KERNELS = 60
PATHS = [kernel_path(number) for number in range(KERNELS)]
FLOOR = np.full(KERNELS, 5e-4)


def results(count: int, within: float, between: float, seed: int = 1) -> list[Result]:
    rng = np.random.default_rng(seed)
    sessions = rng.normal(0, between, (count, KERNELS, 1))
    launches = rng.normal(0, within, (count, KERNELS, 5))
    return [simulated_result(1e5 * np.exp(session)) for session in sessions + launches]


def failures(history: int, reports: int) -> int:
    """Of unchanged reports with 3 % noise between results: how many fail."""
    failed = 0
    for seed in range(reports):
        *older, base, new = results(history + 2, 0.005, 0.03, seed)
        sides = [replace(side, session="") for side in (base, new)]
        failed += compare_results(*sides, Config(), older).exit_code is ExitCode.REGRESSED
    return failed


def learn(history: list[Result]) -> Noise:
    return learn_noise(history[:-1], history[-1], "time", PATHS, FLOOR)


def test_nothing_is_learnt_from_nothing() -> None:
    noise = learn(results(1, 0.01, 0.0))
    assert not noise.within_degrees.any()
    assert not noise.between.any()


def test_the_variance_between_launches_is_pooled() -> None:
    noise = learn(results(9, 0.02, 0.0))
    assert noise.within_degrees.tolist() == [32.0] * KERNELS
    assert np.sqrt(np.mean(noise.within)) == pytest.approx(0.02, rel=0.05)


def test_the_variance_between_results_is_what_comes_on_top() -> None:
    still, moving = learn(results(12, 0.01, 0.0)), learn(results(12, 0.01, 0.03))
    assert np.sqrt(np.median(moving.between)) == pytest.approx(0.03, rel=0.25)
    assert np.sqrt(np.median(still.between)) < 0.004


def test_it_takes_four_results_to_tell_between_from_within() -> None:
    assert not learn(results(3, 0.01, 0.05)).between.any()
    assert learn(results(4, 0.01, 0.05)).between.all()


def test_a_kernel_that_is_new_has_the_usual_noise_between_results() -> None:
    history = results(12, 0.01, 0.03)
    for result in history:
        del result.kernels[PATHS[3]]
    noise = learn(history)
    assert noise.within_degrees[3] == 0
    assert 0.2 < noise.between[3] / np.median(noise.between) < 1.5


def test_results_that_differ_from_each_other_cry_wolf_only_without_a_history() -> None:
    assert failures(history=0, reports=25) >= 20
    assert failures(history=10, reports=50) <= 2
