"""Running the measured command again and again, both sides in turns, and reading the profiles."""

import os
import shlex
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from proton_xpu.report.errors import ReportError
from proton_xpu.report.regress.bench import PROFILE_VARIABLE
from proton_xpu.report.regress.environment import current_environment
from proton_xpu.report.regress.errors import RecordingError
from proton_xpu.report.regress.extraction import Measurement, measure
from proton_xpu.report.regress.marked_limits import read_limits
from proton_xpu.report.regress.result import Column, KernelPath, Launch, Result

PLACEHOLDER = "{profile}"
"""In a command: the path, without suffix, at which the command itself writes its profile."""

_LAST_LINES = 3


@dataclass(frozen=True)
class Plan:
    """What to run: `runs` launches after `warmup` that do not count.

    Without `PLACEHOLDER` in it, `command` is a Python script with arguments, `-m module`, or
    pytest, and runs under `proton-xpu` with `data` ("tree" or "trace").
    """

    command: Sequence[str]
    runs: int
    warmup: int = 1
    data: str = "tree"
    label: str = ""
    folder: Path | None = None
    """Where the command runs; the current folder by default."""


@dataclass
class _Collected:
    plan: Plan
    launches: list[Launch] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    limits: dict[str, float] = field(default_factory=dict)


def record(plan: Plan, report: Callable[[str], None]) -> Result:
    """Runs one command. `report` is told of every launch. Raises `RecordingError`."""
    return _record([plan], report)[0]


def record_interleaved(
    base: Plan, new: Plan, report: Callable[[str], None]
) -> tuple[Result, Result]:
    """Runs two commands in turns, base new new base, so that drift hits both sides alike.

    Raises `RecordingError`.
    """
    results = _record([base, new], report)
    return results[0], results[1]


def abba(sides: int, runs: int) -> list[int]:
    """The order of launches: the sides in turn, each round in the reverse order of the last."""
    order: list[int] = []
    for number in range(runs):
        turn = list(range(sides))
        order += turn if number % 2 == 0 else turn[::-1]
    return order


def from_profiles(paths: Sequence[Path], label: str = "") -> Result:
    """A result of existing profiles, each of which (or each folder of which) is one launch.

    Raises `OSError` or `ProfileFormatError`.
    """
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file; check the path")
    measurements = [measure(path) for path in paths]
    launches = [measurement.launch() for measurement in measurements]
    limits: dict[str, float] = {}
    for path in paths:
        limits.update(read_limits(path))
    return _result(label, [], measurements, launches, "", limits, None)


def _record(plans: Sequence[Plan], report: Callable[[str], None]) -> list[Result]:
    sides = [_Collected(plan) for plan in plans]
    with tempfile.TemporaryDirectory(prefix="proton-xpu-regress-") as scratch:
        for number, side in enumerate(sides):
            for turn in range(side.plan.warmup):
                report(f"warm-up {turn + 1} of {side.plan.warmup} {side.plan.label}".rstrip())
                _launch(side.plan, Path(scratch) / f"warmup-{number}-{turn}")
        for position, number in enumerate(abba(len(sides), max(plan.runs for plan in plans))):
            side = sides[number]
            report(
                f"launch {len(side.launches) + 1} of {side.plan.runs} {side.plan.label}".rstrip()
            )
            _collect(side, position, Path(scratch) / f"launch-{position}")
    session = uuid.uuid4().hex if len(sides) > 1 else ""
    return [
        _result(
            side.plan.label,
            list(side.plan.command),
            side.measurements,
            side.launches,
            session,
            side.limits,
            side.plan.folder,
        )
        for side in sides
    ]


def _collect(side: _Collected, position: int, scratch: Path) -> None:
    failure = _launch(side.plan, scratch)
    measurement = Measurement()
    if not failure:
        try:
            measurement = measure(scratch / "profile")
            side.limits.update(read_limits(scratch / "profile"))
        except (ReportError, OSError) as error:
            failure = str(error)
    if failure:
        side.launches.append(Launch(position, "failed", failure))
    else:
        side.launches.append(measurement.launch(position))
    side.measurements.append(measurement)


def _launch(plan: Plan, scratch: Path) -> str:
    """Runs the command once. Returns why it failed, or nothing."""
    scratch.mkdir()
    arguments = command_line(plan.command, scratch / "profile", plan.data)
    try:
        done = subprocess.run(  # noqa: S603
            arguments,
            cwd=plan.folder,
            env={**os.environ, PROFILE_VARIABLE: str(scratch / "profile")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise RecordingError(
            f"{arguments[0]} could not be started: {error.strerror}; check the command"
        ) from error
    if done.returncode == 0:
        return ""
    lines = done.stdout.decode(errors="replace").strip().splitlines()[-_LAST_LINES:]
    return f"exit code {done.returncode}: {' | '.join(lines)}"


def command_line(command: Sequence[str], profile: Path, data: str) -> list[str]:
    """The command with its placeholder filled in, or put under `proton-xpu`.

    Raises `RecordingError` for an empty command.
    """
    if not command:
        raise RecordingError("there is no command to run; write it after --")
    if any(PLACEHOLDER in word for word in command):
        return [word.replace(PLACEHOLDER, str(profile)) for word in command]
    target = list(command)
    if Path(target[0]).name.startswith("python") and len(target) > 1:
        del target[0]
    options = ["-n", str(profile), "-d", data, "-k", "triton"]
    return [sys.executable, "-m", "proton_xpu.proton", *options, *target]


def _result(
    label: str,
    command: list[str],
    measurements: Sequence[Measurement],
    launches: list[Launch],
    session: str,
    limits: dict[str, float],
    folder: Path | None,
) -> Result:
    merged = Measurement()
    for measurement in measurements:
        for kind, by_index in measurement.devices.items():
            merged.devices.setdefault(kind, {}).update(by_index)
        merged.tracer = measurement.tracer or merged.tracer
    return Result(
        label=label,
        created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        environment=current_environment(merged.devices, merged.tracer, folder),
        launches=launches,
        kernels=columns([measurement.kernels for measurement in measurements]),
        command=command,
        session=session,
        limits=limits,
    )


def columns(
    launches: Sequence[Mapping[KernelPath, Mapping[str, float]]],
) -> dict[KernelPath, dict[str, Column]]:
    """Per kernel and metric one value per launch, None where a launch has none."""
    kernels: dict[KernelPath, dict[str, Column]] = {}
    for index, launch in enumerate(launches):
        for path, metrics in launch.items():
            entry = kernels.setdefault(path, {})
            for metric, value in metrics.items():
                entry.setdefault(metric, [None] * len(launches))[index] = value
    return kernels


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A work tree of a git revision for as long as the context lasts.

    Raises `RecordingError` if git knows no such revision.
    """
    with tempfile.TemporaryDirectory(prefix="proton-xpu-regress-") as scratch:
        tree = Path(scratch) / "base"
        _git("worktree", "add", "--detach", str(tree), revision)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RecordingError(
            f"`git {shlex.join(arguments[:2])}` failed: {done.stderr.strip().splitlines()[-1]}"
        )
