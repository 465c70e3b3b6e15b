from dataclasses import replace
from pathlib import Path

import pytest
from support.simulated_launches import simulated_result

from proton_xpu.report.regress.baselines import Baselines, open_baselines
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.gating import gate
from proton_xpu.report.regress.result import Result
from proton_xpu.report.regress.verdicts import ExitCode, Reason

TIMES = [100_000.0, 100_400.0, 99_700.0]


def result(factor: float = 1.0, created: str = "2026-01-01T00:00:00+00:00") -> Result:
    plain = simulated_result([[time * factor for time in TIMES]], session="")
    return replace(plain, created=created)


@pytest.fixture
def baselines(tmp_path: Path) -> Baselines:
    return open_baselines(str(tmp_path / "perf"), "kernels")


def test_the_first_result_passes_and_is_stored(baselines: Baselines) -> None:
    gated = gate(result(), baselines, Config(), update=False)
    assert gated.comparison.exit_code is ExitCode.FINE
    assert baselines.files() == [gated.stored]
    assert baselines.load(baselines.files()[0]) == result()


def test_a_first_result_that_holds_nothing_is_not_stored(baselines: Baselines) -> None:
    empty = replace(simulated_result([]), launches=[])
    gated = gate(empty, baselines, Config(), update=True)
    assert gated.comparison.exit_code is ExitCode.NO_DATA
    assert baselines.files() == []


@pytest.mark.parametrize(
    ("factor", "update", "code", "stored"),
    [
        (1.0, False, ExitCode.FINE, 1),
        (1.0, True, ExitCode.FINE, 2),
        (1.1, True, ExitCode.REGRESSED, 1),
    ],
)
def test_what_passes_is_stored_if_asked_for(
    baselines: Baselines, factor: float, update: bool, code: ExitCode, stored: int
) -> None:
    gate(result(), baselines, Config(), update=False)
    gated = gate(result(factor), baselines, Config(), update=update)
    assert gated.comparison.exit_code is code
    assert len(baselines.files()) == stored


def test_the_newest_baseline_counts_whatever_the_clock_said(baselines: Baselines) -> None:
    gate(result(), baselines, Config(), update=False)
    old = result(1.1, created="2020-01-01T00:00:00+00:00")
    gate(old, baselines, Config(), update=False, accept="a safer algorithm")
    assert len(baselines.files()) == 2
    gated = gate(result(1.1), baselines, Config(), update=False)
    assert gated.comparison.exit_code is ExitCode.FINE


def test_what_measured_nothing_cannot_be_accepted(baselines: Baselines) -> None:
    gate(result(), baselines, Config(), update=False)
    empty = replace(simulated_result([]), launches=[])
    assert gate(empty, baselines, Config(), update=False, accept="trust me").stored is None


def test_a_damaged_baseline_is_invalid(baselines: Baselines, tmp_path: Path) -> None:
    gate(result(), baselines, Config(), update=False)
    (tmp_path / "perf" / baselines.files()[0]).write_bytes(b"{")
    gated = gate(result(), baselines, Config(), update=True)
    assert gated.comparison.findings[0].reason is Reason.CORRUPT_BASELINE
    assert gated.comparison.exit_code is ExitCode.NO_DATA
    assert gated.stored is None


def test_damaged_history_is_left_out_with_a_note(baselines: Baselines, tmp_path: Path) -> None:
    for _ in range(4):
        gate(result(), baselines, Config(), update=True)
    (tmp_path / "perf" / baselines.files()[1]).write_bytes(b"{")
    comparison = gate(result(), baselines, Config(), update=False).comparison
    assert comparison.exit_code is ExitCode.FINE
    assert "left out of the history: kernels--000002-" in comparison.notes[0]
    assert len(comparison.history_labels) == 4
