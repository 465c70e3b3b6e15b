"""From two results to a verdict per kernel and metric."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from proton_xpu.report.regress.columns import matrix
from proton_xpu.report.regress.comparison import Row, Side
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.discovery import discoveries, q_values
from proton_xpu.report.regress.history_noise import learn_noise
from proton_xpu.report.regress.launch_test import compare_launches, interval
from proton_xpu.report.regress.matching import Matching
from proton_xpu.report.regress.result import KernelPath, Result
from proton_xpu.report.regress.robust import Floats, row_medians
from proton_xpu.report.regress.verdicts import Reason, Verdict

LEAST_DEVIATION = 5e-4
"""Relative deviation that any measurement has, however equal its launches look."""

_CONFIDENCE = 0.95
_SUSPECT_P = 0.10
_SUSPECT_Q = 0.5
_FIRM_P = 0.005
_POWER = 0.9
_MOST_LAUNCHES = 1000
_LEAST_LAUNCHES = 2


@dataclass(frozen=True)
class Judged:
    """Rows of one metric and the shift that all of its kernels shared, as a ratio."""

    rows: list[Row]
    common_ratio: float | None
    mean_ratio: float | None


def judge(
    base: Result,
    new: Result,
    matching: Matching,
    metric: str,
    config: Config,
    history: Sequence[Result] = (),
) -> Judged:
    """Judges `metric` of every kernel. `history` are results older than `base`, oldest first."""
    return _Judge(base, new, matching, metric, config, history).judged()


class _Judge:
    def __init__(
        self,
        base: Result,
        new: Result,
        matching: Matching,
        metric: str,
        config: Config,
        history: Sequence[Result],
    ) -> None:
        self.metric, self.config, self.paths = metric, config, matching.paths
        self.in_base = [path in matching.base_path for path in self.paths]
        self.in_new = [path in new.kernels for path in self.paths]
        old_paths = [matching.base_path.get(path, path) for path in self.paths]
        self.base = matrix(base, metric, old_paths)
        self.new = matrix(new, metric, self.paths)
        self.limits = [_limit(config, new, metric, path) for path in self.paths]
        self.medians = row_medians(self.base), row_medians(self.new)
        self.sides = (
            _sides(self.base, self.medians[0], self.in_base),
            _sides(self.new, self.medians[1], self.in_new),
        )
        counts = [np.sum(~np.isnan(side), axis=1) for side in (self.base, self.new)]
        self.fewest = np.minimum(*counts).tolist()
        self.shares = _shares(base, old_paths)
        self.tick = max(base.environment.tick, new.environment.tick)
        floor = self._floor()
        noise = learn_noise(history, base, metric, old_paths, floor)
        if base.session and base.session == new.session:
            noise = replace(noise, between=np.zeros(len(self.paths)))
        self.series = _series([*history, base], metric, old_paths, self.medians[1])
        # For util less is worse: its inverse behaves like a time.
        sides = [1 / side if metric == "util" else side for side in (self.base, self.new)]
        self.test = compare_launches(
            sides[0],
            sides[1],
            floor=floor,
            noise=noise,
            material_shift=math.log1p(config.max_regression),
        )
        self.is_general = self._is_general()
        gated = np.array([limit is not None for limit in self.limits])
        self.q_worse = q_values(np.where(gated, self.test.slower, np.nan))
        self.q_better = q_values(np.where(gated, self.test.faster, np.nan))
        errors = config.max_false_reports, config.max_false_rows
        self.worse = discoveries(self.q_worse, *errors)
        self.better = discoveries(self.q_better, *errors)
        self.low, self.high = interval(self.test, _CONFIDENCE)

    def judged(self) -> Judged:
        rows = [
            self._row(index)
            for index, limit in enumerate(self.limits)
            if self.metric == "time" or (limit is not None and self._has_values(index))
        ]
        changes = self.test.change[~np.isnan(self.test.change)]
        mean = float(np.exp(np.mean(changes))) if changes.size else None
        return Judged(rows, math.exp(self.test.common), mean)

    def _has_values(self, index: int) -> bool:
        return not all(math.isnan(side[index]) for side in self.medians)

    def _is_general(self) -> bool:
        """Whether three kernels in four changed in the same direction by more than the limit."""
        if not self.test.shifted:
            return False
        quarters = np.nanquantile(self.test.change, [0.25, 0.75])
        return bool(np.max(quarters * [1, -1]) > math.log1p(self.config.max_regression))

    def _floor(self) -> Floats:
        """Least deviation of each kernel: for short kernels the timer's ticks make it larger."""
        floor = np.full(len(self.paths), LEAST_DEVIATION)
        if self.metric != "time":
            return floor
        shorter = np.fmin(*self.medians)
        with np.errstate(invalid="ignore", divide="ignore"):
            ticks = self.tick / math.sqrt(12) / shorter
        return np.asarray(np.fmax(floor, np.nan_to_num(ticks)), dtype=np.float64)

    def _row(self, index: int) -> Row:
        verdict, reason, more = self._verdict(index)
        ratio = self._ratio(index, self.test.change[index])
        bounds = [
            self._ratio(index, side[index] + self._taken_out()) for side in (self.low, self.high)
        ]
        if self.metric == "util":
            bounds.reverse()
        is_worse = self.test.excess[index] >= 0
        return Row(
            path=self.paths[index],
            metric=self.metric,
            verdict=verdict,
            reason=reason,
            base=self.sides[0][index],
            new=self.sides[1][index],
            ratio=ratio,
            low=bounds[0],
            high=bounds[1],
            p=_number(self.test.slower[index] if is_worse else self.test.faster[index]),
            q=_number(self.q_worse[index] if is_worse else self.q_better[index]),
            limit=self.limits[index],
            detectable=self._detectable(index),
            more_launches=more,
            share=_number(self.shares[index]),
            set_aside=int(self.test.set_aside[index]),
            history=self.series[index],
        )

    def _taken_out(self) -> float:
        return 0.0 if self.test.shifted else self.test.common

    def _ratio(self, index: int, log_ratio: float) -> float | None:
        if not math.isfinite(log_ratio) or not (self.in_base[index] and self.in_new[index]):
            return None
        return math.exp(-log_ratio if self.metric == "util" else log_ratio)

    def _verdict(self, index: int) -> tuple[Verdict, Reason, int | None]:
        if not self.in_base[index]:
            return Verdict.NEW, Reason.ONLY_IN_NEW, None
        if not self.in_new[index]:
            return Verdict.GONE, Reason.ONLY_IN_BASE, None
        if self.limits[index] is None:
            return Verdict.OK, Reason.NOT_GATED, None
        fewest = self.fewest[index]
        if fewest == 0:
            return Verdict.NO_DATA, Reason.NO_VALUES, None
        limit = math.log1p(self.limits[index] or 0.0)
        if fewest < _LEAST_LAUNCHES or math.isnan(self.test.error[index]):
            if abs(self.test.excess[index]) <= limit:
                return Verdict.OK, Reason.NO_CHANGE, None
            more = max(self.config.runs - fewest, 1)
            return Verdict.AMBIGUOUS, Reason.SINGLE_LAUNCH, more
        return self._tested_verdict(index, limit, fewest)

    def _tested_verdict(
        self, index: int, limit: float, count: int
    ) -> tuple[Verdict, Reason, int | None]:
        excess = float(self.test.excess[index])
        grew = excess > 0
        found = self.worse[index] if grew else self.better[index]
        if found and abs(excess) > limit:
            if self._is_negligible(index):
                return Verdict.OK, Reason.NEGLIGIBLE, None
            if grew:
                reason = Reason.ALL_WORSE if self.is_general else Reason.WORSE
                return Verdict.REGRESSED, reason, None
            reason = Reason.ALL_BETTER if self.is_general else Reason.BETTER
            return Verdict.IMPROVED, reason, None
        p, q = self.test.slower[index], self.q_worse[index]
        if excess > limit and p < _SUSPECT_P and q < _SUSPECT_Q and not self._is_negligible(index):
            return Verdict.AMBIGUOUS, Reason.UNDECIDED, self._more(index, excess, count)
        if self.test.deviation[index] > self.config.max_cv:
            return Verdict.AMBIGUOUS, Reason.NOISY, self._more(index, limit, count)
        if self._taken_out() > limit:
            more = self._more(index, self._taken_out(), count)
            return Verdict.AMBIGUOUS, Reason.COMMON_DRIFT, more
        return Verdict.OK, Reason.BELOW_LIMIT if found else Reason.NO_CHANGE, None

    def _is_negligible(self, index: int) -> bool:
        share = self.shares[index]
        if not math.isnan(share) and share < self.config.min_share:
            return True
        if self.metric != "time":
            return False
        before, after = (side[index] for side in self.medians)
        return bool(abs(after - before) < self.config.min_difference)

    def _detectable(self, index: int) -> float | None:
        error, degrees = self.test.error[index], self.test.degrees[index]
        if math.isnan(error):
            return None
        return math.expm1((_critical(degrees) + float(special.ndtri(_POWER))) * float(error))

    def _more(self, index: int, effect: float, count: int) -> int:
        """Launches per side, beyond `count`, that would find a change of `effect` log units."""
        deviation = float(self.test.deviation[index])
        if self.test.common > 0 and self.test.drift > 0:
            deviation = math.hypot(deviation, self.test.drift * math.sqrt(count / 2))
        wanted = _critical(self.test.degrees[index]) + float(special.ndtri(_POWER))
        needed = 2 * (wanted * deviation / max(effect, LEAST_DEVIATION)) ** 2
        return int(min(max(math.ceil(needed) - count, 1), _MOST_LAUNCHES))


