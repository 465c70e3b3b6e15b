"""What becomes of sessions that nobody finalizes."""

import signal
import textwrap
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.children import run_python
from support.trees import file_names, read_rows

KERNEL = {"count": 1, "time (ns)": 1000}

KERNELS = """
from support.soft_kernels import soft_kernels
kernels = soft_kernels()
"""

PRELUDE = """
import os, signal, sys, threading
import proton_xpu as proton

def terminate():
    os.kill(os.getpid(), signal.SIGTERM)

session = proton.start("p")
with proton.scope("s", {"m": 1}):
    pass
"""

WRITTEN = {"s": {"m": 1}}

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs code in the test's own folder, after `before` and a prelude that starts a session."""

    def run(code: str, before: str = "", prelude: str = PRELUDE) -> CompletedProcess[str]:
        return run_python(
            ["-c", before + prelude + textwrap.dedent(code)],
            cwd=tmp_path,
            variables={"PROTON_XPU_DEVICE": "soft"},
        )

    return run


@pytest.mark.parametrize(
    ("end", "exit_code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise KeyError('uncaught')", 1),
    ],
)
def test_open_session_is_written_at_exit(
    end: str, exit_code: int, run: Run, tmp_path: Path
) -> None:
    done = run(end)
    assert done.returncode == exit_code, done.stderr
    assert done.stdout == ""
    assert (
        "RuntimeWarning: Session 0 ('p') was still open at exit: has been written. "
        "Call finalize() to end a session."
    ) in done.stderr
    assert read_rows(tmp_path / "p") == WRITTEN


def test_launches_of_threads_that_outlive_the_program_are_written(run: Run, tmp_path: Path) -> None:
    done = run("kernels.add(); threading.Thread(target=kernels.mul).start()", KERNELS)
    assert done.returncode == 0, done.stderr
    assert read_rows(tmp_path / "p") == {**WRITTEN, "add_kernel": KERNEL, "mul_kernel": KERNEL}


def test_warnings_as_errors_do_not_lose_the_file(run: Run, tmp_path: Path) -> None:
    done = run("import warnings; warnings.simplefilter('error')")
    assert "was still open at exit" in done.stderr
    assert read_rows(tmp_path / "p") == WRITTEN


def test_one_session_that_cannot_be_written_does_not_keep_back_the_others(
    run: Run, tmp_path: Path
) -> None:
    done = run(
        """
        os.mkdir("gone")
        proton.start("gone/q")
        proton.start("r")
        os.rmdir("gone")
        """
    )
    assert "Session 1 ('gone/q') was still open at exit: [PROTON] Cannot write" in done.stderr
    assert file_names(tmp_path) == ["p.hatchet", "r.hatchet"]


def test_sessions_that_a_failing_finalize_has_ended_are_not_warned_of(
    run: Run, tmp_path: Path
) -> None:
    done = run(
        """
        os.mkdir("gone")
        proton.start("gone/q")
        os.rmdir("gone")
        try:
            proton.finalize()
        except RuntimeError:
            os.mkdir("gone")
        """
    )
    assert done.stderr.count("was still open at exit") == 1
    assert "Session 1 ('gone/q') was still open at exit: has been written" in done.stderr
    assert file_names(tmp_path / "gone") == ["q.hatchet"]
    assert file_names(tmp_path) == ["gone", "p.hatchet"]


def test_finalized_sessions_are_left_alone(run: Run, tmp_path: Path) -> None:
    done = run("proton.finalize(); os.remove('p.hatchet')")
    assert (done.returncode, done.stderr) == (0, "")
    assert file_names(tmp_path) == []


def test_session_that_could_not_be_finalized_is_written_at_exit(run: Run, tmp_path: Path) -> None:
    done = run(
        """
        try:
            proton.finalize(session, "nope")
        except ValueError:
            pass
        """
    )
    assert "has been written" in done.stderr
    assert read_rows(tmp_path / "p") == WRITTEN


