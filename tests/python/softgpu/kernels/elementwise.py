"""Sums of vectors in all element types, and grids of all shapes."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import DeviceArray, empty_like, from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


def _sum(x: np.ndarray, y: np.ndarray, dtype: str, options: Options, block: int = 1024):
    out = DeviceArray(x.shape, dtype)
    grid = (triton.cdiv(x.size, block),)
    add_kernel[grid](
        from_numpy(x, dtype), from_numpy(y, dtype), out, x.size, BLOCK=block, **options
    )
    return out.numpy()


def _random_pair(n: int) -> np.ndarray:
    return np.random.default_rng(0).random((2, n))


@case()
def add(options: Options) -> None:
    x, y = _random_pair(10007).astype(np.float32)
    np.testing.assert_array_equal(_sum(x, y, "float32", options), x + y)


@case()
def add_f16(options: Options) -> None:
    x, y = _random_pair(3000).astype(np.float16)
    np.testing.assert_array_equal(_sum(x, y, "float16", options), x + y)


@case()
def add_bf16(options: Options) -> None:
    x, y = (from_numpy(values, "bfloat16").numpy() for values in _random_pair(3000))
    want = from_numpy(x + y, "bfloat16").numpy()
    np.testing.assert_array_equal(_sum(x, y, "bfloat16", options), want)


@case()
def add_f64(options: Options) -> None:
    x, y = _random_pair(3000)
    np.testing.assert_array_equal(_sum(x, y, "float64", options), x + y)


@case()
def add_i64(options: Options) -> None:
    x, y = np.random.default_rng(1).integers(-(2**62), 2**62, (2, 1000))
    np.testing.assert_array_equal(_sum(x, y, "int64", options), x + y)


@case()
def add_i8(options: Options) -> None:
    x, y = np.random.default_rng(2).integers(-128, 128, (2, 1000)).astype(np.int8)
    np.testing.assert_array_equal(_sum(x, y, "int8", options), x + y)


@case()
def add_i16(options: Options) -> None:
    x, y = np.random.default_rng(3).integers(-(2**15), 2**15, (2, 1000)).astype(np.int16)
    np.testing.assert_array_equal(_sum(x, y, "int16", options), x + y)


@case()
def large_grid(options: Options) -> None:
    x = np.arange(4 << 20, dtype=np.float32)
    np.testing.assert_array_equal(_sum(x, np.ones_like(x), "float32", options, block=128), x + 1)


@triton.jit
def coordinates_kernel(out_ptr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    width, height = tl.num_programs(0), tl.num_programs(1)
    value = x + 1000 * y + 1000000 * z + 7 * tl.num_programs(2)
    tl.store(out_ptr + (z * height + y) * width + x, value)


@case()
def grid_3d(options: Options) -> None:
    out = zeros((4, 5, 7), "int32")
    coordinates_kernel[(7, 5, 4)](out, **options)
    z, y, x = np.indices((4, 5, 7))
    np.testing.assert_array_equal(out.numpy(), x + 1000 * y + 1000000 * z + 7 * 4)


@triton.jit
def integer_arithmetic_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside, other=1)
    tl.store(out_ptr + offsets, x // y, mask=inside)
    tl.store(out_ptr + n + offsets, x % y, mask=inside)
    tl.store(out_ptr + 2 * n + offsets, (x << 3) ^ (y & 0xFF) | (x >> 5), mask=inside)
    tl.store(out_ptr + 3 * n + offsets, tl.umulhi(x, y), mask=inside)
    tl.store(out_ptr + 4 * n + offsets, tl.minimum(x, y) - tl.maximum(x, 17), mask=inside)


@case()
def integer_arithmetic(options: Options) -> None:
    random = np.random.default_rng(4)
    x, y = random.integers(-(2**31), 2**31, (2, 200)).astype(np.int32)
    y[y == 0] = 1
    out = zeros((5, 200), "int32")
    integer_arithmetic_kernel[(1,)](from_numpy(x), from_numpy(y), out, 200, BLOCK=256, **options)
    wide_x, wide_y = x.astype(np.int64), y.astype(np.int64)
    quotient = np.trunc(wide_x / wide_y).astype(np.int64)  # Towards zero, as in C.
    high = x.astype(np.uint32).astype(np.uint64) * y.astype(np.uint32).astype(np.uint64) >> 32
    want = [
        quotient,
        wide_x - quotient * wide_y,
        (x << 3) ^ (y & 0xFF) | (x >> 5),
        high.astype(np.uint32).view(np.int32),
        (np.minimum(x, y) - np.maximum(x, 17)),
    ]
    for row, expected in zip(out.numpy(), want, strict=True):
        np.testing.assert_array_equal(row, expected.astype(np.int32))


@triton.jit
def collatz_kernel(out_ptr):
    start = tl.program_id(0)
    x = start + 27
    steps = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(out_ptr + start, steps)


def _collatz_steps(x: int) -> int:
    steps = 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps


@case()
def while_loop(options: Options) -> None:
    out = zeros(40, "int32")
    collatz_kernel[(40,)](out, **options)
    np.testing.assert_array_equal(out.numpy(), [_collatz_steps(x + 27) for x in range(40)])


@triton.jit(noinline=True)
def _polynomial(x, degree: tl.constexpr):
    value = x * 0 + 1
    for _ in tl.static_range(degree):
        value = value * x + 1
    return value


@triton.jit
def call_kernel(x_ptr, out_ptr, N: tl.constexpr):
    for i in range(N):
        x = tl.load(x_ptr + i)
        tl.store(out_ptr + i, _polynomial(x, 3) + _polynomial(x, 2))


@case()
def device_function(options: Options) -> None:
    x = np.linspace(-1, 1, 256, dtype=np.float32)
    out = empty_like(x)
    call_kernel[(1,)](from_numpy(x), out, N=256, **options)
    want = (x**3 + x**2 + x + 1) + (x**2 + x + 1)
    np.testing.assert_allclose(out.numpy(), want, rtol=1e-5, atol=1e-6)
