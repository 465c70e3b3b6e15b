"""Kernels that print and that check themselves."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import from_numpy, synchronize, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def print_kernel(x_ptr, N: tl.constexpr):
    tl.device_print("sum of x", tl.sum(tl.load(x_ptr + tl.arange(0, N)), 0))


@case()
def device_print(options: Options) -> None:
    print_kernel[(1,)](from_numpy(np.ones(32, np.float32)), N=32, **options)
    synchronize()


@triton.jit
def assert_kernel(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.device_assert(x > 0, "x is positive")
    tl.store(out_ptr + tl.arange(0, N), x)


def run_assertion(value: float, options: Options) -> np.ndarray:
    """Copies 32 times `value` by a kernel that aborts the process unless it is positive."""
    x = from_numpy(np.full(32, value, np.float32))
    out = zeros(32)
    assert_kernel[(1,)](x, out, N=32, debug=True, **options)
    return out.numpy()


@case()
def device_assert(options: Options) -> None:
    np.testing.assert_array_equal(run_assertion(1.0, options), np.ones(32))
