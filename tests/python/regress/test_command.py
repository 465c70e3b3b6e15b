"""The command line: files in, files out, and each exit code."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.profiles import DEVICES, kernel, node
from support.simulated_launches import simulated_result

from proton_xpu.cli.regress import main
from proton_xpu.report.regress.config import Config, load_config
from proton_xpu.report.regress.result import Launch, Result

STEADY = [100_000.0, 100_400.0, 99_700.0]
UNSURE = [100_000.0, 109_000.0, 93_000.0, 104_000.0, 97_000.0]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def save(name: str, times: list[float], factor: float = 1.0) -> str:
    simulated_result([[time * factor for time in times]]).save(Path(name))
    return name


def test_0_if_nothing_is_worse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", save("a.json", STEADY), save("b.json", STEADY)]) == 0
    assert capsys.readouterr().out.startswith("OK: No regression\n")


def test_1_if_a_kernel_regressed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", save("a.json", STEADY), save("b.json", STEADY, 1.05)]) == 1
    assert capsys.readouterr().out.startswith("REGRESSED: Performance regressed\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a command: record, compare, gate, report or history"),
        (["explain"], "invalid choice: 'explain'"),
        (["compare", "a.json"], "the following arguments are required: new"),
        (["compare", "a.json", "a.json", "--allow", "all"], "invalid choice: 'all'"),
    ],
)
def test_2_for_wrong_arguments(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "a.json", "missing.json"], "missing.json: No such file or directory"),
        (["compare", "a.json", "missing.hatchet"], "missing.hatchet: there is no such file"),
        (["compare", "a.json", "a.json", "--max-regression", "much"], "'much' is no share"),
        (["compare", "a.json", "a.json", "--config", "none.toml"], "none.toml: No such file"),
        (["compare", "a.json", "a.json", "--preset", "mild"], "'mild' must be one of"),
        (["gate", "a.json"], "no place for baselines is known"),
        (["gate", "a.json", "--baseline", "git:"], "names no branch or ref"),
        (["history"], "no place for baselines is known"),
        (["record", "-o", "b.json"], "there is nothing to record"),
        (["record", "-o", "b.json", "--runs", "0", "--", "x.py"], "runs: 0 must be"),
        (["record", "-o", "b.json", "--", "no-such", "{profile}"], "could not be started"),
    ],
)
def test_2_for_what_cannot_be_done(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save("a.json", STEADY)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_3_for_a_result_that_measured_nothing() -> None:
    plain = simulated_result([STEADY])
    replace(plain, launches=[Launch(status="empty")] * 3).save(Path("b.json"))
    assert main(["compare", save("a.json", STEADY), "b.json"]) == 3


def test_3_for_a_damaged_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text('{"format": "proton-xpu-regress-result", "version": 1}')
    assert main(["compare", "a.json", save("b.json", STEADY), "--json", "c.json"]) == 3
    assert "INVALID corrupt-baseline: a.json: the content does not fit" in capsys.readouterr().out
    assert json.loads(Path("c.json").read_text())["exit_code"] == 3


def test_3_for_a_new_result_that_is_damaged(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.json").write_text("{")
    assert main(["compare", save("a.json", STEADY), "b.json"]) == 3
    assert "b.json: this is no result" in capsys.readouterr().err


def test_3_for_a_damaged_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.json").write_text("{}")
    assert main(["report", "c.json"]) == 3
    assert "c.json: this is no comparison" in capsys.readouterr().err


def test_4_if_undecided_and_strict(capsys: pytest.CaptureFixture[str]) -> None:
    sides = [save("a.json", UNSURE), save("b.json", UNSURE, 1.06)]
    assert main(["compare", *sides]) == 0
    assert main(["compare", *sides, "--strict"]) == 4
    assert capsys.readouterr().out.startswith("AMBIGUOUS: Undecided: more launches are needed\n")


def test_every_output_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("summary").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    sides = [save("a.json", STEADY), save("b.json", STEADY, 1.05)]
    files = ["--markdown", "c.md", "--html", "c.html", "--junit", "c.xml", "--gitlab", "c.gl"]
    assert main(["compare", *sides, *files, "--json", "c.json", "--github"]) == 1
    out = capsys.readouterr().out
    assert "\n::error title=REGRESSED worse::model/layer0/kernel0: +5.0 %25" in out
    assert Path("c.md").read_text().startswith("<!-- proton-xpu-regress -->")
    assert Path("c.html").read_text().startswith("<!DOCTYPE html>")
    assert Path("c.xml").read_bytes().startswith(b"<?xml")
    assert json.loads(Path("c.gl").read_text())[0]["location"]["path"] == "pyproject.toml"
    assert Path("summary").read_text() == "before\n" + Path("c.md").read_text()


def test_a_saved_comparison_is_shown_again(capsys: pytest.CaptureFixture[str]) -> None:
    sides = [save("a.json", STEADY), save("b.json", STEADY, 1.05)]
    assert main(["compare", *sides, "--json", "c.json"]) == 1
    first = capsys.readouterr().out
    assert main(["report", "c.json", "--html", "c.html"]) == 1
    assert capsys.readouterr().out == first
    assert Path("c.html").exists()


def test_profiles_can_be_compared_but_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    for name, time in (("a.hatchet", 100_000), ("b.hatchet", 150_000)):
        root = node("ROOT", kernel("k", time))
        Path(name).write_text(json.dumps([root, DEVICES]))
    assert main(["compare", "a.hatchet", "b.hatchet"]) == 0
    assert "AMBIGUOUS  k  100 us -> 150 us  +50.0 %" in capsys.readouterr().out


def test_profiles_are_recorded_as_launches() -> None:
    for number in range(3):
        root = node("ROOT", kernel("k", 100_000 + number))
        Path(f"p{number}.hatchet").write_text(json.dumps([root, DEVICES]))
    profiles = [f"p{number}.hatchet" for number in range(3)]
    assert main(["record", "-o", "r.json", "--label", "x", "--profiles", *profiles]) == 0
    result = Result.load(Path("r.json"))
    assert result.kernels[("k",)]["time"] == [100_000, 100_001, 100_002]
    assert result.label == "x"


@pytest.mark.parametrize(("children", "code"), [([kernel("k", 1000)], 0), ([], 3)])
def test_a_command_is_recorded_on_both_sides(
    children: list[dict[str, object]], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps([node("ROOT", *children), DEVICES])
    Path("program.py").write_text(
        f"import sys, pathlib; pathlib.Path(sys.argv[1] + '.hatchet').write_text({text!r})"
    )
    command = f"{sys.executable} program.py {{profile}}"
    options = ["-n", "2", "--warmup", "0", "-o", "new.json", "--against", command]
    assert main(["record", *options, "--", *command.split()]) == code
    base, new = Result.load(Path("base.json")), Result.load(Path("new.json"))
    assert base.session == new.session != ""
    assert [len(side.launches) for side in (base, new)] == [2, 2]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[0] == "launch 1 of 2 base"
    assert ("warning: launch empty: the profile holds no kernel" in captured.err) is (code == 3)


def test_another_revision_is_recorded_in_turns(capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    for time in (100_000, 105_000):
        text = json.dumps([node("ROOT", kernel("k", time)), DEVICES])
        Path("program.py").write_text(
            f"import sys, pathlib; pathlib.Path(sys.argv[1] + '.hatchet').write_text({text!r})"
        )
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", str(time)], check=True)
    options = ["-n", "2", "--warmup", "0", "-o", "new.json", "--against-rev", "HEAD~1"]
    assert main(["record", *options, "--", sys.executable, "program.py", "{profile}"]) == 0
    base, new = Result.load(Path("base.json")), Result.load(Path("new.json"))
    assert base.environment.git["revision"] != new.environment.git["revision"]
    assert main(["compare", "base.json", "new.json"]) == 1
    assert "launches: in turns" in capsys.readouterr().out


def test_the_gate_seeds_compares_and_accepts(capsys: pytest.CaptureFixture[str]) -> None:
    gate = ["gate", "--baseline", "perf", "--update"]
    assert main([*gate, save("a.json", STEADY)]) == 0
    assert main([*gate, save("b.json", STEADY)]) == 0
    assert main([*gate, save("c.json", STEADY, 1.05)]) == 1
    assert main([*gate, "c.json", "--accept", "needed for accuracy"]) == 0
    assert main([*gate, "c.json"]) == 0
    assert capsys.readouterr().err.count("stored as kernels--00000") == 4
    assert len(list(Path("perf").iterdir())) == 4


def test_the_baseline_may_stand_in_the_settings() -> None:
    Path("perf.toml").write_text('baseline = "somewhere"\n')
    assert main(["gate", save("a.json", STEADY), "--config", "perf.toml"]) == 0
    assert len(list(Path("somewhere").iterdir())) == 1


def test_history_shows_steps_and_drift(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        name = save("a.json", STEADY, 1.0 if number < 6 else 1.1)
        main(["gate", "--baseline", "perf", name, "--accept", "test"])
    capsys.readouterr()
    assert main(["history", "--baseline", "perf"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.startswith("12 results, kernels--000001-")
    assert line == (
        "model/layer0/kernel0  100 us -> 110 us  overall +10.0 %  step +10.0 % at result 7"
    )
    assert main(["history", "--baseline", "perf", "--json", "--kernel", "kernel0"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["kernels"]
    assert told["steps"] == [{"index": 6, "ratio": pytest.approx(1.1)}]
    assert main(["history", "--baseline", "perf", "--kernel", "other"]) == 0
    assert main(["history", "--baseline", "nowhere"]) == 3


def test_the_settings_in_force_are_dumped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dump-config", "--preset", "strict"]) == 0
    Path("dumped.toml").write_text(capsys.readouterr().out)
    assert load_config(Path("dumped.toml")) == load_config(None, {"preset": "strict"}) != Config()


def test_reading_results_needs_no_native_module_and_help_no_numpy() -> None:
    save("a.json", STEADY)
    code = (
        "import sys\n"
        "from proton_xpu.cli.regress import main\n"
        "sys.modules['numpy'] = sys.modules['scipy'] = None\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "sys.exit(main(['compare', 'a.json', 'a.json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 2
    assert "comparing results needs the package numpy" in done.stderr
