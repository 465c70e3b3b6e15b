"""Sessions: start, activate, deactivate, finalize."""

import functools
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from proton_xpu import _native, lifecycle, metric_recording
from proton_xpu.flags import flags
from proton_xpu.hooks.hook import Hook, HookManager
from proton_xpu.rank import with_rank

if TYPE_CHECKING:
    from proton_xpu.mode import BaseMode

_F = TypeVar("_F", bound=Callable[..., Any])

DEFAULT_PROFILE_NAME = "proton"
"""Name of a session, and so of its file, if `start` is given none."""

_DISABLE_VARIABLE = "TRITON_PROTON_DISABLE"
_TRUE_WORDS = frozenset({"1", "true", "on", "yes", "y"})


def start(
    name: str | os.PathLike[str] | None = None,
    *,
    context: str = "shadow",
    data: str = "tree",
    backend: str | None = None,
    mode: "str | BaseMode | None" = None,
    hook: str | Hook | None = None,
) -> int | None:
    """Start a session and activate it. Returns its id.

    name: path of the output file without suffix; `proton` in the current folder if None. In a
        run of several processes (torchrun, MPI, Slurm) `.rank_<n>` is put behind it. The name of a
        live session re-activates that session, whatever the other arguments are.
    context: `shadow` (open scopes) or `python` (Python frames).
    data: `tree` (aggregated) or `trace` (every launch).
    backend: `xpupti`, or None or `auto` for the one that fits Triton's target.
    mode: None, `periodic_flushing[:format=...]`, or an object of `proton_xpu.mode`.
    hook: None, `triton` for launch metadata, or a `Hook`.

    Returns None and does nothing if profiling is disabled (`TRITON_PROTON_DISABLE`) or if the
    process runs under `proton-xpu`, which has its own session. `ValueError` for an unknown
    argument or an output path that cannot be written, `RuntimeError` if the profiler cannot start.
    """
    if flags.command_line or is_disabled():
        return None
    return start_session(name, context, data, backend, mode, hook)


def start_session(
    name: str | os.PathLike[str] | None,
    context: str,
    data: str,
    backend: str | None,
    mode: "str | BaseMode | None",
    hook: str | Hook | None,
) -> int:
    """What `start` does once it is known that there is something to do."""
    from proton_xpu.backend import provide_device, provide_pti_library, select_backend

    flags.profiling_on = True
    path = with_rank(DEFAULT_PROFILE_NAME if name is None else os.fspath(name))
    if backend is None or backend.lower() == "auto":
        backend = select_backend()
    provide_device()
    provide_pti_library()
    session = _native.start(path, context, data, backend, "" if mode is None else str(mode))
    lifecycle.track(session, path)
    if hook is not None:
        HookManager.register(_hook_object(hook), session)
    return session


def activate(session: int | None = None) -> None:
    """Record into `session`, or into all sessions, from now on.

    `IndexError` for an unknown session.
    """
    _check_command_line(session, "activated")
    if session is None:
        _native.activate_all()
    else:
        _native.activate(session)
    HookManager.activate(session)


def deactivate(session: int | None = None, flushing: bool = False) -> None:
    """Stop recording into `session`, or into all sessions, until they are activated again.

    With `flushing` the records of all launches so far are waited for first. Without, they still
    go to the sessions that were active at the launch. `IndexError` for an unknown session.
    """
    _check_command_line(session, "deactivated")
    if flushing:
        metric_recording.settle()
    if session is None:
        _native.deactivate_all(flushing)
    else:
        _native.deactivate(session, flushing)
    HookManager.deactivate(session)


def finalize(session: int | None = None, output_format: str = "") -> None:
    """End `session`, or all sessions, and write the files. Does nothing for an unknown session.

    output_format: `hatchet`, `hatchet_msgpack`, `chrome_trace`, or "" for the default of the
    session's data. `ValueError` if it is unknown or not for that data; the session then still
    exists, deactivated, and can be finalized again. Under `proton-xpu`, whose session ends when
    the program does, nothing happens.
    """
    if flags.command_line:
        if session is not None:
            _check_command_line(session, "finalized")
        return
    finalize_session(session, output_format)


def finalize_session(session: int | None, output_format: str = "") -> None:
    """What `finalize` does once it is known that there is something to do."""
    HookManager.unregister(session)
    metric_recording.settle()
    if session is None:
        flags.profiling_on = False
        _native.finalize_all(output_format)
    else:
        _native.finalize(session, output_format)
    lifecycle.forget(session)


@overload
def profile(
    func: _F,
    *,
    name: str | None = None,
    context: str = "shadow",
    data: str = "tree",
    backend: str | None = None,
    mode: "str | BaseMode | None" = None,
    hook: str | Hook | None = None,
) -> _F: ...


@overload
def profile(
    func: None = None,
    *,
    name: str | None = None,
    context: str = "shadow",
    data: str = "tree",
    backend: str | None = None,
    mode: "str | BaseMode | None" = None,
    hook: str | Hook | None = None,
) -> Callable[[_F], _F]: ...


def profile(
    func: _F | None = None,
    *,
    name: str | None = None,
    context: str = "shadow",
    data: str = "tree",
    backend: str | None = None,
    mode: "str | BaseMode | None" = None,
    hook: str | Hook | None = None,
) -> _F | Callable[[_F], _F]:
    """Decorator that runs a function in a session, which is deactivated afterwards.

    The arguments are those of `start`. Call `finalize` to write the file.
    """
    if func is None:
        return functools.partial(
            profile,
            name=name,
            context=context,
            data=data,
            backend=backend,
            mode=mode,
            hook=hook,
        )

    function = func

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        session = start(name, context=context, data=data, backend=backend, mode=mode, hook=hook)
        try:
            return function(*args, **kwargs)
        finally:
            if session is not None:
                deactivate(session)

    return cast("_F", wrapper)


def is_disabled() -> bool:
    """Whether the user has switched profiling off, by environment or by Triton's knob."""
    knobs: Any = sys.modules.get("triton.knobs")
    if knobs is not None and hasattr(knobs, "proton"):
        return bool(knobs.proton.disable)
    return os.environ.get(_DISABLE_VARIABLE, "").lower() in _TRUE_WORDS


def _hook_object(hook: str | Hook) -> Hook:
    if hook == "triton":
        from proton_xpu.hooks.launch import LaunchHook

        return LaunchHook()
    if isinstance(hook, Hook):
        return hook
    raise ValueError(f"Unsupported hook: {hook!r}")


def _check_command_line(session: int | None, action: str) -> None:
    if flags.command_line and session != 0:
        raise ValueError(f"Only one session can be {action} when running from the command line.")


def _select_backend() -> str:
    """What `select_backend` gives, where upstream's own tests look for it."""
    from proton_xpu.backend import select_backend

    return select_backend()
