"""Borrowing strength: each kernel's variance is shrunk towards what is usual in the report.

The empirical Bayes model of Smyth (2004), "Linear models and empirical Bayes methods for assessing
differential expression in microarray experiments": variances of the kernels are taken as draws from
a scaled inverse chi-squared distribution whose two parameters are estimated from all of them.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from proton_xpu.report.regress.robust import Floats

_LEAST_ROWS = 3
_MOST_PRIOR_DEGREES = 1e6
_NEWTON_STEPS = 60


@dataclass(frozen=True)
class Moderated:
    """Variances after shrinking and the degrees of freedom that they then have, per kernel."""

    variance: Floats
    degrees: Floats


def moderate(variance: Floats, degrees: Floats) -> Moderated:
    """Shrinks sample variances with `degrees` of freedom each; shapes (kernels,).

    Kernels without a degree of freedom get the usual variance. Fewer than three kernels with an
    estimate share nothing: their variances come back as they are.
    """
    known = (degrees > 0) & (variance > 0)
    if np.count_nonzero(known) < _LEAST_ROWS:
        return Moderated(variance.copy(), degrees.copy())
    usual, weight = _prior(variance[known], degrees[known])
    own = np.where(degrees > 0, variance, 0.0)
    total = degrees + weight
    return Moderated((weight * usual + degrees * own) / total, total)


def _prior(variance: Floats, degrees: Floats) -> tuple[float, float]:
    """Location and degrees of freedom of the distribution of the kernels' true variances."""
    half = degrees / 2
    logs = np.log(variance) - special.digamma(half) + np.log(half)
    centre = float(np.mean(logs))
    spread = float(np.var(logs, ddof=1)) - float(np.mean(special.polygamma(1, half)))
    if spread <= 0:
        return float(np.exp(centre)), _MOST_PRIOR_DEGREES
    weight = min(2 * _inverse_trigamma(spread), _MOST_PRIOR_DEGREES)
    usual = float(np.exp(centre + special.digamma(weight / 2) - np.log(weight / 2)))
    return usual, weight


def _inverse_trigamma(value: float) -> float:
    """The x > 0 with trigamma(x) = value, by Newton's method on 1 / trigamma."""
    guess = 0.5 + 1 / value
    for _ in range(_NEWTON_STEPS):
        present = float(special.polygamma(1, guess))
        step = present * (1 - present / value) / float(special.polygamma(2, guess))
        guess += step
        if -step / guess < 1e-9:
            break
    return guess
