"""States, and the names of the metadata state."""

import pytest
from support.soft_kernels import SoftKernels
from support.trees import read_rows

import proton_xpu as proton
from proton_xpu.state import (
    COMPUTE_METADATA_SCOPE_NAME,
    COMPUTE_METADATA_SCOPE_PREFIX,
    get_metadata_state_name,
)


def test_the_package_attribute_is_the_class() -> None:
    from proton_xpu.state import state

    assert proton.state is state
    assert issubclass(proton.metadata_state, state)


def test_metadata_state_names() -> None:
    assert COMPUTE_METADATA_SCOPE_NAME == "__proton_launch_metadata"
    assert COMPUTE_METADATA_SCOPE_PREFIX == "__proton_launch_metadata:"
    assert get_metadata_state_name() == "__proton_launch_metadata"
    assert get_metadata_state_name("k") == "__proton_launch_metadata:k"
    assert proton.metadata_state().name == "__proton_launch_metadata"
    assert proton.metadata_state("k").name == "__proton_launch_metadata:k"


def test_decorator_clears_the_state_when_the_function_raises(
    output: str, kernels: SoftKernels
) -> None:
    @proton.state("st")
    def fail() -> None:
        """Fail."""
        raise KeyError("x")

    proton.start(output)
    with pytest.raises(KeyError, match="x"):
        fail()
    kernels.add()
    proton.finalize()
    assert (fail.__name__, fail.__doc__) == ("fail", "Fail.")
    assert list(read_rows(output)) == ["add_kernel"]


def test_object_does_nothing_while_profiling_is_off(output: str, kernels: SoftKernels) -> None:
    state = proton.state("early")
    state.__enter__()
    proton.start(output)
    kernels.add()
    proton.finalize()
    assert list(read_rows(output)) == ["add_kernel"]


def test_function_sets_the_state_even_while_profiling_is_off(
    output: str, kernels: SoftKernels
) -> None:
    proton.enter_state("early")
    proton.start(output)
    kernels.add()
    proton.exit_state()
    kernels.mul()
    proton.finalize()
    assert list(read_rows(output)) == ["early", "early/add_kernel", "mul_kernel"]
