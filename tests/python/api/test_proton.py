"""The command `proton-xpu`."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.children import run_python
from support.trees import file_names, read_rows

from proton_xpu.cli import COMMANDS
from proton_xpu.proton import Request, parse_arguments

Command = Callable[..., CompletedProcess[str]]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Runs the command in the test's own folder, on a script's text or on what stands there."""

    def command(*arguments: str, script: str | None = None) -> CompletedProcess[str]:
        if script is not None:
            (tmp_path / "script.py").write_text(script, encoding="utf-8")
        return run_python(
            ["-m", "proton_xpu", *arguments],
            cwd=tmp_path,
            variables={"PROTON_XPU_DEVICE": "soft"},
        )

    return command


LAUNCHING = """
import sys
from support.soft_kernels import soft_kernels
import proton_xpu as proton
kernels = soft_kernels()
with proton.scope("s"):
    kernels.meta(4)
"""


def request(**changes: object) -> Request:
    defaults = Request(None, None, "shadow", "tree", None, None, "a.py", [], is_module=False)
    return defaults._replace(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.py", request()),
        ("run a.py", request()),
        ("a.py -n x --help", request(target_arguments=["-n", "x", "--help"])),
        ("-n p -- a.py 1", request(name="p", target_arguments=["1"])),
        ("-np --data=trace a.py", request(name="p", data="trace")),
        (
            "-n p -b xpupti -c python -m periodic_flushing:format=hatchet -d trace -k triton a.py",
            request(
                name="p",
                backend="xpupti",
                context="python",
                mode="periodic_flushing:format=hatchet",
                data="trace",
                hook="triton",
            ),
        ),
        ("--mode memory_ops a.py", request(mode="memory_ops")),
        (
            "-m pkg.mod -n x",
            request(target="pkg.mod", target_arguments=["-n", "x"], is_module=True),
        ),
        ("-n p -m mod", request(name="p", target="mod", is_module=True)),
        ("-mmod 1", request(target="mod", target_arguments=["1"], is_module=True)),
        ("--module mod -k", request(target="mod", target_arguments=["-k"], is_module=True)),
        (
            "-m memory_ops -m mod a",
            request(mode=None, target="mod", target_arguments=["a"], is_module=True),
        ),
        (
            "pytest -k some tests",
            request(target="pytest", target_arguments=["-k", "some", "tests"]),
        ),
    ],
)
def test_parse_arguments(line: str, expected: Request) -> None:
    assert parse_arguments(line.split()) == expected


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "name a script, -m MODULE or pytest to run"),
        ("run", "name a script, -m MODULE or pytest to run"),
        ("-n p", "name a script, -m MODULE or pytest to run"),
        ("-d nope a.py", "argument -d/--data: invalid choice: 'nope'"),
        ("--colour red a.py", "unrecognized arguments: --colour red"),
        ("-n", "argument -n/--name: expected one argument"),
    ],
)
def test_malformed_lines(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_request:
        parse_arguments(line.split())
    assert exit_request.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("usage: proton-xpu [run] [options] {script.py | -m MODULE |")
    assert complaint in output.err


def test_help_has_an_example(command: Command) -> None:
    done = command("--help")
    assert done.returncode == 0
    assert "proton-xpu -n profile -k triton train.py --steps 10" in done.stdout
    assert "proton-xpu-viewer -m time/ms,count,time/% profile.hatchet" in done.stdout
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert done.stderr == ""


def test_other_commands_are_called(command: Command) -> None:
    done = command("view", "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: proton-xpu")
    assert "no_such.hatchet" in command("view", "no_such.hatchet").stderr


def test_script_is_profiled(command: Command, tmp_path: Path) -> None:
    done = command(
        *("-n", "out", "-k", "triton", "script.py", "-n", "x"),
        script=LAUNCHING + "print(sys.argv, __name__, __file__)",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['script.py', '-n', 'x'] __main__ script.py\n"
    assert read_rows(tmp_path / "out") == {
        "s": {},
        "s/meta_4": {"bytes": 32, "count": 1, "flops32": 8.0, "time (ns)": 1000},
    }


@pytest.mark.parametrize(
    ("end", "exit_code", "complaint"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(5)", 5, ""),
        ("sys.exit('a message')", 1, "a message\n"),
        ("raise KeyError('uncaught')", 1, "KeyError: 'uncaught'\n"),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt\n"),
        ("1 +", 1, "SyntaxError: invalid syntax\n"),
    ],
)
def test_exit_code_is_the_script_s_and_the_file_is_written(
    end: str, exit_code: int, complaint: str, command: Command, tmp_path: Path
) -> None:
    done = command("script.py", script=f"import sys\nimport proton_xpu\n{end}\n")
    assert done.returncode == exit_code
    assert done.stdout == ""
    assert done.stderr.endswith(complaint)
    assert read_rows(tmp_path / "proton") == {}


def test_traceback_begins_in_the_script(command: Command) -> None:
    done = command("script.py", script="def fail():\n    1 / 0\nfail()\n")
    lines = done.stderr.splitlines()
    assert lines[0] == "An error occurred while executing the script:"
    assert lines[1] == "Traceback (most recent call last):"
    assert 'script.py", line 3, in <module>' in lines[2]
    assert lines[-1] == "ZeroDivisionError: division by zero"


def test_sessions_of_the_script_do_nothing(command: Command, tmp_path: Path) -> None:
    done = command(
        *("-n", "out", "script.py"),
        script="""
import proton_xpu as proton

session = proton.start("mine", data="trace")
with proton.scope("before"):
    pass
proton.finalize()
with proton.scope("after"):
    pass
proton.deactivate(0)
with proton.scope("inactive"):
    pass
proton.activate(0)
print(session, proton.context.depth(0))
""",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "None 0\n"
    assert file_names(tmp_path) == ["out.hatchet", "script.py"]
    assert list(read_rows(tmp_path / "out")) == ["before", "after"]


def test_threads_that_outlive_the_script_are_profiled(command: Command, tmp_path: Path) -> None:
    done = command(
        "script.py",
        script="""
import threading, time
import proton_xpu as proton

def work():
    time.sleep(0.2)
    with proton.scope("late"):
        pass

threading.Thread(target=work).start()
""",
    )
    assert done.returncode == 0, done.stderr
    assert list(read_rows(tmp_path / "proton")) == ["late"]


def test_neighbours_of_the_script_can_be_imported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "neighbour.py").write_text("value = 7\n", encoding="utf-8")
    (tmp_path / "sub" / "main.py").write_text(
        "import neighbour\nprint(neighbour.value)\n", encoding="utf-8"
    )
    done = command("sub/main.py")
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


def test_module_is_profiled(command: Command, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__main__.py").write_text(
        "import sys\nimport proton_xpu as proton\n"
        "with proton.scope('m'): print(sys.argv[1:], __name__)\n",
        encoding="utf-8",
    )
    done = command("-m", "pkg", "a", "-k")
    assert (done.returncode, done.stdout) == (0, "['a', '-k'] __main__\n"), done.stderr
    assert list(read_rows(tmp_path / "proton")) == ["m"]


def test_missing_targets_are_said(command: Command) -> None:
    assert "No module named no_such_module" in command("-m", "no_such_module").stderr
    done = command("no_such.py")
    assert done.returncode == 1
    assert "FileNotFoundError: [Errno 2] No such file or directory: " in done.stderr


def test_pytest_is_profiled(command: Command, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import proton_xpu as proton\n"
        "def test_good():\n    with proton.scope('good'): pass\n"
        "def test_bad():\n    assert False\n",
        encoding="utf-8",
    )
    done = command("-n", "out", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert list(read_rows(tmp_path / "out")) == ["good"]


def test_trouble_with_the_session_is_said(command: Command) -> None:
    done = command("-n", "no/such/p", "script.py", script="print('not run')")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("proton-xpu: [PROTON] Cannot write a profile to ")
    done = command("-b", "nope", "script.py")
    assert done.stderr == "proton-xpu: [PROTON] Unknown profiler: nope\n"


def test_disabled_profiling_runs_the_script_alone(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRITON_PROTON_DISABLE", "1")
    done = command("script.py", script="print('run')")
    assert (done.returncode, done.stdout) == (0, "run\n"), done.stderr
    assert file_names(tmp_path) == ["script.py"]
