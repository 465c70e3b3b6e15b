"""The softmax of each row of a matrix in one kernel: a row is read and written once."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu import array


@triton.jit
def softmax_kernel(x_ptr, out_ptr, row_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(x_ptr + row * row_stride + offsets, mask=inside, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + offsets, numerator / tl.sum(numerator, axis=0), inside)


def run(rows: int = 256, columns: int = 781) -> None:
    """Computes `rows` softmaxes on the device and compares with numpy."""
    x = np.random.default_rng(1).standard_normal((rows, columns), dtype=np.float32)
    out = array.empty_like(x)
    softmax_kernel[(rows,)](
        array.from_numpy(x), out, columns, columns, BLOCK=triton.next_power_of_2(columns)
    )
    numerator = np.exp(x - x.max(axis=1, keepdims=True))
    expected = numerator / numerator.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-5, atol=1e-7)
