"""Taking one needed symbol version out of a shared library, tried on libraries made here."""

import subprocess
import sys
from pathlib import Path

import drop_version_need as module
import pytest

VERSIONS = ("NEED_1", "NEED_2", "NEED_3")


def compile_library(target: Path, source: str, *arguments: str) -> None:
    text = target.with_suffix(".c")
    text.write_text(source)
    command = ["gcc", "-shared", "-fPIC", "-nostdlib", "-o", str(target), str(text), *arguments]
    subprocess.run(command, check=True)


def provide(folder: Path, versions: tuple[str, ...]) -> None:
    """Make libprovider.so with a function for each version that returns the version's number."""
    folder.mkdir()
    numbers = [version[-1] for version in versions]
    source = "\n".join(f"int function_{n}(void) {{ return {n}; }}" for n in numbers)
    script = folder / "versions.map"
    script.write_text(
        "\n".join(f"{v} {{ global: function_{v[-1]}; }};" for v in versions) + "\n",
    )
    compile_library(
        folder / "libprovider.so",
        source,
        "-Wl,-soname,libprovider.so",
        f"-Wl,--version-script={script}",
    )


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `full/libprovider.so` and `libuser.so`, which needs all of its versions."""
    folder = tmp_path_factory.mktemp("libraries")
    provide(folder / "full", VERSIONS)
    # The third function is named but never called, as with libstdc++'s marker symbol.
    source = """
__asm__(".globl function_3");
int function_1(void);
int function_2(void);
int use(void) { return 10 * function_1() + function_2(); }
"""
    compile_library(folder / "libuser.so", source, f"-L{folder / 'full'}", "-lprovider")
    return folder


def load(provider: Path, user: Path) -> subprocess.CompletedProcess[str]:
    """Print what `use` returns, in a process of its own where only `provider` is loaded."""
    script = f"""
import ctypes
ctypes.CDLL({str(provider)!r}, ctypes.RTLD_GLOBAL)
print(ctypes.CDLL({str(user)!r}).use())
"""
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )


def needed(image: bytes) -> set[str]:
    return {need.name for need in module.read_needs(image)}


@pytest.mark.parametrize("version", VERSIONS)
def test_one_version_goes_and_the_others_stay(libraries: Path, version: str) -> None:
    before = (libraries / "libuser.so").read_bytes()
    after = module.drop_version_need(before, version)
    assert needed(before) == set(VERSIONS)
    assert needed(after) == set(VERSIONS) - {version}
    assert len(after) == len(before)


@pytest.mark.parametrize("version", VERSIONS)
def test_readelf_finds_the_result_sound(libraries: Path, tmp_path: Path, version: str) -> None:
    target = tmp_path / "libuser.so"
    target.write_bytes(module.drop_version_need((libraries / "libuser.so").read_bytes(), version))
    result = subprocess.run(
        ["readelf", "--wide", "--version-info", "--dyn-syms", str(target)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Cnt: 2" in result.stdout
    assert version not in result.stdout
    assert f"function_{version[-1]}\n" in result.stdout
    assert result.stderr == ""


def test_the_library_loads_where_the_version_is_unknown(libraries: Path, tmp_path: Path) -> None:
    provide(tmp_path / "old", VERSIONS[:2])
    old = tmp_path / "old" / "libprovider.so"
    refused = load(old, libraries / "libuser.so")
    assert "version `NEED_3' not found" in refused.stderr

    target = tmp_path / "libuser.so"
    target.write_bytes(module.drop_version_need((libraries / "libuser.so").read_bytes(), "NEED_3"))
    assert load(old, target).stdout == "12\n"


def test_a_symbol_without_its_version_still_binds(libraries: Path, tmp_path: Path) -> None:
    target = tmp_path / "libuser.so"
    target.write_bytes(module.drop_version_need((libraries / "libuser.so").read_bytes(), "NEED_1"))
    assert load(libraries / "full" / "libprovider.so", target).stdout == "12\n"


def test_a_library_without_the_version_is_left_as_it_is(libraries: Path) -> None:
    image = (libraries / "libuser.so").read_bytes()
    assert module.drop_version_need(image, "NEED_9") == image


def test_the_last_version_of_a_library_is_refused(libraries: Path) -> None:
    image = (libraries / "libuser.so").read_bytes()
    for version in VERSIONS[:2]:
        image = module.drop_version_need(image, version)
    with pytest.raises(module.ElfError, match="NEED_3 is the only version"):
        module.drop_version_need(image, "NEED_3")


@pytest.mark.parametrize("image", [b"", b"\x7fELF\x01\x01" + bytes(80), b"#!/bin/sh\n" * 9])
def test_what_is_no_elf_library_is_refused(image: bytes) -> None:
    with pytest.raises(module.ElfError, match="not a 64-bit"):
        module.drop_version_need(image, "NEED_1")


def test_a_file_that_is_cut_off_is_refused(libraries: Path) -> None:
    image = (libraries / "libuser.so").read_bytes()
    with pytest.raises(module.ElfError, match="cut off"):
        module.drop_version_need(image[:-1], "NEED_1")
