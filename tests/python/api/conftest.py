"""The software device, for all tests of the interface, and sessions that end with their test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.soft_kernels import SoftKernels, soft_kernels

import proton_xpu as proton
from proton_xpu import softgpu
from proton_xpu.flags import flags


@pytest.fixture(scope="session", autouse=True)
def kernels() -> SoftKernels:
    return soft_kernels()


@pytest.fixture(autouse=True)
def _scripted_device_and_no_session_left() -> Iterator[None]:
    with softgpu.Control() as control:
        control.set_clock("scripted")
        control.set_execution(enabled=False)
        yield
        flags.command_line = False
        proton.finalize()


@pytest.fixture
def output(tmp_path: Path) -> str:
    """Path of a profile without suffix."""
    return str(tmp_path / "profile")
