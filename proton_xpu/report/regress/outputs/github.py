"""GitHub Actions: annotations on standard output, and the job's summary."""

from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.verdicts import Verdict

MOST_ANNOTATIONS = 10
"""GitHub shows ten of each kind per step."""

_LEVELS = {
    Verdict.REGRESSED: "error",
    Verdict.INVALID: "error",
    Verdict.NO_DATA: "error",
    Verdict.GONE: "error",
    Verdict.AMBIGUOUS: "notice",
    Verdict.IMPROVED: "notice",
}


def annotations(comparison: Comparison) -> str:
    """Workflow commands, one a line; empty if there is nothing to say."""
    lines = []
    used: dict[str, int] = {}
    entries = [(f.verdict, f.reason.value, f.text) for f in comparison.findings]
    for row in comparison.sorted_rows():
        metric = "" if row.metric == "time" else f" ({row.metric})"
        text = f"{row.name}{metric}: {wording.change(row)}; {wording.reason(row)}"
        entries.append((row.verdict, row.reason.value, text))
    for verdict, title, text in entries:
        level = _LEVELS.get(verdict)
        if (verdict is Verdict.GONE and not comparison.gone_fails) or (
            verdict is Verdict.AMBIGUOUS and comparison.strict
        ):
            level = "warning"
        if level is None:
            continue
        used[level] = used.get(level, 0) + 1
        if used[level] <= MOST_ANNOTATIONS:
            lines.append(f"::{level} title={_property(f'{verdict.value} {title}')}::{_data(text)}")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
