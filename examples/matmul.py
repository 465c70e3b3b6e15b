"""A tiled matrix product on `tl.dot`, in fp32 and in fp16 with fp32 accumulation."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu import array


@triton.jit
def matmul_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + inner
        a_inside = (rows[:, None] < M) & (k[None, :] < K)
        b_inside = (k[:, None] < K) & (columns[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_inside, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + columns[None, :], mask=b_inside, other=0.0)
        sums += tl.dot(a, b, input_precision="ieee")
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], sums, mask=inside)


def run(dtype: str = "float32", size: tuple[int, int, int] = (96, 80, 72)) -> None:
    """Multiplies an M x K by a K x N matrix and compares with numpy; `size` is (M, N, K)."""
    m, n, k = size
    random = np.random.default_rng(3)
    a = random.standard_normal((m, k)).astype(dtype)
    b = random.standard_normal((k, n)).astype(dtype)
    out = array.DeviceArray((m, n), "float32")
    block = 32
    grid = (triton.cdiv(m, block), triton.cdiv(n, block))
    matmul_kernel[grid](
        array.from_numpy(a),
        array.from_numpy(b),
        out,
        m,
        n,
        k,
        BLOCK_M=block,
        BLOCK_N=block,
        BLOCK_K=block,
    )
    expected = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-4, atol=1e-4)
