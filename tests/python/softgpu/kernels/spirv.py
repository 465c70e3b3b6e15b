"""Kernels as SPIR-V, launched through dpctl without Triton's launchers."""

from typing import Any

import dpctl
import dpctl.program
import triton
import triton.language as tl

from softgpu.kernels.elementwise import add_kernel

GROUP = 64
"""Work items of a group: four sub-groups of 16."""


@triton.jit
def gate_kernel(gate_ptr, out_ptr):
    while tl.atomic_or(gate_ptr, 0) == 0:
        pass
    tl.store(out_ptr, tl.load(out_ptr) + 1)


class Spirv:
    """A kernel that Triton compiled, launched through dpctl alone."""

    def __init__(self, function: Any, signature: dict[str, str], **constants: int) -> None:
        source = triton.compiler.ASTSource(function, signature, constants)
        target = triton.runtime.driver.active.get_current_target()
        options = {"num_warps": 4, "threads_per_warp": 16}
        compiled = triton.compile(source, target=target, options=options)
        self._binary = compiled.asm["spv"]
        self._name = compiled.metadata.name
        # Triton's last argument, where a kernel needs local memory.
        shared = compiled.metadata.shared
        self._extra = [dpctl.LocalAccessor("i1", (shared,))] if shared else []
        self._kernels: dict[dpctl.SyclQueue, Any] = {}

    def __call__(
        self, queue: dpctl.SyclQueue, arguments: list[Any], items: int = GROUP, after: Any = None
    ) -> dpctl.SyclEvent:
        if queue not in self._kernels:
            program = dpctl.program.create_program_from_spirv(queue, self._binary, "")
            self._kernels[queue] = program.get_sycl_kernel(self._name)
        kernel = self._kernels[queue]
        return queue.submit_async(kernel, arguments + self._extra, [items], [GROUP], after or [])


def add_program() -> Spirv:
    """(x, y, out: float pointers; n: int): 256 sums by each group."""
    pointers = dict.fromkeys(("x_ptr", "y_ptr", "out_ptr"), "*fp32")
    return Spirv(add_kernel, pointers | {"n": "i32", "BLOCK": "constexpr"}, BLOCK=256)


def gate_program() -> Spirv:
    """(gate, out: int pointers): adds 1 to out once gate is not 0."""
    return Spirv(gate_kernel, {"gate_ptr": "*i32", "out_ptr": "*i32"})
