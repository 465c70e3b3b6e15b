"""What is committed: the expected top level, and nothing that belongs to one machine."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES = subprocess.run(
    ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.split("\0")[:-1]
TOP_LEVEL = {
    ".ci",
    ".clang-format",
    ".clang-tidy",
    ".gitignore",
    "CMakeLists.txt",
    "CMakePresets.json",
    "LICENSE",
    "Makefile",
    "README.md",
    "benchmarks",
    "cmake",
    "csrc",
    "dev",
    "docs",
    "examples",
    "proton_xpu",
    "pyproject.toml",
    "pytest_proton_xpu",
    "tests",
}
# Hosts that a committed file may name: of formats and of tests, never of package registries.
KNOWN_HOSTS = {
    "json-schema.org",
    "www.speedscope.app",
    "www.w3.org",
    "mirror.example",
    "commented.example",
}


def committed_text() -> list[tuple[str, str]]:
    texts = []
    for name in FILES:
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes():
            texts.append((name, path.read_text()))
    return texts


def test_the_top_level_holds_what_it_should() -> None:
    assert {Path(name).parts[0] for name in FILES} == TOP_LEVEL


def test_only_known_hosts_are_named() -> None:
    for name, text in committed_text():
        hosts = set(re.findall(r"\b(?:https?|ftp|git|ssh)://(?:[^\s/@]+@)?([\w.-]+)", text))
        assert hosts <= KNOWN_HOSTS, name


@pytest.mark.parametrize("folder", ["work", "root"])
def test_no_machine_path_is_named(folder: str) -> None:
    path = re.compile(rf"(?<![\w.}})>*-])/{folder}/")
    for name, text in committed_text():
        found = path.search(text)
        assert found is None, f"{name}: {text[found.start() - 30 : found.end() + 30]}"


def test_scripts_are_executable_and_nothing_else_is() -> None:
    staged = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    executable = {line.split("\t")[1] for line in staged.splitlines() if line.startswith("100755")}
    assert executable == {"dev", ".ci/run"}
