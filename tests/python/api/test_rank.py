"""A rank in the file's name where there are several processes, and only there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.children import python_environment
from support.trees import file_names

import proton_xpu as proton
from proton_xpu.rank import rank, with_rank

VARIABLES = (
    "RANK",
    "WORLD_SIZE",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "PMI_RANK",
    "PMI_SIZE",
    "PMIX_RANK",
    "SLURM_PROCID",
    "SLURM_NTASKS",
    "SLURM_STEP_NUM_TASKS",
)


def tell(patch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    for variable in VARIABLES:
        patch.delenv(variable, raising=False)
    for variable, value in told.items():
        patch.setenv(variable, value)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, None),
        ({"RANK": "3", "WORLD_SIZE": "4"}, 3),
        ({"RANK": "0", "WORLD_SIZE": "4"}, 0),
        ({"RANK": "0", "WORLD_SIZE": "1"}, None),
        ({"RANK": "3"}, None),
        ({"RANK": "three", "WORLD_SIZE": "4"}, None),
        ({"RANK": "", "WORLD_SIZE": "4"}, None),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, 1),
        ({"PMI_RANK": "5", "PMI_SIZE": "8"}, 5),
        ({"PMIX_RANK": "2", "SLURM_STEP_NUM_TASKS": "3"}, 2),
        ({"PMIX_RANK": "2", "SLURM_NTASKS": "3"}, 2),
        ({"SLURM_PROCID": "6", "SLURM_STEP_NUM_TASKS": "7", "SLURM_NTASKS": "7"}, 6),
        # A batch script before its first step: room for seven, but one process.
        ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "7"}, None),
        # One MPI process on each node that starts the node's workers.
        ({"RANK": "9", "WORLD_SIZE": "16", "PMI_RANK": "1", "PMI_SIZE": "2"}, 9),
    ],
)
def test_rank_of_each_launcher(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str], expected: int | None
) -> None:
    tell(monkeypatch, told)

    assert rank() == expected
    assert with_rank("a/run") == ("a/run" if expected is None else f"a/run.rank_{expected}")


@pytest.mark.parametrize("name", ["-", ""])
def test_standard_output_has_no_rank(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    tell(monkeypatch, {"RANK": "3", "WORLD_SIZE": "4"})

    assert with_rank(name) == name


def test_session_writes_the_file_of_its_rank(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tell(monkeypatch, {"RANK": "3", "WORLD_SIZE": "4"})

    first = proton.start(tmp_path / "run")
    assert proton.start(tmp_path / "run") == first
    proton.finalize()

    assert file_names(tmp_path) == ["run.rank_3.hatchet"]


def test_mpi_tells_each_process_its_rank() -> None:
    beside = Path(sys.executable).with_name("mpiexec")
    mpiexec = str(beside) if beside.exists() else shutil.which("mpiexec")
    assert mpiexec, "install an MPI, such as the package mpich"
    code = "from proton_xpu.rank import with_rank; print(with_rank('run') + '\\n', end='')"

    done = subprocess.run(
        [mpiexec, "-n", "3", sys.executable, "-c", code],
        env=python_environment(variables=dict.fromkeys(VARIABLES)),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert sorted(done.stdout.split()) == ["run.rank_0", "run.rank_1", "run.rank_2"]
