"""The native module is what its hand-written stub says."""

from support.children import REPOSITORY, run_python


def test_stub() -> None:
    done = run_python(
        ["-m", "mypy.stubtest", "proton_xpu._native"],
        cwd=REPOSITORY,
        path=[REPOSITORY],
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Success: no issues found in 1 module" in done.stdout
