"""What clang-tidy is run on, and when a file is looked at again."""

import json
from pathlib import Path

import pytest
import run_clang_tidy as module


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source that includes one header, which includes another one; and a build of it."""
    monkeypatch.setattr(module, "ROOT", tmp_path)
    room = tmp_path / "csrc" / "room"
    room.mkdir(parents=True)
    (room / "source.cpp").write_text('#include "room/near.h"\n#include <vector>\n')
    (room / "near.h").write_text('#include "far.h"\n')
    (room / "far.h").write_text('#include "near.h"\n')
    build = tmp_path / "build"
    build.mkdir()
    files = [room / "source.cpp", build / "generated.cpp", Path("/usr/include/other.cpp")]
    entries = [{"directory": str(build), "file": str(f), "command": "c++"} for f in files]
    (build / "compile_commands.json").write_text(json.dumps(entries))
    return tmp_path


def unit_of(tree: Path) -> module.Unit:
    (unit,) = module.read_units(tree / "build")
    return unit


def test_only_own_sources_are_checked(tree: Path) -> None:
    assert unit_of(tree).file == tree / "csrc" / "room" / "source.cpp"


def test_headers_are_found_through_headers(tree: Path) -> None:
    room = tree / "csrc" / "room"
    assert module.find_headers(room / "source.cpp", set()) == {room / "near.h", room / "far.h"}


@pytest.mark.parametrize("name", ["source.cpp", "near.h", "far.h"])
def test_a_change_of_any_file_read_counts(tree: Path, name: str) -> None:
    before = module.hash_inputs(unit_of(tree), b"rules")
    path = tree / "csrc" / "room" / name
    path.write_text(path.read_text() + "int added;\n")
    assert module.hash_inputs(unit_of(tree), b"rules") != before


def test_a_change_of_the_rules_counts(tree: Path) -> None:
    unit = unit_of(tree)
    assert module.hash_inputs(unit, b"rules") != module.hash_inputs(unit, b"other rules")
