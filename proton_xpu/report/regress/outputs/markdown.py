"""A comparison as Markdown that fits a comment on a pull request."""

import re

from proton_xpu.report.regress.comparison import Comparison, Row
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.verdicts import Verdict

MOST_BYTES = 64 * 1024
"""GitHub takes comments of 65,536 characters."""

MARKER = "<!-- proton-xpu-regress -->"
"""Stands first, so that a job finds its own comment and edits it instead of adding another."""

_ICONS = {
    Verdict.REGRESSED: "🔴",
    Verdict.INVALID: "🔴",
    Verdict.NO_DATA: "🔴",
    Verdict.GONE: "🔴",
    Verdict.AMBIGUOUS: "🟡",
    Verdict.IMPROVED: "🟢",
    Verdict.NEW: "🔵",
    Verdict.OK: "✅",
}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~])")
_HEADER = "| verdict | kernel | base | new | change (95 %) | why |\n|---|---|---:|---:|---:|---|\n"
_LONGEST_NAME = 160
_RESERVE = 400


def render(comparison: Comparison, most_bytes: int = MOST_BYTES) -> str:
    """The report as Markdown of at most `most_bytes` bytes; rows that do not fit are counted."""
    icon = _ICONS[comparison.verdict]
    head = [
        MARKER,
        f"### {icon} Kernel performance: {wording.headline(comparison)}",
        "",
        f"**{wording.counts(comparison)}**",
        "",
        *(f"- {_escaped(line)}" for line in wording.sides(comparison)),
    ]
    head += [f"- {line}" for line in [wording.totals(comparison)] if line]
    head += [
        f"- {_ICONS[f.verdict]} **{f.verdict.value}** `{f.reason.value}`: {_escaped(f.text)}"
        for f in comparison.findings
    ]
    tail = _tail(comparison)
    rows = comparison.sorted_rows()
    loud = [row for row in rows if row.verdict is not Verdict.OK]
    quiet = [row for row in rows if row.verdict is Verdict.OK]
    left = most_bytes - _size("\n".join(head)) - _size(tail) - _RESERVE
    shown, left = _rows(loud, left)
    text = "\n".join(head) + "\n\n" + shown
    folded, _ = _rows(quiet, left - _RESERVE)
    if folded:
        text += f"<details><summary>{len(quiet)} rows without a finding</summary>\n\n{folded}"
        text += "</details>\n"
    return text + tail


def _tail(comparison: Comparison) -> str:
    text = ""
    suggested = wording.renames(comparison)[:20]
    if suggested:
        entries = "\n".join(entry[:_LONGEST_NAME] for entry in suggested)
        text += "\nRenamed? Then add to `[tool.proton_xpu.regress.renames]`:\n"
        text += f"```toml\n{entries}\n```\n"
    if comparison.notes:
        notes = "; ".join(note[:_LONGEST_NAME] for note in comparison.notes[:20])
        text += f"\n<sub>{_escaped(notes)}</sub>\n"
    return text


def _rows(rows: list[Row], space: int) -> tuple[str, int]:
    """A table of as many rows as fit into `space` bytes, and the space that is left."""
    if not rows or space < _size(_HEADER) + _RESERVE:
        return "", space
    text = [_HEADER]
    left = space - _size(_HEADER) - _RESERVE
    for number, row in enumerate(rows):
        line = _line(row)
        if _size(line) > left:
            text.append(f"\n{len(rows) - number} more rows are in the full report.\n")
            break
        left -= _size(line)
        text.append(line)
    return "".join(text) + "\n", left


def _line(row: Row) -> str:
    name = row.name if len(row.name) <= _LONGEST_NAME else "…" + row.name[1 - _LONGEST_NAME :]
    metric = "" if row.metric == "time" else f" [{row.metric}]"
    cells = (
        f"{_ICONS[row.verdict]} {row.verdict.value}",
        _escaped(name) + _escaped(metric),
        wording.value(row, row.base),
        wording.value(row, row.new),
        wording.change(row),
        f"`{row.reason.value}` {_escaped(wording.reason(row))}",
    )
    return "| " + " | ".join(cells) + " |\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def _size(text: str) -> int:
    return len(text.encode())
