import math

import pytest
from hypothesis import given
from support.profiles import DEVICES, Node, kernel, node, root, trees
from support.vendor_profiles import cuda_profile, hip_profile

from proton_xpu.report import MetricNotFoundError, MetricUnitError
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.metrics import MetricTable


def table(*children: Node, **at_root: object) -> MetricTable:
    document = read_layout([root(*children, **at_root), DEVICES], "p")
    return MetricTable(document.tree, document.devices)


def gemm_and_add() -> MetricTable:
    """ROOT > step > (gemm: 3 in 9000 ns, 6e9 flops16, 3000 bytes; add: 1 in 1000 ns)."""
    gemm = kernel("gemm", 9000, 3, flops16=6e9, bytes=3000)
    return table(node("step", gemm, kernel("add", 1000)))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("time/ns", [10000, 10000, 9000, 1000]),
        ("time/us", [10.0, 10.0, 9.0, 1.0]),
        ("time/ms", [0.01, 0.01, 0.009, 0.001]),
        ("time/s", [1e-5, 1e-5, 9e-6, 1e-6]),
        ("time", [10000, 10000, 9000, 1000]),
        ("Time (ns)", [10000, 10000, 9000, 1000]),
        ("count", [4, 4, 3, 1]),
        ("avg_time/us", [2.5, 2.5, 3.0, 1.0]),
        ("time/%", [100.0, 100.0, 90.0, 10.0]),
        ("count/%", [100.0, 100.0, 75.0, 25.0]),
        ("flops16", [6e9, 6e9, 6e9, None]),
        ("bytes", [3000, 3000, 3000, None]),
        ("flop16/s", [6e14, 6e14, 6e9 / 9e-6, None]),
        ("gflop16/s", [6e5, 6e5, 6e9 / 9e-6 / 1e9, None]),
        ("tflop16/s", [6e2, 6e2, 6e9 / 9e-6 / 1e12, None]),
        ("gbyte/s", [0.3, 0.3, 3000 / 9e-6 / 1e9, None]),
    ],
)
def test_inclusive_metrics_are_right_on_parents(metric: str, expected: list[float | None]) -> None:
    column = gemm_and_add().derive(metric)

    assert column.inclusive
    assert column.values == pytest.approx(expected)


def test_metrics_at_the_root_are_inclusive_and_others_not() -> None:
    metrics = table(
        node("a", kernel("k", 10, tokens=3), tokens=4, loss=0.5), tokens=0, **{"energy (J)": 0}
    )

    assert metrics.derive("tokens").values == [7, 7, 3]
    assert metrics.derive("loss").values == [None, 0.5, None]
    assert not metrics.derive("loss").inclusive
    assert metrics.inclusive_names() == ["count", "time", "tokens", "energy"]
    assert metrics.exclusive_names() == ["loss", "device_id", "device_type"]


def test_share_of_an_exclusive_metric_is_of_the_column() -> None:
    metrics = table(node("a", loss=1.0), node("b", loss=3.0))

    assert metrics.derive("loss/%").values == [None, 25.0, 75.0]


def test_share_of_nothing_is_absent() -> None:
    assert table(kernel("k", 0)).derive("time/%").values == [None, None]


def test_host_time_is_exclusive_and_has_averages() -> None:
    metrics = table(node("host", kernel("k", 10, 4), **{"cpu_time (ns)": 8000}))

    assert metrics.derive("cpu_time/us").values == [None, 8.0, None]
    assert metrics.derive("avg_cpu_time/us").values == [None, 2.0, None]
    assert not metrics.derive("cpu_time/us").inclusive


def test_averages_without_launches_are_absent() -> None:
    assert table(kernel("k", 10, 0)).derive("avg_time/ns").values == [None, None]


def test_util_is_the_longest_least_time_over_the_time() -> None:
    # 64 Xe-cores x 1.6 GHz x 4096 operations = 419.43 Tflop/s at 16 bits.
    metrics = gemm_and_add()

    assert metrics.derive("util").values == pytest.approx(
        [None, None, 6e9 / 419.4304e12 / 9e-6, None]
    )
    assert not metrics.derive("util").inclusive


def test_util_notes_what_the_device_table_does_not_tell() -> None:
    gemm = kernel("gemm", 9000, flops16=6e9, flops64=1.0, device="1")
    document = read_layout([root(gemm), {"XPU": {"1": {"arch": "new"}}}], "p")
    metrics = MetricTable(document.tree, document.devices)

    assert metrics.derive("util").values == [None, None]
    assert metrics.notes == [
        "the peak rate for flops16 of device XPU 1 (new) is not known, so util leaves it out",
        "the peak rate for flops64 of device XPU 1 (new) is not known, so util leaves it out",
    ]


