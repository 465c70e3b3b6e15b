import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from support.simulated_launches import simulated_result

from proton_xpu.report.regress.errors import ResultFormatError
from proton_xpu.report.regress.result import Launch, Result


def schema() -> dict[str, object]:
    folder = files("proton_xpu.report.regress").joinpath("schemas")
    content: dict[str, object] = json.loads(folder.joinpath("result-1.json").read_text("utf-8"))
    return content


@pytest.fixture
def result() -> Result:
    plain = simulated_result([[1000.5, 1001.0, 999.0], [5.0, 6.0, 7.0]])
    plain.kernels[("größe", "k\n")] = {"time": [None, 3.0, 2.5], "count": [None, 1.0, 1.0]}
    launches = [Launch(0, "empty", "nothing", {"launches": 3}), Launch(1), Launch(2)]
    return replace(plain, launches=launches, limits={"model": 0.05}, command=["bench.py"])


def test_a_result_survives_its_file(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "r.json")
    assert Result.load(tmp_path / "r.json") == result


def test_the_file_fits_its_schema(result: Result) -> None:
    jsonschema.validate(json.loads(result.to_bytes()), schema())


def test_launches_that_measured_nothing_are_not_usable(result: Result) -> None:
    assert result.usable() == [1, 2]


def test_a_changed_number_is_noticed(result: Result) -> None:
    data = result.to_bytes().replace(b"1000.5", b"1000.6")
    with pytest.raises(ResultFormatError, match=r"r\.json: the content does not fit its checksum"):
        Result.from_bytes(data, "r.json")


@pytest.mark.parametrize("length", [0, 1, 100, -2])
def test_a_file_cut_off_is_noticed(result: Result, length: int) -> None:
    with pytest.raises(ResultFormatError, match=r"r\.json: this is no result"):
        Result.from_bytes(result.to_bytes()[:length], "r.json")


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"format": "other"}', b"\xff\xfe", b'[{"frame": {"name": "ROOT"}}]']
)
def test_other_files_are_no_results(data: bytes) -> None:
    with pytest.raises(ResultFormatError, match=r"r\.json: this is no result"):
        Result.from_bytes(data, "r.json")


def test_another_version_is_named(result: Result) -> None:
    data = result.to_bytes().replace(b'"version":1', b'"version":2', 1)
    with pytest.raises(ResultFormatError, match="version 2 of the format is not known here"):
        Result.from_bytes(data, "r.json")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"status":"ok"', '"status":"fine"'),
        ("[5.0,6.0,7.0]", "[5.0,6.0]"),
        ("[5.0,6.0,7.0]", '[5.0,6.0,"7"]'),
        ('["model","layer0","kernel1"]', "[]"),
        ('"label"', '"lable"'),
    ],
)
def test_malformed_parts_are_noticed_even_with_a_checksum(
    result: Result, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.loads(result.to_bytes())
    monkeypatch.setattr("proton_xpu.report.regress.result._checksum", lambda _: body["checksum"])
    data = result.to_bytes().decode().replace(old, new)
    with pytest.raises(ResultFormatError, match="a part is missing or malformed"):
        Result.from_bytes(data.encode(), "r.json")
