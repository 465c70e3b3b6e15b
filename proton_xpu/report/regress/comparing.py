"""Comparing two results: whether that is allowed, the rows, and what they add up to."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from proton_xpu.report.packages import require
from proton_xpu.report.regress.comparison import Comparison, Finding, Row, SideSummary
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.environment import mismatches, other_differences
from proton_xpu.report.regress.matching import Matching, match
from proton_xpu.report.regress.result import Column, KernelPath, Result
from proton_xpu.report.regress.verdicts import Reason, Verdict

_ALL: KernelPath = ("all kernels",)
_ONE_RUN = Matching([_ALL], {_ALL: _ALL}, [])


def compare_results(
    base: Result, new: Result, config: Config, history: Sequence[Result] = ()
) -> Comparison:
    """Compares `new` with `base`. `history` are results older than `base`, oldest first.

    Sides that must not be compared, and launches that measured nothing, become findings; rows are
    made of what is left. Raises `ConfigError`, or `MissingPackageError` without numpy or scipy.
    """
    for package in ("numpy", "scipy"):
        require(package, package, "comparing results")
    from proton_xpu.report.regress.judging import judge

    matching = match(base, new, config.renames)
    refusals = _mismatch_findings(base, new, config)
    findings = [
        *refusals,
        *_side_findings("base", base, config),
        *_side_findings("new", new, config),
    ]
    alike = [result for result in history if not mismatches(result.environment, base.environment)]
    rows: list[Row] = []
    common = mean = None
    if not any(finding.verdict is Verdict.INVALID for finding in refusals):
        for metric in config.gated_metrics():
            if metric == "launches":
                whole = [whole_run(result) for result in (base, new, *alike)]
                judged = judge(whole[0], whole[1], _ONE_RUN, metric, config, whole[2:])
            else:
                judged = judge(base, new, matching, metric, config, alike)
            rows += judged.rows
            if metric == "time":
                common, mean = judged.common_ratio, judged.mean_ratio
            elif not judged.rows:
                text = f"{metric} is gated, but neither side has it for a kernel that is gated"
                findings.append(Finding(Verdict.NO_DATA, Reason.NO_VALUES, text))
    return Comparison(
        base=summarize(base),
        new=summarize(new),
        rows=_with_notes(rows, base, new, matching),
        findings=findings,
        notes=other_differences(base.environment, new.environment),
        suggestions=matching.suggestions,
        total_ratio=_total_ratio(base, new),
        mean_ratio=mean,
        common_ratio=common,
        interleaved=bool(base.session) and base.session == new.session,
        gone_fails=config.gone == "fail",
        strict=config.strict,
        history_labels=[_label(result) for result in (*alike, base, new)],
    )


def invalid_comparison(new: Result, reason: Reason, text: str, config: Config) -> Comparison:
    """A report without a base that can be used."""
    finding = Finding(Verdict.INVALID, reason, text)
    return Comparison(None, summarize(new), [], [finding], strict=config.strict)


def seeded_comparison(new: Result, text: str, config: Config) -> Comparison:
    """The report of a first result. It passes, unless the result holds nothing."""
    findings = _side_findings("new", new, config)
    if not any(finding.verdict is not Verdict.OK for finding in findings):
        findings.append(Finding(Verdict.OK, Reason.BASELINE_SEEDED, text))
    return Comparison(None, summarize(new), [], findings, strict=config.strict)


def summarize(result: Result) -> SideSummary:
    """Where a result comes from."""
    return SideSummary(
        label=result.label,
        revision=result.environment.revision,
        created=result.created,
        machine=result.environment.machine(),
        launches=len(result.launches),
        usable=len(result.usable()),
    )


def whole_run(result: Result) -> Result:
    """A result with one kernel that stands for all: what was counted per launch of the program."""
    counted: Column = [launch.accounting.get("launches") for launch in result.launches]
    return replace(result, kernels={_ALL: {"launches": counted}})


def is_sound(result: Result, config: Config) -> bool:
    """Whether every launch of a result measured something and lost nothing."""
    return not _side_findings("new", result, config)


def _mismatch_findings(base: Result, new: Result, config: Config) -> list[Finding]:
    return [
        Finding(Verdict.OK, found.reason, f"{found.text} (allowed by the settings)")
        if found.kind in config.allow
        else Finding(
            Verdict.INVALID, found.reason, f"{found.text}; allow it with --allow {found.kind}"
        )
        for found in mismatches(base.environment, new.environment)
    ]


def _side_findings(side: str, result: Result, config: Config) -> list[Finding]:
    findings = []
    total = len(result.launches)
    for status, verdict, reason in (
        ("failed", Verdict.INVALID, Reason.LAUNCH_FAILED),
        ("empty", Verdict.NO_DATA, Reason.LAUNCH_EMPTY),
    ):
        hit = [launch for launch in result.launches if launch.status == status]
        if hit:
            text = f"{len(hit)} of {total} launches of {side} {_STATUS[status]}: {hit[0].detail}"
            findings.append(Finding(verdict, reason, text))
    if not result.kernels or not result.usable():
        text = f"{side} holds no kernel; check that the command launches kernels under the profiler"
        findings.append(Finding(Verdict.NO_DATA, Reason.NO_KERNELS, text))
    lost, launches = (
        sum(launch.accounting.get(name, 0) for launch in result.launches)
        for name in ("lost", "launches")
    )
    if launches and lost / launches > config.max_lost:
        text = f"{side} lost the records of {lost} of {launches} launched kernels"
        findings.append(Finding(Verdict.INVALID, Reason.RECORDS_LOST, text))
    return findings


_STATUS = {"failed": "failed", "empty": "recorded nothing"}


def _with_notes(rows: list[Row], base: Result, new: Result, matching: Matching) -> list[Row]:
    """Adds to rows of kernels what else changed: how often they ran, and their old names."""
    similar = {pair.old: f"may be {'/'.join(pair.new)} now" for pair in matching.suggestions}
    similar.update(
        {pair.new: f"may have been {'/'.join(pair.old)}" for pair in matching.suggestions}
    )
    noted = []
    for row in rows:
        notes = []
        old = matching.base_path.get(row.path)
        if old is not None and old != row.path:
            notes.append(f"was {'/'.join(old)}")
        if row.path in similar and row.verdict in (Verdict.NEW, Verdict.GONE):
            notes.append(similar[row.path])
        if row.metric == "time" and old is not None and row.path in new.kernels:
            before = _middle(base.kernels[old].get("count"))
            after = _middle(new.kernels[row.path].get("count"))
            if before and after and before != after:
                notes.append(f"calls {before:g} -> {after:g}")
        noted.append(replace(row, note="; ".join(notes)) if notes else row)
    return noted


def _middle(values: list[float | None] | None) -> float | None:
    present = [value for value in values or () if value is not None]
    return median(present) if present else None


def _total_ratio(base: Result, new: Result) -> float | None:
    before, after = (_middle(_totals(side)) for side in (base, new))
    return after / before if before and after else None


def _totals(result: Result) -> list[float | None]:
    """Device time per usable launch."""
    return [
        sum(
            (metrics["time"][index] or 0.0) * (metrics["count"][index] or 0.0)
            for metrics in result.kernels.values()
            if "time" in metrics and "count" in metrics
        )
        for index in result.usable()
    ]


def _label(result: Result) -> str:
    return result.label or result.environment.revision or result.created
