"""GitLab's code-quality report: a JSON list of findings."""

import hashlib
import json

from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.verdicts import Verdict

_SEVERITIES = {
    Verdict.REGRESSED: "major",
    Verdict.INVALID: "blocker",
    Verdict.NO_DATA: "blocker",
    Verdict.GONE: "critical",
    Verdict.AMBIGUOUS: "minor",
}


def render(comparison: Comparison, location: str) -> str:
    """The report as JSON. `location` is a file of the repository to hang the findings on.

    GitLab tells findings apart by fingerprint: a row keeps its own as long as its verdict stays.
    """
    entries = [
        _entry(f.verdict, f.reason.value, "report", f"{f.verdict.value}: {f.text}", location)
        for f in comparison.findings
        if f.verdict in _SEVERITIES
    ]
    for row in comparison.sorted_rows():
        if row.verdict in _SEVERITIES:
            text = f"{row.verdict.value}: {row.name} ({row.metric}) {wording.change(row)}"
            text += f"; {wording.reason(row)}"
            place = f"{row.name} {row.metric}"
            entries.append(_entry(row.verdict, row.reason.value, place, text, location))
    return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


def _entry(
    verdict: Verdict, reason: str, place: str, text: str, location: str
) -> dict[str, object]:
    identity = f"proton-xpu {verdict.value} {reason} {place}"
    return {
        "description": text,
        "check_name": f"proton-xpu-regress/{reason}",
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": _SEVERITIES[verdict],
        "location": {"path": location, "lines": {"begin": 1}},
    }
