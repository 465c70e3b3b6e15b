"""Which hooks are active, and in which order they are called."""

from collections.abc import Iterator

import pytest

from proton_xpu.hooks.hook import Hook, HookManager


class Noting(Hook):
    """Notes what it is told."""

    def __init__(self, name: str, priority: int, calls: list[str]) -> None:
        self.name = name
        self.priority = priority
        self.calls = calls

    def enter(self, metadata: object) -> None:
        self.calls.append(f"{self.name} enter {metadata}")

    def exit(self, metadata: object) -> None:
        self.calls.append(f"{self.name} exit {metadata}")

    def init_handle(self, *arguments: object) -> None:
        self.calls.append(f"{self.name} init {arguments}")

    def destroy_handle(self, *arguments: object) -> None:
        self.calls.append(f"{self.name} destroy {arguments}")

    def activate(self) -> None:
        self.calls.append(f"{self.name} on")

    def deactivate(self) -> None:
        self.calls.append(f"{self.name} off")


@pytest.fixture(autouse=True)
def _no_hook_is_left() -> Iterator[None]:
    yield
    HookManager.unregister()


def test_priority_decides_the_order() -> None:
    calls: list[str] = []
    for name, priority in (("middle", 5), ("last", -1), ("first", 10)):
        HookManager.register(Noting(name, priority, calls), 0)
    calls.clear()
    HookManager.enter("m")
    HookManager.exit("m")
    assert calls == [
        "first enter m",
        "middle enter m",
        "last enter m",
        "last exit m",
        "middle exit m",
        "first exit m",
    ]


def test_handles_are_passed_on() -> None:
    calls: list[str] = []
    HookManager.register(Noting("a", 0, calls), 0)
    HookManager.init_handle(1, 2, "k", {"k.spv": "path"}, "hash")
    HookManager.destroy_handle(1, 2, "k", {}, "hash")
    assert calls == [
        "a on",
        "a init (1, 2, 'k', {'k.spv': 'path'}, 'hash')",
        "a destroy (1, 2, 'k', {}, 'hash')",
    ]


def test_hook_of_two_sessions_is_active_while_one_is() -> None:
    calls: list[str] = []
    hook = Noting("a", 0, calls)
    HookManager.register(hook, 0)
    HookManager.register(hook, 0)
    HookManager.register(hook, 1)
    assert HookManager.active_hooks == [hook]
    HookManager.deactivate(0)
    assert HookManager.session_hooks[0] == {hook: False}
    assert HookManager.session_hooks[1] == {hook: True}
    assert HookManager.active_hooks == [hook]
    HookManager.unregister(1)
    HookManager.unregister(0)
    assert calls == ["a on", "a off"]
    assert HookManager.active_hooks == []
    assert dict(HookManager.session_hooks) == {}


def test_activation_is_idempotent() -> None:
    calls: list[str] = []
    HookManager.register(Noting("a", 0, calls), 3)
    HookManager.activate(3)
    HookManager.activate()
    HookManager.deactivate(3)
    HookManager.deactivate()
    HookManager.activate()
    assert calls == ["a on", "a off", "a on"]


def test_unknown_sessions_are_ignored() -> None:
    HookManager.activate(99)
    HookManager.deactivate(99)
    HookManager.unregister(99)
    assert dict(HookManager.session_hooks) == {}


def test_forget_tells_nobody() -> None:
    calls: list[str] = []
    HookManager.register(Noting("a", 0, calls), 0)
    HookManager.forget()
    HookManager.enter("m")
    assert calls == ["a on"]


def test_manager_is_plugged_into_triton_while_hooks_are_active() -> None:
    from triton.compiler import CompiledKernel

    calls: list[str] = []
    hook = Noting("a", 0, calls)
    HookManager.register(hook, 0)
    CompiledKernel.launch_enter_hook("m")
    CompiledKernel.launch_exit_hook("m")
    HookManager.unregister(0)
    assert calls == ["a on", "a enter m", "a exit m", "a off"]
    assert CompiledKernel.launch_enter_hook is None
    assert CompiledKernel.launch_exit_hook is None


def test_base_hook_does_nothing() -> None:
    hook = Hook()
    assert hook.priority == 0
    HookManager.register(hook, 0)
    HookManager.init_handle(None, None, "k", {}, "")
    HookManager.enter(None)
    HookManager.exit(None)
    HookManager.destroy_handle(None, None, "k", {}, "")
