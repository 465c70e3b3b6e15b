"""All outputs but HTML, which has a file of its own."""

import json
import re
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import xmlschema
from support.comparisons import HOSTILE, every_verdict, large
from support.simulated_launches import Simulation

from proton_xpu.report.regress.comparing import compare_results, seeded_comparison
from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.errors import ResultFormatError
from proton_xpu.report.regress.outputs import (
    github,
    gitlab,
    json_report,
    junit,
    markdown,
    terminal,
)
from proton_xpu.report.regress.verdicts import EXPLANATIONS, Reason, Verdict

JUNIT = xmlschema.XMLSchema(str(Path(__file__).with_name("junit.xsd")))


def json_schema() -> dict[str, Any]:
    folder = files("proton_xpu.report.regress").joinpath("schemas")
    content: dict[str, Any] = json.loads(folder.joinpath("comparison-1.json").read_text("utf-8"))
    return content


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    found = every_verdict()
    verdicts = {row.verdict for row in found.rows} | {f.verdict for f in found.findings}
    assert verdicts == set(Verdict)
    return found


@pytest.fixture(scope="module")
def unchanged() -> Comparison:
    base, new, _ = Simulation(kernels=30, most_sigma=0.01).pair(2)
    return compare_results(base, new, Config())


@pytest.fixture(scope="module")
def first() -> Comparison:
    base, _, _ = Simulation(kernels=3).pair(2)
    return seeded_comparison(base, "there was no baseline", Config())


def test_every_reason_has_its_words() -> None:
    assert set(EXPLANATIONS) == set(Reason)


def test_terminal_shows_what_is_not_ok(comparison: Comparison) -> None:
    text = terminal.render(comparison, color=False)
    lines = text.splitlines()
    assert lines[0] == "INVALID: The comparison is not valid"
    assert "INVALID records-lost: new lost the records of 5 of 45 launched kernels" in lines
    (line,) = [line for line in lines if "kernel0 " in line]
    assert re.fullmatch(
        r"REGRESSED +model/layer0/kernel0 +100 us +-> 105 us +\+5\.0 % \(\+4\.\d % to \+5\.\d %\)",
        line,
    )
    assert '"model/layer0/kernel3" = "model/layer0/kernel3_renamed"' in text
    assert "kernel6" not in text
    assert "note: triton absent in base, <3.4> in new" in lines
    assert "\x1b" not in text


def test_terminal_can_show_all_and_in_colour(comparison: Comparison) -> None:
    text = terminal.render(comparison, color=True, every_row=True)
    assert "kernel6" in text
    assert "\x1b[31;1mREGRESSED" in text


def test_an_ambiguous_row_says_what_it_needs(comparison: Comparison) -> None:
    text = terminal.render(comparison, color=False)
    assert re.search(r"undecided: .*; needs \d+ more launches per side; only changes from \+", text)


def test_markdown_has_a_table_and_folds_what_is_ok(comparison: Comparison) -> None:
    text = markdown.render(comparison)
    assert text.startswith(markdown.MARKER)
    loud, quiet = text.split("<details>")
    assert "| 🔴 REGRESSED | model/layer0/kernel0 | 100 us | 105 us | +5.0 % (" in loud
    assert "| ✅ OK | model/layer0/kernel6 |" in quiet
    assert "<script>" not in text


def test_markdown_rows_have_six_cells_whatever_the_names(comparison: Comparison) -> None:
    rows = [line for line in markdown.render(comparison).splitlines() if line.startswith("| ")]
    cells = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    assert set(cells) == {7}


@pytest.mark.parametrize("kernels", [500, 2000])
def test_markdown_fits_a_comment(kernels: int) -> None:
    comparison = large(kernels)
    text = markdown.render(comparison)
    assert 55_000 < len(text.encode()) <= 65_536
    shown = text.split("<details>")[0].count("\n| ") - 1
    (rest,) = re.findall(r"(\d+) more rows are in the full report", text.split("<details>")[0])
    assert shown + int(rest) == len(comparison.rows) - comparison.count(Verdict.OK)


