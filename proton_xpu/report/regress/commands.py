"""What the commands of `proton-xpu regress` do with their arguments."""

import json
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from proton_xpu.report.packages import require
from proton_xpu.report.regress.baselines import Baselines, open_baselines
from proton_xpu.report.regress.comparing import compare_results, invalid_comparison
from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.config import Config, dump_config, load_config
from proton_xpu.report.regress.errors import ConfigError, ResultFormatError
from proton_xpu.report.regress.gating import gate
from proton_xpu.report.regress.outputs import (
    github,
    gitlab,
    html,
    json_report,
    junit,
    markdown,
    terminal,
)
from proton_xpu.report.regress.quantities import change_text, duration_text
from proton_xpu.report.regress.recording import (
    Plan,
    checked_out,
    from_profiles,
    record,
    record_interleaved,
)
from proton_xpu.report.regress.result import Result
from proton_xpu.report.regress.verdicts import ExitCode, Reason

RESULT_SUFFIX = ".json"

_SETTINGS = ("preset", "runs", "warmup", "data", "baseline", "max_regression", "gone", "strict")


def run(options: Namespace) -> int:
    """Runs the command that was parsed and returns its exit code. Raises `ReportError`."""
    try:
        if options.command == "report":
            return _report(options)
        config = _config(options)
        if options.dump_config:
            print(dump_config(config), end="")
            return ExitCode.FINE
        return _COMMANDS[options.command](options, config)
    except ResultFormatError as error:
        print(f"proton-xpu regress: error: {error}", file=sys.stderr)
        return ExitCode.NO_DATA


def _config(options: Namespace) -> Config:
    overrides: dict[str, Any] = {name: getattr(options, name, None) for name in _SETTINGS}
    overrides["allow"] = getattr(options, "allow", None)
    return load_config(getattr(options, "config", None), overrides)


def _record(options: Namespace, config: Config) -> int:
    words: list[str] = options.words
    if not words:
        raise ConfigError("there is nothing to record; write the command, or profiles, after --")
    if options.profiles:
        result = from_profiles([Path(word) for word in words], options.label)
        result.save(options.output)
        return _recorded(result)
    plan = Plan(words, config.runs, config.warmup, config.data, options.label)
    base_output = options.against_output or options.output.with_name("base" + RESULT_SUFFIX)
    if options.against:
        base_plan = replace(plan, command=shlex.split(options.against), label="base")
        base, new = record_interleaved(base_plan, plan, _progress)
    elif options.against_rev:
        with checked_out(options.against_rev) as folder:
            base_plan = replace(plan, label=options.against_rev, folder=folder)
            base, new = record_interleaved(base_plan, plan, _progress)
    else:
        result = record(plan, _progress)
        result.save(options.output)
        return _recorded(result)
    base.save(base_output)
    new.save(options.output)
    return max(_recorded(base), _recorded(new))


def _progress(text: str) -> None:
    print(text, file=sys.stderr)


def _recorded(result: Result) -> int:
    """Says what went wrong while recording; 3 if anything did."""
    bad = [launch for launch in result.launches if launch.status != "ok"]
    for launch in bad:
        print(
            f"proton-xpu regress: warning: launch {launch.status}: {launch.detail}", file=sys.stderr
        )
    return ExitCode.NO_DATA if bad or not result.launches else ExitCode.FINE


def _compare(options: Namespace, config: Config) -> int:
    new = _side(options.new)
    try:
        base = _side(options.base)
    except ResultFormatError as error:
        comparison = invalid_comparison(new, Reason.CORRUPT_BASELINE, str(error), config)
    else:
        comparison = compare_results(base, new, config)
    return _show(comparison, options)


def _gate(options: Namespace, config: Config) -> int:
    new = _side(options.new)
    gated = gate(
        new, _baselines(options, config), config, update=options.update, accept=options.accept
    )
    code = _show(gated.comparison, options)
    if gated.stored:
        print(f"stored as {gated.stored}", file=sys.stderr)
    if options.accept and gated.stored:
        return ExitCode.FINE
    return code


def _baselines(options: Namespace, config: Config) -> Baselines:
    if config.baseline is None:
        raise ConfigError("no place for baselines is known; give --baseline or set `baseline`")
    return open_baselines(config.baseline, options.name)


def _side(path: Path) -> Result:
    """A result, or a profile (or a folder of them) as a result of one launch."""
    if path.suffix == RESULT_SUFFIX:
        return Result.load(path)
    return from_profiles([path], path.name)


def _report(options: Namespace) -> int:
    path: Path = options.comparison
    return _show(json_report.parse(path.read_bytes(), str(path)), options)


def _show(comparison: Comparison, options: Namespace) -> int:
    """Writes the outputs that were asked for, prints the report, and returns its exit code."""
    writers: list[tuple[Path | None, Callable[[], str | bytes]]] = [
        (options.json, lambda: json_report.render(comparison)),
        (options.markdown, lambda: markdown.render(comparison)),
        (options.html, lambda: html.render(comparison)),
        (options.junit, lambda: junit.render(comparison)),
        (options.gitlab, lambda: gitlab.render(comparison, options.gitlab_location)),
    ]
    for path, render in writers:
        if path is not None:
            content = render()
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    sys.stdout.write(terminal.render(comparison, color=color, every_row=options.all))
    if options.github:
        sys.stdout.write(github.annotations(comparison))
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(markdown.render(comparison))
    return comparison.exit_code


def _history(options: Namespace, config: Config) -> int:
    for package in ("numpy", "scipy"):
        require(package, package, "reading histories")
    from proton_xpu.report.regress.kernel_history import kernel_histories

    baselines = _baselines(options, config)
    files = baselines.files()
    if not files:
        print(f"proton-xpu regress: there are no results called {options.name}", file=sys.stderr)
        return ExitCode.NO_DATA
    histories = [
        history
        for history in kernel_histories([baselines.load(file) for file in files])
        if fnmatchcase("/".join(history.path), options.kernel)
        or fnmatchcase(history.path[-1], options.kernel)
    ]
    if options.json:
        print(json.dumps({"files": files, "kernels": [h.to_mapping() for h in histories]}))
        return ExitCode.FINE
    print(f"{len(files)} results, {files[0]} to {files[-1]}")
    for history in histories:
        print(history.line(duration_text, change_text))
    return ExitCode.FINE


_COMMANDS: dict[str, Callable[[Namespace, Config], int]] = {
    "record": _record,
    "compare": _compare,
    "gate": _gate,
    "history": _history,
}
