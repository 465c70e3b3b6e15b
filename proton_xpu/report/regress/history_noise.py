"""What earlier results teach about each kernel's noise."""

from collections.abc import Sequence

import numpy as np

from proton_xpu.report.regress.columns import matrix
from proton_xpu.report.regress.launch_test import Noise, within_variance
from proton_xpu.report.regress.moderation import Moderated, moderate
from proton_xpu.report.regress.result import KernelPath, Result
from proton_xpu.report.regress.robust import COMMON_MODE_KERNELS, Floats, row_medians

_LEAST_STEPS = 3
_WIDEST_STEP = 3.0
_FREE_SHARE_OF_STEPS = 2 / 3  # Neighbouring steps share a result, so they are not independent.
_MOST_DEGREES = 40.0
_MAD_TO_SIGMA = 1.4826


def learn_noise(
    history: Sequence[Result], base: Result, metric: str, paths: Sequence[KernelPath], floor: Floats
) -> Noise:
    """Noise of every kernel from `history`, results older than `base` with the oldest first.

    `paths` are the kernels' paths in those results, `floor` (kernels,) the least standard
    deviation. The variance between the launches of a result is pooled over the history. The
    variance between results comes from the steps from one to the next, less what all kernels
    shared in a step; it takes four results to say something. Steps far wider than a kernel's others
    are level changes, and count as the widest that noise makes.
    """
    noise = Noise.unknown(len(paths))
    squares, degrees = noise.within, noise.within_degrees
    for result in history:
        variance, own = within_variance(matrix(result, metric, paths), floor)
        squares = squares + np.nan_to_num(variance * own)
        degrees = degrees + own
    with np.errstate(invalid="ignore", divide="ignore"):
        within = np.where(degrees > 0, squares / degrees, 0.0)
    between = _between([*history, base], metric, paths, within)
    return Noise(within, np.minimum(degrees, _MOST_DEGREES), between.variance, between.degrees)


def _between(
    results: Sequence[Result], metric: str, paths: Sequence[KernelPath], within: Floats
) -> Moderated:
    """Variance between results of what is not launches' noise, and its degrees of freedom."""
    if len(results) - 1 < _LEAST_STEPS:
        return Moderated(np.zeros(len(paths)), np.zeros(len(paths)))
    medians = np.stack([row_medians(matrix(r, metric, paths)) for r in results], axis=1)
    steps = np.diff(np.log(medians), axis=1)
    if len(paths) >= COMMON_MODE_KERNELS:
        steps = steps - row_medians(steps.T)[None, :]
    sizes = np.abs(steps)
    widest = _WIDEST_STEP * _MAD_TO_SIGMA * np.fmax(row_medians(sizes), np.nanmedian(sizes))
    squares = np.fmin(sizes, widest[:, None]) ** 2
    count = np.sum(~np.isnan(steps), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.where(count > 0, np.nansum(squares, axis=1) / count / 2, 0.0)
    moderated = moderate(variance, _FREE_SHARE_OF_STEPS * count)
    launches = np.mean([max(len(result.usable()), 1) for result in results])
    return Moderated(np.maximum(moderated.variance - within / launches, 0.0), moderated.degrees)
