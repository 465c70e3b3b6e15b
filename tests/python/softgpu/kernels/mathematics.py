"""Functions of one number: Triton's own and those of libdevice."""

import math

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from proton_xpu.softgpu.array import from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def math_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.exp(x))
    tl.store(out_ptr + N + offsets, tl.log(x))
    tl.store(out_ptr + 2 * N + offsets, tl.sqrt(x))
    tl.store(out_ptr + 3 * N + offsets, tl.sin(x))
    tl.store(out_ptr + 4 * N + offsets, tl.cos(x))
    tl.store(out_ptr + 5 * N + offsets, tl.rsqrt(x))
    tl.store(out_ptr + 6 * N + offsets, tl.sigmoid(x))
    tl.store(out_ptr + 7 * N + offsets, tl.exp2(x))
    tl.store(out_ptr + 8 * N + offsets, tl.log2(x))
    tl.store(out_ptr + 9 * N + offsets, tl.erf(x))
    tl.store(out_ptr + 10 * N + offsets, tl.floor(x))
    tl.store(out_ptr + 11 * N + offsets, tl.ceil(x))
    tl.store(out_ptr + 12 * N + offsets, tl.abs(-x))
    tl.store(out_ptr + 13 * N + offsets, tl.fma(x, x, x))
    tl.store(out_ptr + 14 * N + offsets, tl.div_rn(x, x + 1))
    tl.store(out_ptr + 15 * N + offsets, tl.sqrt_rn(x))


def _positive_numbers(n: int) -> np.ndarray:
    return np.random.default_rng(0).random(n) * 4 + 0.1


def _compare(rows: np.ndarray, wanted: dict[str, np.ndarray], tolerance: float) -> None:
    for row, (name, want) in zip(rows, wanted.items(), strict=True):
        np.testing.assert_allclose(row, want, rtol=tolerance, atol=tolerance, err_msg=name)


@case()
def math_functions(options: Options) -> None:
    x = _positive_numbers(128).astype(np.float32)
    out = zeros((16, 128))
    math_kernel[(1,)](from_numpy(x), out, N=128, **options)
    y = x.astype(np.float64)
    wanted = {
        "exp": np.exp(y),
        "log": np.log(y),
        "sqrt": np.sqrt(y),
        "sin": np.sin(y),
        "cos": np.cos(y),
        "rsqrt": 1 / np.sqrt(y),
        "sigmoid": 1 / (1 + np.exp(-y)),
        "exp2": 2**y,
        "log2": np.log2(y),
        "erf": np.vectorize(math.erf)(y),
        "floor": np.floor(y),
        "ceil": np.ceil(y),
        "abs": y,
        "fma": y * y + y,
        "div_rn": y / (y + 1),
        "sqrt_rn": np.sqrt(y),
    }
    _compare(out.numpy(), wanted, 2e-5)


@triton.jit
def libdevice_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, libdevice.exp(x))
    tl.store(out_ptr + N + offsets, libdevice.log(x))
    tl.store(out_ptr + 2 * N + offsets, libdevice.sqrt(x))
    tl.store(out_ptr + 3 * N + offsets, libdevice.tanh(x))
    tl.store(out_ptr + 4 * N + offsets, libdevice.pow(x, x))
    tl.store(out_ptr + 5 * N + offsets, libdevice.expm1(x))
    tl.store(out_ptr + 6 * N + offsets, libdevice.log1p(x))
    tl.store(out_ptr + 7 * N + offsets, libdevice.atan2(x, x + 1))
    tl.store(out_ptr + 8 * N + offsets, libdevice.asin(x / 5))
    tl.store(out_ptr + 9 * N + offsets, libdevice.cosh(x))
    tl.store(out_ptr + 10 * N + offsets, libdevice.erf(x))
    tl.store(out_ptr + 11 * N + offsets, libdevice.rint(x))
    tl.store(out_ptr + 12 * N + offsets, libdevice.fmod(x, 0.7))
    tl.store(out_ptr + 13 * N + offsets, libdevice.isnan(x).to(tl.float32))
    tl.store(out_ptr + 14 * N + offsets, libdevice.lgamma(x))


@case()
def libdevice_functions(options: Options) -> None:
    x = _positive_numbers(128).astype(np.float32)
    out = zeros((15, 128))
    libdevice_kernel[(1,)](from_numpy(x), out, N=128, **options)
    y = x.astype(np.float64)
    wanted = {
        "exp": np.exp(y),
        "log": np.log(y),
        "sqrt": np.sqrt(y),
        "tanh": np.tanh(y),
        "pow": y**y,
        "expm1": np.expm1(y),
        "log1p": np.log1p(y),
        "atan2": np.arctan2(y, y + 1),
        "asin": np.arcsin(y / 5),
        "cosh": np.cosh(y),
        "erf": np.vectorize(math.erf)(y),
        "rint": np.rint(y),
        "fmod": np.fmod(x, np.float32(0.7)),
        "isnan": np.zeros(128),
        "lgamma": np.vectorize(math.lgamma)(y),
    }
    _compare(out.numpy(), wanted, 5e-5)


@triton.jit
def libdevice_f64_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, libdevice.exp(x))
    tl.store(out_ptr + N + offsets, libdevice.pow(x, x))
    tl.store(out_ptr + 2 * N + offsets, libdevice.tanh(x))
    tl.store(out_ptr + 3 * N + offsets, libdevice.erf(x))


@case()
def libdevice_f64(options: Options) -> None:
    x = _positive_numbers(64)
    out = zeros((4, 64), "float64")
    libdevice_f64_kernel[(1,)](from_numpy(x), out, N=64, **options)
    wanted = {"exp": np.exp(x), "pow": x**x, "tanh": np.tanh(x), "erf": np.vectorize(math.erf)(x)}
    _compare(out.numpy(), wanted, 1e-12)
