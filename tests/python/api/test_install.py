"""`triton.profiler` redirected to this package, and back."""

from pathlib import Path
from typing import Any

import pytest
from support.children import REPOSITORY, run_code, run_for_json, run_python
from support.trees import read_rows
from support.upstream_triton import upstream_triton_folder

MODULES = [
    "context",
    "data",
    "flags",
    "hooks",
    "hooks.hook",
    "hooks.instrumentation",
    "hooks.launch",
    "language",
    "metric",
    "mode",
    "profile",
    "proton",
    "scope",
    "specs",
    "state",
    "viewer",
]

PATHS = {"installed Triton": [], "upstream Triton": [upstream_triton_folder()]}


@pytest.fixture(params=PATHS)
def path(request: pytest.FixtureRequest) -> Any:
    """Where the child finds Triton; both releases have a profiler of their own."""
    return PATHS[request.param]


def test_modules_are_ours(path: Any) -> None:
    names = run_for_json(
        """
        import importlib, json, sys
        import proton_xpu
        proton_xpu.install()
        names = {}
        for name in sys.argv[1:]:
            names[name] = importlib.import_module(f"triton.profiler.{name}").__name__
        import triton.profiler as proton
        assert proton is proton_xpu
        print(json.dumps(names))
        """,
        *MODULES,
        path=path,
    )
    assert names == {name: f"proton_xpu.{name}" for name in MODULES}


def test_all_ways_to_import(path: Any) -> None:
    assert (
        run_for_json(
            """
        import json
        import proton_xpu
        proton_xpu.install()
        import triton.profiler
        import triton.profiler as proton
        from triton import profiler
        from triton.profiler import scope, viewer
        from triton.profiler.scope import cpu_timed_scope
        from triton.profiler.hooks.launch import LaunchHook
        from triton.profiler.flags import flags
        import triton.profiler.hooks.hook as hook
        import proton_xpu.flags, proton_xpu.hooks.launch, proton_xpu.viewer
        print(json.dumps([
            triton.profiler is proton_xpu,
            proton is proton_xpu,
            profiler is proton_xpu,
            scope is proton_xpu.scope,
            isinstance(triton.profiler.scope, type),
            isinstance(triton.profiler.state, type),
            callable(triton.profiler.profile),
            viewer is proton_xpu.viewer,
            cpu_timed_scope is proton_xpu.cpu_timed_scope,
            LaunchHook is proton_xpu.hooks.launch.LaunchHook,
            flags is proton_xpu.flags.flags,
            hook.HookManager is proton_xpu.hooks.hook.HookManager,
        ]))
        """,
            path=path,
        )
        == [True] * 12
    )


def test_modules_of_ours_keep_their_names_and_specs(path: Any) -> None:
    assert run_for_json(
        """
        import json
        import proton_xpu
        proton_xpu.install()
        import triton.profiler.viewer
        import proton_xpu.viewer
        modules = [proton_xpu, proton_xpu.viewer]
        print(json.dumps([[m.__name__, m.__spec__.name, m.__package__] for m in modules]))
        """,
        path=path,
    ) == [
        ["proton_xpu", "proton_xpu", "proton_xpu"],
        ["proton_xpu.viewer", "proton_xpu.viewer", "proton_xpu"],
    ]


def test_profiler_that_was_imported_before_is_replaced_and_restored(path: Any) -> None:
    assert run_for_json(
        """
        import json, sys
        import triton
        import triton.profiler as theirs
        import triton.profiler.scope
        import proton_xpu

        def profiler_modules():
            return {n: m for n, m in sys.modules.items() if n.startswith("triton.profiler")}

        before, meta_path = profiler_modules(), list(sys.meta_path)
        proton_xpu.install()
        proton_xpu.install()
        during = triton.profiler
        from triton.profiler.scope import scope
        proton_xpu.uninstall()
        proton_xpu.uninstall()
        import triton.profiler as after
        print(json.dumps([
            during is proton_xpu,
            scope is proton_xpu.scope,
            after is theirs,
            triton.profiler is theirs,
            profiler_modules() == before,
            sys.meta_path == meta_path,
            theirs.scope.__module__,
        ]))
        """,
        path=path,
    ) == [True, True, True, True, True, True, "triton.profiler.scope"]


def test_undo_before_anything_was_imported(path: Any) -> None:
    assert run_for_json(
        """
        import json, sys
        import proton_xpu
        proton_xpu.install()
        import triton
        import triton.profiler.hooks.launch
        proton_xpu.uninstall()
        left = [name for name in sys.modules if name.startswith("triton.profiler")]
        has_attribute = hasattr(triton, "profiler")
        import triton.profiler as theirs
        print(json.dumps([left, has_attribute, theirs.__name__]))
        """,
        path=path,
    ) == [[], False, "triton.profiler"]


def test_unknown_modules_are_not_found(path: Any) -> None:
    assert (
        run_for_json(
            """
        import importlib, json
        import proton_xpu
        proton_xpu.install()
        try:
            importlib.import_module("triton.profiler.no_such_module")
        except ModuleNotFoundError as error:
            print(json.dumps(str(error)))
        """,
            path=path,
        )
        == "No module named 'triton.profiler.no_such_module'"
    )


def test_modules_can_be_run(path: Any, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import triton.profiler as proton\nwith proton.scope('s'): pass\n", encoding="utf-8"
    )
    code = """
import runpy, proton_xpu
proton_xpu.install()
runpy.run_module("triton.profiler.proton", run_name="__main__", alter_sys=True)
"""
    done = run_python(
        ["-c", code, "-n", "out", "script.py"],
        path=path,
        cwd=tmp_path,
        variables={"PROTON_XPU_DEVICE": "soft"},
    )
    assert done.returncode == 0, done.stderr
    assert read_rows(tmp_path / "out") == {"s": {}}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "triton.profiler"),
        ("", "triton.profiler"),
        ("0", "triton.profiler"),
        ("1", "proton_xpu"),
    ],
)
def test_environment_variable(value: str | None, name: str) -> None:
    folder = REPOSITORY / "cmake"
    assert [file.name for file in folder.glob("*.pth")] == ["proton_xpu_install.pth"]
    assert (
        run_code(
            """
            import site, sys
            site.addsitedir(sys.argv[1])  # As is done when an interpreter starts.
            import triton.profiler as proton
            print(proton.__name__)
            """,
            folder,
            variables={"PROTON_XPU_INSTALL": value},
        )
        == f"{name}\n"
    )


def test_native_module_is_ours(path: Any) -> None:
    assert run_for_json(
        """
        import json
        import proton_xpu
        proton_xpu.install()
        import triton._C.libproton.proton as libproton
        ids = [libproton.record_scope(), libproton.record_scope()]
        print(json.dumps([libproton.__name__, ids[1] - ids[0]]))
        """,
        path=path,
    ) == ["proton_xpu.libproton.proton", 1]
