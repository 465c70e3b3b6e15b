"""From launches on the software device to verdicts and exit codes, through the whole stack."""

import json
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest
from support.children import REPOSITORY

from proton_xpu.cli.regress import main
from proton_xpu.report.regress.result import Result

PROGRAM = str(Path(__file__).with_name("soft_benchmark.py"))
BASE = {"add_kernel": 50_000, "mul_kernel": 20_000}


@pytest.fixture(scope="module", autouse=True)
def _paths() -> object:
    with pytest.MonkeyPatch.context() as patch:
        paths = [REPOSITORY, REPOSITORY / "tests" / "python", os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
        yield


def record(output: Path, durations: Mapping[str, int], runs: int, *options: str) -> int:
    arguments = ["record", "-n", str(runs), "--warmup", "0", "-o", str(output), *options]
    return main([*arguments, "--", PROGRAM, json.dumps(durations)])


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of base.json and, in turns with it, new.json, whose add_kernel is 5 % slower."""
    folder = tmp_path_factory.mktemp("pair")
    against = f"{PROGRAM} '{json.dumps(BASE)}'"
    assert record(folder / "new.json", {**BASE, "add_kernel": 52_500}, 3, "--against", against) == 0
    return folder


@pytest.fixture
def stored(pair: Path, tmp_path: Path) -> Path:
    """Baselines, of which base.json is the only one."""
    place = tmp_path / "perf"
    assert main(["gate", str(pair / "base.json"), "--baseline", str(place)]) == 0
    return place


def gated(new: Path, place: Path, *options: str) -> tuple[int, dict[str, str], list[str]]:
    """Exit code of the gate, reason by kernel, and reasons of the findings."""
    report = new.with_suffix(".report")
    code = main(["gate", str(new), "--baseline", str(place), "--json", str(report), *options])
    body = json.loads(report.read_text())
    rows = {row["path"][-1]: f"{row['verdict']} {row['reason']}" for row in body["rows"]}
    return code, rows, [f"{f['verdict']} {f['reason']}" for f in body["findings"]]


def test_the_device_is_asked_for_what_was_told(pair: Path) -> None:
    base = Result.load(pair / "base.json")
    assert base.kernels == {
        ("step", "add_kernel"): {
            "time": [50_000.0] * 3,
            "count": [3.0] * 3,
        },
        ("step", "mul_kernel"): {
            "time": [20_000.0] * 3,
            "count": [3.0] * 3,
        },
    }
    assert [launch.accounting["launches"] for launch in base.launches] == [6, 6, 6]
    assert "software" in base.environment.machine()
    assert base.environment.drivers


def test_a_kernel_5_percent_slower_is_caught(pair: Path, stored: Path) -> None:
    code, rows, findings = gated(pair / "new.json", stored)
    assert code == 1
    assert rows == {"add_kernel": "REGRESSED worse", "mul_kernel": "OK no-change"}
    assert findings == []
    assert main(["compare", str(pair / "base.json"), str(pair / "new.json")]) == 1


def test_a_kernel_1_percent_slower_is_not_by_default(stored: Path, tmp_path: Path) -> None:
    assert record(tmp_path / "new.json", {**BASE, "add_kernel": 50_500}, 2) == 0
    code, rows, _ = gated(tmp_path / "new.json", stored)
    assert (code, rows["add_kernel"]) == (0, "OK below-limit")
    code, rows, _ = gated(tmp_path / "new.json", stored, "--max-regression", "0.5%")
    assert (code, rows["add_kernel"]) == (1, "REGRESSED worse")


def test_a_kernel_that_vanished(stored: Path, tmp_path: Path) -> None:
    assert record(tmp_path / "new.json", {"add_kernel": 50_000}, 1) == 0
    code, rows, _ = gated(tmp_path / "new.json", stored)
    assert (code, rows["mul_kernel"]) == (3, "GONE only-in-base")
    code, rows, _ = gated(tmp_path / "new.json", stored, "--gone", "pass")
    assert (code, rows["mul_kernel"]) == (0, "GONE only-in-base")


def test_a_run_that_recorded_nothing(stored: Path, tmp_path: Path) -> None:
    assert record(tmp_path / "new.json", {}, 1) == 3
    code, _, findings = gated(tmp_path / "new.json", stored)
    assert code == 3
    assert findings == ["NO-DATA launch-empty", "NO-DATA no-kernels"]


def test_a_corrupt_baseline(pair: Path, stored: Path) -> None:
    (file,) = stored.iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    assert gated(pair / "base.json", stored) == (3, {}, ["INVALID corrupt-baseline"])


def test_another_device(
    pair: Path, stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles = files("proton_xpu.softgpu").joinpath("profiles")
    text = profiles.joinpath("max1550.json").read_text("utf-8")
    other = tmp_path / "other.json"
    other.write_text(text.replace("Max 1550", "Max 9999"))
    monkeypatch.setenv("PROTON_XPU_SOFTGPU_PROFILE", str(other))
    assert record(tmp_path / "new.json", BASE, 1) == 0
    assert "Max 9999" in Result.load(tmp_path / "new.json").environment.machine()
    assert gated(tmp_path / "new.json", stored) == (3, {}, ["INVALID other-device"])
    code, rows, findings = gated(tmp_path / "new.json", stored, "--allow", "device")
    assert (code, findings) == (0, ["OK other-device"])
    assert set(rows.values()) == {"OK no-change"}
