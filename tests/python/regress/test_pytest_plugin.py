"""The pytest plugin, in runs of pytest of their own; kernels run on the software device."""

import json
import os
import sys
from pathlib import Path

import pytest
from support.children import REPOSITORY

from proton_xpu.cli.regress import main
from proton_xpu.report import Profile
from proton_xpu.report.regress.result import Result

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "pytest_proton_xpu", "-p", "no:cacheprovider")

USING = """
import pytest
from support.soft_kernels import soft_kernels

kernels = soft_kernels()


def test_blocks(proton_bench):
    kernels.mul()
    for _ in range(2):
        with proton_bench("first"):
            kernels.add()
        kernels.mul()
    with proton_bench("second", max_regression="7%"):
        kernels.mul()


@pytest.mark.proton(max_regression="5%")
@pytest.mark.parametrize("size", [1, "b/c"])
def test_marked(size):
    kernels.add()


def test_other_name(proton_xpu):
    with proton_xpu("block"):
        kernels.add()


def test_without():
    kernels.add()
"""


@pytest.fixture(autouse=True)
def _paths(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [REPOSITORY, REPOSITORY / "tests" / "python", os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    # pytester has a home of its own, in which each kernel would be compiled anew.
    home = Path.home()
    cache = os.environ.get("XDG_CACHE_HOME", home / ".cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv(
        "TRITON_CACHE_DIR", os.environ.get("TRITON_CACHE_DIR", str(home / ".triton" / "cache"))
    )


def launched(folder: Path) -> dict[str, dict[str, object]]:
    """Number of launches of each kernel by profile, names without their digests."""
    found = {}
    for path in folder.glob("*.hatchet"):
        tree = Profile.load(path).tree
        counts = {name: row["count"] for name, row in zip(tree.names, tree.metrics, strict=True)}
        name = path.name.removesuffix(".hatchet").rsplit("-", 1)[0]
        found[name] = {kernel: count for kernel, count in counts.items() if kernel != "ROOT"}
    return found


EXPECTED = {
    "test_using.py.test_blocks-first": {"add_kernel": 2},
    "test_using.py.test_blocks-second": {"mul_kernel": 1},
    "test_using.py.test_marked-1": {"add_kernel": 1},
    "test_using.py.test_marked-b.c": {"add_kernel": 1},
    "test_using.py.test_other_name-block": {"add_kernel": 1},
}


def test_a_run_that_does_not_use_it_imports_and_writes_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing():
            assert "pytest_proton_xpu" in sys.modules
            assert not [name for name in sys.modules if name.split(".")[0] == "proton_xpu"]
        """
    )
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)
    assert not (pytester.path / ".proton").exists()


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_each_block_and_each_marked_test_has_a_profile(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(test_using=USING)
    result = pytester.runpytest_subprocess(*PLUGIN, *workers, "--strict-markers")
    result.assert_outcomes(passed=5)
    folder = pytester.path / ".proton"
    assert launched(folder) == EXPECTED
    limits = {
        path.name.rsplit("-", 1)[0]: json.loads(path.read_text())["max_regression"]
        for path in folder.glob("*.limits.json")
    }
    assert limits == {
        "test_using.py.test_blocks-second": 0.07,
        "test_using.py.test_marked-1": 0.05,
        "test_using.py.test_marked-b.c": 0.05,
    }


def test_runs_are_recorded_with_the_limits_of_the_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_using=USING)
    monkeypatch.chdir(pytester.path)
    options = ["-n", "2", "--warmup", "0", "-o", "r.json"]
    command = [sys.executable, "-m", "pytest", *PLUGIN, "--proton-output", "{profile}"]
    assert main(["record", *options, "--", *command, "-k", "marked or blocks"]) == 0
    result = Result.load(Path("r.json"))
    assert sorted(result.limits.values()) == [0.05, 0.05, 0.07]
    assert {path[0] for path in result.kernels} >= result.limits.keys()
    assert all(row["time"] == [1000.0] * 2 for row in result.kernels.values())


def test_under_the_profiler_blocks_are_scopes_of_its_session(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_using=USING)
    monkeypatch.chdir(pytester.path)
    options = ["-n", "1", "--warmup", "0", "-o", "r.json"]
    assert main(["record", *options, "--", "pytest", *PLUGIN]) == 0
    result = Result.load(Path("r.json"))
    counts = {
        (path[0].rsplit("-", 1)[0], *path[1:]): row["count"]
        for path, row in result.kernels.items()
        if len(path) > 1
    }
    assert counts == {
        (name, kernel): [float(count)]
        for name, kernels in EXPECTED.items()
        for kernel, count in kernels.items()
    }
    assert sorted(result.limits.values()) == [0.05, 0.05, 0.07]


def test_wrong_marks_are_errors(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.proton("5%")
        def test_positional(): ...

        @pytest.mark.proton(max_regression="5")
        def test_no_share(): ...

        @pytest.mark.proton(limit=3)
        def test_unknown(): ...
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(errors=3)
    text = result.stdout.str()
    assert "the marker proton takes keywords only: proton(max_regression='5%')" in text
    assert "max_regression: '5' is no share" in text
    assert "unexpected keyword argument 'limit'" in text


def test_a_test_that_fails_still_has_its_profile(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_failing="""
        from support.soft_kernels import soft_kernels

        kernels = soft_kernels()

        def test_failing(proton_bench):
            with proton_bench("block"):
                kernels.add()
                raise ValueError("no")
        """
    )
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(failed=1)
    assert launched(pytester.path / ".proton") == {
        "test_failing.py.test_failing-block": {"add_kernel": 1}
    }
