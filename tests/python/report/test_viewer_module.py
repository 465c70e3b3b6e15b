"""`proton_xpu.viewer` against what upstream's own tests expect of `triton.profiler.viewer`."""

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from support.profiles import ProfileWriter, kernel, node, root
from support.vendor_profiles import cuda_profile, hip_profile

from proton_xpu import viewer
from proton_xpu.report import MetricNotFoundError, MetricUnitError, NoMatchError


@pytest.fixture
def cuda(write: ProfileWriter) -> Path:
    return write.file(*cuda_profile(), name="cuda.json")


@pytest.fixture
def hip(write: ProfileWriter) -> Path:
    return write.file(*hip_profile(), name="hip.json")


@pytest.fixture
def triton(write: ProfileWriter) -> Path:
    """ROOT > scope (host time) > (launch metadata > kernel, kernel)."""
    helper = node("__proton_launch_metadata", kernel("helper_kernel", 4064))
    scope = node("scope", helper, kernel("triton_kernel", 1664, bytes=2.0))
    scope["metrics"] = {"cpu_time (ns)": 12345}
    return write.file(root(scope, bytes=0), name="triton.json")


def by_name(frame: Any, column: str) -> dict[str, float]:
    return dict(zip(frame["name"], frame[column], strict=True))


def test_read_gives_frame_metrics_and_devices(triton: Path) -> None:
    graphframe, inclusive, exclusive, devices = viewer.read(triton)

    assert list(graphframe.dataframe["name"]) == ["ROOT", "scope", "triton_kernel"]
    assert sorted(inclusive) == ["bytes", "count", "time (ns)"]
    assert exclusive == ["name", "cpu_time (ns)", "device_id", "device_type"]
    assert devices["XPU"]["0"]["arch"] == "pvc"


def test_get_raw_metrics_takes_content_or_a_file_object(triton: Path) -> None:
    content = json.loads(triton.read_text())

    from_content = viewer.get_raw_metrics(content)
    from_file = viewer.get_raw_metrics(io.StringIO(json.dumps(content)))

    assert from_content[1:] == from_file[1:]
    assert "helper_kernel" in set(from_content[0].dataframe["name"])


def test_a_profile_without_metrics_is_refused(write: ProfileWriter) -> None:
    with pytest.raises(MetricNotFoundError, match="No metrics found in the input file"):
        viewer.read(write.file(node("ROOT"), {}))


@pytest.mark.parametrize(
    ("metric", "column", "expected"),
    [
        ("time/s", "time/s (inc)", [0.0006144, 0.0002048, 0.0002048, 0.0002048]),
        ("time/ns", "time/ns (inc)", [614400.0, 204800.0, 204800.0, 204800.0]),
        ("time/%", "time/% (inc)", [100.0, 100 / 3, 100 / 3, 100 / 3]),
        ("avg_time/us", "avg_time/us (inc)", [51.2, 20.48, 204.8, 204.8]),
        ("byte/s", "byte/s (inc)", [1.953125e11, 4.8828125e11, 4.8828125e10, 4.8828125e10]),
        ("gflop8/s", "gflop8/s (inc)", [341796.875, 488281.25, 48828.125, 488281.25]),
        ("util", "util", [math.nan, 0.247044, 0.147830, 0.118451]),
        ("time", "time (ns) (inc)", [614400.0, 204800.0, 204800.0, 204800.0]),
        ("count", "count (inc)", [12, 10, 1, 1]),
    ],
)
def test_derived_metrics(cuda: Path, metric: str, column: str, expected: list[float]) -> None:
    graphframe, inclusive, exclusive, devices = viewer.read(cuda)

    derived = viewer.derive_metrics(graphframe, [metric], inclusive, exclusive, devices)

    assert derived == [column]
    found = by_name(graphframe.dataframe, column)
    assert [found[name] for name in ("ROOT", "foo0", "foo1", "foo2")] == pytest.approx(
        expected, rel=1e-5, nan_ok=True
    )
    assert column in graphframe.inc_metrics + graphframe.exc_metrics


@pytest.mark.parametrize(
    ("example", "flops", "bytes_"),
    [
        ("cuda", [5.05946e-05, 3.02755e-05, 2.42588e-05], [2.48584e-05, 9.91969e-06, 2.48016e-06]),
        ("hip", [3.82426e-05, 5.52354e-05, 2.16744e-04], [1.88679e-05, 3.12500e-06, 1.25e-04]),
    ],
)
def test_least_times(
    request: pytest.FixtureRequest, example: str, flops: list[float], bytes_: list[float]
) -> None:
    graphframe, _, _, devices = viewer.read(request.getfixturevalue(example))
    frame = graphframe.dataframe

    for function, expected in (
        (viewer.get_min_time_flops, flops),
        (viewer.get_min_time_bytes, bytes_),
    ):
        least = function(frame, devices)
        found = dict(zip(frame["name"], least["min_time"], strict=True))
        assert [found[name] for name in ("foo0", "foo1", "foo2")] == pytest.approx(
            expected, rel=1e-5
        )
        assert found["ROOT"] == 0