def test_junit_fits_its_schema(
    comparison: Comparison, unchanged: Comparison, first: Comparison
) -> None:
    for found in (comparison, unchanged, first, replace(comparison, strict=True)):
        JUNIT.validate(junit.render(found).decode())


def test_junit_says_which_rows_failed(comparison: Comparison) -> None:
    root = ET.fromstring(junit.render(comparison))
    tags = Counter(child.tag for case in root.iter("testcase") for child in case)
    assert tags == {"failure": 1, "error": 5, "skipped": 1, "system-out": 4}
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("11", "1", "5")
    failed = root.find(".//failure/..")
    assert failed is not None
    assert (failed.get("classname"), failed.get("name")) == ("model.layer0", "kernel0")
    strict = ET.fromstring(junit.render(replace(comparison, strict=True, gone_fails=False)))
    assert (len(strict.findall(".//failure")), len(strict.findall(".//skipped"))) == (2, 1)


def test_json_fits_its_schema_and_reads_back(
    comparison: Comparison, unchanged: Comparison, first: Comparison
) -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    for found in (comparison, unchanged, first):
        text = json_report.render(found)
        validator.validate(json.loads(text))
        assert json_report.parse(text.encode("utf-8", "surrogatepass"), "c.json") == found


def test_json_tells_the_verdict(comparison: Comparison) -> None:
    body = json.loads(json_report.render(comparison))
    assert (body["verdict"], body["exit_code"]) == ("INVALID", 3)
    assert body["counts"]["REGRESSED"] == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "this is no comparison"),
        (b"[]", "this is no comparison"),
        (b'{"format": "proton-xpu-regress-comparison", "version": 9}', "version 9 is not known"),
        (b'{"format": "proton-xpu-regress-comparison", "version": 1}', "a part is missing"),
    ],
)
def test_other_files_are_no_comparisons(data: bytes, message: str) -> None:
    with pytest.raises(ResultFormatError, match=message):
        json_report.parse(data, "c.json")


def test_github_gets_annotations(comparison: Comparison) -> None:
    lines = github.annotations(comparison).splitlines()
    assert [line.split(" ")[0] for line in lines].count("::error") == 6
    assert any(
        line.startswith("::error title=REGRESSED worse::model/layer0/kernel0: +5.0 %25 (")
        for line in lines
    )
    assert any(line.startswith("::notice title=AMBIGUOUS undecided::") for line in lines)
    assert any(line.startswith("::notice title=IMPROVED better::") for line in lines)


def test_github_gets_ten_of_a_kind_in_lines_of_their_own() -> None:
    comparison = large(100)
    assert comparison.count(Verdict.REGRESSED) > 40
    lines = github.annotations(comparison).splitlines()
    assert sum(line.startswith("::error") for line in lines) == 10
    hostile = replace(every_verdict().rows[0], path=HOSTILE)
    (line,) = github.annotations(replace(every_verdict(), rows=[hostile], findings=[])).splitlines()
    assert "%2525%0A::error::" in line


def test_gitlab_gets_findings_that_keep_their_fingerprints(comparison: Comparison) -> None:
    entries = json.loads(gitlab.render(comparison, "bench.py"))
    assert {entry["severity"] for entry in entries} == {"major", "minor", "critical", "blocker"}
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert re.fullmatch("[0-9a-f]{64}", entry["fingerprint"])
        assert entry["location"] == {"path": "bench.py", "lines": {"begin": 1}}
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    other = replace(comparison.rows[0], ratio=1.06, q=0.001)
    changed = replace(comparison, rows=[other, *comparison.rows[1:]])
    again = json.loads(gitlab.render(changed, "bench.py"))
    assert {e["fingerprint"] for e in again} == {e["fingerprint"] for e in entries}


def test_nothing_to_say_is_nothing(unchanged: Comparison) -> None:
    assert github.annotations(unchanged) == ""
    assert json.loads(gitlab.render(unchanged, "bench.py")) == []
