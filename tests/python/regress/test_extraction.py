import json
from pathlib import Path
from typing import Any

import pytest
from support.profiles import DEVICES, kernel, node

from proton_xpu.report.errors import ProfileFormatError
from proton_xpu.report.regress.durations import median_times
from proton_xpu.report.regress.extraction import measure

ACCOUNTING = {"launches": 7, "kernels": 6, "lost": 1}
OURS = {"accounting": ACCOUNTING, "tracer": {"backend": "xpupti", "version": "1.2.0"}}


def write(path: Path, *children: Any, devices: Any = DEVICES, **extra: Any) -> Path:
    root = {**node("ROOT", *children), **extra}
    path.write_text(json.dumps([root, devices]))
    return path


def trace(path: Path, *durations: float) -> Path:
    events = [
        {
            "args": {"call_stack": ["ROOT", "a", "k"]},
            "cat": "kernel",
            "dur": duration,
            "name": "k",
            "ph": "X",
            "pid": 0,
            "tid": 200000,
            "ts": 100.0 * number,
        }
        for number, duration in enumerate(durations)
    ]
    content = {"traceEvents": events, "proton_xpu": {**OURS, "devices": DEVICES["XPU"]}}
    path.write_text(json.dumps(content))
    return path


def test_each_kernel_has_its_mean_time(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", node("a", kernel("k", 3000, count=2), kernel("other", 50)))
    assert measure(tmp_path / "p").kernels == {
        ("a", "k"): {"count": 2.0, "time": 1500.0},
        ("a", "other"): {"count": 1.0, "time": 50.0},
    }


def test_a_trace_gives_the_median_time(tmp_path: Path) -> None:
    trace(tmp_path / "p.chrome_trace", 10.0, 11.0, 90.0)
    measured = measure(tmp_path / "p")
    assert measured.kernels == {("a", "k"): {"count": 3.0, "time": 11_000.0}}
    assert measured.devices == DEVICES
    assert measured.accounting == ACCOUNTING


def test_the_parts_of_a_trace_are_one(tmp_path: Path) -> None:
    trace(tmp_path / "p.part_0.chrome_trace", 10.0, 30.0)
    trace(tmp_path / "p.part_1.chrome_trace", 20.0)
    assert median_times(tmp_path / "p.chrome_trace") == {("a", "k"): 20_000.0}
    assert measure(tmp_path / "p").kernels[("a", "k")]["time"] == 20_000.0


def test_bytes_and_utilisation(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", kernel("k", 1000, bytes=4096, flops32=1e6))
    values = measure(tmp_path / "p").kernels[("k",)]
    assert values["bytes"] == 4096
    assert 0 < values["util"] < 1


def test_equal_paths_are_one_kernel(tmp_path: Path) -> None:
    kernels = [kernel("k", 1000, count=1, bytes=10), kernel("k", 6000, count=3, bytes=5)]
    write(tmp_path / "p.hatchet", *kernels)
    values = measure(tmp_path / "p").kernels[("k",)]
    assert (values["count"], values["time"], values["bytes"]) == (4.0, 1750.0, 15.0)


def test_kernels_of_launch_metadata_do_not_count(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", node("__proton_launch_metadata", kernel("m", 5)), kernel("k", 7))
    assert list(measure(tmp_path / "p").kernels) == [("k",)]


def test_a_kernel_without_time_is_kept_without_it(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", kernel("k", 0, count=2))
    assert measure(tmp_path / "p").kernels == {("k",): {"count": 2.0}}


def test_half_a_character_in_a_name_is_replaced(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", kernel("k\ud800", 10))
    assert list(measure(tmp_path / "p").kernels) == [("k?",)]


def test_every_profile_of_a_folder_is_a_scope(tmp_path: Path) -> None:
    write(tmp_path / "one.hatchet", kernel("k", 10), proton_xpu=OURS)
    write(tmp_path / "two.hatchet", kernel("k", 20), proton_xpu=OURS)
    measured = measure(tmp_path)
    assert {path: row["time"] for path, row in measured.kernels.items()} == {
        ("one", "k"): 10.0,
        ("two", "k"): 20.0,
    }
    assert measured.accounting == {"launches": 14, "kernels": 12, "lost": 2}
    assert measured.tracer == OURS["tracer"]


def test_a_profile_without_kernels_is_an_empty_launch(tmp_path: Path) -> None:
    write(tmp_path / "p.hatchet", node("a"), devices={})
    launch = measure(tmp_path / "p").launch(3)
    assert (launch.position, launch.status) == (3, "empty")


def test_no_profile_is_an_empty_launch(tmp_path: Path) -> None:
    assert measure(tmp_path / "p").launch().status == "empty"


def test_a_broken_profile_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "p.hatchet").write_text("[{")
    with pytest.raises(ProfileFormatError):
        measure(tmp_path / "p")