def test_peaks_in_the_device_table_win() -> None:
    facts = {"arch": "new", "peak_flops16": 1e12, "peak_bps": 1e9}
    gemm = kernel("gemm", 1000, flops16=1e6, bytes=500)
    document = read_layout([root(gemm), {"XPU": {"0": facts}}], "p")

    metrics = MetricTable(document.tree, document.devices)

    # Flops need 1 us of the 1 us, bytes 0.5 us.
    assert metrics.derive("util").values == pytest.approx([None, 1.0])
    assert metrics.notes == []


def test_util_without_work_says_how_to_give_some() -> None:
    with pytest.raises(MetricNotFoundError, match="launch metadata"):
        table(kernel("k", 10)).derive("util")


def test_missing_metric_lists_what_there_is() -> None:
    with pytest.raises(MetricNotFoundError, match=r"Metric nope is not found\. .*: count, time,"):
        gemm_and_add().derive("nope")


def test_missing_width_names_the_present_widths() -> None:
    with pytest.raises(MetricNotFoundError, match="this profile has flops16"):
        gemm_and_add().derive("flop8/s")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("time/h", r"Unsupported unit h in time/h; time has the units s, ms, us, ns and %"),
        ("count/ms", "Unsupported unit ms in count/ms; only times"),
        ("byte/ms", "Unsupported unit ms in byte/ms; byte has the unit s"),
        ("avg_time", "avg_time needs a unit: avg_time/us, for example"),
    ],
)
def test_wrong_units_say_which_are_right(metric: str, message: str) -> None:
    with pytest.raises(MetricUnitError, match=message):
        gemm_and_add().derive(metric)


def test_text_metric_cannot_be_shown() -> None:
    with pytest.raises(MetricNotFoundError, match="holds text or lists"):
        gemm_and_add().derive("device_type")


def test_every_name_that_is_offered_can_be_derived() -> None:
    metrics = table(kernel("k", 5, flops8=1.0, flops=2.0, bytes=3, **{"cpu_time (ns)": 1}))

    for name in [*metrics.inclusive_names(), *metrics.derived_names()]:
        assert len(metrics.derive(name).values) == 2
    assert "tflop8/s" in metrics.derived_names()
    assert "avg_cpu_time/ms" in metrics.derived_names()


@given(trees())
def test_root_holds_the_sum_of_what_was_recorded(tree: Node) -> None:
    metrics = MetricTable(read_layout([tree, {}], "p").tree, {})
    recorded = [row["time (ns)"] for row in metrics.tree.metrics if "time (ns)" in row]
    if not recorded:
        return

    assert metrics.derive("time").values[0] == sum(recorded)


# What upstream's own tests expect of its example profiles of other vendors' devices.


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("time/us", [614.4, 204.8, 204.8, 204.8]),
        ("time/%", [100.0, 100 / 3, 100 / 3, 100 / 3]),
        ("avg_time/us", [51.2, 20.48, 204.8, 204.8]),
        ("gbyte/s", [195.3125, 488.28125, 48.828125, 48.828125]),
        ("tflop8/s", [341.796875, 488.28125, 48.828125, 488.28125]),
        ("util", [math.nan, 0.247044, 0.147830, 0.118451]),
    ],
)
def test_cuda_example(metric: str, expected: list[float]) -> None:
    tree, devices = cuda_profile()
    values = MetricTable(read_layout([tree, devices], "p").tree, devices).derive(metric).values

    shown = [math.nan if value is None else value for value in values]
    assert shown == pytest.approx(expected, rel=1e-5, nan_ok=True)


@pytest.mark.parametrize(
    ("profile", "flop_times", "byte_times"),
    [
        (
            cuda_profile(),
            [5.05946e-05, 3.02755e-05, 2.42588e-05],
            [2.48584e-05, 9.91969e-06, 2.48016e-06],
        ),
        (
            hip_profile(),
            [3.82426e-05, 5.52354e-05, 2.16744e-04],
            [1.88679e-05, 3.12500e-06, 1.25000e-04],
        ),
    ],
)
def test_least_times_of_other_vendors_devices(
    profile: tuple[Node, DeviceTable], flop_times: list[float], byte_times: list[float]
) -> None:
    tree, devices = profile
    metrics = MetricTable(read_layout([tree, devices], "p").tree, devices)

    assert metrics.flop_times()[1:] == pytest.approx(flop_times, rel=1e-5)
    assert metrics.byte_times()[1:] == pytest.approx(byte_times, rel=1e-5)