def test_exclusive_metric_of_a_scope(triton: Path) -> None:
    graphframe, derived = viewer.parse(["cpu_time/ns"], triton)

    assert derived == ["cpu_time/ns"]
    frame = graphframe.dataframe.sort_values(by=derived, ascending=False)
    assert frame["name"].iloc[0] == "scope"


def test_parse_filters(cuda: Path) -> None:
    included, _ = viewer.parse(["time/s"], cuda, include="foo0")
    excluded, _ = viewer.parse(["time/s"], cuda, exclude="foo0")
    heavy, _ = viewer.parse(["avg_time/us"], cuda, threshold=100.0)

    assert list(included.dataframe["name"]) == ["ROOT", "foo0"]
    assert sorted(excluded.dataframe["name"]) == ["ROOT", "foo1", "foo2"]
    assert sorted(heavy.dataframe["name"]) == ["foo1", "foo2"]
    assert by_name(excluded.dataframe, "time/s (inc)")["ROOT"] == pytest.approx(0.0006144)
    with pytest.raises(NoMatchError):
        viewer.parse(["time/s"], cuda, include="nothing")


def test_filtered_frames_are_a_working_graph(cuda: Path) -> None:
    graphframe, _ = viewer.parse(["time/s"], cuda, include="foo0")

    assert len(graphframe.graph) == 2
    assert "foo0" in graphframe.tree(metric_column="time/s (inc)", render_header=False)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("full", "/home/x/test.py:1@foo"),
        ("file_function_line", "test.py:1@foo"),
        ("function_line", "1@foo"),
        ("file_function", "test.py@foo"),
    ],
)
def test_format_frames(write: ProfileWriter, style: str, expected: str) -> None:
    path = write.file(root(node("a", kernel("/home/x/test.py:1@foo", 5))))

    graphframe = viewer.format_frames(viewer.read(path)[0], style)

    assert list(graphframe.dataframe["name"]) == ["ROOT", "a", expected]


def test_print_tree(cuda: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graphframe, derived = viewer.parse(["time/us", "util"], cuda)

    viewer.print_tree(graphframe, derived, depth=2, print_sorted=True)

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["time/us", "util", "(exc)", "frame"]
    assert lines[1].split() == ["614.400", "-", "ROOT"]
    assert sorted(line.split()[-1] for line in lines[2:5]) == ["foo0", "foo1", "foo2"]
    assert "Sorted kernels by metric time/us (inc)" in lines


def test_match_available_metrics() -> None:
    inclusive, exclusive = ["time (ns)", "count"], ["name", "util"]

    assert viewer.match_available_metrics("TIME", inclusive, exclusive) == ["time (ns) (inc)"]
    assert viewer.match_available_metrics(["count", "util"], inclusive, exclusive) == [
        "count (inc)",
        "util",
    ]
    assert viewer.match_available_metrics([], inclusive, exclusive) == [
        "time (ns) (inc)",
        "count (inc)",
    ]
    with pytest.raises(RuntimeError, match=r"Metric nope is not found. Use the --list flag"):
        viewer.match_available_metrics("nope", inclusive, exclusive)


def test_unknown_unit_is_a_value_error(cuda: Path) -> None:
    with pytest.raises(MetricUnitError, match="Unsupported unit parsec"):
        viewer.parse(["time/parsec"], cuda)


def test_remove_frames(triton: Path) -> None:
    content = json.loads(triton.read_text())

    cleaned = viewer.remove_frames(content)

    assert [child["frame"]["name"] for child in cleaned[0]["children"][0]["children"]] == [
        "triton_kernel"
    ]
    assert cleaned[1] == content[1]


def test_apply_diff_profile(write: ProfileWriter) -> None:
    after = write.file(root(kernel("k", 7), kernel("fresh", 1)), name="after")
    before = write.file(root(kernel("k", 5), kernel("old", 4)), name="before")
    graphframe, derived = viewer.parse(["time/ns"], after)

    changed = viewer.apply_diff_profile(graphframe, derived, before, ["time/ns"])

    assert by_name(changed.dataframe, "time/ns (inc)") == {
        "ROOT": -1,
        "k": 2,
        "fresh": 1,
        "old": -4,
    }


def test_show_metrics(triton: Path, capsys: pytest.CaptureFixture[str]) -> None:
    viewer.show_metrics(triton)

    assert capsys.readouterr().out.splitlines() == [
        "Available inclusive metrics:",
        "- count",
        "- time",
        "- bytes",
        "Available exclusive metrics:",
        "- name",
        "- cpu_time",
        "- device_id",
        "- device_type",
    ]


def test_negative_bytes_are_warned_about(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    graphframe, derived = viewer.parse(["bytes"], write.file(root(kernel("k", 1, bytes=-5))))

    viewer.emit_warnings(graphframe, derived)

    assert "negative" in capsys.readouterr().out
