"""The life of sessions."""

import contextlib
from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def no_kernels(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize(proton.start(output))


@scenario
def activate_deactivate(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("a"):
        kernels.add()
    proton.deactivate(session)
    with proton.scope("skipped"):
        kernels.add()
    proton.activate(session)
    with proton.scope("b"):
        kernels.mul()
    proton.finalize(session)


@scenario
def activate_twice(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.activate(session)
    proton.activate()
    kernels.add()
    proton.deactivate()
    proton.deactivate(session)
    kernels.mul()
    proton.finalize(session)


@scenario
def two_sessions(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with proton.scope("first"):
        kernels.add()
    second = proton.start(output + ".b")
    with proton.scope("both"):
        kernels.mul()
    proton.deactivate(first)
    with proton.scope("only_b"):
        kernels.add()
    proton.finalize()
    distance: int = second - first
    return distance


@scenario
def two_sessions_of_different_kinds(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.start(output + ".trace", data="trace")
    with proton.scope("s"):
        kernels.add()
    proton.finalize()


@scenario
def two_sessions_of_different_modes(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.start(output + ".b", mode="periodic_flushing:format=hatchet")


@scenario
def same_name_again(proton: Any, kernels: Kernels, output: str) -> bool:
    session = proton.start(output)
    proton.deactivate(session)
    again = proton.start(output, data="trace", context="python")
    kernels.add()
    proton.finalize(session)
    same: bool = again == session
    return same


@scenario
def session_ids(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    first = proton.start(output)
    proton.finalize(first)
    second = proton.start(output + ".b")
    proton.finalize(second)
    return [isinstance(first, int), second - first]


@scenario
def failed_start_consumes_an_id(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with contextlib.suppress(ValueError):
        proton.start(output + ".b", data="nope")
    second = proton.start(output + ".c")
    proton.finalize()
    distance: int = second - first
    return distance


@scenario
def finalize_twice(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(session)
    proton.finalize(session)


@scenario
def finalize_all_when_none(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize()


@scenario
def finalize_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(4711)
    proton.finalize(session)


@scenario
def activate_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.activate(4711)


@scenario
def deactivate_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    kernels.add()
    proton.deactivate(4711)


@scenario
def finalize_flushes_pending(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for _ in range(200):
        kernels.add()
    proton.finalize(session)


@scenario
def profile_decorator(proton: Any, kernels: Kernels, output: str) -> int:
    @proton.profile(name=output)
    def profiled(x: int, *, y: int) -> int:
        with proton.scope("s"):
            kernels.add()
        return x + y

    result: int = profiled(1, y=2)
    with proton.scope("after_is_inactive"):
        kernels.mul()
    proton.finalize()
    return result
