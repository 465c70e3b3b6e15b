"""Each format is read back by a reader of its own."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb2
from support.profiles import Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.cli.convert import main
from proton_xpu.report import Profile, ReportError
from proton_xpu.report.convert import FORMATS, convert, format_of
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.stacks import collapsed, speedscope

Rebuilt = list[tuple[str, int, int, int]]
"""Name, start, end and depth of slices in order of their begins."""


def slices_of(data: bytes) -> dict[str, Rebuilt]:
    """The slices of each track of a Perfetto trace."""
    tracks: dict[int, str] = {}
    found: dict[str, Rebuilt] = {}
    names: dict[int, str] = {}
    stacks: dict[int, list[int]] = {}
    for packet in pb2.Trace.FromString(data).packet:
        for entry in packet.interned_data.event_names:
            names[entry.iid] = entry.name
        if packet.HasField("track_descriptor"):
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor.name
            continue
        event = packet.track_event
        slices = found.setdefault(tracks[event.track_uuid], [])
        stack = stacks.setdefault(event.track_uuid, [])
        if event.type == pb2.TrackEvent.TYPE_SLICE_BEGIN:
            stack.append(len(slices))
            slices.append((names[event.name_iid], packet.timestamp, -1, len(stack) - 1))
        else:
            name, start, _, depth = slices[stack.pop()]
            place = next(i for i, s in enumerate(slices) if s == (name, start, -1, depth))
            slices[place] = (name, start, packet.timestamp, depth)
    return found


def test_perfetto_keeps_times_and_nesting(write: ProfileWriter) -> None:
    assert slices_of(convert(write.steps(), "perfetto")) == {
        "kernels": [
            ("ROOT", 0, 10500, 0),
            ("step", 0, 10000, 1),
            ("gemm", 0, 9000, 2),
            ("add", 9000, 10000, 2),
            ("copy", 10000, 10500, 1),
        ]
    }


def test_perfetto_keeps_metrics_as_annotations(write: ProfileWriter) -> None:
    tree = root(kernel("k", 5, loss=0.5, latency=[1, 2], big=2**70))

    trace = pb2.Trace.FromString(convert(write.file(tree), "perfetto"))

    begin = trace.packet[2].track_event
    notes = {note.name: note for note in begin.debug_annotations}
    assert notes["count"].int_value == 1
    assert notes["loss"].double_value == 0.5
    assert notes["device_type"].string_value == "XPU"
    assert [item.int_value for item in notes["latency"].array_values] == [1, 2]
    assert notes["big"].double_value == 2.0**70


TRACE = {
    "baseTimeNanoseconds": 1000,
    "displayTimeUnit": "us",
    "traceEvents": [
        {
            "ph": "M",
            "name": "thread_name",
            "pid": 0,
            "tid": 200007,
            "args": {"name": "GPU Stream 7"},
        },
        {
            "ph": "X",
            "cat": "kernel",
            "name": "k",
            "pid": 0,
            "tid": 200007,
            "ts": 2.5,
            "dur": 1.25,
            "args": {"call_stack": ["ROOT", "k"], "metrics": {"bytes": "8"}},
        },
    ],
}


def test_a_trace_keeps_its_lanes_and_times(write: ProfileWriter) -> None:
    source = write.text(json.dumps(TRACE), "t.chrome_trace")

    assert slices_of(convert(source, "perfetto")) == {"GPU Stream 7": [("k", 3500, 4750, 0)]}
    again = json.loads(convert(source, "chrome"))
    assert again["baseTimeNanoseconds"] == 3500
    event = again["traceEvents"][1]
    assert (event["name"], event["ts"], event["dur"]) == ("k", 0.0, 1.25)
    assert event["args"]["metrics"] == {"bytes": "8"}


def test_collapsed_stacks(write: ProfileWriter) -> None:
    assert convert(write.steps(), "collapsed").decode().splitlines() == [
        "ROOT;step;gemm 9000",
        "ROOT;step;add 1000",
        "ROOT;copy 500",
    ]
    assert collapsed(Profile.load(write.steps()), "count").splitlines()[0] == "ROOT;step;gemm 3"


def test_collapsed_stacks_of_hostile_names(write: ProfileWriter) -> None:
    profile = write.file(root(kernel("a;b\n\x1b c", 5)))

    assert convert(profile, "collapsed").decode() == "ROOT;a:b\\n\\x1b c 5\n"


def test_metric_that_is_not_recorded_is_refused(write: ProfileWriter) -> None:
    with pytest.raises(ReportError, match="Metric flops is not recorded; this profile has: count"):
        collapsed(Profile.load(write.steps()), "flops")


def test_speedscope(write: ProfileWriter) -> None:
    content = json.loads(convert(write.steps(), "speedscope"))

    frames = [frame["name"] for frame in content["shared"]["frames"]]
    (sampled,) = content["profiles"]
    stacks = [[frames[index] for index in sample] for sample in sampled["samples"]]
    assert stacks == [["ROOT", "step", "gemm"], ["ROOT", "step", "add"], ["ROOT", "copy"]]
    assert sampled["weights"] == [9000, 1000, 500]
    assert (sampled["startValue"], sampled["endValue"]) == (0, 10500)
    assert (sampled["type"], sampled["unit"]) == ("sampled", "nanoseconds")


def test_csv(write: ProfileWriter) -> None:
    rows = list(csv.DictReader(io.StringIO(convert(write.steps(), "csv").decode())))

    assert [row["name"] for row in rows] == ["ROOT", "step", "gemm", "add", "copy"]
    assert rows[2]["time (ns)"] == "9000"
    assert rows[2]["parent"] == "1"
    assert rows[1]["time (ns)"] == ""
    assert "device_type" not in rows[0]


def test_parquet(write: ProfileWriter) -> None:
    frame = pd.read_parquet(io.BytesIO(convert(write.steps(), "parquet")))

    assert list(frame["name"]) == ["ROOT", "step", "gemm", "add", "copy"]
    assert list(frame["path"][2]) == ["ROOT", "step", "gemm"]
    assert frame["time (ns)"][2] == 9000
    assert frame["device_type"][2] == "XPU"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.pftrace", "perfetto"),
        ("a.speedscope.json", "speedscope"),
        ("a.json", "chrome"),
        ("a.folded", "collapsed"),
        ("a.csv", "csv"),
        ("a.parquet", "parquet"),
    ],
)
def test_suffix_chooses_the_format(name: str, expected: str) -> None:
    assert format_of(Path(name)) == expected


def test_unknown_suffix_lists_the_known_ones() -> None:
    with pytest.raises(ReportError, match=r"x\.doc: name one of the formats .* \.pftrace,"):
        format_of(Path("x.doc"))


def test_command(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    output = write.folder / "out.bin"

    assert main([str(write.steps()), str(output), "--to", "collapsed"]) == 0
    assert output.read_text().startswith("ROOT;step;gemm 9000\n")
    assert main([str(write.steps()), str(write.folder / "out.doc")]) == 2
    assert "name one of the formats" in capsys.readouterr().err


HOSTILE = "</script>\"'\n\x1b\ud800\u2028\U0001f4a5" + "x" * 10_000


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"parquet"}))
def test_hostile_names_can_be_written(write: ProfileWriter, name: str) -> None:
    profile = write.file(root(kernel(HOSTILE, 5), node("=cmd()", **{HOSTILE: 3})))

    assert b"x" * 10_000 in convert(profile, name)


def test_hostile_names_and_mixed_values_in_parquet(write: ProfileWriter) -> None:
    profile = write.file(root(kernel(HOSTILE, 5, m=1), node("a", m="text", **{HOSTILE: 3})))

    frame = pd.read_parquet(io.BytesIO(convert(profile, "parquet")))

    shown = HOSTILE.replace("\ud800", "\\ud800")
    assert frame["name"][1] == shown
    assert list(frame["m"]) == [None, "1", '"text"']
    assert frame[shown][2] == 3


def own_times(tree: Any) -> dict[tuple[str, ...], int]:
    sums: dict[tuple[str, ...], int] = {}
    for index, value in enumerate(tree.numbers("time (ns)")):
        if value:
            path = tuple(tree.path(index))
            sums[path] = sums.get(path, 0) + value
    return sums


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees())
def test_speedscope_keeps_all_times(tree: Node) -> None:
    profile = Profile(read_layout([root(tree), {}], "p").tree)

    content = json.loads(speedscope(profile))

    frames = [frame["name"] for frame in content["shared"]["frames"]]
    (sampled,) = content["profiles"]
    sums: dict[tuple[str, ...], int] = {}
    for sample, weight in zip(sampled["samples"], sampled["weights"], strict=True):
        path = tuple(frames[index] for index in sample)
        sums[path] = sums.get(path, 0) + weight
    assert sums == own_times(profile.tree)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees())
def test_perfetto_gives_the_tree_back(write: ProfileWriter, tree: Node) -> None:
    profile = Profile(read_layout([root(kernel("k", 3), tree), {}], "p").tree)
    source = write.file(root(kernel("k", 3), tree))
    expected = own_times(profile.tree)

    (slices,) = slices_of(convert(source, "perfetto")).values()

    found: dict[tuple[str, ...], int] = {}
    path: list[str] = []
    for name, start, end, depth in slices:
        path[depth:] = [name]
        found[tuple(path)] = found.get(tuple(path), 0) + end - start
        if depth:
            found[tuple(path[:-1])] -= end - start
    assert {p: t for p, t in found.items() if t} == expected
