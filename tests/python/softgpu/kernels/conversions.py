"""Conversions between element types."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import DeviceArray, from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def convert_kernel(x_ptr, byte_ptr, half_ptr, bfloat_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(byte_ptr + offsets, x.to(tl.int8))
    tl.store(half_ptr + offsets, x.to(tl.float16))
    tl.store(bfloat_ptr + offsets, x.to(tl.bfloat16))
    tl.store(out_ptr + offsets, x.to(tl.int8).to(tl.float32) * 0.5)


@case()
def convert(options: Options) -> None:
    x = (np.random.default_rng(0).standard_normal(256) * 30).astype(np.float32)
    byte, half, bfloat = (DeviceArray(256, dtype) for dtype in ("int8", "float16", "bfloat16"))
    out = zeros(256)
    convert_kernel[(1,)](from_numpy(x), byte, half, bfloat, out, N=256, **options)
    np.testing.assert_array_equal(byte.numpy(), x.astype(np.int8))
    np.testing.assert_array_equal(half.numpy(), x.astype(np.float16))
    np.testing.assert_array_equal(bfloat.numpy(), from_numpy(x, "bfloat16").numpy())
    np.testing.assert_array_equal(out.numpy(), x.astype(np.int8) * np.float32(0.5))


@triton.jit
def float8_kernel(x_ptr, byte_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    byte = tl.load(x_ptr + offsets).to(byte_ptr.dtype.element_ty)
    tl.store(byte_ptr + offsets, byte)
    tl.store(out_ptr + offsets, byte.to(tl.float32))


def _float8(dtype: str, options: Options) -> None:
    x = (np.random.default_rng(1).standard_normal(256) * 5).astype(np.float32)
    byte, out = DeviceArray(256, dtype), zeros(256)
    float8_kernel[(1,)](from_numpy(x), byte, out, N=256, **options)
    np.testing.assert_array_equal(out.numpy(), byte.numpy())
    # Triton rounds twice, by way of float16: half a unit, and half of one of float16 more.
    fraction_bits, smallest = (3, 2.0**-9) if dtype == "float8_e4m3fn" else (2, 2.0**-16)
    half_unit = 2.0 ** -(fraction_bits + 1) + 2.0**-11
    np.testing.assert_allclose(byte.numpy(), x, rtol=half_unit, atol=smallest)


@case()
def float8_e5m2(options: Options) -> None:
    _float8("float8_e5m2", options)


@case()
def float8_e4m3fn(options: Options) -> None:
    _float8("float8_e4m3fn", options)
