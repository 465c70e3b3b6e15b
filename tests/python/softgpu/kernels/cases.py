"""The list of kernels to try."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Options: TypeAlias = dict[str, int]
"""Triton's options for a launch: num_warps and threads_per_warp."""


@dataclass(frozen=True)
class Case:
    """A kernel and the check of what it computes.

    Attributes:
        name: of the case.
        check: launches with the given options and raises if a number is wrong.
        matrix: whether it multiplies matrices, which the DPAS and 2D block flags change most.
        sub_groups: sizes that the compiler can do.
    """

    name: str
    check: Callable[[Options], None]
    matrix: bool
    sub_groups: tuple[int, ...]


CASES: dict[str, Case] = {}


def case(
    *, matrix: bool = False, sub_groups: tuple[int, ...] = (16, 32)
) -> Callable[[Callable[[Options], None]], Callable[[Options], None]]:
    def register(check: Callable[[Options], None]) -> Callable[[Options], None]:
        CASES[check.__name__] = Case(check.__name__, check, matrix, sub_groups)
        return check

    return register
