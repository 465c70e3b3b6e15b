"""Launch effects and outliers: what has to leave the numbers before they are compared."""

import warnings

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COMMON_MODE_KERNELS = 20
"""From this many kernels on, what a whole launch has in common can be told from one kernel's."""

OUTLIER_SIGMAS = 5.5
_PRIOR_WEIGHT = 6.0
_LAUNCHES_PER_OUTLIER = 5
_MAD_TO_SIGMA = 1.4826


def row_medians(values: Floats) -> Floats:
    """Median of each row of a (kernels, launches) array; NaN where a row has no number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(np.nanmedian(values, axis=1), dtype=np.float64)


def launch_levels(logs: Floats) -> Floats:
    """How far each launch as a whole lies from the others, shape (launches,), in log units.

    `logs` has shape (kernels, launches). A launch's level is the median over kernels of its
    distance from the kernel's median launch; levels are centred at their own median. With fewer
    than `COMMON_MODE_KERNELS` kernels all levels are 0.
    """
    kernels, launches = logs.shape
    if kernels < COMMON_MODE_KERNELS:
        return np.zeros(launches)
    residuals = logs - row_medians(logs)[:, None]
    levels = row_medians(residuals.T)
    levels = np.where(np.isnan(levels), 0.0, levels)
    return np.asarray(levels - np.median(levels), dtype=np.float64)


def without_outliers(logs: Floats, floor: Floats) -> Floats:
    """A copy with launch values set to NaN that lie far from the same kernel's other launches.

    `logs` has shape (kernels, launches), `floor` (kernels,) is the least standard deviation. At
    most one value in five of a kernel is set aside: more are no outliers but the kernel's nature.
    The scale that "far" refers to leans on all kernels, since five launches alone say little.
    """
    allowed = logs.shape[1] // _LAUNCHES_PER_OUTLIER
    if not allowed:
        return np.array(logs, dtype=np.float64)
    residuals = np.abs(logs - row_medians(logs)[:, None])
    own = (_MAD_TO_SIGMA * row_medians(residuals)) ** 2
    degrees = np.maximum(np.sum(~np.isnan(logs), axis=1) - 1.0, 0.0)
    typical = float(np.nanmedian(own)) if np.any(~np.isnan(own)) else 0.0
    variance = (_PRIOR_WEIGHT * typical + degrees * own) / (_PRIOR_WEIGHT + degrees)
    scale = np.sqrt(np.maximum(variance, floor**2))
    far = residuals > OUTLIER_SIGMAS * scale[:, None]
    few = np.sum(far, axis=1) <= allowed
    return np.asarray(np.where(far & few[:, None], np.nan, logs), dtype=np.float64)
