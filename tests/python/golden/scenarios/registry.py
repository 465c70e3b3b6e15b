"""The scenarios by name, and what they are given."""

from collections.abc import Callable
from typing import Any, Protocol


class Kernels(Protocol):
    """Launches of Triton kernels."""

    def add(self) -> None:
        """Launch `add_kernel`."""

    def mul(self) -> None:
        """Launch `mul_kernel`."""

    def meta(self, size: int) -> None:
        """Launch `meta_kernel`, named `meta_<size>`, of 2 size flops32 and 8 size bytes."""

    def bad(self) -> None:
        """Launch `bad_kernel`, whose metadata function raises `ZeroDivisionError`."""

    def nested(self) -> None:
        """Launch `outer_kernel`, whose metadata function launches `add_kernel`."""


Scenario = Callable[[Any, Kernels, str], Any]

SCENARIOS: dict[str, Scenario] = {}


def scenario(function: Scenario) -> Scenario:
    SCENARIOS[function.__name__] = function
    return function
