"""States."""

from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def states(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("it"):
        with proton.state("opt"):
            kernels.add()
            with proton.state("inner_state"):
                kernels.mul()
            kernels.add()
        kernels.mul()
    proton.finalize(session)


@scenario
def enter_exit_state(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.enter_state("st")
    kernels.add()
    proton.exit_state()
    kernels.add()
    proton.finalize(session)


@scenario
def scope_metrics_under_state(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("test0"), proton.state("state"), proton.scope("test1", {"a": 1.0}):
        kernels.add()
    proton.finalize(session)


@scenario
def state_decorator(proton: Any, kernels: Kernels, output: str) -> None:
    stated = proton.state("st")(kernels.add)
    session = proton.start(output)
    stated()
    kernels.mul()
    proton.finalize(session)


@scenario
def metadata_states(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.metadata_state():
        kernels.add()
    with proton.metadata_state("some_kernel"):
        kernels.mul()
    proton.finalize(session)
