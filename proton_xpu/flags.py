"""Process-wide switches of the profiler.

`flags.profiling_on` is what scopes test on entry. The native `Scope` type tests its own copy, so
assigning the Python attribute also sets the native one.
"""

from proton_xpu import _native


class ProfilerFlags:
    """Whether profiling, in-kernel instrumentation and the command-line mode are on.

    Written out, not a dataclass: that module alone takes longer to import than this package.
    """

    profiling_on: bool = False
    instrumentation_on: bool = False
    command_line: bool = False

    def __init__(
        self,
        profiling_on: bool = False,
        instrumentation_on: bool = False,
        command_line: bool = False,
    ) -> None:
        self.profiling_on = profiling_on
        self.instrumentation_on = instrumentation_on
        self.command_line = command_line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProfilerFlags) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"ProfilerFlags({values})"


class _NativeMirroringFlags(ProfilerFlags):
    """The flags of this process: keeps the native module's copy of `profiling_on` equal."""

    def __setattr__(self, name: str, value: bool) -> None:
        super().__setattr__(name, value)
        if name == "profiling_on":
            _native.set_profiling_on(bool(value))


flags: ProfilerFlags = _NativeMirroringFlags()


def set_profiling_on() -> None:
    """Turn profiling on (the Triton 3.3 to 3.5 form)."""
    flags.profiling_on = True


def set_profiling_off() -> None:
    """Turn profiling off (the Triton 3.3 to 3.5 form)."""
    flags.profiling_on = False


def get_profiling_on() -> bool:
    """Whether profiling is on (the Triton 3.3 to 3.5 form)."""
    return flags.profiling_on


def set_command_line() -> None:
    """Enter the command-line mode (the Triton 3.3 to 3.5 form)."""
    flags.command_line = True


def is_command_line() -> bool:
    """Whether the process runs under `proton-xpu` (the Triton 3.3 to 3.5 form)."""
    return flags.command_line
