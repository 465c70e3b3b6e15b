"""The hook places of all Triton versions, and how they are shared with other tools."""

from types import SimpleNamespace
from typing import Any

import pytest
from support.children import run_for_json
from support.upstream_triton import upstream_triton_folder

from proton_xpu.hooks import attachment
from proton_xpu.hooks.attachment import Attachment, HookFunctions


class Recorder:
    """Notes who was called with what."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def named(self, name: str) -> Any:
        return lambda metadata: self.calls.append((name, metadata))

    def functions(self) -> HookFunctions:
        return HookFunctions(
            self.named("our enter"),
            self.named("our exit"),
            self.named("our load"),
            self.named("our unload"),
        )


class Slots:
    """The hook places of Triton 3.4 and 3.5: attributes of a class until somebody sets them."""

    launch_enter_hook: Any = None
    launch_exit_hook: Any = None


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Slots:
    slots = Slots()
    monkeypatch.setattr(attachment, "_hook_owner", lambda: slots)
    return slots


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def test_empty_slot_is_used_and_left_as_it_was(slots: Slots, recorder: Recorder) -> None:
    attached = Attachment()
    attached.attach(recorder.functions())
    slots.launch_enter_hook("m")
    slots.launch_exit_hook("m")
    attached.detach()
    assert recorder.calls == [("our enter", "m"), ("our exit", "m")]
    assert vars(slots) == {}


def test_other_tool_keeps_being_called_and_surrounds_us(slots: Slots, recorder: Recorder) -> None:
    their_enter, their_exit = recorder.named("their enter"), recorder.named("their exit")
    slots.launch_enter_hook, slots.launch_exit_hook = their_enter, their_exit
    attached = Attachment()
    attached.attach(recorder.functions())
    slots.launch_enter_hook("m")
    slots.launch_exit_hook("m")
    attached.detach()
    assert [name for name, _ in recorder.calls] == [
        "their enter",
        "our enter",
        "our exit",
        "their exit",
    ]
    assert slots.launch_enter_hook is their_enter
    assert slots.launch_exit_hook is their_exit


def test_tool_that_wraps_us_later_stays_and_calls_us_no_more(
    slots: Slots, recorder: Recorder
) -> None:
    first = recorder.named("first")
    slots.launch_enter_hook = first
    attached = Attachment()
    attached.attach(recorder.functions())
    ours = slots.launch_enter_hook

    def wrapper(metadata: Any) -> None:
        recorder.calls.append(("wrapper", metadata))
        ours(metadata)

    slots.launch_enter_hook = wrapper
    slots.launch_enter_hook(1)
    attached.detach()
    slots.launch_enter_hook(2)
    assert slots.launch_enter_hook is wrapper
    assert recorder.calls == [
        ("wrapper", 1),
        ("first", 1),
        ("our enter", 1),
        ("wrapper", 2),
        ("first", 2),
    ]


def test_attaching_again_under_a_wrapper_calls_us_once(slots: Slots, recorder: Recorder) -> None:
    attached = Attachment()
    attached.attach(recorder.functions())
    ours = slots.launch_enter_hook
    slots.launch_enter_hook = lambda *arguments: [ours(*arguments)]
    attached.detach()
    attached.attach(recorder.functions())
    slots.launch_enter_hook(3)
    assert recorder.calls == [("our enter", 3)]


def test_attach_twice_is_once(slots: Slots, recorder: Recorder) -> None:
    attached = Attachment()
    attached.attach(recorder.functions())
    attached.attach(recorder.functions())
    slots.launch_enter_hook("m")
    assert recorder.calls == [("our enter", "m")]


def test_detach_without_attach_does_nothing(slots: Slots) -> None:
    Attachment().detach()
    assert vars(slots) == {}


def test_load_hooks_are_attached_where_triton_has_them(
    monkeypatch: pytest.MonkeyPatch, recorder: Recorder
) -> None:
    owner = SimpleNamespace(
        launch_enter_hook=None,
        launch_exit_hook=None,
        kernel_load_end_hook=None,
        kernel_unload_hook=None,
    )
    monkeypatch.setattr(attachment, "_hook_owner", lambda: owner)
    attached = Attachment()
    attached.attach(recorder.functions())
    owner.kernel_load_end_hook("k")
    owner.kernel_unload_hook("k")
    attached.detach()
    assert recorder.calls == [("our load", "k"), ("our unload", "k")]
    assert set(vars(owner).values()) == {None}


def test_installed_triton_is_3_3_and_has_class_attributes(recorder: Recorder) -> None:
    from triton.compiler import CompiledKernel

    attached = Attachment()
    attached.attach(recorder.functions())
    CompiledKernel.launch_enter_hook("m")
    CompiledKernel.launch_exit_hook("m")
    attached.detach()
    assert recorder.calls == [("our enter", "m"), ("our exit", "m")]
    assert CompiledKernel.launch_enter_hook is None
    assert CompiledKernel.launch_exit_hook is None


def test_missing_triton_is_said() -> None:
    message = run_for_json(
        """
        import json, sys
        sys.modules["triton"] = None
        from proton_xpu.hooks.attachment import Attachment, HookFunctions
        try:
            Attachment().attach(HookFunctions(print, print, print, print))
        except RuntimeError as error:
            print(json.dumps(str(error)))
        """
    )
    assert message.startswith("[PROTON] Hooks into kernel launches need Triton")
    assert "Install triton-xpu" in message


def test_chains_of_upstream_triton() -> None:
    seen = run_for_json(
        """
        import json
        from triton import knobs
        from proton_xpu.hooks.attachment import Attachment, HookFunctions

        calls = []
        def named(name):
            return lambda *args: calls.append([name, len(args)])
        chains = [knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook,
                  knobs.runtime.kernel_load_end_hook, knobs.runtime.kernel_unload_hook]
        theirs = [named(f"their {name}") for name in ("enter", "exit", "load", "unload")]
        for chain, function in zip(chains, theirs):
            chain.add(function)
        attachment = Attachment()
        functions = HookFunctions(*(named(f"our {n}") for n in ("enter", "exit", "load", "unload")))
        attachment.attach(functions)
        attachment.attach(functions)
        chains[0]("m"); chains[1]("m")
        chains[2](1, 2, 3, 4, 5); chains[3](1, 2, 3, 4, 5)
        attachment.detach()
        restored = all(chain.calls == [function] for chain, function in zip(chains, theirs))
        print(json.dumps([calls, restored]))
        """,
        path=[upstream_triton_folder()],
    )
    assert seen == [
        [
            ["their enter", 1],
            ["our enter", 1],
            ["our exit", 1],
            ["their exit", 1],
            ["our load", 5],
            ["their load", 5],
            ["their unload", 5],
            ["our unload", 5],
        ],
        True,
    ]
