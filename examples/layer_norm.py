"""Layer normalisation of each row of a matrix, with weight and bias."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu import array


@triton.jit
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(x_ptr + row + offsets, mask=inside, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(inside, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    weight = tl.load(weight_ptr + offsets, mask=inside)
    bias = tl.load(bias_ptr + offsets, mask=inside)
    out = centred * tl.rsqrt(variance + epsilon) * weight + bias
    tl.store(out_ptr + row + offsets, out, mask=inside)


def run(rows: int = 128, columns: int = 1000, epsilon: float = 1e-5) -> None:
    """Normalises `rows` rows on the device and compares with numpy."""
    random = np.random.default_rng(2)
    x = random.standard_normal((rows, columns), dtype=np.float32)
    weight = random.random(columns, dtype=np.float32)
    bias = random.random(columns, dtype=np.float32)
    out = array.empty_like(x)
    layer_norm_kernel[(rows,)](
        array.from_numpy(x),
        array.from_numpy(weight),
        array.from_numpy(bias),
        out,
        columns,
        epsilon,
        BLOCK=triton.next_power_of_2(columns),
    )
    normalised = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(
        x.var(axis=1, keepdims=True) + epsilon
    )
    np.testing.assert_allclose(out.numpy(), normalised * weight + bias, rtol=1e-4, atol=1e-5)
