"""Results of simulated launches, with the noise that real ones have, and known changes.

Times are log-uniform from 5 us to 5 ms. A kernel's time differs between launches by a heavy-tailed
factor (Student's t with 5 degrees of freedom) whose deviation is the kernel's own; within a launch
each of 12 calls differs by 1 %, and one in fifty takes 10 to 100 % longer; what a launch reports is
the median of its calls. All kernels of a launch drift together: steadily over the session, and by a
random half a per cent; in one session of five a whole launch is 3 % slower. One launch value in two
hundred is an outlier of 10 to 50 %. Launches run in turns, base new new base, or all of base first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proton_xpu.report.regress.environment import Environment
from proton_xpu.report.regress.recording import abba
from proton_xpu.report.regress.result import KernelPath, Launch, Result

DEVICE = {"arch": "pvc", "bus_width": 64, "clock_rate": 1_600_000, "name": "A", "num_sms": 64}
CALLS = 12

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Simulation:
    """What the simulated machine does; shares are fractions, sigmas relative deviations."""

    kernels: int = 500
    runs: int = 5
    least_sigma: float = 0.01
    most_sigma: float = 0.02
    changed: float = 0.0
    change: float = 0.05
    drift: float = 0.01
    in_turns: bool = True

    def pair(self, seed: int) -> tuple[Result, Result, set[KernelPath]]:
        """Base, new, and the kernels that are slower by `change` in new."""
        rng = np.random.default_rng(seed)
        times = np.exp(rng.uniform(np.log(5e3), np.log(5e6), self.kernels))
        sigmas = rng.uniform(self.least_sigma, self.most_sigma, self.kernels)
        slower = np.zeros(self.kernels, dtype=bool)
        count = round(self.changed * self.kernels)
        slower[rng.choice(self.kernels, count, replace=False)] = True
        order = np.array(abba(2, self.runs))
        if not self.in_turns:
            order.sort()
        common = self.drift * np.linspace(-0.5, 0.5, len(order)) + rng.normal(0, 0.005, len(order))
        if rng.random() < 0.2:
            common[rng.integers(len(order))] += 0.03
        levels = [times, times * np.where(slower, 1 + self.change, 1.0)]
        base, new = (
            simulated_result(
                self._launches(rng, level, sigmas, common[order == side]),
                session="one" if self.in_turns else "",
            )
            for side, level in enumerate(levels)
        )
        return base, new, {kernel_path(int(number)) for number in np.flatnonzero(slower)}

    def _launches(
        self, rng: np.random.Generator, times: Floats, sigmas: Floats, common: Floats
    ) -> Floats:
        shape = (len(times), len(common))
        between = rng.standard_t(5, shape) / np.sqrt(5 / 3) * sigmas[:, None]
        within = rng.normal(0, 0.01, (*shape, CALLS))
        spiked = rng.random(within.shape) < 0.02
        within += np.where(spiked, np.log1p(rng.uniform(0.1, 1.0, within.shape)), 0.0)
        logs = np.log(times)[:, None] + common[None, :] + between + np.median(within, axis=2)
        outlying = rng.random(shape) < 0.005
        return np.exp(logs) * np.where(outlying, rng.uniform(1.1, 1.5, shape), 1.0)


def kernel_path(number: int) -> KernelPath:
    return ("model", f"layer{number // 10}", f"kernel{number}")


def simulated_result(times: Floats | Sequence[Sequence[float]], session: str = "one") -> Result:
    """A result with one row of `times` (ns) per kernel and one column per launch."""
    rows = [[float(value) for value in row] for row in times]
    launches = len(rows[0]) if rows else 1
    return Result(
        label="simulated",
        created="2026-01-01T00:00:00+00:00",
        environment=Environment(devices={"XPU 0": dict(DEVICE)}),
        launches=[Launch(position) for position in range(launches)],
        kernels={
            kernel_path(number): {"time": list(row), "count": [float(CALLS)] * launches}
            for number, row in enumerate(rows)
        },
        session=session,
    )
