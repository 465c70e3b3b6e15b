"""Columns of a result as arrays."""

from collections.abc import Sequence

import numpy as np

from proton_xpu.report.regress.result import KernelPath, Result
from proton_xpu.report.regress.robust import Floats


def matrix(result: Result, metric: str, paths: Sequence[KernelPath]) -> Floats:
    """Values of `metric`, shape (paths, usable launches); NaN where there is none or it is 0."""
    usable = result.usable()
    absent = [None] * len(result.launches)
    rows = [result.kernels.get(path, {}).get(metric) or absent for path in paths]
    values = np.array(rows, dtype=np.float64).reshape(len(paths), len(result.launches))[:, usable]
    return np.where(values > 0, values, np.nan)
