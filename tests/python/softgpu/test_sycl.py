"""SYCL programs on the software device, through both adapters of the Unified Runtime."""

import itertools
import json
import subprocess
from typing import Any

import pytest
from support.children import REPOSITORY, run_python

_TESTS = REPOSITORY / "tests" / "python"


@pytest.fixture(scope="module", params=["v1", "v2"])
def process(request: pytest.FixtureRequest) -> subprocess.CompletedProcess[str]:
    return run_python(
        ["-m", "softgpu.sycl_scenarios"],
        path=[_TESTS, REPOSITORY],
        variables={"UR_LOADER_USE_LEVEL_ZERO_V2": "1" if request.param == "v2" else "0"},
    )


@pytest.fixture(scope="module")
def happened(process: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert process.stdout, process.stderr
    facts: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return facts


def test_every_kind_of_queue_computes_in_the_order_of_events(happened: dict[str, Any]) -> None:
    assert happened["queues"] == {
        "plain": True,
        "in_order": True,
        "enable_profiling": True,
        "in_order+enable_profiling": True,
    }


def test_profiling_stamps_are_ordered(happened: dict[str, Any]) -> None:
    stamps = happened["profiling"]
    for submit, start, end in stamps:
        assert 0 < submit <= start <= end
    for (_, _, end), (_, start, _) in itertools.pairwise(stamps):
        assert end <= start


def test_submit_returns_early_and_dependents_on_other_queues_wait(happened: dict[str, Any]) -> None:
    assert happened["waiting"] == {
        "complete before": [False, False, False],
        "complete after": [True, True, True],
        "values": [0, 2],
    }


def test_kernels_copies_and_fills_see_every_kind_of_memory(happened: dict[str, Any]) -> None:
    assert happened["memories"] == {
        "kinds": ["host", "shared", "device"],
        "sums": True,
        "filled": True,
        "copied": True,
    }


def test_threads_share_kernels_and_queues(happened: dict[str, Any]) -> None:
    sums = [100, 200, 300, 400, 500, 600]
    assert happened["threads"] == {"own": sums, "shared": sums}


def test_memory_freed_early_stays_until_kernels_are_done(happened: dict[str, Any]) -> None:
    assert happened["temporaries"] == 50


def test_exit_with_work_in_flight_is_clean(process: subprocess.CompletedProcess[str]) -> None:
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
