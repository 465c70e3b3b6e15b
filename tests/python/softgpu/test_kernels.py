"""Triton kernels on the software device give the numbers that numpy gives.

By default each kernel runs with a few of all combinations of options; PROTON_XPU_TEST_FULL_MATRIX=1
runs all.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from support.children import run_python

from softgpu import matrix
from softgpu.kernels.worker import Run

_PROCESSES_AT_ONCE = 2

Planned = tuple[matrix.Configuration, Run]


def _name(planned: Planned) -> str:
    configuration, run = planned
    return f"{run.case}-{run.sub_group}x{run.warps}-{configuration}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "planned" in metafunc.fixturenames:
        plan = matrix.chosen(matrix.all_cases())
        metafunc.parametrize("planned", plan, ids=map(_name, plan))


@pytest.fixture(scope="module")
def errors(request: pytest.FixtureRequest) -> dict[Planned, str]:
    """The outcome of each run that this session has selected, process by process."""
    by_process: dict[matrix.Configuration, list[Run]] = {}
    for item in request.session.items:
        planned = getattr(item, "callspec", None) and item.callspec.params.get("planned")
        if planned:
            by_process.setdefault(planned[0], []).append(planned[1])
    with ThreadPoolExecutor(_PROCESSES_AT_ONCE) as pool:
        outcomes = pool.map(matrix.run_process, by_process, by_process.values())
        return {
            (configuration, run): error
            for configuration, outcome in zip(by_process, outcomes, strict=True)
            for run, error in outcome.items()
        }


def test_kernel_computes_what_numpy_does(planned: Planned, errors: dict[Planned, str]) -> None:
    assert not errors[planned], errors[planned]


def test_each_value_of_each_option_is_tried_by_default() -> None:
    cases = [matrix.CaseFacts(f"case{i}", i % 4 == 0, (16, 32)) for i in range(16)]
    plan = list(matrix.covering(cases))
    assert {run.case for _, run in plan} == {case.name for case in cases}
    options = [
        (configuration.adapter, configuration.features, run.sub_group, run.warps)
        for configuration, run in plan
    ]
    for first in range(4):
        for second in range(first + 1, 4):
            seen = {(row[first], row[second]) for row in options}
            possible = len({row[first] for row in options}) * len({row[second] for row in options})
            assert len(seen) == possible, (first, second)
    for case in (case for case in cases if case.matrix):
        flags = {configuration.features for configuration, run in plan if run.case == case.name}
        assert flags == {True, False}


def test_failing_assertion_ends_the_process_with_its_message() -> None:
    code = (
        "from proton_xpu import softgpu\n"
        "softgpu.activate()\n"
        "from proton_xpu.softgpu import triton_driver\n"
        "triton_driver.install()\n"
        "from softgpu.kernels.diagnostics import run_assertion\n"
        "run_assertion(-1.0, {})\n"
    )
    tests = matrix.__file__.rsplit("/softgpu/", 1)[0]
    done = run_python(["-c", code], path=[tests, tests.rsplit("/tests/", 1)[0]])
    assert done.returncode != 0
    assert "x is positive" in done.stdout + done.stderr
