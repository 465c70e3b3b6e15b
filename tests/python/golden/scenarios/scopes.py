"""Scopes, and how deep they are."""

import contextlib
from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def scopes_nested(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("outer"):
        kernels.add()
        with proton.scope("inner"):
            kernels.mul()
            kernels.mul()
    with proton.scope("outer"):
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def scope_decorator(proton: Any, kernels: Kernels, output: str) -> None:
    decorated = proton.scope("decorated")(kernels.add)
    session = proton.start(output)
    decorated()
    decorated()
    proton.finalize(session)


@scenario
def enter_exit_scope(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.enter_scope("a")
    kernels.add()
    proton.enter_scope("b", metrics={"tokens": 7})
    kernels.mul()
    proton.exit_scope()
    proton.exit_scope(metrics={"late": 3})
    proton.finalize(session)


@scenario
def exit_scope_wrong_name(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.enter_scope("B")
    proton.exit_scope("C")


@scenario
def exit_scope_named(proton: Any, kernels: Kernels, output: str) -> list[bool]:
    session = proton.start(output)
    outer = proton.enter_scope("a")
    inner = proton.enter_scope("b")
    ids_match = [proton.exit_scope("b") == inner, proton.exit_scope("a") == outer]
    proton.finalize(session)
    return [inner == outer + 1, *ids_match]


@scenario
def exception_in_scope(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with contextlib.suppress(KeyError), proton.scope("boom"):
        kernels.add()
        raise KeyError("x")
    with proton.scope("after"):
        kernels.mul()
    proton.finalize(session)


@scenario
def scope_without_session(proton: Any, kernels: Kernels, output: str) -> Any:
    with proton.scope("x", {"m": 1}):
        kernels.add()
    return proton.enter_scope("y")


@scenario
def scope_names_of_any_kind(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for name in ("", 'quote " and \\', "new\nline", "tab\t", "Grüße 世界 🚀", "a/b:c@d", "\x01"):
        with proton.scope(name):
            kernels.add()
    proton.finalize(session)


@scenario
def many_launches(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for number in range(1000):
        with proton.scope(f"b{number % 4}"):
            kernels.add()
    proton.finalize(session)


@scenario
def scope_open_across_start(proton: Any, kernels: Kernels, output: str) -> None:
    with proton.scope("before"):
        session = proton.start(output)
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def scope_open_across_deactivation(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    scope = proton.scope("kept")
    scope.__enter__()
    proton.deactivate(session)
    scope.__exit__(None, None, None)
    proton.activate(session)
    kernels.add()
    proton.finalize(session)


@scenario
def scope_entered_inactive_left_active(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.deactivate(session)
    with proton.scope("unseen"):
        proton.activate(session)
        kernels.add()


@scenario
def finalize_inside_scope(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with proton.scope("cut"):
        kernels.add()
        proton.finalize()
    second = proton.start(output + ".b")
    depth: int = proton.context.depth(second)
    kernels.mul()
    proton.finalize(second)
    return depth + second - first


@scenario
def context_depth(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    depths = [proton.context.depth(session)]
    with proton.scope("a"):
        depths.append(proton.context.depth(session))
        with proton.scope("b"):
            depths.append(proton.context.depth(session))
    depths.append(proton.context.depth(session))
    proton.finalize(session)
    return depths


@scenario
def context_depth_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.context.depth(4711)


@scenario
def context_depth_off(proton: Any, kernels: Kernels, output: str) -> Any:
    return proton.context.depth(0)
