"""Traces in the form that Intel's unitrace and the older tools of PTI write."""

import json
from typing import Any

import pytest

from proton_xpu.report import Profile, ProfileFormatError
from proton_xpu.report.loading import decode

HOST, GPU, TILE = 4242, 9_000_001, 9_000_002


def process(pid: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": "process_name", "pid": pid, "ts": 0, "args": {"name": name}}


def host(name: str, ts: float, dur: float, tid: int = 4242) -> dict[str, Any]:
    about = {"ph": "X", "tid": tid, "pid": HOST, "name": name, "cat": "cpu_op"}
    return {**about, "ts": ts, "dur": dur, "id": 0}


def edge(phase: str, name: str, ts: float) -> dict[str, Any]:
    about = {"ph": phase, "tid": 4242, "pid": HOST, "name": name, "cat": "cpu_op"}
    return {**about, "ts": ts, "id": 0}


def submission(number: int, ts: float, tid: int = 4242) -> dict[str, Any]:
    about = {"ph": "s", "tid": tid, "pid": HOST, "name": "dep", "cat": f"Flow_H2D_{number}_0"}
    return {**about, "ts": ts, "id": number}


def activity(name: str, number: int, ts: float, dur: float, pid: int = GPU) -> dict[str, Any]:
    about = {"ph": "X", "tid": 9_100_000, "pid": pid, "name": name, "cat": "gpu_op"}
    return {**about, "ts": ts, "dur": dur, "args": {"id": str(number)}}


TRACE = [
    process(HOST, "RANK 0 HOST<node7>"),
    process(GPU, "RANK 0 DEVICE<node7>[Some GPU] 0:3a:0:0 #1"),
    process(TILE, "DEVICE<node7> 0:3a:0:0 #1.0"),
    edge("B", "step", 100),
    host("layer", 105, 20),
    host("zeCommandListAppendLaunchKernel", 110, 5),
    submission(1, 110),
    host("zeCommandListAppendMemoryCopy", 130, 5),
    submission(2, 130),
    edge("E", "step", 200),
    host("other thread", 100, 500, tid=7),
    submission(3, 210),
    activity("gemm[SIMD32 {8; 1; 1} {256; 1; 1}]", 1, 120, 4.5),
    activity("zeCommandListAppendMemoryCopy(M2D)[64 bytes]", 2, 140, 2),
    activity("late", 3, 220, 1, TILE),
    activity("lost", 99, 230, 0.125),
    {"ph": "t", "tid": 1, "pid": GPU, "name": "dep", "cat": "Flow_H2D_1_0", "ts": 120, "id": 1},
]


def profile(*events: Any) -> Profile:
    document = decode(json.dumps({"traceEvents": list(events)}).encode(), "t")
    return Profile(document.tree, document.devices)


def test_activities_hang_below_the_ranges_that_submitted_them() -> None:
    loaded = profile(*TRACE)
    times = loaded.column("time/ns").values

    assert {" > ".join(loaded.tree.path(i)): times[i] for i in range(len(loaded))} == {
        "ROOT": 7625,
        "ROOT > step": 6500,
        "ROOT > step > layer": 4500,
        "ROOT > step > layer > gemm[SIMD32 {8; 1; 1} {256; 1; 1}]": 4500,
        "ROOT > step > zeCommandListAppendMemoryCopy(M2D)": 2000,
        "ROOT > late": 1000,
        "ROOT > lost": 125,
    }


def test_devices_counts_and_bytes() -> None:
    loaded = profile(*TRACE)
    rows = dict(zip(loaded.tree.names, loaded.tree.metrics, strict=True))

    assert rows["zeCommandListAppendMemoryCopy(M2D)"] == {
        "count": 1,
        "time (ns)": 2000,
        "device_id": "1",
        "device_type": "XPU",
        "bytes": 64,
    }
    assert rows["late"]["device_id"] == "1.0"
    assert loaded.devices == {"XPU": {"1": {"name": "Some GPU"}, "1.0": {"name": "unknown"}}}


@pytest.mark.parametrize("key", ["name", "dur"])
def test_broken_activity_is_reported(key: str) -> None:
    broken = activity("k", 1, 0, 1)
    del broken[key]

    with pytest.raises(ProfileFormatError, match=f"^t: an event of the trace lacks .*{key}"):
        profile(broken)


# What onetrace, ze_tracer and cl_tracer write: a list without its end, and numbers as text.
LIST = """[
{"ph":"M", "name":"process_name", "pid":"42", "args":{"name":"app"}},
{"ph":"M", "name":"start_time", "pid":"42", "args":{"CLOCK_MONOTONIC_RAW":"17"}},
{"ph":"X", "pid":"42", "tid":"42", "name":"zeInit", "ts": 1, "dur":8, "args": {"id": "1"}},
{"ph":"X", "pid":"42", "tid":"5d0c", "name":"gemm", "ts": 20, "dur":4, "args": {"id": "7"}},
{"ph":"X", "pid":"42", "tid":"5d0c", "name":"gemm", "ts": 30, "dur":5, "args": {"id": "8"}},
"""


@pytest.mark.parametrize("end", ["", "]"])
def test_list_of_events_of_the_older_tools(end: str) -> None:
    text = LIST if not end else LIST.rstrip()[:-1] + end
    loaded = Profile(decode(text.encode(), "t").tree)
    times = loaded.column("time/us").values

    assert {" > ".join(loaded.tree.path(i)): times[i] for i in range(len(loaded))} == {
        "ROOT": 17,
        "ROOT > lane 42": 8,
        "ROOT > lane 42 > zeInit": 8,
        "ROOT > lane 5d0c": 9,
        "ROOT > lane 5d0c > gemm": 9,
    }
    assert loaded.tree.metrics[-1]["count"] == 2
