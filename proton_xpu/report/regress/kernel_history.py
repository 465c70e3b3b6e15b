"""How the times of kernels went over stored results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from proton_xpu.report.regress.changes import Step, drift, find_steps
from proton_xpu.report.regress.columns import matrix
from proton_xpu.report.regress.result import KernelPath, Result
from proton_xpu.report.regress.robust import row_medians


@dataclass(frozen=True)
class KernelHistory:
    """Medians of a kernel's time in ns per result, oldest first; None where it was not measured.

    `drift` is the ratio of the last level to the first, None if there are too few results.
    """

    path: KernelPath
    medians: list[float | None]
    steps: list[Step]
    drift: float | None

    def to_mapping(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "path": list(self.path),
            "medians": self.medians,
            "steps": [{"index": step.index, "ratio": step.ratio} for step in self.steps],
            "drift": self.drift,
        }

    def line(self, duration: Callable[[float], str], change: Callable[[float], str]) -> str:
        """One line of text; the arguments turn times and ratios into text."""
        known = [value for value in self.medians if value is not None]
        ends = f"{duration(known[0])} -> {duration(known[-1])}" if known else "no times"
        parts = [f"{'/'.join(self.path)}  {ends}"]
        if self.drift is not None:
            parts.append(f"overall {change(self.drift)}")
        parts += [f"step {change(step.ratio)} at result {step.index + 1}" for step in self.steps]
        return "  ".join(parts)


def kernel_histories(results: Sequence[Result]) -> list[KernelHistory]:
    """The history of every kernel of `results`, oldest first; the largest change comes first."""
    paths = list(dict.fromkeys(path for result in results for path in result.kernels))
    columns = [row_medians(matrix(result, "time", paths)) for result in results]
    histories = []
    for path, series in zip(paths, zip(*columns, strict=True), strict=True):
        medians = [float(value) if np.isfinite(value) else None for value in series]
        histories.append(KernelHistory(path, medians, find_steps(medians), drift(medians)))
    histories.sort(key=lambda history: -abs((history.drift or 1.0) - 1.0))
    return histories
