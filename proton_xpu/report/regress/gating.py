"""The gate: a result against the newest stored one, and what becomes of the result after that."""

from dataclasses import dataclass

from proton_xpu.report.regress.baselines import Baselines
from proton_xpu.report.regress.comparing import (
    compare_results,
    invalid_comparison,
    is_sound,
    seeded_comparison,
)
from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.errors import ResultFormatError
from proton_xpu.report.regress.result import Result
from proton_xpu.report.regress.verdicts import ExitCode, Reason


@dataclass(frozen=True)
class Gated:
    """The comparison, and the name under which the result was stored, if it was."""

    comparison: Comparison
    stored: str | None


def gate(
    new: Result, baselines: Baselines, config: Config, *, update: bool, accept: str = ""
) -> Gated:
    """Compares `new` with the newest baseline.

    Without any baseline the result passes and becomes the first one. With `update` a result that
    passes becomes the newest baseline. `accept`, a reason, makes it so even if it does not pass,
    unless it measured nothing. Raises `BaselineError` or `ConfigError`.
    """
    files = baselines.files()
    if not files:
        text = f"there was no baseline called {baselines.name}; this result is the first"
        comparison = seeded_comparison(new, text, config)
        sound = comparison.exit_code is ExitCode.FINE
        return Gated(comparison, baselines.add(new, "First result") if sound else None)
    try:
        base = baselines.load(files[-1])
    except ResultFormatError as error:
        comparison = invalid_comparison(new, Reason.CORRUPT_BASELINE, str(error), config)
    else:
        older = files[:-1][-config.history :] if config.history else []
        history, damaged = _readable(baselines, older)
        comparison = compare_results(base, new, config, history)
        comparison.notes.extend(f"left out of the history: {text}" for text in damaged)
    passed = comparison.exit_code is ExitCode.FINE
    if accept and is_sound(new, config):
        return Gated(comparison, baselines.add(new, f"Accepted: {accept}"))
    if update and passed:
        return Gated(comparison, baselines.add(new, "Passed the gate"))
    return Gated(comparison, None)


def _readable(baselines: Baselines, files: list[str]) -> tuple[list[Result], list[str]]:
    results, damaged = [], []
    for loaded in (_loaded(baselines, file) for file in files):
        if isinstance(loaded, Result):
            results.append(loaded)
        else:
            damaged.append(loaded)
    return results, damaged


def _loaded(baselines: Baselines, file: str) -> Result | str:
    """The result, or why it cannot be read."""
    try:
        return baselines.load(file)
    except ResultFormatError as error:
        return str(error)
