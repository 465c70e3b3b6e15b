"""Run clang-tidy over a build's own sources, only where something has changed since it was clean.

    python run_clang_tidy.py build/dev

What a file's result depends on is the text of the file and of the project's headers that it
includes, the rules, and the compiler's arguments. Their hash is kept for each clean file under
`<build>/clang-tidy`, so an unchanged tree is checked in well under a second.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN_FOLDERS = ("csrc", "tests", "benchmarks")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', flags=re.MULTILINE)


@dataclass(frozen=True)
class Unit:
    """A source file with the arguments that it is compiled with."""

    file: Path
    command: str


def read_units(build: Path) -> list[Unit]:
    """Return the project's own entries of the compilation database, one for each file."""
    entries = json.loads((build / "compile_commands.json").read_text())
    units = {}
    for entry in entries:
        file = Path(entry["directory"], entry["file"]).resolve()
        if file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in OWN_FOLDERS:
            units[file] = Unit(file, entry["command"])
    return [units[file] for file in sorted(units)]


def find_headers(file: Path, found: set[Path]) -> set[Path]:
    """Add the project's headers that `file` includes, directly or not, to `found`."""
    for name in INCLUDE.findall(file.read_text()):
        for folder in (file.parent, ROOT / "csrc", ROOT / "tests" / "cpp"):
            header = (folder / name).resolve()
            if header.is_file():
                if header not in found:
                    found.add(header)
                    find_headers(header, found)
                break
    return found


def hash_inputs(unit: Unit, rules: bytes) -> str:
    """Return the hash of all that the result for a file depends on."""
    digest = hashlib.sha256(rules + unit.command.encode())
    for path in [unit.file, *sorted(find_headers(unit.file, set()))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def check(build: Path, unit: Unit, rules: bytes) -> str:
    """Return what clang-tidy found in a file; empty if nothing."""
    name = str(unit.file.relative_to(ROOT)).replace(os.sep, "-")
    stamp = build / "clang-tidy" / name
    inputs = hash_inputs(unit, rules)
    if stamp.exists() and stamp.read_text() == inputs:
        return ""
    result = subprocess.run(
        ["clang-tidy", "--quiet", f"-p={build}", str(unit.file)],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        stamp.write_text(inputs)
        return ""
    return result.stdout + result.stderr


def check_all(build: Path) -> Iterator[str]:
    """Yield what clang-tidy found, file by file."""
    (build / "clang-tidy").mkdir(exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    rules = (ROOT / ".clang-tidy").read_bytes() + version
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda unit: check(build, unit, rules), read_units(build))


def main() -> int:
    """Check the build named by the first argument; exit code 1 if anything was found."""
    findings = [text for text in check_all(Path(sys.argv[1]).resolve()) if text]
    print("".join(findings), end="")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
