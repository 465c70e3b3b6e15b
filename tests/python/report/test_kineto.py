import json
from typing import Any

import pytest

from proton_xpu.report import Profile, ProfileFormatError
from proton_xpu.report.loading import decode


def event(cat: str, name: str, ts: float, dur: float, tid: Any = 1, **args: Any) -> dict[str, Any]:
    where = {"ph": "X", "cat": cat, "name": name, "pid": 7, "tid": tid}
    return {**where, "ts": ts, "dur": dur, "args": args}


TRACE = [
    {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "python"}},
    event("user_annotation", "step", 0, 100),
    event("cpu_op", "aten::mm", 10, 30),
    event("xpu_runtime", "urEnqueueKernelLaunch", 20, 5, correlation=1),
    event("cpu_op", "aten::add", 50, 20),
    event("xpu_runtime", "urEnqueueKernelLaunch", 55, 5, correlation=2),
    event("xpu_runtime", "urEnqueueKernelLaunch", 120, 5, correlation=3),
    event("cpu_op", "aten::mul", 0, 100, tid=2),
    event("xpu_runtime", "urEnqueueUSMMemcpy", 10, 5, tid=2, correlation=4),
    event("kernel", "gemm", 30, 4.5, tid="stream 0", correlation=1, device=0),
    event("kernel", "add", 60, 1.25, tid="stream 0", correlation=2, device=0),
    event("kernel", "late", 130, 1, tid="stream 0", correlation=3, device=0),
    event("gpu_memcpy", "Memcpy", 140, 2, tid="stream 0", correlation=4, device=0, bytes=64),
    event("kernel", "lost", 150, 1, tid="stream 0", correlation=99, device=1),
    event("overhead", "profiler", 0, 500, tid="stream 0"),
]


def profile(*events: Any) -> Profile:
    content = {"schemaVersion": 1, "traceEvents": list(events)}
    return Profile(decode(json.dumps(content).encode(), "t").tree)


def test_activities_hang_below_the_operators_that_launched_them() -> None:
    loaded = profile(*TRACE)
    times = loaded.column("time/ns").values

    paths = {" > ".join(loaded.tree.path(i)): times[i] for i in range(len(loaded))}
    assert paths == {
        "ROOT": 9750,
        "ROOT > step": 5750,
        "ROOT > step > aten::mm": 4500,
        "ROOT > step > aten::mm > gemm": 4500,
        "ROOT > step > aten::add": 1250,
        "ROOT > step > aten::add > add": 1250,
        "ROOT > late": 1000,
        "ROOT > aten::mul": 2000,
        "ROOT > aten::mul > Memcpy": 2000,
        "ROOT > lost": 1000,
    }


def test_devices_counts_and_bytes() -> None:
    tree = profile(*TRACE).tree

    row = tree.metrics[tree.names.index("Memcpy")]
    assert row == {
        "count": 1,
        "time (ns)": 2000,
        "device_id": "0",
        "device_type": "XPU",
        "bytes": 64,
    }


@pytest.mark.parametrize("vendor", ["cuda", "hip", "xpu"])
def test_device_type_is_the_runtimes(vendor: str) -> None:
    launch = event(f"{vendor}_runtime", "launch", 0, 1, correlation=1)

    tree = profile(launch, event("kernel", "k", 2, 1, correlation=1, device=3)).tree

    assert tree.metrics[1]["device_type"] == vendor.upper()
    assert tree.metrics[1]["device_id"] == "3"


@pytest.mark.parametrize("key", ["name", "dur"])
def test_broken_activity_is_reported(key: str) -> None:
    broken = event("kernel", "k", 0, 1, correlation=1)
    del broken[key]

    with pytest.raises(ProfileFormatError, match=f"^t: an event of the trace lacks .*{key}"):
        profile(broken)
