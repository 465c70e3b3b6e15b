"""Reductions, scans, sorting, and the normalisations that are made of them."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import empty_like, from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=inside, other=-float("inf"))
    powers = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + offsets, powers / tl.sum(powers, 0), mask=inside)


@case()
def softmax(options: Options) -> None:
    x = np.random.default_rng(0).standard_normal((33, 781)).astype(np.float32)
    out = empty_like(x)
    softmax_kernel[(33,)](from_numpy(x), out, 781, BLOCK=1024, **options)
    powers = np.exp(x - x.max(1, keepdims=True))
    want = powers / powers.sum(1, keepdims=True)
    np.testing.assert_allclose(out.numpy(), want, rtol=1e-5, atol=1e-7)


@triton.jit
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, mean_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * n
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
        distance = tl.where(offsets < n, x - mean, 0.0)
        squares += distance * distance
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / n + eps)
    tl.store(mean_ptr + row, mean)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < n
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
        weight = tl.load(weight_ptr + offsets, mask=inside)
        bias = tl.load(bias_ptr + offsets, mask=inside)
        tl.store(out_ptr + row * n + offsets, (x - mean) * scale * weight + bias, mask=inside)


@case()
def layer_norm(options: Options) -> None:
    random = np.random.default_rng(1)
    x = random.standard_normal((17, 1151)).astype(np.float32)
    weight, bias = random.random((2, 1151), dtype=np.float32)
    out, mean = empty_like(x), zeros(17)
    layer_norm_kernel[(17,)](
        from_numpy(x), from_numpy(weight), from_numpy(bias), out, mean, 1151, 1e-5, BLOCK=256,
        **options,
    )  # fmt: skip
    centred = x - x.mean(1, keepdims=True)
    want = centred / np.sqrt(x.var(1, keepdims=True) + 1e-5) * weight + bias
    np.testing.assert_allclose(mean.numpy(), x.mean(1), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(out.numpy(), want, rtol=1e-4, atol=1e-5)


@triton.jit
def reduce_kernel(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(out_ptr, tl.sum(x, 0))
    tl.store(out_ptr + 1, tl.max(x, 0))
    tl.store(out_ptr + 2, tl.min(x, 0))
    tl.store(out_ptr + 3, tl.argmax(x, 0).to(tl.float32))
    tl.store(out_ptr + 4, tl.argmin(x, 0).to(tl.float32))
    tl.store(out_ptr + 5, tl.xor_sum(x.to(tl.int32, bitcast=True), 0).to(tl.float32, bitcast=True))


def _reduce(n: int, options: Options) -> None:
    x = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    out = zeros(6)
    reduce_kernel[(1,)](from_numpy(x), out, N=n, **options)
    got = out.numpy()
    np.testing.assert_allclose(got[0], x.sum(dtype=np.float64), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(got[1:5], [x.max(), x.min(), x.argmax(), x.argmin()])
    assert got[5].view(np.int32) == np.bitwise_xor.reduce(x.view(np.int32))


@case()
def reduce_32(options: Options) -> None:
    _reduce(32, options)


@case()
def reduce_512(options: Options) -> None:
    _reduce(512, options)


@case()
def reduce_4096(options: Options) -> None:
    _reduce(4096, options)


@triton.jit
def reduce_2d_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :])
    tl.store(out_ptr + columns, tl.sum(x, 0))
    tl.store(out_ptr + N + rows, tl.max(x, 1))
    tl.store(out_ptr + N + M + rows, tl.argmin(x, 1).to(tl.float32))


@case()
def reduce_2d(options: Options) -> None:
    x = np.random.default_rng(2).standard_normal((64, 32)).astype(np.float32)
    out = zeros(32 + 64 + 64)
    reduce_2d_kernel[(1,)](from_numpy(x), out, M=64, N=32, **options)
    got = out.numpy()
    np.testing.assert_allclose(got[:32], x.sum(0), rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(got[32:96], x.max(1))
    np.testing.assert_array_equal(got[96:], x.argmin(1))


@triton.jit
def _product(a, b):
    return a * b


@triton.jit
def scan_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.cumsum(x, 0))
    tl.store(out_ptr + N + offsets, tl.associative_scan(x, 0, _product))
    tl.store(out_ptr + 2 * N + offsets, tl.cumsum(x, 0, reverse=True))


def _scan(n: int, options: Options) -> None:
    x = 1 + 0.01 * np.random.default_rng(n).standard_normal(n).astype(np.float32)
    out = zeros((3, n))
    scan_kernel[(1,)](from_numpy(x), out, N=n, **options)
    sums, products, reverse = out.numpy()
    np.testing.assert_allclose(sums, np.cumsum(x, dtype=np.float64), rtol=1e-4)
    np.testing.assert_allclose(products, np.cumprod(x, dtype=np.float64), rtol=1e-3)
    np.testing.assert_allclose(reverse, np.cumsum(x[::-1], dtype=np.float64)[::-1], rtol=1e-4)


@case()
def scan_64(options: Options) -> None:
    _scan(64, options)


@case()
def scan_1024(options: Options) -> None:
    _scan(1024, options)


@triton.jit
def sort_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.sort(x))
    tl.store(out_ptr + N + offsets, tl.sort(x, descending=True))


@case()
def sort(options: Options) -> None:
    x = np.random.default_rng(3).permutation(256).astype(np.float32)
    out = zeros((2, 256))
    sort_kernel[(1,)](from_numpy(x), out, N=256, **options)
    np.testing.assert_array_equal(out.numpy(), [np.arange(256), np.arange(256)[::-1]])


@triton.jit
def histogram_kernel(x_ptr, out_ptr, N: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))


# Triton 3.3's own compiler fails at 16: 'llvm.xor' op requires the same type for all operands.
@case(sub_groups=(32,))
def histogram(options: Options) -> None:
    x = np.random.default_rng(4).integers(0, 64, 1024).astype(np.int32)
    out = zeros(64, "int32")
    histogram_kernel[(1,)](from_numpy(x), out, N=1024, BINS=64, **options)
    np.testing.assert_array_equal(out.numpy(), np.bincount(x, minlength=64))
