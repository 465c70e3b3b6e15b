import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from proton_xpu.report.regress.discovery import discoveries, q_values


def test_q_values_are_those_of_benjamini_and_hochberg() -> None:
    q = q_values(np.array([0.01, 0.04, 0.03, 0.5]))
    np.testing.assert_allclose(q, [0.04, 0.16 / 3, 0.16 / 3, 0.5])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_q_values_agree_with_scipy(p_values: list[float]) -> None:
    expected = stats.false_discovery_control(p_values, method="bh")
    np.testing.assert_allclose(q_values(np.array(p_values)), expected, rtol=1e-12)


def test_what_was_not_tested_does_not_count() -> None:
    q = q_values(np.array([0.01, np.nan, 0.5]))
    assert q[0] == pytest.approx(0.02)
    assert np.isnan(q[1])


def test_rows_are_reported_only_if_one_is_beyond_doubt() -> None:
    q = np.array([0.03, 0.06, np.nan, 0.9])
    assert not discoveries(q, report_error=0.025, row_error=0.08).any()
    assert discoveries(q, report_error=0.03, row_error=0.08).tolist() == [True, True, False, False]


def test_nothing_tested_is_nothing_found() -> None:
    assert not discoveries(np.full(3, np.nan), 0.025, 0.08).any()
    assert not discoveries(np.empty(0), 0.025, 0.08).any()
