"""Matrix multiplication: by pointers and by block pointers, in all types; attention."""

import numpy as np
import triton
import triton.language as tl

from proton_xpu.softgpu.array import DeviceArray, from_numpy, zeros
from softgpu.kernels.cases import Options, case


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * K + depth[None, :]
    b_ptrs = b_ptr + depth[:, None] * N + columns[None, :]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), c_ptr.dtype.element_ty)
    for k in range(0, K, BLOCK_K):
        a_inside = (rows[:, None] < M) & (depth[None, :] + k < K)
        b_inside = (depth[:, None] + k < K) & (columns[None, :] < N)
        a = tl.load(a_ptrs, mask=a_inside, other=0)
        b = tl.load(b_ptrs, mask=b_inside, other=0)
        accumulator = tl.dot(
            a, b, accumulator, input_precision=PRECISION, out_dtype=c_ptr.dtype.element_ty
        )
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], accumulator, mask=inside)


def _random_matrices(dtype: str, m: int, n: int, k: int) -> tuple[DeviceArray, DeviceArray]:
    random = np.random.default_rng(0)
    if dtype == "int8":
        a, b = (random.integers(-100, 100, shape) for shape in ((m, k), (k, n)))
    else:
        a, b = (random.standard_normal(shape) for shape in ((m, k), (k, n)))
    return from_numpy(a, dtype), from_numpy(b, dtype)


def _product(a: DeviceArray, b: DeviceArray) -> np.ndarray:
    return a.numpy().astype(np.float64) @ b.numpy().astype(np.float64)


def _matmul(
    dtype: str, tolerance: float, options: Options, *, shape: tuple[int, int, int] = (100, 72, 130),
    block: tuple[int, int, int] = (32, 32, 32), precision: str = "ieee", out: str = "float32",
) -> None:  # fmt: skip
    m, n, k = shape
    a, b = _random_matrices(dtype, m, n, k)
    c = zeros((m, n), out)
    grid = (triton.cdiv(m, block[0]), triton.cdiv(n, block[1]))
    matmul_kernel[grid](
        a, b, c, m, n, k, PRECISION=precision,
        BLOCK_M=block[0], BLOCK_N=block[1], BLOCK_K=block[2], **options,
    )  # fmt: skip
    np.testing.assert_allclose(c.numpy(), _product(a, b), rtol=tolerance, atol=tolerance)


@case(matrix=True)
def dot_f32(options: Options) -> None:
    _matmul("float32", 1e-4, options)


@case(matrix=True)
def dot_tf32(options: Options) -> None:
    _matmul("float32", 5e-2, options, precision="tf32")


@case(matrix=True)
def dot_f16(options: Options) -> None:
    _matmul("float16", 1e-3, options)


@case(matrix=True)
def dot_f16_accumulating_f16(options: Options) -> None:
    _matmul("float16", 6e-2, options, out="float16")


@case(matrix=True)
def dot_bf16(options: Options) -> None:
    _matmul("bfloat16", 1e-3, options)


@case(matrix=True)
def dot_f16_large_blocks(options: Options) -> None:
    _matmul("float16", 2e-3, options, shape=(128, 128, 128), block=(64, 64, 32))


@case(matrix=True)
def dot_i8(options: Options) -> None:
    _matmul("int8", 0, options, shape=(32, 32, 64), block=(32, 32, 64), out="int32")


@triton.jit
def block_matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, TRANSPOSED_B: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    a_block = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (row, 0), (BLOCK_M, BLOCK_K), (1, 0))
    if TRANSPOSED_B:
        b_block = tl.make_block_ptr(b_ptr, (K, N), (1, K), (0, column), (BLOCK_K, BLOCK_N), (0, 1))
    else:
        b_block = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, column), (BLOCK_K, BLOCK_N), (1, 0))
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, K, BLOCK_K):
        a = tl.load(a_block, boundary_check=(0, 1))
        b = tl.load(b_block, boundary_check=(0, 1))
        accumulator += tl.dot(a, b)
        a_block = tl.advance(a_block, (0, BLOCK_K))
        b_block = tl.advance(b_block, (BLOCK_K, 0))
    c_block = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (row, column), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(c_block, accumulator, boundary_check=(0, 1))


