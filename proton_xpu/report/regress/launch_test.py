"""The test on launches: log ratio of new to base per kernel, its error, and how sure it is.

A launch of the measured program is one observation, however often it ran a kernel: samples of one
process share its clocks, its memory layout and its neighbours, and are not independent.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from proton_xpu.report.regress.moderation import moderate
from proton_xpu.report.regress.robust import (
    COMMON_MODE_KERNELS,
    Floats,
    launch_levels,
    without_outliers,
)

_SHIFT_P = 0.005
_MEDIAN_ERROR = 1.2533


@dataclass(frozen=True)
class Noise:
    """What earlier results say about each kernel's noise; shapes (kernels,), log units.

    `within` is the variance between the launches of one result with `within_degrees` of freedom,
    `between`, with `between_degrees`, the variance that comes on top between results recorded at
    different times.
    """

    within: Floats
    within_degrees: Floats
    between: Floats
    between_degrees: Floats

    @classmethod
    def unknown(cls, kernels: int) -> "Noise":
        """Nothing is known yet."""
        nothing = np.zeros(kernels)
        return cls(nothing, nothing, nothing, nothing)


@dataclass(frozen=True)
class LaunchTest:
    """Outcome per kernel, shapes (kernels,); log units unless said otherwise.

    `change` is the log ratio of new to base. `excess` is what of it is tested: the change beyond
    `common`, the shift that all kernels share as far as launch-to-launch drift explains it.
    `error` is the standard error of `excess` with `degrees` of freedom. `slower` and `faster` are
    one-sided p-values. `deviation` is the standard deviation between launches.
    `set_aside` counts outlying launches. `drift` is the standard error of `common`.
    """

    change: Floats
    excess: Floats
    error: Floats
    degrees: Floats
    slower: Floats
    faster: Floats
    deviation: Floats
    set_aside: Floats
    common: float
    drift: float
    shifted: bool


def compare_launches(
    base: Floats, new: Floats, *, floor: Floats, noise: Noise, material_shift: float
) -> LaunchTest:
    """Tests every kernel's change.

    `base` and `new` hold positive values, shapes (kernels, launches); NaN where a launch did not
    run a kernel. `floor` (kernels,) is the least standard deviation that a measurement can have.
    `material_shift` is the shift of all kernels, in log units, that counts as one: a smaller or an
    uncertain one is taken as drift and left out of `excess`.
    """
    sides = [_Side(np.log(values), floor) for values in (base, new)]
    raw = sides[1].centre - sides[0].centre
    degrees = sides[0].degrees + sides[1].degrees
    squares = sides[0].squares + sides[1].squares
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(degrees > 0, squares / degrees, 0.0)
    learned = degrees + noise.within_degrees
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (degrees * own + noise.within_degrees * noise.within) / learned
    pooled = np.where(learned > 0, np.maximum(pooled, floor**2), np.nan)
    moderated = moderate(np.nan_to_num(pooled), learned)
    variance = np.maximum(moderated.variance, floor**2)
    with np.errstate(divide="ignore"):
        per_launch = 1 / sides[0].count + 1 / sides[1].count
    squared_error = variance * per_launch + 2 * noise.between
    freedom = _combined_degrees(
        (variance * per_launch, moderated.degrees), (2 * noise.between, noise.between_degrees)
    )

    common, drift, shifted = _common_shift(raw, sides, material_shift)
    if shifted:
        squared_error = squared_error + drift**2
    excess = raw if shifted else raw - common
    error = np.sqrt(squared_error)
    known = np.isfinite(error) & (moderated.degrees > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(known, excess / error, np.nan)
    freedom = np.where(known, np.maximum(freedom, 1.0), 1.0)
    return LaunchTest(
        change=raw,
        excess=excess,
        error=np.where(known, error, np.nan),
        degrees=np.where(known, freedom, np.nan),
        slower=np.where(known, special.stdtr(freedom, -statistic), np.nan),
        faster=np.where(known, special.stdtr(freedom, statistic), np.nan),
        deviation=np.where(moderated.degrees > 0, np.sqrt(variance), np.nan),
        set_aside=sides[0].set_aside + sides[1].set_aside,
        common=common,
        drift=drift,
        shifted=shifted,
    )


def _combined_degrees(*parts: tuple[Floats, Floats]) -> Floats:
    """Degrees of freedom of a sum of variances, by Welch and Satterthwaite."""
    total = sum(variance for variance, _ in parts)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [np.where(variance > 0, variance**2 / degrees, 0.0) for variance, degrees in parts]
        return np.asarray(total**2 / sum(shares), dtype=np.float64)


def within_variance(values: Floats, floor: Floats) -> tuple[Floats, Floats]:
    """Variance between the launches of one result and its degrees of freedom, per kernel."""
    side = _Side(np.log(values), floor)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(side.degrees > 0, side.squares / side.degrees, 0.0)
    return variance, side.degrees


class _Side:
    """Launches of one side in log units, without what each launch does to all kernels."""

    def __init__(self, logs: Floats, floor: Floats) -> None:
        self.levels = launch_levels(logs)
        present = ~np.isnan(logs)
        cleaned = without_outliers(logs - self.levels, floor)
        kept = ~np.isnan(cleaned)
        self.count = np.sum(kept, axis=1).astype(np.float64)
        self.set_aside = np.sum(present, axis=1) - self.count
        with np.errstate(divide="ignore", invalid="ignore"):
            self.centre = np.where(self.count > 0, np.nansum(cleaned, axis=1) / self.count, np.nan)
        residuals = np.where(kept, cleaned - self.centre[:, None], 0.0)
        self.squares = np.sum(residuals**2, axis=1)
        self.degrees = np.maximum(self.count - 1, 0.0)


def _common_shift(raw: Floats, sides: list[_Side], material: float) -> tuple[float, float, bool]:
    """Shift of all kernels, its standard error, and whether it is real and counts."""
    known = ~np.isnan(raw)
    if np.count_nonzero(known) < COMMON_MODE_KERNELS:
        return 0.0, 0.0, False
    shift = float(np.median(raw[known]))
    counts = [side.levels.size for side in sides]
    degrees = sum(counts) - 2
    if degrees < 1:
        return shift, abs(shift), False
    squares = sum(float(np.sum((side.levels - np.mean(side.levels)) ** 2)) for side in sides)
    # A median over k kernels has its own error, which is all there is if launches do not drift.
    own = _MEDIAN_ERROR * float(np.std(raw[known])) / float(np.sqrt(np.count_nonzero(known)))
    spread = squares / degrees * sum(1 / count for count in counts)
    error = float(np.sqrt(_MEDIAN_ERROR**2 * spread + own**2))
    if error == 0:
        return shift, 0.0, abs(shift) >= material
    p_value = 2 * float(special.stdtr(float(degrees), -abs(shift) / error))
    return shift, error, abs(shift) >= material and p_value < _SHIFT_P


def interval(test: LaunchTest, confidence: float) -> tuple[Floats, Floats]:
    """Limits of the confidence interval of `excess`, per kernel, in log units."""
    quantile = special.stdtrit(np.nan_to_num(test.degrees, nan=1.0), (1 + confidence) / 2)
    half = quantile * test.error
    return test.excess - half, test.excess + half
