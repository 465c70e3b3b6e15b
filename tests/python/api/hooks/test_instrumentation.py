"""The stand-in for in-kernel instrumentation."""

from collections.abc import Iterator

import pytest

from proton_xpu.hooks.hook import HookManager
from proton_xpu.hooks.instrumentation import InstrumentationHook
from proton_xpu.hooks.launch import LaunchHook
from proton_xpu.mode import GRANULARITY, MMA, Default


@pytest.fixture(autouse=True)
def _no_hook_is_left() -> Iterator[None]:
    yield
    HookManager.unregister()


def test_modes() -> None:
    assert InstrumentationHook(None).mode == Default()
    assert InstrumentationHook("").mode == Default()
    assert InstrumentationHook(MMA()).mode == MMA()
    assert InstrumentationHook("mma:granularity=warp_4:buffer_size=8").mode == MMA(
        granularity=GRANULARITY.WARP_4, buffer_size=8
    )


def test_bad_modes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Unknown mode: nope$"):
        InstrumentationHook("nope")
    with pytest.raises(ValueError, match=r"^Malformed instrumentation option: 'granularity'$"):
        InstrumentationHook("default:granularity")


def test_it_warns_and_comes_after_the_launch_hook() -> None:
    with pytest.warns(RuntimeWarning, match="not available on Intel GPUs"):
        HookManager.register(InstrumentationHook(""), 2)
    HookManager.register(LaunchHook(), 2)
    assert [type(hook) for hook in HookManager.active_hooks] == [LaunchHook, InstrumentationHook]
    assert InstrumentationHook.active_count == 1
    HookManager.unregister()
    assert InstrumentationHook.active_count == 0


def test_only_one_may_be_active() -> None:
    with pytest.warns(RuntimeWarning, match="not available"):
        HookManager.register(InstrumentationHook(""), 0)
    with pytest.raises(
        RuntimeError,
        match=r"^Only one instance of the instrumentation hook can be active at a time\.$",
    ):
        InstrumentationHook("").activate()


def test_class_attributes() -> None:
    assert InstrumentationHook.priority == 0
    assert InstrumentationHook.enable_host_buffer is False
    assert InstrumentationHook.host_buffer is None
    assert InstrumentationHook.profile_buffer_size == 1
    assert InstrumentationHook.profile_buffer_alignment == 128
