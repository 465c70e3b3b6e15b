"""A comparison as JUnit XML: a test case per row, a suite per metric."""

from xml.etree import ElementTree as ET

from proton_xpu.report.regress.comparison import Comparison, Finding, Row
from proton_xpu.report.regress.outputs import wording
from proton_xpu.report.regress.verdicts import Verdict

_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), "�")
_SECONDS = 1e-9


def render(comparison: Comparison) -> bytes:
    """The report as XML.

    REGRESSED is a failure; NO-DATA, INVALID, and GONE where it counts, are errors; AMBIGUOUS is
    skipped, or a failure if `strict`.
    """
    root = ET.Element("testsuites", name="proton-xpu regress")
    if comparison.findings:
        cases = [_finding_case(finding) for finding in comparison.findings]
        root.append(_suite("report", comparison, cases))
    for metric in dict.fromkeys(row.metric for row in comparison.rows):
        rows = [row for row in comparison.rows if row.metric == metric]
        cases = [_row_case(row, comparison) for row in rows]
        root.append(_suite(metric, comparison, cases))
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(name: str, comparison: Comparison, cases: list[ET.Element]) -> ET.Element:
    suite = ET.Element("testsuite", name=f"kernels.{name}")
    suite.set("timestamp", comparison.new.created.partition("+")[0] or "1970-01-01T00:00:00")
    suite.set("hostname", _clean(comparison.new.machine))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    suite.extend(cases)
    return suite


def _row_case(row: Row, comparison: Comparison) -> ET.Element:
    case = ET.Element("testcase", classname=_clean(".".join(row.path[:-1]) or "kernels"))
    case.set("name", _clean(row.path[-1]))
    seconds = (
        row.new.median * _SECONDS if row.metric == "time" and row.new and row.new.median else 0
    )
    case.set("time", f"{seconds:.9f}")
    numbers = (
        f"{row.metric}: {wording.value(row, row.base)} -> {wording.value(row, row.new)},"
        f" {wording.change(row)}"
    )
    text = f"{row.verdict.value} ({row.reason.value}): {numbers}; {wording.reason(row)}"
    tag = _tag(row.verdict, comparison)
    if tag:
        child = ET.SubElement(case, tag, message=_clean(text))
        if tag != "skipped":
            child.set("type", row.reason.value)
    else:
        ET.SubElement(case, "system-out").text = _clean(text)
    return case


def _tag(verdict: Verdict, comparison: Comparison) -> str:
    if verdict is Verdict.REGRESSED:
        return "failure"
    if verdict in (Verdict.NO_DATA, Verdict.INVALID):
        return "error"
    if verdict is Verdict.GONE:
        return "error" if comparison.gone_fails else "skipped"
    if verdict is Verdict.AMBIGUOUS:
        return "failure" if comparison.strict else "skipped"
    return ""


def _finding_case(finding: Finding) -> ET.Element:
    case = ET.Element("testcase", classname="report", name=finding.reason.value, time="0")
    if finding.verdict in (Verdict.NO_DATA, Verdict.INVALID):
        ET.SubElement(case, "error", message=_clean(finding.text), type=finding.reason.value)
    else:
        ET.SubElement(case, "system-out").text = _clean(finding.text)
    return case


def _clean(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return text.encode("utf-8", "replace").decode().translate(_NOT_XML)
