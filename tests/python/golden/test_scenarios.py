"""Every scenario gives what upstream Proton 3.9 gives, but for the differences listed here."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.children import run_python

from golden.scenarios import SCENARIOS

Outcome = dict[str, Any]

_RECORDED = Path(__file__).with_name("proton-3.9.json")


class Difference(NamedTuple):
    """Where we differ on purpose: why, and what upstream's outcome becomes."""

    reason: str
    apply: Callable[[Outcome], Outcome]


def _with(**changes: Any) -> Callable[[Outcome], Outcome]:
    return lambda upstream: {**upstream, **changes}


def _with_file(name: str, content: Any) -> Callable[[Outcome], Outcome]:
    return lambda upstream: {**upstream, "files": {**upstream["files"], name: content}}


def _without_file(name: str) -> Callable[[Outcome], Outcome]:
    return lambda upstream: {
        **upstream,
        "files": {file: content for file, content in upstream["files"].items() if file != name},
    }


def _tree(*children: Any) -> Outcome:
    return {"tree": ["ROOT", {"count": 0, "time (ns)": 0}, list(children)], "devices": ["0"]}


def _kernel(name: str) -> list[Any]:
    return [name, {"count": 1, "time (ns)": 1000}, []]


def _refused_path(upstream: Outcome) -> Outcome:
    assert upstream == {"returned": None, "files": {}}
    return {
        "raised": "ValueError",
        "message": "[PROTON] Cannot write a profile to /out/p/no/such/dir/x.hatchet: the directory "
        "/out/p/no/such/dir does not exist. Create it, or choose another name.",
        "files": {},
    }


def _with_launches(upstream: Outcome) -> Outcome:
    """Each kernel of a trace with a slice for its launch and a flow from there."""
    files = dict(upstream["files"])
    for name in files:
        if name.endswith(".chrome_trace"):
            scopes = [event for event in files[name] if event[1] in ("scope", "metric")]
            kernels = [event for event in files[name] if event[1] == "kernel"]
            flow = [
                ["s", "flow", "launch->kernel", "CPU Thread 0", {}],
                ["f", "flow", "launch->kernel", "GPU Stream", {}],
            ]
            files[name] = [
                ["M", "process_name", "Trace"],
                ["M", "process_sort_index", None],
                ["M", "thread_name", "CPU Thread 0"],
                ["M", "thread_sort_index", None],
                ["M", "thread_name", "GPU Stream"],
                ["M", "thread_sort_index", None],
                *scopes,
                *(["X", "launch", kernel[2], "CPU Thread 0", {}] for kernel in kernels),
                *(flow * len(kernels)),
                *kernels,
            ]
    return {**upstream, "files": files}


LAUNCHES_IN_TRACES = Difference(
    "each launch has a slice on its thread's lane, and the flow to its kernel begins there",
    _with_launches,
)

DIFFERENCES = {
    "two_sessions_of_different_kinds": LAUNCHES_IN_TRACES,
    "trace_scopes": LAUNCHES_IN_TRACES,
    "trace_metrics": LAUNCHES_IN_TRACES,
    "trace_hook": LAUNCHES_IN_TRACES,
    "trace_python_context": LAUNCHES_IN_TRACES,
    "missing_directory": Difference(
        "a path that cannot be written is refused at start, not lost at the end", _refused_path
    ),
    "hook_metadata_raises": Difference(
        "metadata that raises is a warning: the kernel runs and keeps its name, the hook stays on",
        _with(
            returned="no error",
            warnings=[
                "The launch metadata of kernel bad_kernel is left out: ZeroDivisionError: metadata"
            ],
            files={"p.hatchet": _tree(_kernel("bad_kernel"), _kernel("add_kernel"))},
        ),
    ),
    "scope_metrics_under_state": Difference(
        "adding metrics to a scope does not clear the thread's state",
        _with_file(
            "p.hatchet",
            _tree(["test0", {}, [["test1", {}, [["state", {"a": 1.0}, [_kernel("add_kernel")]]]]]]),
        ),
    ),
    "format_of_other_data": Difference(
        "a format that does not fit leaves no empty file behind", _without_file("p.chrome_trace")
    ),
}


def recorded() -> dict[str, Outcome]:
    """What upstream did, with our profiler's name in its messages."""
    text = _RECORDED.read_text(encoding="utf-8").replace("CuptiProfiler", "XpuptiProfiler")
    outcomes: dict[str, Outcome] = json.loads(text)
    return outcomes


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    output = tmp_path_factory.mktemp("scenarios") / "outcomes.json"
    worker = Path(__file__).with_name("worker.py")
    done = run_python([worker, output], path=[worker.parents[1]])
    assert done.returncode == 0, done.stderr
    outcomes: dict[str, Outcome] = json.loads(output.read_text(encoding="utf-8"))
    return outcomes


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str, outcomes: dict[str, Outcome]) -> None:
    expected = recorded()[name]
    if name in DIFFERENCES:
        expected = DIFFERENCES[name].apply(expected)
    outcome = outcomes[name]
    if "raised" in expected and "message" not in expected:
        # The wording was not Proton's own.
        outcome = {key: value for key, value in outcome.items() if key != "message"}
    assert outcome == expected


def test_every_scenario_is_recorded_and_every_difference_one() -> None:
    assert set(SCENARIOS) == set(recorded())
    assert set(DIFFERENCES) <= set(SCENARIOS)
