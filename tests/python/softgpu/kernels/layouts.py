"""Moving elements about: transposing, reshaping, flipping, gathering."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :])
    tl.store(out_ptr + columns[:, None] * M + rows[None, :], tl.trans(x))


@case()
def transpose(options: Options) -> None:
    x = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    out = zeros((32, 64))
    transpose_kernel[(1,)](from_numpy(x), out, M=64, N=32, **options)
    np.testing.assert_array_equal(out.numpy(), x.T)


@triton.jit
def shape_kernel(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    even, odd = tl.split(tl.reshape(x, (N // 2, 2)))
    half = tl.arange(0, N // 2)
    tl.store(out_ptr + half, even + 2 * odd)
    tl.store(out_ptr + N // 2 + tl.arange(0, N), tl.interleave(odd, even))
    tl.store(out_ptr + 3 * N // 2 + tl.arange(0, N), tl.flip(x))


@case()
def reshape_split_flip(options: Options) -> None:
    x = np.arange(256, dtype=np.float32)
    out = zeros(128 + 256 + 256)
    shape_kernel[(1,)](from_numpy(x), out, N=256, **options)
    got = out.numpy()
    np.testing.assert_array_equal(got[:128], x[::2] + 2 * x[1::2])
    np.testing.assert_array_equal(got[128:384], x.reshape(-1, 2)[:, ::-1].reshape(-1))
    np.testing.assert_array_equal(got[384:], x[::-1])


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.gather(x, tl.load(index_ptr + offsets), 0))


@case()
def gather(options: Options) -> None:
    random = np.random.default_rng(1)
    x = random.standard_normal(256).astype(np.float32)
    index = random.integers(0, 256, 256).astype(np.int32)
    out = zeros(256)
    gather_kernel[(1,)](from_numpy(x), from_numpy(index), out, N=256, **options)
    np.testing.assert_array_equal(out.numpy(), x[index])
