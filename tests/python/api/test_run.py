"""`python -m proton_xpu.run`."""

from pathlib import Path

from support.children import run_python
from support.trees import file_names, read_rows

UNCHANGED_PROGRAM = """
import sys
import triton.profiler as proton
from triton.profiler.hooks.launch import LaunchHook

session = proton.start("mine", hook=LaunchHook())
with proton.scope("s"):
    pass
proton.finalize(session)
print(proton.__name__, sys.argv, __name__)
sys.exit(6)
"""

SOFT = {"PROTON_XPU_DEVICE": "soft"}


def test_script_gets_this_package_and_its_sessions_count(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(UNCHANGED_PROGRAM, encoding="utf-8")
    done = run_python(
        ["-m", "proton_xpu.run", "script.py", "-m", "x"], cwd=tmp_path, variables=SOFT
    )
    assert done.returncode == 6, done.stderr
    assert done.stdout == "proton_xpu ['script.py', '-m', 'x'] __main__\n"
    assert file_names(tmp_path) == ["mine.hatchet", "script.py"]
    assert read_rows(tmp_path / "mine") == {"s": {}}


def test_module_and_pytest(tmp_path: Path) -> None:
    (tmp_path / "mod.py").write_text(
        "import triton.profiler as proton\nprint(proton.__name__)\n", encoding="utf-8"
    )
    (tmp_path / "test_it.py").write_text(
        "def test_it():\n    import triton.profiler as proton\n"
        "    assert proton.__name__ == 'proton_xpu'\n",
        encoding="utf-8",
    )
    assert run_python(["-m", "proton_xpu.run", "-m", "mod"], cwd=tmp_path).stdout == "proton_xpu\n"
    done = run_python(
        ["-m", "proton_xpu.run", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout


def test_usage() -> None:
    usage = "usage: python -m proton_xpu.run {script.py | -m MODULE | pytest} [arguments]\n"
    done = run_python(["-m", "proton_xpu.run"])
    assert (done.returncode, done.stdout, done.stderr) == (2, "", usage)
    done = run_python(["-m", "proton_xpu.run", "--help"])
    assert (done.returncode, done.stdout, done.stderr) == (0, usage, "")
