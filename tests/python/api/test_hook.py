"""The launch hook in the form of Triton 3.3 to 3.5."""

from support.soft_kernels import SoftKernels
from support.trees import read_rows

import proton_xpu as proton
from proton_xpu.hook import (
    COMPUTE_METADATA_SCOPE_NAME,
    TritonHook,
    register_triton_hook,
    unregister_triton_hook,
)
from proton_xpu.hooks.hook import HookManager


def test_constants() -> None:
    assert COMPUTE_METADATA_SCOPE_NAME == "__proton_launch_metadata"
    assert TritonHook.flops_width == [8, 16, 32, 64]
    assert TritonHook.metrics == ["flops8", "flops16", "flops32", "flops64", "bytes", "flops"]


def test_registered_hook_names_launches(output: str, kernels: SoftKernels) -> None:
    proton.start(output)
    register_triton_hook()
    register_triton_hook()
    kernels.meta(1)
    unregister_triton_hook()
    unregister_triton_hook()
    kernels.meta(2)
    proton.finalize()
    assert HookManager.active_hooks == []
    rows = read_rows(output)
    assert list(rows) == ["meta_1", "meta_kernel"]
    assert rows["meta_1"]["bytes"] == 8


def test_static_functions_are_a_hook(output: str, kernels: SoftKernels) -> None:
    from triton.compiler import CompiledKernel

    CompiledKernel.launch_enter_hook = TritonHook.enter
    CompiledKernel.launch_exit_hook = TritonHook.exit
    try:
        proton.start(output)
        kernels.meta(3)
        proton.finalize()
    finally:
        CompiledKernel.launch_enter_hook = None
        CompiledKernel.launch_exit_hook = None
    assert list(read_rows(output)) == ["meta_3"]
