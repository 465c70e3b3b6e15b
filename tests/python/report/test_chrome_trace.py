import json
from typing import Any

import pytest

from proton_xpu.report import ProfileFormatError
from proton_xpu.report.document import Document
from proton_xpu.report.loading import decode


def event(cat: str, name: str, dur: float, stack: list[str] | None, **metrics: str) -> Any:
    args: dict[str, Any] = {"metrics": metrics} if metrics else {}
    if stack is not None:
        args["call_stack"] = stack
    return {"ph": "X", "cat": cat, "name": name, "ts": 1.5, "dur": dur, "tid": 0, "args": args}


def read(*events: Any, **top: object) -> Document:
    content = {"displayTimeUnit": "us", **top, "traceEvents": list(events)}
    return decode(json.dumps(content).encode(), "t")


def test_kernels_and_scopes_are_summed_up_by_call_stack() -> None:
    tree = read(
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "Trace"}},
        event("scope", "outer", 80.5, ["ROOT", "outer"]),
        event("metric", "outer: <m, 1>", 19.5, ["ROOT", "outer"], m="1", **{"e (exc)": "2.5"}),
        {"ph": "s", "cat": "flow", "name": "launch->kernel", "ts": 0.0, "tid": 0, "id": 0},
        event("kernel", "gemm", 1.25, ["ROOT", "outer", "gemm"], bytes="4096"),
        event("kernel", "gemm", 2.75, ["ROOT", "outer", "gemm"], bytes="4096"),
        event("kernel", "copy", 0.001, None),
    ).tree

    assert tree.names == ["ROOT", "outer", "gemm", "copy"]
    assert tree.parents == [-1, 0, 1, 0]
    assert tree.metrics == [
        {},
        {"cpu_time (ns)": 100000, "m": 1, "e": 2.5},
        {"count": 2, "time (ns)": 4000, "bytes": 8192},
        {"count": 1, "time (ns)": 1},
    ]


def test_vectors_and_texts_of_metrics() -> None:
    tree = read(event("kernel", "k", 1, ["k"], v="[1,2]", t="some text", n="-3")).tree

    assert tree.metrics[0] == {
        "v": [1, 2],
        "t": "some text",
        "n": -3,
        "count": 1,
        "time (ns)": 1000,
    }


def test_empty_trace_is_an_empty_profile() -> None:
    document = read(baseTimeNanoseconds=5)

    assert document.tree.names == ["ROOT"]
    assert document.metadata["baseTimeNanoseconds"] == 5


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (3, "trace event 1 must be an object"),
        (event("kernel", "k", 1, ["k"]) | {"dur": "long"}, 'trace event 1 needs .* number "dur"'),
        (event("kernel", "k", 1, ["k"]) | {"name": None}, 'trace event 1 needs a string "name"'),
        (event("kernel", "k", 1, ["k"]) | {"args": []}, 'trace event 1 needs .* object "args"'),
    ],
)
def test_broken_event_is_named(broken: Any, message: str) -> None:
    with pytest.raises(ProfileFormatError, match=f"^t: {message}"):
        read(event("kernel", "k", 1, ["k"]), broken)


def lane(tid: int, name: str) -> Any:
    about = {"ph": "M", "name": "thread_name", "pid": 0, "tid": tid}
    return {**about, "args": {"name": name}}


def test_call_stacks_by_reference() -> None:
    frames = {
        "0": {"name": "ROOT"},
        "1": {"name": "outer", "parent": 0},
        "4": {"name": "gemm", "parent": "1"},
    }
    compact = {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 1, "dur": 2.0, "sf": 4}

    document = read(
        event("kernel", "gemm", 1.0, ["ROOT", "outer", "gemm"]),
        compact,
        compact,
        stackFrames=frames,
    )

    assert document.tree.names == ["ROOT", "outer", "gemm"]
    assert document.tree.metrics[2] == {"count": 3, "time (ns)": 5000}
    assert "stackFrames" not in document.metadata


@pytest.mark.parametrize(
    "frames",
    [{}, {"4": 3}, {"4": {"name": "k", "parent": 4}}, {"4": {"name": "k", "parent": 1}}],
)
def test_broken_reference_is_named(frames: object) -> None:
    compact = {"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2.0, "sf": 4}

    with pytest.raises(ProfileFormatError, match=r"trace event 0 refers to the frame [14], which"):
        read(compact, stackFrames=frames)


def test_copies_and_fills_count_with_their_bytes() -> None:
    copy = event("memcpy", "memcpy", 2.0, ["ROOT", "memcpy"]) | {"tid": 200000}
    copy["args"]["bytes"] = 64
    fill = event("memset", "memset", 1.0, ["ROOT", "memset"])

    assert read(copy, fill).tree.metrics[1:] == [
        {"count": 1, "time (ns)": 2000, "bytes": 64},
        {"count": 1, "time (ns)": 1000},
    ]


def test_devices_of_lanes() -> None:
    kernels = [
        event("kernel", f"k{tid}", 1.0, ["ROOT", f"k{tid}"]) | {"tid": tid}
        for tid in (200000, 200001, 300000, 5)
    ]
    facts = {"0": {"arch": "pvc"}, "1": {"arch": "bmg"}}

    document = read(
        lane(200000, "GPU Stream 0"),
        lane(200001, "GPU Stream 1 (device 1)"),
        lane(300000, "GPU Stream 1 (device 1), overlap 1"),
        *kernels,
        proton_xpu={"devices": facts},
    )

    assert document.devices == {"XPU": facts}
    assert [row.get("device_id") for row in document.tree.metrics[1:]] == ["0", "1", "1", None]
    assert document.tree.metrics[1]["device_type"] == "XPU"
