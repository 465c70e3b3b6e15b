"""Steps in a kernel's history: where its level changed for good, and slow drifts of small steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from proton_xpu.report.regress.robust import Floats

_PENALTY = 5.0
_SMALLEST_STEP = 0.005
_MAD_TO_SIGMA = 1.4826
_LEAST_POINTS = 2


@dataclass(frozen=True)
class Step:
    """From position `index` of the series on, the level is `ratio` times what it was before."""

    index: int
    ratio: float


def find_steps(values: Sequence[float | None]) -> list[Step]:
    """Level changes of a series of positive values; None is skipped.

    The series of logarithms is cut into pieces of constant level so that squared errors plus a
    penalty per cut are least (the Potts functional, solved exactly). The noise that the penalty
    scales with is taken from differences of neighbours. One odd result is no step.
    """
    places = [index for index, value in enumerate(values) if value]
    if len(places) < 2 * _LEAST_POINTS:
        return []
    logs = np.log(np.array([values[place] for place in places], dtype=np.float64))
    spread = _MAD_TO_SIGMA * float(np.median(np.abs(np.diff(logs)))) / np.sqrt(2)
    noise = max(spread, _SMALLEST_STEP)
    logs = _without_odd_ones(logs)
    cuts = _cuts(logs, _PENALTY * noise**2 * float(np.log(len(logs))))
    edges = [0, *cuts, len(logs)]
    levels = [float(np.mean(logs[a:b])) for a, b in pairwise(edges)]
    return [
        Step(places[cut], float(np.exp(after - before)))
        for cut, (before, after) in zip(cuts, pairwise(levels), strict=True)
    ]


def drift(values: Sequence[float | None]) -> float | None:
    """Ratio of the last level to the first: medians of three results at either end."""
    present = [value for value in values if value]
    if len(present) < 2 * _LEAST_POINTS:
        return None
    width = min(3, len(present) // 2)
    return float(np.median(present[-width:]) / np.median(present[:width]))


def _without_odd_ones(logs: Floats) -> Floats:
    """Medians of each three neighbours, which keeps steps sharp; the ends are mirrored."""
    padded = np.pad(logs, 1, mode="reflect")
    return np.asarray(np.median([padded[:-2], logs, padded[2:]], axis=0), dtype=np.float64)


def _cuts(logs: Floats, penalty: float) -> list[int]:
    """Positions where a new piece begins, by dynamic programming over the end of the last piece."""
    count = len(logs)
    sums = np.concatenate([[0.0], np.cumsum(logs)])
    squares = np.concatenate([[0.0], np.cumsum(logs**2)])
    best = np.full(count + 1, np.inf)
    best[0] = -penalty
    origin = np.zeros(count + 1, dtype=np.int64)
    for end in range(_LEAST_POINTS, count + 1):
        starts = np.arange(0, end - _LEAST_POINTS + 1)
        total = sums[end] - sums[starts]
        error = squares[end] - squares[starts] - total**2 / (end - starts)
        cost = best[starts] + error + penalty
        choice = int(np.argmin(cost))
        best[end], origin[end] = cost[choice], starts[choice]
    cuts = []
    end = count
    while origin[end] > 0:
        end = int(origin[end])
        cuts.append(end)
    return cuts[::-1]
