"""The entry point ./dev and the shell functions of the set-up, each tried in a shell of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PARTS = ("say", "packages", "interpreter")


def dev(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "dev", *arguments], capture_output=True, text=True, check=False, cwd="/"
    )


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script after the set-up's functions, with `folder` in the place of .deps."""
    sources = "\n".join(f'source "{ROOT}/.ci/{part}.sh"' for part in PARTS)
    text = f'set -euo pipefail\nROOT="{folder}"\nDEPS="{folder}/.deps"\n{sources}\n{script}\n'
    return subprocess.run(
        ["bash", "-c", text],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def commands() -> set[str]:
    text = (ROOT / "dev").read_text()
    alternatives = re.search(r"^ +((?:\w+ \| )+\w+)\)$", text, flags=re.MULTILINE)
    assert alternatives is not None
    return set(alternatives[1].split(" | "))


def test_help_describes_each_command() -> None:
    described = re.findall(r"^  (\w+) {2,}\w", dev("help").stdout, flags=re.MULTILINE)
    assert set(described) == commands() - {"help"}


def test_without_a_command_there_is_help() -> None:
    assert dev().stdout == dev("help").stdout


def test_an_unknown_command_is_refused() -> None:
    result = dev("demonstrate")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.endswith("dev: there is no command 'demonstrate'\n")


def test_make_has_the_same_commands() -> None:
    targets = re.search(r"^COMMANDS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    assert set(targets[1].split()) == commands()


@pytest.mark.parametrize(
    ("version", "minimum", "expected"),
    [
        ("1.16.15", "1.16.15", True),
        ("1.20.6", "1.16.15", True),
        ("1.8.12", "1.16.15", False),
        ("1.16.2", "1.16.15", False),
        ("3.25.1", "3.25", True),
        ("3.9", "3.25", False),
    ],
)
def test_versions_are_compared_by_their_numbers(
    tmp_path: Path, version: str, minimum: str, expected: bool
) -> None:
    result = shell(tmp_path, f"at_least {version} {minimum}")
    assert (result.returncode == 0) is expected


def test_a_step_that_succeeds_keeps_its_output_to_the_log(tmp_path: Path) -> None:
    result = shell(tmp_path, "run_step greet Greeting advice echo hello")
    assert result.returncode == 0
    assert re.fullmatch(r"-- Greeting\n   done in \d+ s\n", result.stdout)
    assert result.stderr == ""
    assert (tmp_path / ".deps" / "log" / "greet.log").read_text() == "hello\n"


def test_a_step_that_fails_ends_with_its_advice(tmp_path: Path) -> None:
    script = "CI=''; run_step fetch Fetching 'plug in the network' bash -c 'echo no route; exit 7'"
    result = shell(tmp_path, script + "; echo never reached")
    assert result.returncode == 1
    assert result.stdout == "-- Fetching\n"
    assert result.stderr == ("dev: plug in the network (full output: .deps/log/fetch.log)\n")


def test_in_ci_a_failed_step_shows_its_output(tmp_path: Path) -> None:
    result = shell(tmp_path, "CI=true; run_step fetch Fetching advice bash -c 'echo no; exit 7'")
    assert result.stderr.splitlines()[0] == "no"


def test_a_step_has_no_standard_input(tmp_path: Path) -> None:
    result = shell(tmp_path, "echo text | run_step read Reading advice cat")
    assert result.returncode == 0
    assert (tmp_path / ".deps" / "log" / "read.log").read_text() == ""


def test_a_stamp_holds_until_its_inputs_change(tmp_path: Path) -> None:
    script = """
stamp_is step "$(stamp_of a b)" && echo early
stamp_set step "$(stamp_of a b)"
stamp_is step "$(stamp_of a b)" && echo same
stamp_is step "$(stamp_of a c)" || echo changed
"""
    assert shell(tmp_path, f"set +e\n{script}").stdout == "same\nchanged\n"


def test_an_interpreter_that_fits_is_found_by_its_real_path(tmp_path: Path) -> None:
    result = shell(tmp_path, f'probe_interpreter "{sys.executable}"')
    assert result.returncode == 0
    assert Path(result.stdout.strip()).resolve() == Path(sys.executable).resolve()


def test_a_named_interpreter_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    result = shell(tmp_path, "PYTHON=/bin/false; ensure_interpreter")
    assert result.returncode == 1
    assert result.stderr == (
        "dev: PYTHON=/bin/false is not a Python 3.10, 3.11 or 3.12 with venv, ssl and its C "
        "headers: name another one or unset PYTHON\n"
    )


def test_without_a_fitting_interpreter_it_is_said_what_to_install(tmp_path: Path) -> None:
    script = """
list_interpreters() { :; }
update_package_lists() { :; }
apt_candidate() { echo 3.13.5-1; }
ensure_interpreter
"""
    result = shell(tmp_path, script)
    assert result.returncode == 1
    assert result.stderr.startswith("dev: no Python 3.10, 3.11 or 3.12 was found")
    assert len(result.stderr.splitlines()) == 1


def test_without_root_and_sudo_it_is_said_what_to_install(tmp_path: Path) -> None:
    result = shell(tmp_path, "may_be_root() { return 1; }\ninstall_packages g++ cmake")
    assert result.returncode == 1
    assert result.stderr == (
        "dev: as root, run: apt-get install g++ cmake; then run this again (there is neither root "
        "nor sudo here)\n"
    )
