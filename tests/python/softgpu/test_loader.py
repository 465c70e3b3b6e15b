from pathlib import Path

import pytest

from proton_xpu.softgpu import loader


def _make_loader(folder: Path, version: str = "", contents: bytes = b"") -> Path:
    """A file like a loader: with the version in its name behind the soname, or without."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "libze_loader.so.1"
    if version:
        (folder / f"libze_loader.so.{version}").write_bytes(contents)
        path.symlink_to(f"libze_loader.so.{version}")
    else:
        path.write_bytes(contents)
    return path


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROTON_XPU_LEVEL_ZERO_LOADER", raising=False)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setattr(loader, "_SYSTEM_FOLDERS", ())
    monkeypatch.setattr(loader, "private_folder", lambda: None)


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.8.12", False), ("1.16.14", False), ("1.16.15", True), ("1.20.6", True), ("2.0.0", True)],
)
def test_version_is_in_the_name_of_the_file(tmp_path: Path, version: str, expected: bool) -> None:
    assert loader.is_new_enough(_make_loader(tmp_path, version)) is expected


def test_without_a_version_its_functions_tell(tmp_path: Path) -> None:
    assert loader.is_new_enough(_make_loader(tmp_path / "new", contents=b"..zeInitDrivers.."))
    assert not loader.is_new_enough(_make_loader(tmp_path / "old", contents=b"..zeInit.."))


def test_the_variable_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _make_loader(tmp_path / "told", "1.17.0")
    other = _make_loader(tmp_path / "other", "1.20.0")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(other.parent))
    monkeypatch.setenv("PROTON_XPU_LEVEL_ZERO_LOADER", str(told))
    assert loader.find() == told


def test_the_private_copy_comes_before_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = _make_loader(tmp_path / "private" / "lib", "1.20.6")
    system = _make_loader(tmp_path / "system", "1.20.0")
    monkeypatch.setattr(loader, "_SYSTEM_FOLDERS", (str(system.parent),))
    assert loader.find() == system
    monkeypatch.setattr(loader, "private_folder", lambda: tmp_path / "private")
    assert loader.find() == private


def test_an_old_one_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = _make_loader(tmp_path / "old", "1.8.12")
    new = _make_loader(tmp_path / "new", "1.20.0")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{old.parent}:{new.parent}")
    assert loader.find() == new


@pytest.mark.parametrize("version", ["1.8.12", None])
def test_none_that_fits_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    if version:
        monkeypatch.setenv("LD_LIBRARY_PATH", str(_make_loader(tmp_path, version).parent))
    with pytest.raises(loader.LoaderError, match=r"install .*libze1 or set") as failure:
        loader.find()
    assert ("older than 1.16.15" in str(failure.value)) is bool(version)


def test_a_wrong_variable_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROTON_XPU_LEVEL_ZERO_LOADER", str(tmp_path / "missing"))
    with pytest.raises(loader.LoaderError, match="which is not there"):
        loader.find()
    monkeypatch.setenv("PROTON_XPU_LEVEL_ZERO_LOADER", str(_make_loader(tmp_path, "1.8.12")))
    with pytest.raises(loader.LoaderError, match="older than"):
        loader.find()


def test_mapped_files_knows_this_process() -> None:
    assert any(path.name.startswith("libc.so") for path in loader.mapped_files("libc.so"))
    assert loader.mapped_files("no such library") == []
