"""Recording, with a small program in place of one that launches kernels."""

import subprocess
import sys
from pathlib import Path

import pytest

from proton_xpu.report.regress.errors import RecordingError
from proton_xpu.report.regress.recording import (
    Plan,
    abba,
    checked_out,
    command_line,
    from_profiles,
    record,
    record_interleaved,
)

PROGRAM = """
import json, os, sys
from pathlib import Path

profile, log, word, time = sys.argv[1:]
with open(log, "a") as file:
    file.write(word)
if word == "x":
    sys.exit("boom")
metrics = {"count": 2, "time (ns)": 2 * int(time), "device_id": "0", "device_type": "XPU"}
kernel = {"children": [], "frame": {"name": "k", "type": "function"}, "metrics": metrics}
children = [] if word == "e" else [kernel]
root = {"children": children, "frame": {"name": "ROOT", "type": "function"}, "metrics": {}}
devices = {"XPU": {"0": {"arch": "pvc"}}}
if word != "n":
    Path(profile + ".hatchet").write_text("{" if word == "b" else json.dumps([root, devices]))
assert os.environ["PROTON_XPU_REGRESS_PROFILE"] == profile
"""


class Programs:
    """Commands that note in a log that they ran."""

    def __init__(self, folder: Path) -> None:
        self.script = folder / "program.py"
        self.script.write_text(PROGRAM)
        self.log = folder / "log"
        self.said: list[str] = []

    def plan(self, word: str, time: int = 100, runs: int = 3, warmup: int = 0) -> Plan:
        command = [sys.executable, str(self.script), "{profile}", str(self.log), word, str(time)]
        return Plan(command, runs, warmup, label=word)

    @property
    def order(self) -> str:
        return self.log.read_text()


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


def test_both_sides_take_turns() -> None:
    assert abba(2, 4) == [0, 1, 1, 0, 0, 1, 1, 0]
    assert abba(1, 2) == [0, 0]


def test_each_launch_is_a_column(programs: Programs) -> None:
    result = record(programs.plan("a", warmup=2), programs.said.append)
    assert programs.order == "aaaaa"
    assert result.kernels == {("k",): {"count": [2.0] * 3, "time": [100.0] * 3}}
    assert [launch.status for launch in result.launches] == ["ok"] * 3
    assert result.environment.devices == {"XPU 0": {"arch": "pvc"}}
    assert programs.said == [
        "warm-up 1 of 2 a",
        "warm-up 2 of 2 a",
        "launch 1 of 3 a",
        "launch 2 of 3 a",
        "launch 3 of 3 a",
    ]


def test_interleaved_sides_share_a_session(programs: Programs) -> None:
    base, new = record_interleaved(
        programs.plan("a", warmup=1), programs.plan("b2", 110, warmup=1), programs.said.append
    )
    assert programs.order == "ab2" + "ab2" + "b2a" + "ab2"
    assert base.session == new.session != ""
    assert [launch.position for launch in base.launches] == [0, 3, 4]
    assert [launch.position for launch in new.launches] == [1, 2, 5]
    assert new.kernels[("k",)]["time"] == [110.0] * 3


@pytest.mark.parametrize(
    ("word", "status", "detail"),
    [
        ("x", "failed", "exit code 1: boom"),
        ("b", "failed", "not valid JSON"),
        ("e", "empty", "the profile holds no kernel"),
        ("n", "empty", "the profile holds no kernel"),
    ],
)
def test_launches_that_measure_nothing_say_so(
    programs: Programs, word: str, status: str, detail: str
) -> None:
    result = record(programs.plan(word, runs=1), programs.said.append)
    (launch,) = result.launches
    assert launch.status == status
    assert detail in launch.detail
    assert result.kernels == {}


def test_a_program_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(RecordingError, match="no-such-program could not be started: No such file"):
        record(Plan(["no-such-program", "{profile}"], 1, 0), print)


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (["bench.py", "--size", "3"], ["bench.py", "--size", "3"]),
        (["python3", "bench.py"], ["bench.py"]),
        (["/usr/bin/python", "-m", "bench"], ["-m", "bench"]),
        (["pytest", "-q"], ["pytest", "-q"]),
    ],
)
def test_other_commands_run_under_the_profiler(command: list[str], target: list[str]) -> None:
    profiler = [sys.executable, "-m", "proton_xpu.proton", "-n", "/x/profile", "-d", "trace"]
    assert command_line(command, Path("/x/profile"), "trace") == [
        *profiler,
        "-k",
        "triton",
        *target,
    ]


def test_existing_profiles_are_launches(programs: Programs, tmp_path: Path) -> None:
    for number in range(3):
        plan = programs.plan("a", 100 + number)
        command = command_line(plan.command, tmp_path / f"p{number}", "tree")
        environment = {"PROTON_XPU_REGRESS_PROFILE": str(tmp_path / f"p{number}")}
        subprocess.run(command, check=True, env=environment)
    result = from_profiles([tmp_path / f"p{number}.hatchet" for number in range(3)], "old")
    assert result.kernels[("k",)]["time"] == [100.0, 101.0, 102.0]
    assert (result.label, result.session) == ("old", "")


def test_a_profile_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        from_profiles([tmp_path / "p.hatchet"])


def test_another_revision_is_checked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    for text in ("old", "new"):
        (tmp_path / "file").write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", text], check=True)
    with checked_out("HEAD~1") as folder:
        assert (folder / "file").read_text() == "old"
    assert not folder.exists()
    assert (tmp_path / "file").read_text() == "new"
    with (
        pytest.raises(RecordingError, match="`git worktree add` failed"),
        checked_out("no-such-revision"),
    ):
        pass
