"""The depth of the calling thread's context."""

import threading

import pytest

import proton_xpu as proton


def test_depth_counts_open_scopes_of_the_thread(output: str) -> None:
    session = proton.start(output)
    depths: list[int | None] = []

    def look() -> None:
        depths.append(proton.context.depth(session))
        with proton.scope("own"):
            depths.append(proton.context.depth(session))

    with proton.scope("a"), proton.scope("b"):
        depths.append(proton.context.depth(session))
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    depths.append(proton.context.depth(session))
    assert depths == [2, 2, 3, 0]


def test_depth_is_none_while_profiling_is_off() -> None:
    assert proton.context.depth() is None
    assert proton.context.depth(None) is None


def test_unknown_sessions_are_refused(output: str) -> None:
    proton.start(output)
    with pytest.raises(IndexError, match=r"^\[PROTON\] Session has not been initialized: 4711$"):
        proton.context.depth(4711)
    with pytest.raises(TypeError, match=r"needs the id of a session, not None"):
        proton.context.depth(None)
