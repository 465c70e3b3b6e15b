"""Traces."""

from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def trace_scopes(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("outer"):
        kernels.add()
        with proton.scope("inner"):
            kernels.mul()
    proton.finalize(session)


@scenario
def trace_metrics(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("A", {"m": 1, "e (exc)": 2.0}):
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def trace_hook(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace", hook="triton")
    with proton.scope("A"):
        kernels.meta(4)
    proton.finalize(session)


@scenario
def trace_python_context(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace", context="python")
    kernels.add()
    proton.finalize(session)


@scenario
def trace_without_kernels(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("alone"):
        pass
    proton.finalize(session)


@scenario
def trace_empty(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize(proton.start(output, data="trace"))


@scenario
def trace_data_get(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    proton.data.get(session)
