"""Reading a session's data while the program runs, phase by phase.

None of these functions waits for launches: call `deactivate(session, flushing=True)` first if
the launches of the last moments must be in. Tensors on a device that were given as metrics are
read by `get`, `get_msgpack` and `advance_phase`.

A session of None stands for "profiling is disabled" (what `start` then returned) and gives None,
False for `is_phase_complete`.
"""

from typing import Any

from proton_xpu import _native, metric_recording
from proton_xpu.flags import flags


def get(session: int | None = 0, phase: int = 0) -> list[Any] | None:
    """The tree of `phase` as a list `[root, devices]`, in the shape of a hatchet file.

    `IndexError` for an unknown session or a phase without data, `RuntimeError` for a trace.
    """
    import json

    if session is None:
        return None
    _check_command_line(session, "be retrieved")
    metric_recording.settle()
    tree: list[Any] = json.loads(_native.get_data(session, phase))
    return tree


def get_msgpack(session: int | None = 0, phase: int = 0) -> bytes | None:
    """Like `get`, as MessagePack bytes."""
    if session is None:
        return None
    _check_command_line(session, "be retrieved")
    metric_recording.settle()
    return _native.get_data_msgpack(session, phase)


def advance_phase(session: int | None = 0) -> int | None:
    """Begin the next phase; launches and scopes from now on belong to it. Returns its number."""
    if session is None:
        return None
    _check_command_line(session, "advance phase")
    metric_recording.settle()
    return _native.advance_data_phase(session)


def is_phase_complete(session: int | None = 0, phase: int = 0) -> bool:
    """Whether all records of `phase` have come. Never true for the current phase."""
    if session is None:
        return False
    _check_command_line(session, "check phase completion status")
    return _native.is_data_phase_complete(session, phase)


def clear(session: int | None = 0, phase: int = 0, clear_up_to_phase: bool = False) -> None:
    """Drop the data of `phase`, and of all earlier phases if `clear_up_to_phase`."""
    if session is None:
        return
    _check_command_line(session, "be cleared")
    _native.clear_data(session, phase, clear_up_to_phase)


def _check_command_line(session: int, action: str) -> None:
    if flags.command_line and session != 0:
        raise ValueError(f"Only one session can {action} when running from the command line.")
