"""A comparison as text for a terminal or a log."""

from proton_xpu.report.regress.comparison import Comparison, Row
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.verdicts import Verdict

_COLORS = {
    Verdict.REGRESSED: "31;1",
    Verdict.INVALID: "31;1",
    Verdict.NO_DATA: "31;1",
    Verdict.GONE: "31",
    Verdict.AMBIGUOUS: "33",
    Verdict.IMPROVED: "32",
    Verdict.NEW: "36",
    Verdict.OK: "0",
}


def render(comparison: Comparison, *, color: bool, every_row: bool = False) -> str:
    """The report as text. Rows that are OK are counted only, unless `every_row`."""
    lines = [
        _painted(f"{comparison.verdict.value}: {wording.headline(comparison)}", comparison, color),
        *wording.sides(comparison),
        f"rows: {wording.counts(comparison)}",
    ]
    lines += filter(None, [wording.totals(comparison)])
    lines += [f"{f.verdict.value} {f.reason.value}: {f.text}" for f in comparison.findings]
    rows = [row for row in comparison.sorted_rows() if every_row or row.verdict is not Verdict.OK]
    if rows:
        lines += ["", *_table(rows, color)]
    suggested = wording.renames(comparison)
    if suggested:
        lines += [
            "",
            "If these kernels were renamed, say so under [tool.proton_xpu.regress.renames]:",
        ]
        lines += [f"  {entry}" for entry in suggested]
    if comparison.notes:
        lines += ["", *(f"note: {note}" for note in comparison.notes)]
    return "\n".join(lines) + "\n"


def _table(rows: list[Row], color: bool) -> list[str]:
    cells = [
        (
            row.verdict.value,
            row.name if row.metric == "time" else f"{row.name} [{row.metric}]",
            wording.value(row, row.base),
            wording.value(row, row.new),
            wording.change(row),
        )
        for row in rows
    ]
    widths = [max(len(row[column]) for row in cells) for column in range(5)]
    lines = []
    for row, texts in zip(rows, cells, strict=True):
        verdict, name, before, after, change = (
            text.ljust(width) for text, width in zip(texts, widths, strict=True)
        )
        verdict = _paint(verdict, _COLORS[row.verdict]) if color else verdict
        lines.append(f"{verdict}  {name}  {before} -> {after}  {change}".rstrip())
        lines.append(f"{'':{widths[0]}}    {row.reason.value}: {wording.reason(row)}")
    return lines


def _painted(text: str, comparison: Comparison, color: bool) -> str:
    return _paint(text, _COLORS[comparison.verdict]) if color else text


def _paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
