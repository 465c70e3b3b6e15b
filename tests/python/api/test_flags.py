"""The process-wide switches, in both forms that Proton has had."""

import pytest

import proton_xpu as proton
from proton_xpu import flags as module
from proton_xpu.flags import ProfilerFlags, flags


def test_all_are_off_at_first() -> None:
    assert ProfilerFlags() == ProfilerFlags(
        profiling_on=False, instrumentation_on=False, command_line=False
    )


def test_profiling_follows_sessions(output: str) -> None:
    assert not flags.profiling_on
    session = proton.start(output)
    assert flags.profiling_on
    proton.finalize(session)
    assert flags.profiling_on
    proton.finalize()
    assert not flags.profiling_on


def test_profiling_stays_on_after_a_failed_start(output: str) -> None:
    with pytest.raises(ValueError, match="Unknown data: nope"):
        proton.start(output, data="nope")
    assert flags.profiling_on


@pytest.mark.usefixtures("kernels")
def test_native_scopes_see_the_flag() -> None:
    flags.profiling_on = True
    with proton.scope("on") as on:
        pass
    flags.profiling_on = False
    with proton.scope("off") as off:
        pass
    assert isinstance(on.id, int)
    assert off.id is None


def test_functions_of_triton_3_3() -> None:
    module.set_profiling_on()
    assert module.get_profiling_on()
    module.set_profiling_off()
    assert not module.get_profiling_on()
    assert not module.is_command_line()
    module.set_command_line()
    assert module.is_command_line()
