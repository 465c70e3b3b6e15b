"""Sentences and numbers that several outputs share."""

from proton_xpu.report.regress.comparison import Comparison, Row, Side
from proton_xpu.report.regress.quantities import change_text, duration_text, share_text
from proton_xpu.report.regress.verdicts import Verdict

HEADLINES = {
    Verdict.OK: "No regression",
    Verdict.REGRESSED: "Performance regressed",
    Verdict.AMBIGUOUS: "Undecided: more launches are needed",
    Verdict.GONE: "Kernels of the base were not measured any more",
    Verdict.NO_DATA: "Nothing was measured",
    Verdict.INVALID: "The comparison is not valid",
}

COUNTED = (
    Verdict.REGRESSED,
    Verdict.IMPROVED,
    Verdict.AMBIGUOUS,
    Verdict.NEW,
    Verdict.GONE,
    Verdict.NO_DATA,
    Verdict.OK,
)


def headline(comparison: Comparison) -> str:
    """The report in a few words."""
    return HEADLINES[comparison.verdict]


def counts(comparison: Comparison) -> str:
    """How many rows have which verdict: "1 REGRESSED, 499 OK"."""
    found = [(comparison.count(verdict), verdict.value) for verdict in COUNTED]
    return ", ".join(f"{count} {name}" for count, name in found if count) or "no kernels"


def sides(comparison: Comparison) -> list[str]:
    """One line per side, and one that tells how they ran."""
    lines = []
    for name, side in (("base", comparison.base), ("new", comparison.new)):
        if side is None:
            lines.append(f"{name}: none")
            continue
        label = ", ".join(filter(None, (side.label, side.revision, side.created)))
        launches = f"{side.usable} of {side.launches} launches"
        lines.append(f"{name}: {label or 'unnamed'}; {launches}; {side.machine}")
    if comparison.base is not None:
        lines.append("launches: " + ("in turns" if comparison.interleaved else "at separate times"))
    return lines


def totals(comparison: Comparison) -> str:
    """The whole in one line; empty without numbers."""
    parts = []
    for name, ratio in (
        ("total device time", comparison.total_ratio),
        ("geometric mean over kernels", comparison.mean_ratio),
        ("drift common to all kernels, taken out", comparison.common_ratio),
    ):
        if ratio is not None and not (ratio == 1 and ratio is comparison.common_ratio):
            parts.append(f"{name} {change_text(ratio)}")
    return "; ".join(parts)


def value(row: Row, side: Side | None) -> str:
    """A side's median with its unit."""
    if side is None or side.median is None:
        return "-"
    if row.metric == "time":
        return duration_text(side.median)
    return f"{side.median:.4g}"


def change(row: Row) -> str:
    """The change with its interval: "+5.1 % (+4.2 % to +6.0 %)"."""
    if row.ratio is None:
        return "-"
    if row.low is None or row.high is None:
        return change_text(row.ratio)
    return f"{change_text(row.ratio)} ({change_text(row.low)} to {change_text(row.high)})"


def reason(row: Row) -> str:
    """Why the verdict was given and what to do next."""
    parts = [row.explanation]
    if row.more_launches is not None:
        parts.append(f"needs {row.more_launches} more launches per side")
    if row.detectable is not None and row.verdict is Verdict.AMBIGUOUS:
        parts.append(f"only changes from {change_text(1 + row.detectable)} on would be found")
    if row.limit is not None and row.verdict is Verdict.REGRESSED:
        parts.append(f"limit {share_text(row.limit)}")
    if row.q is not None and row.verdict in (Verdict.REGRESSED, Verdict.IMPROVED):
        parts.append(f"q = {row.q:.2g}")
    if row.set_aside:
        parts.append(f"{row.set_aside} outlying launches set aside")
    if row.note:
        parts.append(row.note)
    return "; ".join(parts)


def renames(comparison: Comparison) -> list[str]:
    """Suggested entries of the setting `renames`."""
    return [f'"{"/".join(pair.old)}" = "{"/".join(pair.new)}"' for pair in comparison.suggestions]
