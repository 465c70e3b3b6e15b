"""Hooks into kernel launches."""

import importlib
from collections.abc import Callable
from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def hook_triton(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    with proton.scope("h"):
        kernels.meta(256)
        kernels.meta(512)
        kernels.meta(512)
        kernels.add()
    proton.finalize(session)


@scenario
def no_hook_metadata(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.meta(256)
    proton.finalize(session)


@scenario
def hook_launches_in_metadata(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    with proton.scope("h"):
        kernels.nested()
        kernels.add()
    proton.finalize(session)


@scenario
def hook_deactivated(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    kernels.meta(1)
    proton.deactivate(session)
    kernels.meta(2)
    proton.activate(session)
    kernels.meta(3)
    proton.finalize(session)


@scenario
def hook_of_one_session_names_for_all(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    hooked = proton.start(output + ".b", hook="triton")
    kernels.meta(1)
    proton.finalize(hooked)
    kernels.meta(2)
    proton.finalize()


@scenario
def hook_filter(proton: Any, kernels: Kernels, output: str) -> None:
    hook = importlib.import_module(f"{proton.__name__}.hooks.launch").LaunchHook()
    hook.configure(include="(meta|add).*", exclude="meta_2")
    try:
        session = proton.start(output, hook=hook)
        kernels.meta(1)
        kernels.meta(2)
        kernels.add()
        proton.finalize(session)
    finally:
        hook.configure()


@scenario
def hook_metadata_raises(proton: Any, kernels: Kernels, output: str) -> str:
    proton.start(output, hook="triton")
    try:
        kernels.bad()
    except ZeroDivisionError as error:
        outcome = type(error).__name__
    else:
        outcome = "no error"
    kernels.add()
    return outcome


@scenario
def custom_hook(proton: Any, kernels: Kernels, output: str) -> list[str]:
    base = importlib.import_module(f"{proton.__name__}.hooks.hook").Hook
    calls = []

    def note(name: str) -> Callable[..., None]:
        return lambda *_: calls.append(name)

    methods = ("enter", "exit", "activate", "deactivate")
    hook = type("Noting", (base,), {"priority": 5, **{name: note(name) for name in methods}})()
    session = proton.start(output, hook=hook)
    kernels.add()
    proton.deactivate(session)
    kernels.add()
    proton.activate(session)
    kernels.mul()
    proton.finalize(session)
    return calls
