"""The real viewer of upstream's Triton on files in the form that proton_xpu writes."""

import re
from pathlib import Path

import pytest
from support.children import run_code
from support.profiles import ProfileWriter, kernel, node, root
from support.upstream_triton import upstream_triton_folder

from proton_xpu.cli.view import main


def upstream(path: Path, *options: str) -> list[str]:
    program = "from triton.profiler.viewer import main; main()"
    return run_code(program, *options, path, path=[upstream_triton_folder()]).splitlines()


@pytest.fixture
def profile(write: ProfileWriter) -> Path:
    step = node("step", kernel("gemm", 9000, 3, flops16=6e9, bytes=3000), kernel("add", 1000))
    told = {"accounting": {"launches": 5, "kernels": 5, "lost": 0}, "version": "0.1.0"}
    return write.file({**root(step, kernel("copy", 500), node("idle")), "proton_xpu": told})


def numbers(line: str) -> list[float]:
    return [float(text) for text in re.findall(r"-?\d+\.?\d*(?:e[+-]\d+)?", line)]


def test_upstream_shows_the_tree(profile: Path) -> None:
    assert upstream(profile, "-m", "time/ns,count,time/%")[:5] == [
        "10500.000 5.000 100.000 ROOT",
        "├─ 500.000 1.000 4.762 copy",
        "└─ 10000.000 4.000 95.238 step",
        "   ├─ 1000.000 1.000 9.524 add",
        "   └─ 9000.000 3.000 85.714 gemm",
    ]


def test_upstream_lists_the_metrics(profile: Path) -> None:
    lines = upstream(profile, "--list")

    assert {"- count", "- time", "- flops16", "- bytes"} <= set(lines)


@pytest.mark.parametrize(
    "options",
    [
        ["-m", "time/us,count,avg_time/us,time/%"],
        ["-m", "time/us", "-d", "2"],
        ["-m", "time/us", "-i", "step"],
        ["-m", "time/us", "-e", "gemm"],
        ["-m", "time/us", "-t", "1"],
    ],
)
def test_both_viewers_show_the_same_values(
    profile: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    theirs = [line for line in upstream(profile, *options) if line]
    assert main([*options, str(profile)]) == 0
    ours = capsys.readouterr().out.splitlines()[1:]

    assert {line.split()[-1]: numbers(line) for line in ours} == {
        line.split()[-1]: numbers(line) for line in theirs
    }


def test_both_viewers_sort_alike(profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["-m", "time/us", "--print-sorted"]
    theirs = upstream(profile, *options)
    assert main([*options, str(profile)]) == 0
    ours = capsys.readouterr().out.splitlines()

    start = "Sorted kernels by metric time/us (inc)"
    assert ours[ours.index(start) :] == theirs[theirs.index(start) :]
