"""Sessions: what start, activate, deactivate, finalize and profile take and do."""

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from support.children import run_for_json
from support.soft_kernels import SoftKernels
from support.trees import file_names, read_rows

import proton_xpu as proton
from proton_xpu.flags import flags
from proton_xpu.hooks.hook import HookManager
from proton_xpu.mode import BaseMode


def test_default_name_is_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert proton.DEFAULT_PROFILE_NAME == "proton"
    monkeypatch.chdir(tmp_path)
    proton.start()
    proton.finalize()
    assert file_names(tmp_path) == ["proton.hatchet"]


def test_name_may_be_a_path_object(tmp_path: Path) -> None:
    proton.start(tmp_path / "p")
    proton.finalize()
    assert file_names(tmp_path) == ["p.hatchet"]


def test_relative_name_is_that_of_the_folder_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    proton.start("p")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    proton.finalize()
    assert file_names(tmp_path) == ["elsewhere", "p.hatchet"]
    assert file_names(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("name", ["-", ""])
def test_standard_output(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    proton.start(name)
    with proton.scope("seen"):
        pass
    proton.finalize()
    root, devices = json.loads(capfd.readouterr().out)
    assert [child["frame"]["name"] for child in root["children"]] == ["seen"]
    assert devices == {}


@pytest.mark.parametrize("backend", [None, "auto", "AUTO", "xpupti", "XpuPti"])
def test_backends(backend: str | None, output: str) -> None:
    assert isinstance(proton.start(output, backend=backend), int)


def test_words_may_be_in_any_case(output: str) -> None:
    proton.start(output, context="Shadow", data="TREE", mode="Periodic_Flushing:format=HATCHET")
    proton.finalize()
    assert read_rows(output) == {}


def test_mode_may_be_an_object(output: str) -> None:
    with pytest.raises(
        ValueError, match=r"^\[PROTON\] XpuptiProfiler: unsupported mode: some_mode$"
    ):
        proton.start(output, mode=BaseMode("some_mode"))
    assert isinstance(proton.start(output, mode=BaseMode("periodic_flushing")), int)


def test_name_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError):
        proton.start(7)  # type: ignore[arg-type]


def test_unwritable_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.hatchet").mkdir()
    with pytest.raises(ValueError, match=r"^\[PROTON\] Cannot write a profile to .*not writable"):
        proton.start(tmp_path / "p")
    with pytest.raises(ValueError, match=r"does not exist\. Create it, or choose another name\.$"):
        proton.start(tmp_path / "no" / "p")


def test_finalize_all_writes_the_others_when_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    proton.start(tmp_path / "gone" / "a")
    proton.start(tmp_path / "b")
    (tmp_path / "gone").rmdir()
    with pytest.raises(RuntimeError, match=r"^\[PROTON\] Cannot write the profile to .*gone/a"):
        proton.finalize()
    assert file_names(tmp_path) == ["b.hatchet"]
    (tmp_path / "gone").mkdir()
    proton.finalize()
    assert file_names(tmp_path / "gone") == ["a.hatchet"]


@pytest.mark.parametrize("word", ["1", "true", "ON", "yes"])
def test_disabled_by_environment(
    word: str, output: str, monkeypatch: pytest.MonkeyPatch, kernels: SoftKernels
) -> None:
    monkeypatch.setenv("TRITON_PROTON_DISABLE", word)
    assert proton.start(output, data="not even looked at") is None
    assert not flags.profiling_on
    kernels.add()
    proton.finalize()
    assert file_names(Path(output).parent) == []


@pytest.mark.parametrize("word", ["", "0", "false", "off"])
def test_not_disabled_by_environment(
    word: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRITON_PROTON_DISABLE", word)
    assert isinstance(proton.start(output), int)


def test_knob_of_triton_disables(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    knobs = SimpleNamespace(proton=SimpleNamespace(disable=True))
    monkeypatch.setitem(sys.modules, "triton.knobs", cast("ModuleType", knobs))
    assert proton.start(output) is None
    knobs.proton.disable = False
    assert isinstance(proton.start(output), int)


def test_command_line_mode_leaves_sessions_to_the_command(output: str) -> None:
    session = proton.start(output)
    flags.command_line = True
    assert proton.start(output + ".b") is None
    for name, function in (("activated", proton.activate), ("deactivated", proton.deactivate)):
        for argument in (None, 4711):
            with pytest.raises(
                ValueError,
                match=f"^Only one session can be {name} when running from the command line\\.$",
            ):
                function(argument)
    with pytest.raises(ValueError, match=r"^Only one session can be finalized when"):
        proton.finalize(4711)
    proton.finalize()
    proton.finalize(0)
    flags.command_line = False
    proton.activate(session)
    proton.finalize()
    assert read_rows(output) == {}


def test_first_session_of_a_process_is_0(tmp_path: Path) -> None:
    ids = run_for_json(
        """
        import json, sys
        from support.soft_kernels import soft_kernels
        soft_kernels()
        import proton_xpu as proton
        first = proton.start(sys.argv[1])
        proton.deactivate(0); proton.activate(0); proton.finalize(0)
        print(json.dumps([first, proton.start(sys.argv[1])]))
        proton.finalize()
        """,
        tmp_path / "p",
    )
    assert ids == [0, 1]


class TestProfile:
    """The decorator."""

    def test_without_parentheses(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        @proton.profile
        def work(a: int, b: int) -> int:
            """Add."""
            return a + b

        monkeypatch.chdir(tmp_path)
        assert work(1, b=2) == 3
        assert (work.__name__, work.__doc__) == ("work", "Add.")
        proton.finalize()
        assert file_names(tmp_path) == ["proton.hatchet"]

    def test_called_with_the_function(self, output: str, kernels: SoftKernels) -> None:
        proton.profile(kernels.add, name=output, data="tree")()
        proton.finalize()
        assert list(read_rows(output)) == ["add_kernel"]

    def test_session_is_deactivated_also_when_the_function_raises(
        self, output: str, kernels: SoftKernels
    ) -> None:
        @proton.profile(name=output)
        def fail() -> Any:
            kernels.add()
            raise KeyError("x")

        with pytest.raises(KeyError, match="x"):
            fail()
        kernels.mul()
        proton.finalize()
        assert list(read_rows(output)) == ["add_kernel"]

    def test_other_sessions_stay_active_when_profiling_is_disabled(
        self, output: str, kernels: SoftKernels, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        proton.start(output)
        monkeypatch.setenv("TRITON_PROTON_DISABLE", "1")
        proton.profile(name=output + ".b")(kernels.add)()
        kernels.mul()
        proton.finalize()
        assert list(read_rows(output)) == ["add_kernel", "mul_kernel"]

    def test_works_in_command_line_mode(self, output: str, kernels: SoftKernels) -> None:
        flags.command_line = True
        proton.profile(name=output)(kernels.add)()
        assert file_names(Path(output).parent) == []


def test_hooks_end_with_their_session(output: str) -> None:
    session = proton.start(output, hook="triton")
    assert session is not None
    assert len(HookManager.active_hooks) == 1
    proton.deactivate(session)
    assert HookManager.active_hooks == []
    proton.activate()
    assert len(HookManager.active_hooks) == 1
    proton.finalize(session)
    assert HookManager.active_hooks == []
    assert session not in HookManager.session_hooks


def test_errors_of_unknown_sessions_change_no_hooks(output: str) -> None:
    proton.start(output, hook="triton")
    with pytest.raises(IndexError):
        proton.deactivate(4711)
    assert len(HookManager.active_hooks) == 1