def _critical(degrees: float) -> float:
    return float(special.stdtrit(float(degrees), 1 - _FIRM_P))


def _limit(config: Config, new: Result, metric: str, path: KernelPath) -> float | None:
    """A limit that the test itself sets wins over the settings' one."""
    if metric == "time" and path[0] in new.limits:
        return new.limits[path[0]]
    return config.limit(metric, path)


def _shares(base: Result, paths: Sequence[KernelPath]) -> Floats:
    """Each kernel's part of the base's device time; NaN where it is not known."""
    totals = row_medians(matrix(base, "time", paths) * matrix(base, "count", paths))
    whole = float(np.nansum(totals))
    return totals / whole if whole > 0 else np.full(len(paths), np.nan)


def _series(
    results: Sequence[Result], metric: str, paths: Sequence[KernelPath], newest: Floats
) -> list[list[float | None]]:
    """Medians of each kernel over the history, the base and the new result; empty without one."""
    if len(results) < 2:
        return [[] for _ in paths]
    medians = [row_medians(matrix(result, metric, paths)) for result in results]
    return [[_number(value) for value in series] for series in zip(*medians, newest, strict=True)]


def _sides(values: Floats, medians: Floats, present: Sequence[bool]) -> list[Side | None]:
    """Each kernel's launches on one side; None for kernels that the side does not have."""
    known = ~np.isnan(values)
    counts = np.sum(known, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.nansum(values, axis=1) / counts
        squares = np.nansum((values - means[:, None]) ** 2, axis=1)
        cvs = np.where(counts > 1, np.sqrt(squares / (counts - 1)) / means, np.nan)
    rows = [[_number(value) for value in row] for row in values.tolist()]
    return [
        Side(row, _number(median), _number(cv)) if there else None
        for row, median, cv, there in zip(
            rows, medians.tolist(), cvs.tolist(), present, strict=True
        )
    ]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
