"""What earlier results teach about each kernel's noise."""

from collections.abc import Sequence

import numpy as np

from proton_xpu.report.regress.columns import matrix
from proton_xpu.report.regress.launch_test import Noise, within_variance
from proton_xpu.report.regress.result import KernelPath, Result
from proton_xpu.report.regress.robust import Floats, row_medians

_LEAST_STEPS = 3
_PRIOR_STEPS = 4.0
_MOST_DEGREES = 40.0
_MAD_TO_SIGMA = 1.4826


def learn_noise(
    history: Sequence[Result], base: Result, metric: str, paths: Sequence[KernelPath], floor: Floats
) -> Noise:
    """Noise of every kernel from `history`, results older than `base` with the oldest first.

    `paths` are the kernels' paths in those results, `floor` (kernels,) the least standard
    deviation. The variance between the launches of a result is pooled over the history. The
    variance between results comes from the steps from one to the next, less what all kernels
    shared in a step; it takes four results to say something, and level changes count little since
    steps are summed up by their median.
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
    return Noise(within, np.minimum(degrees, _MOST_DEGREES), between)


def _between(
    results: Sequence[Result], metric: str, paths: Sequence[KernelPath], within: Floats
) -> Floats:
    if len(results) - 1 < _LEAST_STEPS:
        return np.zeros(len(paths))
    medians = np.stack([row_medians(matrix(r, metric, paths)) for r in results], axis=1)
    steps = np.diff(np.log(medians), axis=1)
    shared = row_medians(steps.T) if len(paths) > 1 else np.zeros(steps.shape[1])
    size = (_MAD_TO_SIGMA * row_medians(np.abs(steps - shared[None, :]))) ** 2 / 2
    launches = np.mean([max(len(result.usable()), 1) for result in results])
    own = np.maximum(size - within / launches, 0.0)
    usual = float(np.nanmedian(own)) if np.any(~np.isnan(own)) else 0.0
    count = np.sum(~np.isnan(steps), axis=1)
    shrunk = (count * np.nan_to_num(own) + _PRIOR_STEPS * usual) / (count + _PRIOR_STEPS)
    return np.asarray(shrunk, dtype=np.float64)
