"""What becomes of sessions that nobody finalizes: interpreter exit, SIGTERM, fork.

At exit they are finalized, with a warning. On SIGTERM their files are written before whatever the
signal did before is done. A forked child starts without any.
"""

import atexit
import os
import sys
import threading
import warnings
from types import FrameType
from typing import Any

from proton_xpu import _native, metric_recording
from proton_xpu.flags import flags
from proton_xpu.hooks.hook import HookManager
from proton_xpu.scope import forget_open_scopes


class _OpenSessions:
    """The sessions of this process that have not been finalized, by id, with their names.

    Attributes:
        is_blind: whether this process was forked from one that had sessions.
    """

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._is_registered = False
        self._process_with_finalizer = -1
        self.is_blind = False

    def add(self, session: int, name: str) -> None:
        if not self._is_registered:
            atexit.register(self.finalize)
            os.register_at_fork(after_in_child=_start_clean)
            self._is_registered = True
        self._register_with_multiprocessing()
        self._names[session] = name

    def discard(self, session: int | None) -> None:
        if session is None:
            self._names.clear()
        else:
            self._names.pop(session, None)

    def __bool__(self) -> bool:
        return bool(self._names)

    def write(self) -> None:
        """Write the files of all sessions as they are; the sessions go on."""
        metric_recording.settle()
        for session in list(self._names):
            problem = _problem_of(_native.write, session)
            if problem is not None:
                sys.stderr.write(f"{problem}\n")

    def finalize(self) -> None:
        """Finalize all sessions, and warn of each."""
        flags.profiling_on = False
        # A finalize() that failed for one session has ended the others.
        names = {session: name for session, name in self._names.items() if _is_live(session)}
        self._names.clear()
        metric_recording.settle()
        problems = {session: _problem_of(_native.finalize, session) for session in names}
        for session, name in names.items():
            outcome = "has been written" if problems[session] is None else problems[session]
            warnings.warn(
                f"Session {session} ({name!r}) was still open at exit: {outcome}. "
                "Call finalize() to end a session.",
                RuntimeWarning,
                stacklevel=1,
            )

    def _register_with_multiprocessing(self) -> None:
        """A child of multiprocessing leaves without atexit, through its own finalizers."""
        util: Any = sys.modules.get("multiprocessing.util")
        process: Any = sys.modules.get("multiprocessing.process")
        if util is None or process is None or process.parent_process() is None:
            return
        if self._process_with_finalizer != os.getpid():
            self._process_with_finalizer = os.getpid()
            util.Finalize(None, self.finalize, exitpriority=0)


class _SigtermHandler:
    """Writes the open sessions' files on SIGTERM, then does what would have been done anyway.

    `signal` takes longer to import than this package, so it is imported with the first session.
    """

    def __init__(self, sessions: _OpenSessions) -> None:
        self._sessions = sessions
        self._previous: Any = None
        self._is_installed = False

    def install(self) -> None:
        import signal

        if self._is_installed or not _is_main_thread():
            return
        previous = signal.getsignal(signal.SIGTERM)
        # None: installed by native code, which Python cannot call; SIG_IGN: nothing would be lost.
        if previous is None or previous is signal.SIG_IGN:
            return
        self._previous = previous
        self._is_installed = True
        signal.signal(signal.SIGTERM, self._handle)

    def restore(self) -> None:
        import signal

        if not self._is_installed or not _is_main_thread():
            return
        # A handler that the user has installed since stays.
        if signal.getsignal(signal.SIGTERM) == self._handle:
            signal.signal(signal.SIGTERM, self._previous)
        self._previous = None
        self._is_installed = False

    def _handle(self, signum: int, frame: FrameType | None) -> None:
        import signal

        self._sessions.write()
        if callable(self._previous):
            self._previous(signum, frame)
        else:
            signal.signal(signum, signal.SIG_DFL)
            os.kill(os.getpid(), signum)


def track(session: int, name: str) -> None:
    """Look after `session` until `forget`. Warns if no GPU work can be recorded here."""
    if _open_sessions.is_blind:
        warnings.warn(
            "This process was forked from one that has been profiled, so its GPU work is not "
            "recorded: neither Intel PTI nor Level Zero survive fork(). Start worker processes "
            "with the spawn method to profile them.",
            RuntimeWarning,
            stacklevel=4,
        )
    _open_sessions.add(session, name)
    _sigterm.install()


def forget(session: int | None) -> None:
    """Leave `session`, or all sessions, alone: they have been finalized."""
    _open_sessions.discard(session)
    if not _open_sessions:
        _sigterm.restore()


def _is_main_thread() -> bool:
    """Whether signal handlers can be set here."""
    return threading.current_thread() is threading.main_thread()


def _is_live(session: int) -> bool:
    try:
        _native.get_session_stats(session)
    except IndexError:
        return False
    return True


def _problem_of(action: Any, session: int) -> str | None:
    try:
        action(session, "")
    except (ValueError, IndexError, RuntimeError) as error:
        return str(error)
    return None


def _start_clean() -> None:
    """In a forked child: the open sessions are the parent's business."""
    _open_sessions.is_blind = True
    flags.profiling_on = False
    flags.command_line = False
    forget(None)
    HookManager.forget()
    forget_open_scopes()
    metric_recording.forget_pending()


_open_sessions = _OpenSessions()
_sigterm = _SigtermHandler(_open_sessions)
