import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.profiles import ProfileWriter, kernel, node, root

from proton_xpu.cli.view import main


def shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    assert main([str(argument) for argument in arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_default_metrics(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, write.steps()) == [
        "time/ms  count  avg_time/us   time/%  frame",
        "  0.010      5        2.100  100.000  ROOT",
        "  0.010      4        2.500   95.238  ├─ step",
        "  0.009      3        3.000   85.714  │  ├─ gemm",
        "  0.001      1        1.000    9.524  │  └─ add",
        "  0.001      1        0.500    4.762  └─ copy",
    ]


def names(lines: list[str]) -> list[str]:
    return [line.split()[-1] for line in lines[1:]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-d", "2"], ["ROOT", "step", "copy"]),
        (["-i", "add"], ["ROOT", "step", "add"]),
        (["-e", "step"], ["ROOT", "copy"]),
        (["-i", "step", "-e", "add"], ["ROOT", "step", "gemm"]),
        (["-t", "1"], ["ROOT", "step", "gemm", "add"]),
        (["-t", "9.5"], ["ROOT", "step"]),
        (["--sort", "name"], ["ROOT", "copy", "step", "add", "gemm"]),
        (["--sort", "avg_time/ns"], ["ROOT", "step", "gemm", "add", "copy"]),
        (["--sort", "bytes"], ["ROOT", "step", "gemm", "add", "copy"]),
        (["--hot-path"], ["ROOT", "step", "gemm"]),
        (["--top", "2"], ["gemm", "add"]),
        (["--top", "9", "-e", "gemm"], ["add", "copy"]),
    ],
)
def test_choosing_frames(
    write: ProfileWriter,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    expected: list[str],
) -> None:
    assert names(shown(capsys, "-m", "time/us", *options, write.steps())) == expected


def test_values_stay_those_of_the_whole_profile_after_a_filter(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, "-m", "time/us,time/%", "-e", "gemm", write.steps())

    assert lines[2].split() == ["10.000", "95.238", "├─", "step"]


def test_top_adds_up_equal_names(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    tree = root(node("a", kernel("k", 5)), node("b", kernel("k", 6), kernel("m", 10)))

    lines = shown(capsys, "-m", "time/ns,count,time/%", "--top", "2", write.file(tree))

    assert [line.split() for line in lines[1:]] == [
        ["11", "2", "52.381", "k"],
        ["10", "1", "47.619", "m"],
    ]


def test_list(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "--list", write.steps())

    parts = [index for index, line in enumerate(lines) if not line.startswith("- ")]
    assert [lines[index] for index in parts] == [
        "Available inclusive metrics:",
        "Available exclusive metrics:",
        "Derived metrics:",
    ]
    assert lines[1 : parts[1]] == ["- count", "- time", "- flops16", "- bytes"]
    assert lines[parts[1] + 1 : parts[2]] == ["- name", "- device_id", "- device_type"]
    assert "- tflop16/s" in lines[parts[2] :]


def test_print_sorted_skips_the_root(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, "-m", "time/us", "--print-sorted", write.steps())

    after = lines[lines.index("Sorted kernels by metric time/us (inc)") + 1 :]
    assert [line.split() for line in after] == [
        ["step", "10.0"],
        ["gemm", "9.0"],
        ["add", "1.0"],
        ["copy", "0.5"],
    ]
    assert after[0].index("10") == 106


def test_format(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    profile = write.file(root(node("/a/b.py:3@f", kernel("k", 1))))

    assert names(shown(capsys, "-m", "count", "-f", "file_function", profile)) == [
        "ROOT",
        "b.py@f",
        "k",
    ]


def test_difference_is_the_profile_minus_the_other(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    after = write.file(root(node("s", kernel("k", 7, 2), kernel("fresh", 1))), name="after")
    before = write.file(root(node("s", kernel("k", 5), kernel("old", 4))), name="before")

    lines = shown(capsys, "-m", "time/ns,count,avg_time/ns", "-diff", before, after)

    assert [line.split() for line in lines[1:]] == [
        ["-1", "1", "-1.833", "ROOT"],
        ["-1", "1", "-1.833", "└─", "s"],
        ["2", "1", "-1.500", "├─", "k"],
        ["1", "1", "-", "├─", "fresh", "[new]"],
        ["-4", "-1", "-", "└─", "old", "[gone]"],
    ]


def test_difference_can_be_sorted_by_any_metric(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    after = write.file(root(kernel("a", 9, 1), kernel("b", 5, 7)), name="after")
    before = write.file(root(kernel("a", 1, 1), kernel("b", 5, 1)), name="before")

    lines = shown(capsys, "-m", "time/ns", "-diff", before, "--sort", "count", after)

    assert names(lines) == ["ROOT", "b", "a"]


def test_json(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads("\n".join(shown(capsys, "-m", "time/us,util", "--json", write.steps())))

    assert content["metrics"] == [
        {"name": "time/us", "inclusive": True},
        {"name": "util", "inclusive": False},
    ]
    frames = content["frames"]
    assert [(f["id"], f["parent"], f["depth"], f["name"]) for f in frames] == [
        (0, None, 0, "ROOT"),
        (1, 0, 1, "step"),
        (2, 1, 2, "gemm"),
        (3, 1, 2, "add"),
        (4, 0, 1, "copy"),
    ]
    assert frames[1]["values"] == [10.0, None]


def test_csv(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "-m", "time,util", "--csv", "-d", "2", write.steps())
    assert lines[:3] == [
        "id,parent,depth,name,time (inc),util",
        "0,,0,ROOT,10500,",
        "1,0,1,step,10000,",
    ]


def test_csv_of_hostile_names(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    profile = write.file(root(kernel('a,"b"\n=', 5), kernel("=cmd()", 6)))

    lines = shown(capsys, "-m", "time", "--csv", profile)

    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    assert [row[3] for row in rows[1:]] == ["ROOT", 'a,"b"\\n=', "'=cmd()"]


def test_lost_launches_are_warned_about(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    accounting = {"launches": 10, "kernels": 6, "lost": 2, "untimed": 1, "pending": 1}
    profile = write.file({**root(kernel("k", 1)), "proton_xpu": {"accounting": accounting}})

    assert main([str(profile)]) == 0

    start = f"proton-xpu-viewer: warning: {profile}:"
    assert capsys.readouterr().err.splitlines() == [
        f"{start} 2 of 10 launches are missing in this profile",
        f"{start} 1 of 10 launches have no valid time",
        f"{start} 1 of 10 launches were not over when this profile was written",
    ]


def test_profile_without_kernels_is_an_empty_table_with_a_note(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-m", "time/ms", str(write.file(node("ROOT"), {}))]) == 0

    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["time/ms  frame", "      -  ROOT"]
    assert "the profile holds no metrics: no kernel was recorded" in captured.err


def test_unknown_peak_is_noted_and_other_metrics_are_shown(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = root(kernel("k", 1000, flops16=5.0))

    assert main(["-m", "time/us,util", str(write.file(tree, {"XPU": {"0": {"arch": "new"}}}))]) == 0

    captured = capsys.readouterr()
    assert captured.out.splitlines()[1:] == [
        "  1.000           -  ROOT",
        "  1.000           -  └─ k",
    ]
    assert "the peak rate for flops16 of device XPU 0 (new) is not known" in captured.err


def test_frames_below_the_default_depth_are_noted(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = kernel("k", 1)
    for level in range(120):
        tree = node(f"s{level}", tree)

    assert main(["-m", "time", str(write.file(root(tree)))]) == 0

    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 101
    assert "22 frames deeper than 100 levels are not shown" in captured.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "nope"], "Metric nope is not found. Use the --list flag"),
        (["-m", "time/h"], "Unsupported unit h in time/h"),
        (["-i", "zzz"], "no frame is left after include 'zzz'"),
        (["-e", "("], "'(' is not a regular expression"),
        (["-t", "1e9"], "no frame has time/ms of 1e+09 or more"),
        (["--sort", "nope"], "Metric nope is not found"),
        (["-m", "util", "--hot-path"], "the root has no util, so there is no path to follow"),
    ],
)
def test_mistakes_end_with_one_line_and_code_2(
    write: ProfileWriter,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    message: str,
) -> None:
    error = refused(capsys, *options, write.steps())

    assert error.startswith(f"proton-xpu-viewer: error: {message}")
    assert len(error.splitlines()) == 1


def test_missing_empty_and_broken_files(
    write: ProfileWriter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no such file" in refused(capsys, tmp_path / "none")
    assert "the file is empty" in refused(capsys, write.text(""))
    assert "line 1, column 2" in refused(capsys, write.text("[oops"))
    assert "this is a folder" in refused(capsys, tmp_path)


def test_hostile_file_name_is_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, tmp_path / "a\x1b[2J\nb")

    assert "a\\x1b[2J\\nb: there is no such file" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--no-such-option"], "unrecognized arguments"),
        (["-d", "0"], "0 is not above zero"),
        (["--top", "-1"], "-1 is not above zero"),
        (["--top", "1", "--sort", "name"], "--top sorts by the first metric"),
        (["--json", "--csv"], "not allowed with argument"),
    ],
)
def test_wrong_options_end_with_code_2(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*options, "profile"])

    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_name_can_be_written_in_any_encoding(write: ProfileWriter, encoding: str) -> None:
    hostile = "</script>\"'\n\x1b[2J\ud800\U0001f4a5" + "x" * 10_000
    profile = write.file(root(kernel(hostile, 5)))

    done = subprocess.run(
        [sys.executable, "-m", "proton_xpu.cli.view", str(profile)],
        capture_output=True,
        env={"PYTHONIOENCODING": encoding, "PYTHONPATH": ":".join(sys.path)},
        check=True,
    )

    lines = done.stdout.decode(encoding).splitlines()
    assert len(lines) == 3
    assert "\x1b" not in lines[2]
    assert lines[2].endswith("x" * 10_000)


def test_closed_pipe_ends_quietly(write: ProfileWriter) -> None:
    profile = write.file(root(*(kernel(f"kernel_{i}", 5) for i in range(20_000))))
    command = f"{sys.executable} -m proton_xpu.cli.view {profile} | head -1"

    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"},
        check=True,
    )

    assert done.stderr == ""
    assert done.stdout.split()[:2] == ["time/ms", "count"]
