"""Telling the software device what to do: its clock, what kernels last, whether they run at all."""

import ctypes
import functools
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from typing_extensions import Self

Clock = Literal["real", "scripted"]
Kind = Literal["kernel", "copy", "fill", "barrier", "signal"]

_CLOCKS: dict[str, int] = {"real": 0, "scripted": 1}
_KINDS = ("kernel", "copy", "fill", "barrier", "signal")
_FOREVER = 2**64 - 1
_VERSION = 1


def driver_path() -> Path:
    """The software Level Zero driver that belongs to this package.

    Raises:
        RuntimeError: it has not been built.
    """
    path = Path(__file__).resolve().with_name("libze_softgpu.so")
    if not path.exists():
        raise RuntimeError(
            f"the software device's driver is not built: {path} is missing; install the package, "
            f"or run ./dev in a checkout"
        )
    return path


@functools.cache
def _library() -> ctypes.CDLL:
    """The driver: the same library, and so the same state, as the one Level Zero's loader opens."""
    library = ctypes.CDLL(str(driver_path()))
    u64 = ctypes.c_uint64
    library.softgpu_control_version.restype = ctypes.c_uint32
    library.softgpu_set_clock.argtypes = [ctypes.c_int]
    library.softgpu_set_execution.argtypes = [ctypes.c_int]
    library.softgpu_script_push.argtypes = [ctypes.c_char_p, u64, u64, u64]
    library.softgpu_get_count.argtypes = [ctypes.c_char_p, ctypes.POINTER(u64)]
    library.softgpu_drain.argtypes = [u64]
    version = library.softgpu_control_version()
    if version != _VERSION:
        raise RuntimeError(
            f"{driver_path()} has control interface {version}, this package knows {_VERSION}; "
            f"build and install them together"
        )
    return library


class Control:
    """The device's controls.

    As a context manager it puts things back at its end: waits for what is queued, forgets the
    script, lets kernels run again and sets the clock that was set before.
    """

    _clock: Clock = "real"  # Of the process; the driver does not tell.

    def __init__(self) -> None:
        self._library = _library()
        self._clocks_before: list[Clock] = []

    def __enter__(self) -> "Self":
        self._clocks_before.append(Control._clock)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.drain()
        self.clear()
        self.set_execution(enabled=True)
        self.set_clock(self._clocks_before.pop())

    def set_clock(self, clock: Clock) -> None:
        """Have kernels take the time that the CPU needs ("real") or is told ("scripted").

        Raises:
            ValueError: any other word.
        """
        if clock not in _CLOCKS:
            raise ValueError(f"the clock is 'real' or 'scripted', not {clock!r}")
        self._check(self._library.softgpu_set_clock(_CLOCKS[clock]))
        Control._clock = clock

    def set_execution(self, *, enabled: bool) -> None:
        """Whether kernels, copies and fills are executed; if not, they are only timed."""
        self._check(self._library.softgpu_set_execution(int(enabled)))

    def push(
        self, kernel: str | None, duration: int, *, delay: int = 0, repeat: int | None = 1
    ) -> None:
        """Tell what the next `repeat` launches of a kernel do on the scripted clock.

        Args:
            kernel: its name; None for kernels without entries of their own.
            duration: device ticks from start to end.
            delay: device ticks from when it could start to its start.
            repeat: number of launches, taken after those of earlier calls; None for all.

        Raises:
            ValueError: a negative number, or more than 64 bits.
        """
        count = _FOREVER if repeat is None else repeat
        for name, value in (("duration", duration), ("delay", delay), ("repeat", count)):
            if not 0 <= value <= _FOREVER:
                raise ValueError(f"{name} is a number of 64 bits and not negative, not {value}")
        name_bytes = None if kernel is None else kernel.encode()
        self._check(self._library.softgpu_script_push(name_bytes, delay, duration, count))

    def clear(self) -> None:
        """Forget the script."""
        self._check(self._library.softgpu_script_clear())

    def count(self, kind: Kind) -> int:
        """Number of operations of a kind that the device has executed since the process began.

        Raises:
            ValueError: no such kind.
        """
        if kind not in _KINDS:
            raise ValueError(f"the device counts {', '.join(_KINDS)}; not {kind!r}")
        value = ctypes.c_uint64()
        self._check(self._library.softgpu_get_count(kind.encode(), ctypes.byref(value)))
        return value.value

    def drain(self, timeout: float = 60.0) -> None:
        """Wait, at most `timeout` seconds, until nothing is queued on the device.

        Raises:
            TimeoutError: something still is.
        """
        if self._library.softgpu_drain(int(timeout * 1e9)) != 0:
            raise TimeoutError(f"the software device still has work queued after {timeout} s")

    @staticmethod
    def _check(result: int) -> None:
        if result != 0:
            raise ValueError("the software device refuses the value")
