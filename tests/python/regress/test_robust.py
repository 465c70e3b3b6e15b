import numpy as np

from proton_xpu.report.regress.robust import launch_levels, row_medians, without_outliers


def test_medians_ignore_what_was_not_measured() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan]])
    assert row_medians(values)[0] == 2.0
    assert np.isnan(row_medians(values)[1])


def test_what_a_launch_does_to_all_kernels_is_its_level() -> None:
    kernels = np.arange(30.0)[:, None]
    levels = launch_levels(kernels + np.array([0.0, 0.03, -0.01, 0.0, 0.0]))
    np.testing.assert_allclose(levels, [0.0, 0.03, -0.01, 0.0, 0.0], atol=1e-12)


def test_few_kernels_cannot_tell_a_launch_from_themselves() -> None:
    assert not launch_levels(np.arange(19.0)[:, None] + np.array([0.0, 0.5])).any()


def test_one_far_value_in_five_is_set_aside() -> None:
    logs = np.tile([0.0, 0.01, -0.01, 0.005, -0.005], (4, 1))
    logs[2, 3] = 0.4
    cleaned = without_outliers(logs, np.full(4, 5e-4))
    assert np.isnan(cleaned).nonzero() == (np.array([2]), np.array([3]))


def test_two_far_values_in_five_are_the_kernels_nature() -> None:
    logs = np.tile([0.0, 0.01, -0.01, 0.005, -0.005], (4, 1))
    logs[2, 2:4] = 0.4
    assert not np.isnan(without_outliers(logs, np.full(4, 5e-4))).any()


def test_nothing_is_set_aside_from_fewer_than_five_launches() -> None:
    logs = np.array([[0.0, 0.0, 0.0, 9.0]])
    assert not np.isnan(without_outliers(logs, np.full(1, 5e-4))).any()
