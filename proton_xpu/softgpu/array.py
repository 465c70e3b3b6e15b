"""Device arrays that kernels take as arguments: memory on a dpctl queue's device, no Torch.

A kernel may still use an array's memory when Python drops the array, as temporaries in a launch's
argument list are. So dropped memory is kept until its queue is known to be idle.
"""

import functools
import math
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import dpctl
import dpctl.memory
import numpy as np
import numpy.typing as npt

from proton_xpu.softgpu import low_precision

if TYPE_CHECKING:
    from collections.abc import Iterable

DTYPES: Final = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", *low_precision.FORMATS),
)
"""Element types by name, as Triton knows them."""

_RETIRED_BYTES_LIMIT = 256 << 20
_SMALLEST_ALLOCATION = 64


class _QueueMemory:
    """Memory of one queue that nobody in Python holds any more but the device may still use."""

    def __init__(self, queue: dpctl.SyclQueue) -> None:
        self._queue = queue
        self._retired: list[dpctl.memory.MemoryUSMDevice] = []
        self._bytes = 0

    def retire(self, memory: dpctl.memory.MemoryUSMDevice) -> None:
        self._retired.append(memory)
        self._bytes += memory.nbytes
        if self._bytes > _RETIRED_BYTES_LIMIT:
            self.wait()

    def wait(self) -> None:
        """Wait for the queue; then what was retired before can go."""
        retired, self._retired, self._bytes = self._retired, [], 0
        self._queue.wait()
        retired.clear()


@functools.lru_cache(maxsize=64)
def _memory_of(queue: dpctl.SyclQueue) -> _QueueMemory:
    return _QueueMemory(queue)


@functools.cache
def default_queue() -> dpctl.SyclQueue:
    """The in-order queue on the first Level Zero GPU that arrays and the Triton driver share.

    Raises:
        RuntimeError: there is none.
    """
    try:
        return dpctl.SyclQueue("level_zero:gpu", property="in_order")
    except dpctl.SyclQueueCreationError as error:
        raise RuntimeError(
            "there is no Level Zero GPU; call proton_xpu.softgpu.activate() first for the "
            "software device"
        ) from error


class DeviceArray:
    """A dense row-major array in device memory.

    Attributes:
        dtype: name of the element type, one of `DTYPES`.
        shape: as numpy has it.
        queue: whose device the memory is on and whose order copies follow.
    """

    def __init__(
        self,
        shape: int | Sequence[int],
        dtype: str = "float32",
        *,
        queue: dpctl.SyclQueue | None = None,
    ) -> None:
        """Allocate, contents undefined.

        Raises:
            ValueError: no such element type, or a negative size.
        """
        if dtype not in DTYPES:
            raise ValueError(f"no element type {dtype!r}; there are {', '.join(DTYPES)}")
        self.shape = (shape,) if isinstance(shape, int) else tuple(int(size) for size in shape)
        if any(size < 0 for size in self.shape):
            raise ValueError(f"sizes are not negative: {self.shape}")
        self.dtype = dtype
        self.queue = default_queue() if queue is None else queue
        self._memory = dpctl.memory.MemoryUSMDevice(
            max(self.nbytes, _SMALLEST_ALLOCATION), queue=self.queue
        )
        # Not at exit: then the memory goes with the process.
        weakref.finalize(self, _memory_of(self.queue).retire, self._memory).atexit = False

    @property
    def storage_dtype(self) -> np.dtype[np.generic]:
        """The numpy type that holds an element: for bfloat16 and float8 an unsigned integer."""
        return np.dtype(low_precision.FORMATS.get(self.dtype, self.dtype))

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.storage_dtype.itemsize

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def numel(self) -> int:
        """Number of elements, as Torch has it."""
        return self.size

    def element_size(self) -> int:
        """Bytes of one element, as Torch has it."""
        return self.storage_dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Distance between neighbours along each dimension, in elements."""
        return tuple(math.prod(self.shape[axis + 1 :]) for axis in range(self.ndim))

    def stride(self, axis: int) -> int:
        """Distance between neighbours along a dimension, in elements, as Torch has it."""
        return self.strides[axis]

    def data_ptr(self) -> int:
        """Device address of the first element; how Triton takes an array."""
        return int(self._memory._pointer)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number for oneAPI devices, which says that the memory is not the host's."""
        return (14, 0)

    def clone(self) -> "DeviceArray":
        """A copy, made in the order of the queue; does not wait for it."""
        copy = DeviceArray(self.shape, self.dtype, queue=self.queue)
        if self.nbytes:
            self.queue.memcpy_async(copy._memory, self._memory, self.nbytes)
        return copy

    def copy_from(self, values: npt.ArrayLike) -> None:
        """Overwrite with `values`, rounded to the element type, in the order of the queue.

        Raises:
            ValueError: another shape.
        """
        host = self._to_storage(values)
        if host.shape != self.shape:
            raise ValueError(f"the array has shape {self.shape}, the values {host.shape}")
        if host.nbytes:
            self.queue.memcpy(self._memory, host.reshape(-1).view(np.uint8), host.nbytes)

    def numpy(self) -> npt.NDArray[np.generic]:
        """Wait for the queue and copy to the host; bfloat16 and float8 become float32."""
        bits = self.bits()
        if self.dtype in low_precision.FORMATS:
            return low_precision.decode(np.asarray(bits), self.dtype)
        return bits

    def item(self) -> bool | int | float:
        """Wait for the queue and return the only element, as Torch has it.

        Raises:
            ValueError: there is not exactly one.
        """
        value: bool | int | float = self.numpy().item()
        return value

    def bits(self) -> npt.NDArray[np.generic]:
        """Wait for the queue and copy to the host, elements as `storage_dtype`."""
        _memory_of(self.queue).wait()
        host = np.empty(self.shape, self.storage_dtype)
        if host.nbytes:
            self.queue.memcpy(host.reshape(-1).view(np.uint8), self._memory, host.nbytes)
        return host

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype!r})"

    def _to_storage(self, values: npt.ArrayLike) -> npt.NDArray[np.generic]:
        if self.dtype in low_precision.FORMATS:
            return low_precision.encode(values, self.dtype)
        return np.asarray(values, self.storage_dtype, order="C")


def from_numpy(
    values: npt.ArrayLike, dtype: str | None = None, *, queue: dpctl.SyclQueue | None = None
) -> DeviceArray:
    """A device array with these values, of their own element type if `dtype` is None.

    Raises:
        ValueError: no such element type.
    """
    host = np.asarray(values)
    array = DeviceArray(host.shape, dtype or host.dtype.name, queue=queue)
    array.copy_from(host)
    return array


def zeros(
    shape: int | Sequence[int], dtype: str = "float32", *, queue: dpctl.SyclQueue | None = None
) -> DeviceArray:
    """A device array of zeros."""
    array = DeviceArray(shape, dtype, queue=queue)
    array.copy_from(np.zeros(array.shape, np.float32))
    return array


def empty_like(
    values: DeviceArray | npt.NDArray[np.generic], dtype: str | None = None
) -> DeviceArray:
    """A device array of the same shape and, if not told, element type; contents undefined."""
    queue = values.queue if isinstance(values, DeviceArray) else None
    name = values.dtype if isinstance(values, DeviceArray) else values.dtype.name
    return DeviceArray(values.shape, dtype or name, queue=queue)


def synchronize(queues: "Iterable[dpctl.SyclQueue] | None" = None) -> None:
    """Wait for queues, by default the default one."""
    for queue in queues or (default_queue(),):
        _memory_of(queue).wait()
