"""The wheel: built as `pip install .` builds it, it holds the package, whole and nothing else."""

import os
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from email.parser import Parser
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--wheel-dir", str(folder)]
    command += ["--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    # The name under which the checkout's build calls the compiler: ccache then has the objects.
    environment = {"CC": "cc", "CXX": "c++", **os.environ}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def read_metadata(wheel: Path, name: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"proton_xpu-0.1.0.dist-info/{name}").decode()


def test_it_holds_all_of_the_package_and_nothing_else(names: set[str]) -> None:
    sources = {
        str(path.relative_to(ROOT))
        for package in ("proton_xpu", "pytest_proton_xpu")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in (".so", ".pyc")
    }
    native = {name for name in names if name.endswith(".so")}
    metadata = {name for name in names if name.startswith("proton_xpu-0.1.0.dist-info/")}
    assert names - native - metadata == sources | {"proton_xpu_install.pth"}


def test_it_holds_the_two_native_libraries_once(names: set[str]) -> None:
    native = sorted(name for name in names if ".so" in name)
    assert len(native) == 2
    assert native[0].startswith("proton_xpu/_native.cpython-")
    assert native[1] == "proton_xpu/softgpu/libze_softgpu.so"


def test_it_holds_what_programs_look_up(names: set[str]) -> None:
    assert names >= {
        "proton_xpu/_native.pyi",
        "proton_xpu/py.typed",
        "proton_xpu/softgpu/profiles/max1550.json",
        "proton_xpu-0.1.0.dist-info/licenses/LICENSE",
    }


def test_its_scripts_start_functions_that_exist(wheel: Path) -> None:
    parser = ConfigParser()
    parser.read_string(read_metadata(wheel, "entry_points.txt"))
    scripts = dict(parser["console_scripts"])
    assert set(scripts) == {"proton-xpu", "proton-xpu-viewer"}
    for target in scripts.values():
        module, _, function = target.partition(":")
        assert callable(getattr(import_module(module), function))


def test_it_needs_no_other_package(wheel: Path) -> None:
    metadata = Parser().parsestr(read_metadata(wheel, "METADATA"))
    requirements = metadata.get_all("Requires-Dist") or []
    assert [text for text in requirements if "extra ==" not in text] == []
    assert set(metadata.get_all("Provides-Extra") or []) == {
        "cluster",
        "dev",
        "pti",
        "report",
        "softgpu",
        "test",
    }
    assert metadata["License-Expression"] == "MIT"


def test_it_works_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--disable-pip-version-check", "--target", str(tmp_path), str(wheel)]
    subprocess.run(command, check=True)
    script = "import proton_xpu, proton_xpu._native as n; print(proton_xpu.__file__, n.__file__)"
    # Without site-packages, where this checkout is installed in place.
    result = subprocess.run(
        [sys.executable, "-S", "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    package, native = result.stdout.split()
    assert Path(package).parent == tmp_path / "proton_xpu"
    assert Path(native).parent == tmp_path / "proton_xpu"
