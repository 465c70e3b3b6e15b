"""Perfetto traces, our own and such as other tools write."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb2
from support.profiles import Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.report import Profile, ProfileFormatError
from proton_xpu.report.convert import convert
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.loading import decode
from proton_xpu.report.perfetto_reader import is_perfetto, read_tracks
from proton_xpu.report.timeline import Slice, Track, edges
from proton_xpu.report.trace_files import perfetto_trace

BEGIN, END = pb2.TrackEvent.TYPE_SLICE_BEGIN, pb2.TrackEvent.TYPE_SLICE_END


def times_by_path(profile: Profile) -> dict[tuple[str, ...], Any]:
    times = profile.column("time/ns").values
    return {tuple(profile.tree.path(i)): times[i] for i in range(len(profile))}


def test_profile_comes_back_from_perfetto(write: ProfileWriter) -> None:
    tree = root(
        node("step", kernel("gemm", 9000, 3, flops16=6e9, latency=[1, 2]), node("idle", note="[")),
        node("empty", node("inside", kernel("none", 0))),
        kernel("copy", 500),
    )
    source = write.file(tree)
    output = write.folder / "p.pftrace"
    output.write_bytes(convert(source, "perfetto"))

    again = Profile.load(output)

    assert again.tree == Profile.load(source).tree


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees())
def test_times_and_nesting_survive_the_round_trip(write: ProfileWriter, tree: Node) -> None:
    whole = root(kernel("k", 3), tree)
    data = convert(write.file(whole), "perfetto")

    again = Profile(decode(data, "t").tree)

    # Frames without a name are no frames, and siblings of one name become one.
    before = Profile(without_helpers(read_layout([whole, {}], "p").tree))
    expected: dict[tuple[str, ...], float] = {}
    for index, time in enumerate(before.column("time/ns").values):
        path = tuple(before.tree.path(index))
        expected[path] = expected.get(path, 0) + (time or 0)
    found = times_by_path(again)
    assert found.keys() == expected.keys()
    assert {path: time or 0 for path, time in found.items()} == expected


def nested(draw: st.DrawFn, depth: int, start: int, room: int) -> list[Slice]:
    """Slices within a stretch of time, some of them empty and at its edges."""
    found: list[Slice] = []
    while room >= 0 and len(found) < 4 and draw(st.booleans()):
        gap = draw(st.integers(0, room))
        length = draw(st.integers(0, room - gap))
        name = draw(st.sampled_from(["a", "b", "\n", "</script>", "\U0001f4a5"]))
        start, room = start + gap, room - gap
        found.append(Slice(name, start, start + length, "c", {"n": depth}, depth))
        found += nested(draw, depth + 1, start, length) if depth < 3 else []
        start, room = start + length, room - length
    return found


@st.composite
def tracks(draw: st.DrawFn) -> list[Track]:
    names = draw(st.lists(st.sampled_from(["GPU 0", "CPU\n", "x"]), max_size=3))
    made = [Track(name, nested(draw, 0, 10**18, 50)) for name in names]
    return [track for track in made if track.slices]


@given(tracks())
def test_tracks_survive_the_round_trip(made: list[Track]) -> None:
    assert read_tracks(perfetto_trace(made), "t") == made


def test_trace_is_the_same_profile_in_every_format(write: ProfileWriter) -> None:
    events = [
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 1, "args": {"name": "CPU"}},
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 2, "args": {"name": "GPU Stream 0"}},
        {"name": "step", "cat": "scope", "ph": "X", "pid": 0, "tid": 1, "ts": 0, "dur": 90.5},
        {"name": "k", "cat": "kernel", "ph": "X", "pid": 0, "tid": 2, "ts": 3.25, "dur": 1.125},
    ]
    frames = {"1": {"name": "ROOT"}, "2": {"name": "step", "parent": "1"}}
    events[2]["sf"] = "2"
    events[3]["args"] = {"call_stack": ["ROOT", "step", "k"], "metrics": {"flops16": "64"}}
    content = {"traceEvents": events, "stackFrames": frames}
    source = write.text(json.dumps(content), "t.chrome_trace")

    again = decode(convert(source, "perfetto"), "t")

    assert again.tree == Profile.load(source).tree
    assert again.tree.names == ["ROOT", "step", "k"]
    assert again.tree.metrics[2] == {"count": 1, "time (ns)": 1125, "flops16": 64}


class Writer:
    """A trace made packet by packet."""

    def __init__(self) -> None:
        self.trace = pb2.Trace()

    def packet(self, time: int, sequence: int = 1) -> Any:
        packet = self.trace.packet.add()
        packet.timestamp = time
        packet.trusted_packet_sequence_id = sequence
        return packet

    def begin(self, time: int, name: str, track: int = 1) -> Any:
        packet = self.packet(time)
        packet.track_event.type = BEGIN
        packet.track_event.name = name
        packet.track_event.track_uuid = track
        return packet

    def end(self, time: int, track: int = 1) -> None:
        packet = self.packet(time)
        packet.track_event.type = END
        packet.track_event.track_uuid = track

    def tracks(self) -> dict[str, list[tuple[str, int, int]]]:
        found = read_tracks(self.trace.SerializeToString(), "t")
        return {t.name: [(s.name, s.start, s.end) for s in t.slices] for t in found}


def test_slices_without_end_or_begin() -> None:
    made = Writer()
    made.end(1)
    made.begin(5, "whole", track=2)
    made.begin(6, "cut off")
    made.end(30, track=2)

    assert made.tracks() == {
        "track 1": [("cut off", 6, 30)],
        "track 2": [("whole", 5, 30)],
    }


def test_packets_of_a_track_may_come_late() -> None:
    made = Writer()
    made.begin(20, "second")
    made.end(30)
    made.begin(10, "first")
    made.end(15)

    assert made.tracks() == {"track 1": [("first", 10, 15), ("second", 20, 30)]}


def test_defaults_and_an_incremental_clock_of_the_sequence() -> None:
    made = Writer()
    first = made.packet(0)
    clock = first.clock_snapshot.clocks.add()
    clock.clock_id, clock.timestamp = 64, 7
    clock.is_incremental, clock.unit_multiplier_ns = True, 1000
    first.trace_packet_defaults.timestamp_clock_id = 64
    first.trace_packet_defaults.track_event_defaults.track_uuid = 9
    for step, kind in ((3, BEGIN), (4, END)):
        event = made.packet(step).track_event
        event.type = kind
        if kind == BEGIN:
            event.name = "k"

    assert made.tracks() == {"track 9": [("k", 10_000, 14_000)]}


def test_names_of_tracks_and_threads() -> None:
    made = Writer()
    descriptor = made.packet(0).track_descriptor
    descriptor.uuid, descriptor.thread.thread_name = 1, "worker"
    made.begin(1, "a")
    made.end(2)

    assert made.tracks() == {"worker": [("a", 1, 2)]}


def test_other_tools_traces_are_summed_up_by_nesting() -> None:
    made = Writer()
    made.begin(0, "outer")
    made.begin(10, "inner")
    made.end(15)
    made.begin(20, "inner")
    made.end(27)
    made.end(100)

    profile = Profile(decode(gzip.compress(made.trace.SerializeToString()), "t").tree)

    assert times_by_path(profile) == {
        ("ROOT",): 100,
        ("ROOT", "outer"): 100,
        ("ROOT", "outer", "inner"): 12,
    }
    assert profile.tree.metrics[2] == {"count": 2, "time (ns)": 12}


def test_a_number_that_nothing_defines_is_named() -> None:
    made = Writer()
    made.begin(0, "").track_event.name_iid = 5

    with pytest.raises(ProfileFormatError, match=r"^t: packet 0 refers to the number 5, which no"):
        made.tracks()


def test_cut_off_file_is_reported(write: ProfileWriter) -> None:
    data = convert(write.steps(), "perfetto")

    with pytest.raises(ProfileFormatError, match=r"^t: broken Perfetto data: .*cut off"):
        decode(data[:-3], "t")


@pytest.mark.parametrize("text", ["\n[", '\n{"traceEvents": []}', "", "\n\n", "[1]"])
def test_text_is_no_perfetto_trace(text: str) -> None:
    assert not is_perfetto(text.encode())


@pytest.mark.parametrize("size", [ord("["), ord("{"), 300])
def test_packets_whose_size_looks_like_json_are_told_from_it(size: int) -> None:
    trace = pb2.Trace()
    event = trace.packet.add().track_event
    while trace.packet[0].ByteSize() < size:
        event.name += "x"

    assert trace.packet[0].ByteSize() == size
    assert is_perfetto(trace.SerializeToString())


@given(tracks())
def test_edges_close_every_slice(made: list[Track]) -> None:
    for track in made:
        assert sum(1 if item else -1 for _, item in edges(track)) == 0


def test_hostile_names_come_back(write: ProfileWriter) -> None:
    hostile = "</script>\"'\n\x1b[31m\u2028\U0001f4a5" + "x" * 10_000
    source = write.file(root(kernel(hostile, 5, **{hostile: 3})))

    again = decode(convert(source, "perfetto"), "t")

    assert again.tree == Profile.load(source).tree
