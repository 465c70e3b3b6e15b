"""Philox random numbers, exact, and dropout."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import DeviceArray, from_numpy
from softgpu.kernels.cases import Options, case

_MASK = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@triton.jit
def dropout_kernel(x_ptr, out_ptr, bits_ptr, n, drop, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    keep = tl.rand(seed, offsets) > drop
    x = tl.load(x_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - drop), 0.0), mask=inside)
    tl.store(bits_ptr + offsets, tl.randint(seed, offsets), mask=inside)


def _philox(seed: int, offsets: np.ndarray) -> np.ndarray:
    """The first of the four words of Philox 4x32-10."""
    counter = [offsets.astype(np.uint64), *np.zeros((3, offsets.size), np.uint64)]
    key = [np.uint64(seed), np.uint64(0)]
    for _ in range(10):
        first = counter[0] * np.uint64(0xD2511F53)
        third = counter[2] * np.uint64(0xCD9E8D57)
        counter = [
            (third >> _HALF) ^ counter[1] ^ key[0],
            third & _MASK,
            (first >> _HALF) ^ counter[3] ^ key[1],
            first & _MASK,
        ]
        key = [(key[0] + np.uint64(0x9E3779B9)) & _MASK, (key[1] + np.uint64(0xBB67AE85)) & _MASK]
    return counter[0].astype(np.uint32)


@case()
def philox_dropout(options: Options) -> None:
    x = np.random.default_rng(0).random(1000, dtype=np.float32) + 1
    out, bits = DeviceArray(1000), DeviceArray(1000, "int32")
    dropout_kernel[(4,)](from_numpy(x), out, bits, 1000, 0.25, 1234, BLOCK=256, **options)
    random = _philox(1234, np.arange(1000))
    np.testing.assert_array_equal(bits.numpy().view(np.uint32), random)
    signed = random.view(np.int32).astype(np.int64)
    uniform = np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10
    want = np.where(uniform > 0.25, x / np.float32(0.75), 0)
    np.testing.assert_allclose(out.numpy(), want, rtol=1e-6)
