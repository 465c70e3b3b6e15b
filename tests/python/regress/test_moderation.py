import numpy as np
import pytest

from proton_xpu.report.regress.moderation import moderate


def samples(true_variance: np.ndarray, degrees: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return true_variance * rng.chisquare(degrees, len(true_variance)) / degrees


def test_equal_true_variances_are_recognised() -> None:
    variance = samples(np.full(2000, 4.0), 8, seed=1)
    moderated = moderate(variance, np.full(2000, 8.0))
    assert np.ptp(moderated.variance) < 0.05 * np.ptp(variance)
    assert np.mean(moderated.variance) == pytest.approx(4.0, rel=0.05)
    assert np.all(moderated.degrees > 100)


def test_the_priors_degrees_of_freedom_are_found() -> None:
    rng = np.random.default_rng(2)
    true = 4.0 * 10 / rng.chisquare(10, 20_000)
    moderated = moderate(samples(true, 8, seed=3), np.full(20_000, 8.0))
    assert moderated.degrees[0] - 8 == pytest.approx(10, rel=0.1)


def test_shrunken_variances_are_closer_to_the_truth() -> None:
    rng = np.random.default_rng(4)
    true = np.exp(rng.normal(0, 0.5, 500))
    raw = samples(true, 8, seed=5)
    moderated = moderate(raw, np.full(500, 8.0)).variance
    assert np.mean((np.log(moderated) - np.log(true)) ** 2) < 0.7 * np.mean(
        (np.log(raw) - np.log(true)) ** 2
    )


def test_a_kernel_without_degrees_of_freedom_gets_the_usual_variance() -> None:
    variance = np.append(samples(np.full(200, 4.0), 8, seed=6), 0.0)
    moderated = moderate(variance, np.append(np.full(200, 8.0), 0.0))
    assert moderated.variance[-1] == pytest.approx(4.0, rel=0.1)


def test_two_kernels_share_nothing() -> None:
    moderated = moderate(np.array([1.0, 9.0]), np.array([8.0, 8.0]))
    assert moderated.variance.tolist() == [1.0, 9.0]
    assert moderated.degrees.tolist() == [8.0, 8.0]