class TestSigterm:
    """SIGTERM with a session open."""

    def test_default_action_loses_nothing(self, run: Run, tmp_path: Path) -> None:
        done = run("kernels.add(); terminate(); print('not reached')", KERNELS)
        assert done.returncode == -signal.SIGTERM, done.stderr
        assert done.stdout == ""
        assert read_rows(tmp_path / "p") == {**WRITTEN, "add_kernel": KERNEL}

    def test_handler_that_leaves_at_once_loses_nothing(self, run: Run, tmp_path: Path) -> None:
        early = "import os, signal\nsignal.signal(signal.SIGTERM, lambda *_: os._exit(7))\n"
        done = run("terminate()", early)
        assert done.returncode == 7
        assert read_rows(tmp_path / "p") == WRITTEN

    def test_handler_that_goes_on_lets_the_session_go_on(self, run: Run, tmp_path: Path) -> None:
        early = """
import signal, sys
def go_on(signum, frame):
    print("theirs", signum == signal.SIGTERM, frame.f_code.co_name)
signal.signal(signal.SIGTERM, go_on)
"""
        done = run(
            """
            kernels.add()
            terminate()
            with proton.scope("s"):
                kernels.mul()
            proton.finalize()
            print(signal.getsignal(signal.SIGTERM) is go_on)
            """,
            early + KERNELS,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == ["theirs True terminate", "True"]
        assert list(read_rows(tmp_path / "p")) == ["s", "s/mul_kernel", "add_kernel"]

    def test_handler_that_exits_is_followed_by_the_usual_end(
        self, run: Run, tmp_path: Path
    ) -> None:
        early = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        done = run("terminate()", early)
        assert done.returncode == 5
        assert "was still open at exit: has been written" in done.stderr
        assert read_rows(tmp_path / "p") == WRITTEN

    def test_handler_set_later_stays(self, run: Run, tmp_path: Path) -> None:
        done = run(
            """
            def theirs(signum, frame):
                print("theirs")
            signal.signal(signal.SIGTERM, theirs)
            terminate()
            proton.finalize()
            print(signal.getsignal(signal.SIGTERM) is theirs)
            """
        )
        assert done.stdout.splitlines() == ["theirs", "True"]

    def test_default_action_is_back_after_finalize(self, run: Run) -> None:
        done = run("proton.finalize(); print(signal.getsignal(signal.SIGTERM))")
        assert done.stdout.strip() == str(signal.SIG_DFL)

    def test_ignored_signal_stays_ignored(self, run: Run) -> None:
        early = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        done = run("terminate(); print(signal.getsignal(signal.SIGTERM))", early)
        assert done.returncode == 0
        assert done.stdout.strip() == str(signal.SIG_IGN)

    def test_session_started_on_another_thread_is_written_at_exit(
        self, run: Run, tmp_path: Path
    ) -> None:
        done = run(
            """
            proton.finalize()
            thread = threading.Thread(target=proton.start, args=("q",))
            thread.start()
            thread.join()
            print(signal.getsignal(signal.SIGTERM))
            """
        )
        assert done.stdout.strip() == str(signal.SIG_DFL)
        assert file_names(tmp_path) == ["p.hatchet", "q.hatchet"]


class TestFork:
    """Children of fork()."""

    def test_child_has_nothing_and_the_parent_goes_on(self, run: Run, tmp_path: Path) -> None:
        done = run(
            """
            from proton_xpu.flags import flags
            from proton_xpu.hooks.hook import HookManager

            proton.start("hooked", hook="triton")
            proton.enter_scope("open")
            child = os.fork()
            if child == 0:
                print(flags.profiling_on, proton.enter_scope("x"), proton.exit_scope())
                print(HookManager.active_hooks, dict(HookManager.session_hooks))
                print(signal.getsignal(signal.SIGTERM))
                proton.finalize()
                sys.exit(0)
            os.waitpid(child, 0)
            kernels.mul()
            proton.exit_scope("open")
            proton.finalize()
            """,
            KERNELS,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == [
            "False None None",
            "[] {}",
            str(signal.SIG_DFL),
        ]
        assert "was still open" not in done.stderr
        assert list(read_rows(tmp_path / "p")) == ["s", "open", "open/mul_kernel"]
        assert file_names(tmp_path) == ["hooked.hatchet", "p.hatchet"]

    def test_child_of_a_process_without_sessions_can_start_its_own(
        self, run: Run, tmp_path: Path
    ) -> None:
        done = run(
            """
            import os
            import proton_xpu as proton

            child = os.fork()
            name = "child" if child == 0 else "parent"
            if child != 0:
                assert os.waitpid(child, 0)[1] == 0
            assert proton.start(name) == 0
            with proton.scope(name):
                pass
            proton.finalize()
            """,
            prelude="",
        )
        assert done.returncode == 0, done.stderr
        assert read_rows(tmp_path / "child") == {"child": {}}
        assert read_rows(tmp_path / "parent") == {"parent": {}}

    def test_child_of_a_profiled_process_records_its_scopes_and_says_so(
        self, run: Run, tmp_path: Path
    ) -> None:
        done = run(
            """
            child = os.fork()
            if child == 0:
                assert proton.start("child") == 0
                with proton.scope("in child", {"m": 1}):
                    pass
                proton.finalize()
                sys.exit(4)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
            kernels.mul()
            proton.finalize()
            """,
            KERNELS,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("so its GPU work is not recorded") == 1
        assert read_rows(tmp_path / "child") == {"in child": {"m": 1}}
        assert list(read_rows(tmp_path / "p")) == ["s", "mul_kernel"]

    def test_child_of_multiprocessing_writes_its_open_session(
        self, run: Run, tmp_path: Path
    ) -> None:
        done = run(
            """
            import multiprocessing
            import os

            def work():
                import proton_xpu as proton
                proton.start("child")
                with proton.scope("in child"):
                    pass

            child = multiprocessing.get_context("fork").Process(target=work)
            child.start()
            child.join()
            """,
            prelude="",
        )
        assert done.returncode == 0, done.stderr
        assert "was still open at exit: has been written" in done.stderr
        assert read_rows(tmp_path / "child") == {"in child": {}}
