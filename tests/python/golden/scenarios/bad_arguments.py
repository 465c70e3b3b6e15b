"""What is refused."""

from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def bad_context(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, context="nope")


@scenario
def bad_data(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, data="nope")


@scenario
def bad_backend(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, backend="nope")


@scenario
def bad_mode(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="nope")


@scenario
def bad_hook(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, hook="nope")


@scenario
def bad_output_format(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(session, "nope")


@scenario
def missing_directory(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output + "/no/such/dir/x")
    kernels.add()
    proton.finalize(session)
