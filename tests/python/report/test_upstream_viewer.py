"""The real viewer of upstream's Triton on files that proton_xpu writes."""

import re
from pathlib import Path

import pytest
from support.children import run_code, run_python
from support.profiles import ProfileWriter, kernel, node, root
from support.upstream_triton import upstream_triton_folder

from proton_xpu.cli.view import main
from proton_xpu.report import Profile


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


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a session on the software device wrote; each kernel took 1,000 ns."""
    output = tmp_path_factory.mktemp("recorded") / "p"
    program = Path(__file__).with_name("recorded_profile.py")
    done = run_python([program, output], path=[program.parents[1]])
    assert done.returncode == 0, done.stderr
    return output.with_suffix(".hatchet")


def test_upstream_opens_a_recorded_profile(recorded: Path) -> None:
    assert upstream(recorded, "-m", "time/ns,count")[:6] == [
        "4000.000 4.000 ROOT",
        "└─ 4000.000 4.000 step",
        "   ├─ 2000.000 2.000 add_kernel",
        "   ├─ 1000.000 1.000 inner",
        "   │  └─ 1000.000 1.000 mul_kernel",
        "   └─ 1000.000 1.000 meta_256",
    ]


def test_our_viewer_opens_a_recorded_profile(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-m", "time/us,count,bytes,tokens", str(recorded)]) == 0

    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines() == [
        "time/us  count  bytes  tokens (exc)  frame",
        "  4.000      4   2048             -  ROOT",
        "  4.000      4   2048             7  └─ step",
        "  1.000      1   2048             -     ├─ meta_256",
        "  2.000      2      -             -     ├─ add_kernel",
        "  1.000      1      -             -     └─ inner",
        "  1.000      1      -             -        └─ mul_kernel",
    ]


def test_a_recorded_profile_tells_devices_and_launches(recorded: Path) -> None:
    profile = Profile.load(recorded)

    assert profile.devices["XPU"]["0"]["arch"] == "pvc"
    assert profile.accounting["launches"] == profile.accounting["kernels"] == 4
    # 512 operations in 1,000 ns of 209.7 Tflop/s; 2,048 bytes of 1,638.4 GB/s take longer.
    assert profile.column("util").values[2] == pytest.approx(2048 / 1638.4e9 / 1000e-9)
