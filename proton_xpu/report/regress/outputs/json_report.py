"""A comparison as JSON, described by schemas/comparison-1.json, and back again."""

import json
from dataclasses import asdict
from typing import Any

from proton_xpu.report.regress.comparison import Comparison, Finding, Row, Side, SideSummary
from proton_xpu.report.regress.errors import ResultFormatError
from proton_xpu.report.regress.matching import Suggestion
from proton_xpu.report.regress.verdicts import Reason, Verdict

FORMAT = "proton-xpu-regress-comparison"
VERSION = 1


def render(comparison: Comparison) -> str:
    """The report as JSON."""
    return json.dumps(to_mapping(comparison), ensure_ascii=False, allow_nan=False) + "\n"


def to_mapping(comparison: Comparison) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "verdict": comparison.verdict.value,
        "exit_code": int(comparison.exit_code),
        "counts": {verdict.value: comparison.count(verdict) for verdict in Verdict},
        **asdict(comparison),
    }


def parse(data: bytes, source: str) -> Comparison:
    """Reads a report that `render` wrote. Raises `ResultFormatError` that names `source`."""
    try:
        body = json.loads(data)
    except ValueError as error:
        raise ResultFormatError(f"{source}: this is no comparison: {error}") from error
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise ResultFormatError(
            f"{source}: this is no comparison; make one with `proton-xpu regress compare --json`"
        )
    if body.get("version") != VERSION:
        raise ResultFormatError(f"{source}: version {body.get('version')} is not known here")
    try:
        return _decoded(body)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultFormatError(f"{source}: a part is missing or malformed: {error!r}") from error


def _decoded(body: dict[str, Any]) -> Comparison:
    computed = ("format", "version", "verdict", "exit_code", "counts")
    fields = {name: value for name, value in body.items() if name not in computed}
    fields["base"] = SideSummary(**body["base"]) if body["base"] else None
    fields["new"] = SideSummary(**body["new"])
    fields["rows"] = [_row(row) for row in body["rows"]]
    fields["findings"] = [
        Finding(Verdict(f["verdict"]), Reason(f["reason"]), f["text"]) for f in body["findings"]
    ]
    fields["suggestions"] = [
        Suggestion(tuple(pair["old"]), tuple(pair["new"]), pair["score"])
        for pair in body["suggestions"]
    ]
    return Comparison(**fields)


def _row(row: dict[str, Any]) -> Row:
    return Row(
        **{
            **row,
            "path": tuple(row["path"]),
            "verdict": Verdict(row["verdict"]),
            "reason": Reason(row["reason"]),
            "base": Side(**row["base"]) if row["base"] else None,
            "new": Side(**row["new"]) if row["new"] else None,
        }
    )
