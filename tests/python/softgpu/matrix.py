"""Which kernels run with which options in which processes.

What a process has once (the Unified Runtime's adapter, the compiler's hardware features, the kind
of queue) makes a configuration; sub-group size and number of warps vary within one.
"""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from softgpu.kernels.worker import MARK, Run, Work

SUB_GROUPS = (16, 32)
WARPS = (1, 2, 4, 8)
FULL_MATRIX_VARIABLE = "PROTON_XPU_TEST_FULL_MATRIX"
"""Set to 1, every kernel runs with every value of every option: about an hour of two cores."""

_TESTS = Path(__file__).resolve().parents[1]
_PATIENCE_S = 3600


@dataclass(frozen=True)
class Configuration:
    """A process: adapter of the Unified Runtime, DPAS and 2D block flags, order of the queue."""

    adapter: str
    features: bool
    in_order: bool

    def __str__(self) -> str:
        flags = "flags" if self.features else "plain"
        return f"{self.adapter}-{flags}-{'ordered' if self.in_order else 'unordered'}"


# Every pair of adapter and flags; both orders with each of either.
CONFIGURATIONS = (
    Configuration("v1", features=False, in_order=True),
    Configuration("v2", features=True, in_order=True),
    Configuration("v1", features=True, in_order=False),
    Configuration("v2", features=False, in_order=False),
)
_PLAIN_V1, _FLAGS_V2, _FLAGS_V1, _PLAIN_V2 = CONFIGURATIONS

# Every pair of values of two options is in some row.
_COVERING_ROWS = (
    (_PLAIN_V1, 16, 1),
    (_FLAGS_V2, 16, 4),
    (_PLAIN_V2, 32, 2),
    (_FLAGS_V1, 32, 8),
    (_PLAIN_V1, 32, 4),
    (_FLAGS_V1, 16, 2),
    (_PLAIN_V2, 16, 8),
    (_FLAGS_V2, 32, 1),
)


@dataclass(frozen=True)
class CaseFacts:
    """What the choice of runs depends on; see `softgpu.kernels.cases.Case`."""

    name: str
    matrix: bool
    sub_groups: Sequence[int]


def covering(cases: Sequence[CaseFacts]) -> Iterator[tuple[Configuration, Run]]:
    """Each case once; matrix cases twice, without and with flags. Row after row is given out."""
    rows = itertools.cycle(_COVERING_ROWS)
    for case in cases:
        wanted = 2 if case.matrix else 1
        if case.matrix:
            # Rows alternate between plain and flags: an even start gives one of each.
            while next(rows)[0].features is False:
                pass
        while wanted > 0:
            configuration, sub_group, warps = next(rows)
            if sub_group in case.sub_groups:
                wanted -= 1
                yield configuration, Run(case.name, sub_group, warps)


def full(cases: Sequence[CaseFacts]) -> Iterator[tuple[Configuration, Run]]:
    """Every case with every value of every option."""
    for configuration in CONFIGURATIONS:
        for case, warps in itertools.product(cases, WARPS):
            for sub_group in case.sub_groups:
                yield configuration, Run(case.name, sub_group, warps)


def chosen(cases: Sequence[CaseFacts]) -> list[tuple[Configuration, Run]]:
    """The runs of this test session."""
    return list(full(cases) if os.environ.get(FULL_MATRIX_VARIABLE) == "1" else covering(cases))


def run_process(configuration: Configuration, runs: Sequence[Run]) -> dict[Run, str]:
    """Runs in one process. Returns the error of each, empty if its numbers are right.

    A process that dies is said to have done so in the run that it was at; the rest go to another.
    """
    errors: dict[Run, str] = {}
    left = list(runs)
    while left:
        done = _run_once(configuration, left)
        errors.update(done)
        left = [run for run in left if run not in done]
    return errors


def all_cases() -> list[CaseFacts]:
    """The kernels that there are, asked from a process that may import Triton."""
    process = subprocess.run(
        [sys.executable, "-m", "softgpu.kernels.worker", "--list"],
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=True,
    )
    return [CaseFacts(*facts) for facts in json.loads(process.stdout)]


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    paths = [str(_TESTS), str(_TESTS.parents[1]), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return environment


def _run_once(configuration: Configuration, runs: Sequence[Run]) -> dict[Run, str]:
    environment = _environment()
    environment["UR_LOADER_USE_LEVEL_ZERO_V2"] = "1" if configuration.adapter == "v2" else "0"
    work = Work(configuration.features, configuration.in_order, list(runs))
    process = subprocess.run(
        [sys.executable, "-m", "softgpu.kernels.worker"],
        input=work.to_json(),
        env=environment,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    errors: dict[Run, str] = {}
    started: Run | None = None
    for line in process.stdout.split("\n"):
        if MARK not in line:
            continue
        message = json.loads(line[line.index(MARK) + len(MARK) :])
        if "started" in message:
            started = Run(**message["started"])
        else:
            errors[Run(**message["finished"])] = message["error"]
            started = None
    if started is not None:
        errors[started] = _death(process)
    elif len(errors) < len(runs):
        # It did not come to a run, or ended between two: another would do no better.
        errors.update({run: _death(process) for run in runs if run not in errors})
    elif process.returncode != 0:
        errors[runs[-1]] = _death(process)
    return errors


def _death(process: subprocess.CompletedProcess[str]) -> str:
    return f"the process ended with {process.returncode}:\n{process.stderr[-4000:]}"
