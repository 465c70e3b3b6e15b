import subprocess
from pathlib import Path
from typing import Any

import pytest

from proton_xpu.report.regress.environment import (
    Environment,
    current_environment,
    mismatches,
    other_differences,
)

FACTS = {
    "arch": "pvc",
    "name": "Max 1550",
    "num_sms": 64,
    "clock_rate": 1_600_000,
    "driver_version": "1.6.1",
    "timer_hz": 12_500_000,
}


def environment(**facts: Any) -> Environment:
    return Environment(devices={"XPU 0": {**FACTS, **facts}})


def test_equal_places_may_be_compared() -> None:
    assert mismatches(environment(), environment()) == []


@pytest.mark.parametrize(
    ("facts", "kind", "text"),
    [
        ({"name": "B580"}, "device", "new ran on name=B580 arch=pvc num_sms=64"),
        ({"num_sms": 56}, "device", "num_sms=56"),
        ({"driver_version": "1.7.0"}, "driver", "base ran with driver 1.6.1; new with 1.7.0"),
        ({"clock_rate": 1_300_000}, "clock", "was 1600000 kHz in base and is 1300000 kHz in new"),
    ],
)
def test_differences_that_forbid_it(facts: dict[str, Any], kind: str, text: str) -> None:
    (mismatch,) = mismatches(environment(), environment(**facts))
    assert mismatch.kind == kind
    assert text in mismatch.text


def test_clock_readings_that_jitter_are_equal() -> None:
    assert mismatches(environment(), environment(clock_rate=1_610_000)) == []


def test_a_second_device_of_the_same_kind_is_no_other_device() -> None:
    two = Environment(devices={"XPU 0": FACTS, "XPU 1": FACTS})
    assert mismatches(environment(), two) == []


def test_what_is_not_known_cannot_differ() -> None:
    assert mismatches(environment(), Environment()) == []


def test_other_differences_are_told() -> None:
    base = Environment(
        packages={"triton": "3.3"}, tracer={"version": "1.1"}, system={"kernel": "6"}
    )
    new = Environment(packages={"torch": "2"}, tracer={"version": "1.2"}, system={"kernel": "7"})
    assert other_differences(base, new) == [
        "torch absent in base, 2 in new",
        "triton 3.3 in base, absent in new",
        "tracer version 1.1 in base, 1.2 in new",
        "operating system kernel 6 in base, 7 in new",
    ]


def test_the_machine_in_words() -> None:
    assert environment().machine() == "Max 1550 (pvc, 64 Xe cores)"
    assert Environment().machine() == "unknown device"


def test_the_timers_tick() -> None:
    assert environment().tick == 80
    assert environment(timer_hz=0).tick == Environment().tick == 100


def test_the_revision_is_gits(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "file").write_text("1")
    for command in (["init", "-q", "-b", "trunk"], ["add", "."], ["commit", "-q", "-m", "1"]):
        subprocess.run([*git, *command], check=True)
    clean = current_environment({}, {}, tmp_path)
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert clean.git["revision"] == head.stdout.strip()
    assert clean.git["branch"] == "trunk"
    assert clean.revision == head.stdout[:12]
    (tmp_path / "file").write_text("2")
    assert current_environment({}, {}, tmp_path).revision == head.stdout[:12] + "+changes"


def test_outside_git_there_is_no_revision(tmp_path: Path) -> None:
    assert current_environment({}, {}, tmp_path).revision == ""


def test_the_device_table_and_the_tracer_are_kept() -> None:
    found = current_environment({"XPU": {"0": FACTS}}, {"backend": "xpupti"})
    assert found.devices == {"XPU 0": FACTS}
    assert found.tracer == {"backend": "xpupti"}
    assert found.packages["triton-xpu"]
