import json

import pytest
from hypothesis import given
from support.profiles import DEVICES, PVC, Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.cli.diff import main
from proton_xpu.report import MetricNotFoundError, Profile
from proton_xpu.report.diff import change_view, compare, device_notes, difference_view
from proton_xpu.report.hatchet_layout import read_layout


def profile(tree: Node, name: str = "p", devices: object = None) -> Profile:
    document = read_layout([tree, DEVICES if devices is None else devices], "p")
    return Profile(document.tree, document.devices, path=name)


def before() -> Profile:
    return profile(root(node("s", kernel("k", 5), kernel("old", 4)), kernel("same", 2)), "before")


def after() -> Profile:
    return profile(root(node("s", kernel("fresh", 1), kernel("k", 15)), kernel("same", 2)), "after")


def test_frames_of_both_and_of_one_side() -> None:
    view = difference_view(after(), before(), ["time/ns"])

    assert list(zip(view.tree.names, view.columns[0].values, view.marks, strict=True)) == [
        ("ROOT", 7, ""),
        ("s", 7, ""),
        ("fresh", 1, "new"),
        ("k", 10, ""),
        ("old", -4, "gone"),
        ("same", 0, ""),
    ]


def test_averages_have_no_difference_to_nothing() -> None:
    view = difference_view(after(), before(), ["avg_time/ns"])

    assert view.columns[0].values[2:5] == [None, 10.0, None]


def test_equal_names_side_by_side_are_told_apart_by_their_order() -> None:
    ours = profile(root(kernel("k", 5), kernel("k", 7), kernel("k", 9)))
    theirs = profile(root(kernel("k", 1), kernel("k", 2)))

    assert difference_view(ours, theirs, ["time/ns"]).columns[0].values == [18, 4, 5, 9]


def test_change_view_shows_both_sides() -> None:
    view = change_view(before(), after(), "time/ns")

    assert [column.name for column in view.columns] == ["before", "after", "change", "change/%"]
    k = view.tree.names.index("k")
    assert [column.values[k] for column in view.columns] == [5, 15, 10, 200.0]
    fresh = view.tree.names.index("fresh")
    assert [column.values[fresh] for column in view.columns] == [None, 1, 1, None]
    assert view.sort().tree.names == ["ROOT", "s", "k", "old", "fresh", "same"]


def test_metric_that_one_side_lacks_is_absent_not_nothing() -> None:
    ours = profile(root(kernel("k", 5, flops16=3.0)), "with work")
    theirs = profile(root(kernel("k", 5)), "without")

    both = compare(ours, theirs, ["time/ns", "flops16"])

    assert both.columns[0][1].values == [5, 5]
    assert both.columns[1][0].values == [3.0, 3.0]
    assert both.columns[1][1].values == [None, None]
    assert difference_view(ours, theirs, ["flops16"]).columns[0].values == [None, None]
    assert "without has no flops16, so it has no difference" in both.notes


def test_metric_that_both_lack_is_refused() -> None:
    with pytest.raises(MetricNotFoundError, match="Metric nope is not found"):
        compare(before(), after(), ["nope"])


def test_differences_of_devices_are_named() -> None:
    ours = profile(root(), "ours", {"XPU": {"0": {**PVC, "num_sms": 56}, "1": PVC}})
    theirs = profile(root(), "theirs")

    assert device_notes(ours, theirs) == [
        "device XPU 0 differs: num_sms 64 -> 56",
        "device XPU 1 is only in ours",
    ]
    assert device_notes(theirs, theirs) == []


@given(trees())
def test_a_profile_does_not_differ_from_itself(tree: Node) -> None:
    itself = profile(root(tree), devices={})

    view = difference_view(itself, itself, ["time", "count"])

    assert all(value in (0, None) for column in view.columns for value in column.values)
    assert set(view.marks) == {""}


@given(trees(), trees())
def test_differences_add_up_at_the_root(a: Node, b: Node) -> None:
    ours, theirs = profile(root(a), devices={}), profile(root(b), devices={})

    change = difference_view(ours, theirs, ["time"]).columns[0].values[0]

    assert change == (ours.column("time").values[0] or 0) - (theirs.column("time").values[0] or 0)


def test_command_shows_largest_changes_first(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    old = write.file(root(kernel("a", 1000), kernel("b", 5000), kernel("c", 7)), name="old")
    new = write.file(root(kernel("a", 9000), kernel("b", 4000), kernel("c", 7)), name="new")

    assert main(["-m", "time/us", str(old), str(new)]) == 0

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["before", "after", "change", "change/%", "frame"],
        ["6.007", "13.007", "7.000", "116.531", "ROOT"],
        ["1.000", "9.000", "8.000", "800.000", "├─", "a"],
        ["5.000", "4.000", "-1.000", "-20.000", "├─", "b"],
        ["0.007", "0.007", "0.000", "0.000", "└─", "c"],
    ]


def test_command_hides_small_changes_and_writes_json(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    old = write.file(root(kernel("a", 1000), kernel("b", 5000)), name="old")
    new = write.file(root(kernel("a", 9000), kernel("b", 4999)), name="new")

    assert main(["-m", "time/us", "-t", "1", "--json", str(old), str(new)]) == 0

    frames = json.loads(capsys.readouterr().out)["frames"]
    assert [frame["name"] for frame in frames] == ["ROOT", "a"]


def test_command_refuses_a_broken_file(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(write.steps()), str(write.text("[", name="broken"))]) == 2
    assert "proton-xpu diff: error:" in capsys.readouterr().err
