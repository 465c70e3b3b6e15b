"""False-discovery control in two steps: first "did anything change", then "which rows"."""

import numpy as np
from numpy.typing import NDArray

from proton_xpu.report.regress.robust import Floats


def q_values(p_values: Floats) -> Floats:
    """Benjamini and Hochberg's adjusted p-values, shape (rows,); NaN stays NaN and is not counted.

    A row's q-value is the smallest false-discovery rate at which it would be reported.
    """
    known = ~np.isnan(p_values)
    adjusted = np.full(p_values.shape, np.nan)
    count = int(np.count_nonzero(known))
    if not count:
        return adjusted
    p = p_values[known]
    order = np.argsort(p)
    scaled = p[order] * count / np.arange(1, count + 1)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1]
    back = np.empty(count)
    back[order] = np.minimum(monotone, 1.0)
    adjusted[known] = back
    return adjusted


def discoveries(q: Floats, report_error: float, row_error: float) -> NDArray[np.bool_]:
    """Rows reported as changed, from their q-values.

    Nothing is reported unless some row's q-value is at most `report_error`, which bounds the share
    of unchanged reports that report anything. Then all rows up to `row_error` are, which bounds the
    expected share of false ones among them.
    """
    known = ~np.isnan(q)
    if not np.any(known) or float(np.min(q[known])) > report_error:
        return np.zeros(q.shape, dtype=np.bool_)
    return known & (np.where(known, q, 1.0) <= row_error)
