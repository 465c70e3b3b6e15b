import subprocess
from pathlib import Path

import fsspec
import pytest
from support.simulated_launches import simulated_result

from proton_xpu.report.regress.baselines import Baselines, open_baselines
from proton_xpu.report.regress.errors import BaselineError


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "code.py").write_text("pass\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "code")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(params=["folder", "git:perf", "git:perf:deep/down", "git:refs/perf/x", "memory"])
def baselines(request: pytest.FixtureRequest, repository: Path, tmp_path: Path) -> Baselines:
    assert repository.exists()
    places = {"folder": str(tmp_path / "a" / "b"), "memory": f"memory://{tmp_path.name}/perf"}
    return open_baselines(places.get(request.param, request.param), "kernels on main")


def test_a_place_that_does_not_exist_yet_is_empty(baselines: Baselines) -> None:
    assert baselines.files() == []


def test_results_come_back_in_the_order_in_which_they_were_stored(baselines: Baselines) -> None:
    results = [simulated_result([[float(time)]]) for time in range(1000, 1012)]
    added = [baselines.add(result, "because") for result in results]
    assert baselines.files() == added
    assert [baselines.load(file) for file in added] == results
    assert added[0].startswith("kernels-on-main--000001-20260101T000000-unversioned")


def test_names_do_not_mix(baselines: Baselines) -> None:
    baselines.add(simulated_result([[1.0]]), "because")
    assert Baselines(baselines.store, "kernels").files() == []


def test_a_file_that_is_not_there_is_an_error(baselines: Baselines) -> None:
    with pytest.raises(BaselineError):
        baselines.load("kernels-on-main--000009-x.json")


def test_git_keeps_the_work_tree_and_says_why(repository: Path) -> None:
    baselines = open_baselines("git:perf", "kernels")
    baselines.add(simulated_result([[1.0]]), "First result")
    baselines.add(simulated_result([[2.0]]), "Passed the gate")
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "branch", "--show-current").strip() == "main"
    assert git(repository, "log", "--format=%s", "perf").split("\n")[:2] == [
        "Passed the gate",
        "First result",
    ]
    assert git(repository, "ls-tree", "-r", "--name-only", "perf").split() == baselines.files()


def test_git_reads_a_branch_that_only_the_remote_has(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_baselines("git:perf", "kernels").add(simulated_result([[1.0]]), "First result")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository), str(clone))
    monkeypatch.chdir(clone)
    baselines = open_baselines("git:perf", "kernels")
    assert len(baselines.files()) == 1
    baselines.add(simulated_result([[2.0]]), "Passed the gate")
    assert git(clone, "rev-parse", "perf~1") == git(clone, "rev-parse", "origin/perf")


def test_git_outside_a_repository_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(BaselineError, match="git rev-parse failed"):
        open_baselines("git:perf", "kernels")


@pytest.mark.parametrize("place", ["git:", "git:-x", "nosuchscheme://a/b"])
def test_what_is_no_place(place: str, repository: Path) -> None:
    assert repository.exists()
    with pytest.raises(BaselineError):
        open_baselines(place, "kernels")


def test_a_name_without_letters_is_no_name(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="is no name for baselines"):
        open_baselines(str(tmp_path), "///").files()


def test_what_another_job_added_is_seen() -> None:
    baselines = open_baselines("memory://shared/perf", "kernels")
    assert baselines.files() == []
    fsspec.filesystem("memory").pipe_file("/shared/perf/kernels--000001-x.json", b"{}")
    assert baselines.files() == ["kernels--000001-x.json"]
