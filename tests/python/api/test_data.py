"""Reading data while the program runs."""

from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from support.soft_kernels import SoftKernels
from support.trees import rows

import proton_xpu as proton
from proton_xpu.flags import flags


def test_get_and_get_msgpack_agree(output: str, kernels: SoftKernels) -> None:
    session = proton.start(output)
    with proton.scope("x", {"v": [1, 2], "f": 0.5}):
        kernels.add()
    proton.deactivate(session, flushing=True)
    tree = proton.data.get(session)
    packed = proton.data.get_msgpack(session)
    assert isinstance(tree, list)
    assert isinstance(packed, bytes)
    assert msgpack.unpackb(packed) == tree
    assert rows(tree) == {
        "x": {"f": 0.5, "v": [1, 2]},
        "x/add_kernel": {"count": 1, "time (ns)": 1000},
    }


def test_get_has_the_shape_of_a_file(output: str, kernels: SoftKernels) -> None:
    session = proton.start(output)
    kernels.add()
    proton.deactivate(session, flushing=True)
    tree = proton.data.get(session)
    assert tree is not None
    root, devices = tree
    assert root["frame"] == {"name": "ROOT", "type": "function"}
    assert root["children"][0]["metrics"]["device_id"] == "0"
    assert root["children"][0]["metrics"]["device_type"] == "XPU"
    facts = devices["XPU"]["0"]
    assert facts["arch"] == "pvc"
    for name in ("bus_width", "clock_rate", "memory_clock_rate", "num_sms"):
        assert isinstance(facts[name], int)


def test_phases(output: str, kernels: SoftKernels) -> None:
    session = proton.start(output)
    kernels.add()
    assert proton.data.advance_phase(session) == 1
    kernels.mul()
    assert proton.data.advance_phase(session) == 2
    proton.deactivate(session, flushing=True)
    assert [proton.data.is_phase_complete(session, phase) for phase in range(3)] == [
        True,
        True,
        False,
    ]
    proton.data.clear(session, 0)
    with pytest.raises(IndexError, match=r"^\[PROTON\] Phase 0 has no data\.$"):
        proton.data.get(session, 0)
    second = proton.data.get(session, 1)
    assert second is not None
    assert list(rows(second)) == ["mul_kernel"]


def test_clearing_an_unknown_phase_does_nothing(output: str) -> None:
    session = proton.start(output)
    proton.data.clear(session, 7)


@pytest.mark.parametrize(
    "function",
    [
        proton.data.get,
        proton.data.get_msgpack,
        proton.data.advance_phase,
        proton.data.is_phase_complete,
        proton.data.clear,
    ],
)
def test_unknown_sessions_are_refused(function: Callable[[int], Any], output: str) -> None:
    proton.start(output)
    with pytest.raises(IndexError, match=r"^\[PROTON\] Session has not been initialized: 4711$"):
        function(4711)


@pytest.mark.parametrize(
    ("function", "action"),
    [
        (proton.data.get, "be retrieved"),
        (proton.data.get_msgpack, "be retrieved"),
        (proton.data.advance_phase, "advance phase"),
        (proton.data.is_phase_complete, "check phase completion status"),
        (proton.data.clear, "be cleared"),
    ],
)
def test_command_line_has_only_session_0(function: Callable[[int], Any], action: str) -> None:
    flags.command_line = True
    with pytest.raises(
        ValueError, match=f"^Only one session can {action} when running from the command line\\.$"
    ):
        function(1)
