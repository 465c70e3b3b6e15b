import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.profiles import Node, kernel, node, root, trees

from proton_xpu.report import NoMatchError, ProfileFormatError
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.timeline import Slice, Track, edges, from_trace, from_tree, nested_lanes


def laid_out(tree: Node) -> list[tuple[str, int, int]]:
    (track,) = from_tree(read_layout([tree, {}], "p").tree)
    return [(item.name, item.start, item.end) for item in track.slices]


def test_frames_are_as_long_as_their_times_and_children_follow_each_other() -> None:
    tree = root(node("a", kernel("k", 5), kernel("m", 7)), node("idle"), kernel("n", 1))

    assert laid_out(tree) == [
        ("ROOT", 0, 13),
        ("a", 0, 12),
        ("k", 0, 5),
        ("m", 5, 12),
        ("idle", 12, 12),
        ("n", 12, 13),
    ]


def test_tree_without_times_is_refused() -> None:
    with pytest.raises(NoMatchError, match="has no times"):
        laid_out(node("ROOT"))


def complete(name: str, ts: float, dur: float, tid: int = 0, pid: int = 0) -> dict[str, object]:
    return {"ph": "X", "name": name, "cat": "c", "ts": ts, "dur": dur, "pid": pid, "tid": tid}


def thread_name(tid: int, name: str, pid: int = 0) -> dict[str, object]:
    about = {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid}
    return {**about, "args": {"name": name}}


def test_lanes_of_a_trace_are_named_and_absolute() -> None:
    content = {
        "baseTimeNanoseconds": 10**18,
        "traceEvents": [
            thread_name(1, "CPU"),
            complete("inner", 2.5, 1, 1),
            complete("outer", 0.25, 8, 1),
            {"ph": "s", "name": "flow", "ts": 0},
            complete("k", 1, 1, 2),
        ],
    }

    assert from_trace(content, "t") == [
        Track(
            "CPU",
            [
                Slice("outer", 10**18 + 250, 10**18 + 8250, "c"),
                Slice("inner", 10**18 + 2500, 10**18 + 3500, "c"),
            ],
        ),
        Track("lane 2", [Slice("k", 10**18 + 1000, 10**18 + 2000, "c")]),
    ]


def test_several_processes_are_told_apart() -> None:
    process = {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "rank 7"}}
    events = [process, complete("a", 0, 1, pid=7), complete("b", 0, 1, pid=8)]

    assert [track.name for track in from_trace({"traceEvents": events}, "t")] == [
        "rank 7: lane 0",
        "8: lane 0",
    ]


def test_overlapping_slices_move_to_another_track() -> None:
    events = [complete("a", 0, 10), complete("b", 5, 10), complete("c", 10, 1)]

    tracks = from_trace({"traceEvents": events}, "t")

    assert {track.name: [item.name for item in track.slices] for track in tracks} == {
        "lane 0": ["a", "c"],
        "lane 0 (overlap 1)": ["b"],
    }


@pytest.mark.parametrize(
    "broken",
    [3, {"ph": "X", "name": "k"}, complete("k", 0, 1) | {"ts": "now"}, {"name": "thread_name"}],
)
def test_broken_event_is_named(broken: object) -> None:
    with pytest.raises(ProfileFormatError, match=r"^t: trace event 1 lacks"):
        from_trace({"traceEvents": [complete("a", 0, 1), broken]}, "t")


def slices() -> st.SearchStrategy[list[Slice]]:
    stretch = st.tuples(st.integers(0, 30), st.integers(0, 10))
    return st.lists(stretch.map(lambda t: Slice("s", t[0], t[0] + t[1])), max_size=25)


@given(slices())
def test_slices_of_one_lane_are_disjoint_or_nested_and_none_is_lost(items: list[Slice]) -> None:
    lanes = nested_lanes(items)

    assert sorted(item for lane in lanes for item in lane) == sorted(items)
    for lane in lanes:
        for place, first in enumerate(lane):
            for second in lane[place + 1 :]:
                assert first.end <= second.start or second.end <= first.end


@given(slices())
def test_edges_open_and_close_every_slice_in_order_of_time(items: list[Slice]) -> None:
    for lane in nested_lanes(items):
        stack: list[Slice] = []
        times: list[int] = []
        for time, item in edges(Track("t", lane)):
            times.append(time)
            if item is None:
                assert stack.pop().end == time
            else:
                stack.append(item)
        assert stack == []
        assert times == sorted(times)


@given(trees())
def test_children_lie_within_their_parents(tree: Node) -> None:
    flat = read_layout([root(tree), {}], "p").tree
    (track,) = from_tree(flat)

    for index, parent in enumerate(flat.parents):
        item = track.slices[index]
        if parent >= 0:
            assert track.slices[parent].start <= item.start
            assert item.end <= track.slices[parent].end
