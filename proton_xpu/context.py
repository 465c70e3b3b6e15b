"""The calling thread's current position in a session's context."""

from proton_xpu import _native
from proton_xpu.flags import flags


def depth(session: int | None = 0) -> int | None:
    """Depth of the calling thread's context in `session`.

    For the `shadow` context that is the number of open scopes, for `python` the number of Python
    frames. None if profiling is off. `IndexError` for an unknown session.
    """
    if not flags.profiling_on:
        return None
    if session is None:
        raise TypeError("context.depth() needs the id of a session, not None.")
    return _native.get_context_depth(session)
