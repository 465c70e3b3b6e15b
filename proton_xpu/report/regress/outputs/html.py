"""A comparison as one HTML file that needs no network and, to be read, no script."""

import json
from html import escape
from importlib.resources import files

from proton_xpu.report.regress.comparison import Comparison, Row
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.outputs.json_report import to_mapping
from proton_xpu.report.regress.verdicts import SEVERITY

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none';"
    " form-action 'none'"
)
_COLUMNS = (
    ("verdict", "rank"),
    ("kernel", "name"),
    ("metric", "metric"),
    ("base", "before"),
    ("new", "after"),
    ("change (95 %)", "ratio"),
    ("share", "share"),
)


def render(comparison: Comparison) -> str:
    """The report as HTML."""
    rows = comparison.sorted_rows()
    title = f"{comparison.verdict.value}: {wording.headline(comparison)}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{_asset('report.css')}</style>",
            "</head>",
            "<body>",
            f'<h1><span class="{comparison.verdict.value}">{escape(title)}</span></h1>',
            *_summary(comparison),
            _controls(rows),
            _table(rows),
            f'<script type="application/json" id="data">{_data(comparison, rows)}</script>',
            f"<script>\n{_asset('report.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _summary(comparison: Comparison) -> list[str]:
    lines = [f"<p>{escape(wording.counts(comparison))}</p>", "<ul>"]
    entries = [*wording.sides(comparison), wording.totals(comparison)]
    lines += [f"<li>{escape(entry)}</li>" for entry in entries if entry]
    lines += [
        f'<li><span class="verdict {f.verdict.value}">{f.verdict.value}</span>'
        f" <code>{f.reason.value}</code> {escape(f.text)}</li>"
        for f in comparison.findings
    ]
    lines += [
        f"<li>renamed? <code>{escape(entry)}</code></li>" for entry in wording.renames(comparison)
    ]
    lines += [f'<li class="quiet">{escape(note)}</li>' for note in comparison.notes]
    return [*lines, "</ul>"]


def _controls(rows: list[Row]) -> str:
    present = {row.verdict for row in rows}
    options = "".join(
        f"<option>{verdict.value}</option>" for verdict in SEVERITY if verdict in present
    )
    return (
        '<div class="controls" hidden>'
        '<label>Kernel contains<input id="search" type="search" autocomplete="off"></label>'
        '<label>Verdict<select id="verdict"><option value="">all</option>'
        f"{options}</select></label>"
        '<span id="shown" class="quiet" role="status"></span></div>'
    )


def _table(rows: list[Row]) -> str:
    header = "".join(
        f'<th scope="col" data-key="{key}"><button type="button">{text}</button></th>'
        for text, key in _COLUMNS
    )
    lines = "\n".join(_line(number, row) for number, row in enumerate(rows))
    return (
        f'<table id="rows">\n<thead><tr>{header}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>'
    )


def _line(number: int, row: Row) -> str:
    share = "-" if row.share is None else f"{row.share * 100:.2f} %"
    numbers = (
        wording.value(row, row.base),
        wording.value(row, row.new),
        wording.change(row),
        share,
    )
    cells = "".join(f'<td class="numbers">{escape(text)}</td>' for text in numbers)
    why = escape(wording.reason(row))
    return (
        f'<tr data-row="{number}"><td class="verdict {row.verdict.value}">{row.verdict.value}</td>'
        f'<td><button type="button" aria-expanded="false" title="{why}">{escape(row.name)}</button>'
        f"</td><td>{row.metric}</td>{cells}</tr>"
    )


def _data(comparison: Comparison, rows: list[Row]) -> str:
    """What the script draws, as JSON that cannot end the script element early."""
    rank = {verdict: place for place, verdict in enumerate(SEVERITY)}
    plain = {id(row): data for row, data in zip(comparison.rows, _plain(comparison), strict=True)}
    content = {
        "labels": comparison.history_labels,
        "rows": [
            {
                **{key: plain[id(row)][key] for key in _DRAWN},
                "name": row.name,
                "why": f"{row.reason.value}: {wording.reason(row)}",
                "rank": rank[row.verdict],
                "before": row.base.median if row.base else None,
                "after": row.new.median if row.new else None,
            }
            for row in rows
        ],
    }
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_DRAWN = ("verdict", "metric", "base", "new", "ratio", "share", "history")


def _plain(comparison: Comparison) -> list[dict[str, object]]:
    plain: list[dict[str, object]] = to_mapping(comparison)["rows"]
    return plain


def _asset(name: str) -> str:
    return (
        files("proton_xpu.report.regress.outputs")
        .joinpath("page")
        .joinpath(name)
        .read_text("utf-8")
    )
