"""The sum of two vectors, one block of elements for each program."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu import array


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


def run(n: int = 98_432, block: int = 1024) -> None:
    """Adds two vectors of `n` floats on the device and compares with numpy: equal to the bit."""
    random = np.random.default_rng(0)
    x = random.random(n, dtype=np.float32)
    y = random.random(n, dtype=np.float32)
    out = array.empty_like(x)
    add_kernel[(triton.cdiv(n, block),)](
        array.from_numpy(x), array.from_numpy(y), out, n, BLOCK=block
    )
    np.testing.assert_array_equal(out.numpy(), x + y)
