"""In-kernel instrumentation, which compiles to nothing."""

# ruff: noqa: N803 (kernels name block sizes with capitals, as Triton's own do)

from typing import Any

import pytest
import triton
import triton.language as tl
from support.soft_kernels import SoftKernels

from proton_xpu import language as pl
from proton_xpu.softgpu import array


@triton.jit
def plain_kernel(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for _ in range(1):
        tl.store(x + i, tl.load(x + i) + 1)


@triton.jit
def instrumented_kernel(x, BLOCK: tl.constexpr):
    pl.enter_scope("whole")
    event = pl.allocate_event("part")
    i = tl.arange(0, BLOCK)
    for _ in range(1):
        pl.start_event(event)
        tl.store(x + i, tl.load(x + i) + 1)
        pl.end_event(event)
    pl.exit_scope("whole")


def instructions(kernel: Any) -> list[str]:
    """Triton IR of a launch, without names and places in the source."""
    compiled = kernel[(1,)](array.DeviceArray(64), BLOCK=64)
    lines = [line.partition(" loc(")[0].strip() for line in compiled.asm["ttgir"].splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "tt.func", "module"))]


@pytest.mark.usefixtures("kernels")
def test_instrumented_kernel_compiles_to_what_it_is_without() -> None:
    plain = instructions(plain_kernel)
    assert any("tt.store" in line for line in plain)
    assert instructions(instrumented_kernel) == plain


@pytest.mark.parametrize("function", [pl.start_event, pl.end_event])
def test_events_are_checked(function: Any, kernels: SoftKernels) -> None:
    function(pl.allocate_event("e"))
    with pytest.raises(TypeError, match=r"^expected an event returned by allocate_event$"):
        function("e")


def test_record_does_nothing() -> None:
    pl.record(True, "scope")
    pl.record(isStart=True, regionId=3)
    pl.record_event(pl.Event(), True)
    with pytest.raises(TypeError, match=r"^expected an event"):
        pl.record_event("e", True)


def test_scope_is_a_context_manager() -> None:
    with pl.scope("region") as region:
        assert region.name == "region"


@pytest.mark.parametrize("function", [pl.enable_semantic, pl.disable_semantic])
def test_semantics(function: Any) -> None:
    function("triton")
    function("gluon")
    with pytest.raises(KeyError):
        function("nope")