def _block_matmul(
    dtype: str, tolerance: float, options: Options, *, transposed: bool = False
) -> None:
    # Widths whose rows are multiples of 16 bytes, as 2D blocks need, and ragged last blocks.
    m, n, k = 100, 96, 112
    a, b = _random_matrices(dtype, m, n, k)
    want = _product(a, b)
    if transposed:
        b = from_numpy(b.numpy().T, dtype)
    c = zeros((m, n))
    block_matmul_kernel[(2, 2)](
        a, b, c, m, n, k, TRANSPOSED_B=transposed, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, **options
    )
    np.testing.assert_allclose(c.numpy(), want, rtol=tolerance, atol=tolerance)


@case(matrix=True)
def block_pointers_f16(options: Options) -> None:
    _block_matmul("float16", 2e-3, options)


@case(matrix=True)
def block_pointers_bf16(options: Options) -> None:
    _block_matmul("bfloat16", 2e-3, options)


@case(matrix=True)
def block_pointers_f32(options: Options) -> None:
    _block_matmul("float32", 6e-2, options)


@case(matrix=True)
def block_pointers_f8(options: Options) -> None:
    _block_matmul("float8_e5m2", 2e-3, options)


@case(matrix=True)
def block_pointers_transposed_f16(options: Options) -> None:
    _block_matmul("float16", 2e-3, options, transposed=True)


@case(matrix=True)
def block_pointers_transposed_f32(options: Options) -> None:
    _block_matmul("float32", 6e-2, options, transposed=True)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, scale, LENGTH: tl.constexpr, HEAD: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    head = tl.arange(0, HEAD)
    q = tl.load(q_ptr + rows[:, None] * HEAD + head[None, :])
    largest = tl.full([BLOCK_M], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    accumulator = tl.zeros([BLOCK_M, HEAD], tl.float32)
    for start in range(0, LENGTH, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + keys[None, :] * HEAD + head[:, None])
        v = tl.load(v_ptr + keys[:, None] * HEAD + head[None, :])
        scores = tl.dot(q, k) * scale
        new_largest = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp(scores - new_largest[:, None])
        correction = tl.exp(largest - new_largest)
        total = total * correction + tl.sum(weights, 1)
        accumulator = accumulator * correction[:, None] + tl.dot(weights.to(tl.float16), v)
        largest = new_largest
    tl.store(out_ptr + rows[:, None] * HEAD + head[None, :], accumulator / total[:, None])


@case(matrix=True)
def flash_attention(options: Options) -> None:
    length, head = 128, 32
    random = np.random.default_rng(1)
    q, k, v = random.standard_normal((3, length, head)).astype(np.float16)
    out = zeros((length, head))
    attention_kernel[(4,)](
        from_numpy(q), from_numpy(k), from_numpy(v), out, head**-0.5, LENGTH=length, HEAD=head,
        BLOCK_M=32, BLOCK_N=32, **options,
    )  # fmt: skip
    scores = q.astype(np.float64) @ k.T.astype(np.float64) * head**-0.5
    weights = np.exp(scores - scores.max(1, keepdims=True))
    want = weights / weights.sum(1, keepdims=True) @ v.astype(np.float64)
    np.testing.assert_allclose(out.numpy(), want, rtol=5e-3, atol=5e-3)


@triton.jit
def batched_matmul_kernel(a_ptr, b_ptr, c_ptr, B: tl.constexpr, SIZE: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None] * SIZE * SIZE
    offsets = batch + tl.arange(0, SIZE)[None, :, None] * SIZE + tl.arange(0, SIZE)[None, None, :]
    product = tl.dot(tl.load(a_ptr + offsets), tl.load(b_ptr + offsets), input_precision="ieee")
    tl.store(c_ptr + offsets, product)


@case()
def batched_dot(options: Options) -> None:
    a, b = np.random.default_rng(2).standard_normal((2, 4, 16, 16)).astype(np.float32)
    c = zeros((4, 16, 16))
    batched_matmul_kernel[(1,)](from_numpy(a), from_numpy(b), c, B=4, SIZE=16, **options)
    np.testing.assert_allclose(c.numpy(), a @ b, rtol=1e-4, atol=1e-4)
