"""Atomic operations between programs."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def atomics_kernel(x_ptr, counts_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    tl.atomic_add(counts_ptr + x % 16, 1, mask=inside)
    tl.atomic_add(out_ptr, tl.sum(x, 0))
    tl.atomic_max(out_ptr + 1, tl.max(x, 0))
    tl.atomic_min(out_ptr + 2, tl.min(tl.where(inside, x, 1 << 30), 0))
    # A lock, at 3, that guards a count, at 4.
    while tl.atomic_cas(out_ptr + 3, 0, 1) == 1:
        pass
    tl.store(out_ptr + 4, tl.load(out_ptr + 4, volatile=True) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(out_ptr + 3, 0)


@case()
def atomics(options: Options) -> None:
    x = np.random.default_rng(0).integers(0, 1000, 5000).astype(np.int32)
    counts = zeros(16, "int32")
    out = from_numpy(np.array([0, -1, 1 << 30, 0, 0], np.int32))
    atomics_kernel[(20,)](from_numpy(x), counts, out, 5000, BLOCK=256, **options)
    np.testing.assert_array_equal(counts.numpy(), np.bincount(x % 16, minlength=16))
    np.testing.assert_array_equal(out.numpy(), [x.sum(), x.max(), x.min(), 0, 20])


@triton.jit
def wide_atomics_kernel(long_ptr, double_ptr, half_ptr, float_ptr, bits_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_add(long_ptr + offsets * 0, offsets.to(tl.int64) << 32)
    tl.atomic_add(double_ptr + offsets * 0, offsets.to(tl.float64))
    tl.atomic_add(half_ptr + offsets * 0, tl.full([BLOCK], 1.0, tl.float16))
    tl.atomic_max(float_ptr + offsets * 0, offsets.to(tl.float32))
    tl.atomic_or(bits_ptr + offsets * 0, offsets)


@case()
def wide_atomics(options: Options) -> None:
    long, double, half, single, bits = (
        zeros(1, dtype) for dtype in ("int64", "float64", "float16", "float32", "int32")
    )
    wide_atomics_kernel[(4,)](long, double, half, single, bits, BLOCK=128, **options)
    total = sum(range(128))
    assert long.numpy()[0] == 4 * total << 32
    assert double.numpy()[0] == 4 * total
    assert half.numpy()[0] == 4 * 128
    assert single.numpy()[0] == 127
    assert bits.numpy()[0] == 127
