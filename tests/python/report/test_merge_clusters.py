import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest
from support.children import python_environment
from support.profiles import ProfileWriter, kernel, node, root

from proton_xpu.report import NoMatchError, ProfileFormatError
from proton_xpu.report.merge import merge_files
from proton_xpu.report.merge_clusters import merge_on_dask

_PATIENCE_S = 120


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.Client(
        processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as made:
        yield made


def ranks(write: ProfileWriter, count: int) -> list[Path]:
    return [
        write.file(
            root(node("step", kernel("k", 1000 * (rank + 1))), kernel(f"only {rank % 3}", 5)),
            name=f"rank{rank}.hatchet",
        )
        for rank in range(count)
    ]


@pytest.mark.parametrize("count", [1, 5, 150])
def test_dask_gives_the_same_result(write: ProfileWriter, client: Any, count: int) -> None:
    paths = ranks(write, count)

    assert merge_on_dask(paths, client).profile.to_json() == merge_files(paths).profile.to_json()


def test_dask_raises_what_loading_raises(write: ProfileWriter, client: Any) -> None:
    with pytest.raises(ProfileFormatError, match="the file is empty"):
        merge_on_dask([*ranks(write, 2), write.text("", "empty")], client)
    with pytest.raises(NoMatchError):
        merge_on_dask([], client)


def run_mpi(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`proton-xpu merge --mpi` in three processes."""
    mpiexec = Path(sys.executable).with_name("mpiexec")
    program = "import sys; from proton_xpu.cli.merge import main; sys.exit(main(sys.argv[1:]))"
    found = str(mpiexec) if mpiexec.exists() else shutil.which("mpiexec")
    assert found, "install an MPI, such as the package mpich"
    return subprocess.run(
        [found, "-n", "3", sys.executable, "-c", program, "--mpi", *map(str, arguments)],
        env=python_environment(sys.path),
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("count", [2, 7])
def test_mpi_gives_the_same_result(write: ProfileWriter, count: int) -> None:
    paths = ranks(write, count)
    output = write.folder / "merged.hatchet"

    done = run_mpi(*paths, "-o", output)

    assert done.returncode == 0, done.stderr
    assert json.loads(output.read_text()) == json.loads(merge_files(paths).profile.to_json())


def test_mpi_ends_when_a_file_is_broken(write: ProfileWriter) -> None:
    done = run_mpi(*ranks(write, 2), write.text("[", "broken"))

    assert done.returncode != 0
    assert "broken: line 1" in done.stderr
