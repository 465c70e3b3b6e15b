"""Trace files: their schema, what a killed process leaves, their size."""

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.children import REPOSITORY, python_environment, run_code

_NUMBER = {"type": "number", "minimum": 0}
_LANE = {"pid": {"type": "integer"}, "tid": {"type": "integer"}}


def _event(phase: str, required: list[str], **properties: Any) -> dict[str, Any]:
    """An event of one phase: with these members and no others."""
    members = {"ph": {"const": phase}, "name": {"type": "string"}, **_LANE, **properties}
    return {
        "type": "object",
        "required": ["ph", "name", *_LANE, *required],
        "properties": members,
        "additionalProperties": False,
    }


_SLICE = {
    "cat": {"enum": ["kernel", "scope", "metric", "launch", "copy", "fill"]},
    "args": {"type": "object"},
    "dur": _NUMBER,
    "ts": _NUMBER,
    "sf": {"type": ["integer", "string"]},
}
_FLOW = {"cat": {"const": "flow"}, "id": {"type": "integer"}, "bp": {"const": "e"}, "ts": _NUMBER}

SCHEMA = {
    "type": "object",
    "required": ["displayTimeUnit", "traceEvents"],
    "properties": {
        "baseTimeNanoseconds": {"type": "integer"},
        "displayTimeUnit": {"const": "us"},
        "traceEvents": {
            "type": "array",
            "items": {
                "oneOf": [
                    _event("M", ["args"], args={"type": "object"}),
                    _event("X", ["ts", "dur"], **_SLICE),
                    _event("s", ["ts", "id"], **_FLOW),
                    _event("f", ["ts", "id"], **_FLOW),
                ]
            },
        },
        "stackFrames": {"type": "object"},
        "proton_xpu": {"type": "object"},
    },
    "additionalProperties": False,
}
"""Trace Event Format, as far as these files use it."""

_SESSION = """
    import sys
    import proton_xpu as proton
    from support.soft_kernels import soft_kernels
    kernels = soft_kernels()
    session = proton.start(sys.argv[1], data="trace", hook="triton", mode="memory_ops")
"""

_KILLED = (
    _SESSION
    + """
    import os, signal
    for _ in range(1000):
        kernels.add()
    proton.deactivate(session, flushing=True)
    proton.activate(session)
    for _ in range(70_000):
        with proton.scope("after"):
            pass
    os.kill(os.getpid(), signal.SIGKILL)
    """
)


def healed(text: str) -> Any:
    """The whole lines of a trace that was cut off."""
    return json.loads(text[: text.rindex("\n")].rstrip().rstrip(",") + "]}")


@pytest.fixture(scope="module")
def killed_trace(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is on disk after SIGKILL."""

    output = tmp_path_factory.mktemp("killed") / "run"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_KILLED), str(output)],
        env=python_environment([REPOSITORY, REPOSITORY / "tests" / "python"]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    return output.with_suffix(".chrome_trace").read_text()


def kernels_in(trace: Any) -> int:
    return sum(event.get("cat") == "kernel" for event in trace["traceEvents"])


def test_schema(tmp_path: Path) -> None:
    run_code(
        _SESSION
        + """
    for _ in range(3):
        with proton.scope('quo"te \\u00e9', {"n": 1, "v": [1.5, 2.5]}):
            kernels.add()
            kernels.meta(5)
    proton.finalize()
    """,
        tmp_path / "run",
        path=[REPOSITORY, REPOSITORY / "tests" / "python"],
    )
    trace = json.loads((tmp_path / "run.chrome_trace").read_text())
    jsonschema.validate(trace, SCHEMA)
    assert kernels_in(trace) == 6


def test_killed_process_leaves_a_whole_file(killed_trace: str) -> None:
    trace = json.loads(killed_trace)
    jsonschema.validate({**trace, "traceEvents": trace["traceEvents"][:2000]}, SCHEMA)
    assert kernels_in(trace) == 1000


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_what_is_cut_off_can_be_healed(killed_trace: str, share: float) -> None:
    whole = json.loads(killed_trace)["traceEvents"]
    events = healed(killed_trace[: int(len(killed_trace) * share)])["traceEvents"]
    assert events == whole[: len(events)]
    assert len(events) > (share - 0.05) * len(whole)


def test_size_of_a_launch(tmp_path: Path) -> None:
    sizes = run_code(
        """
    import sys
    from pathlib import Path
    import proton_xpu as proton
    from support.soft_kernels import soft_kernels
    kernels = soft_kernels()
    for launches in (9_000, 12_000):
        proton.start(sys.argv[1], data="trace")
        for _ in range(launches):
            kernels.add()
        proton.finalize()
        print(Path(sys.argv[1] + ".chrome_trace").stat().st_size)
    """,
        tmp_path / "run",
        path=[REPOSITORY, REPOSITORY / "tests" / "python"],
    )
    smaller, larger = map(int, sizes.split())
    assert 50 < (larger - smaller) / 3_000 <= 110
