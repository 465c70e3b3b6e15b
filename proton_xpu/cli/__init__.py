"""The command line. `COMMANDS` names what `proton-xpu` can do; nothing is imported until used."""

from typing import NamedTuple


class Command(NamedTuple):
    """A subcommand: where its `main(argv) -> int` stands ("module:function") and a help line."""

    target: str
    help: str


COMMANDS: dict[str, Command] = {
    "view": Command("proton_xpu.cli.view:main", "print a profile as a tree"),
    "diff": Command("proton_xpu.cli.diff:main", "show what changed between two profiles"),
    "flame": Command("proton_xpu.cli.flame:main", "write a flame graph as one HTML file"),
    "convert": Command("proton_xpu.cli.convert:main", "write a profile for another tool"),
    "merge": Command("proton_xpu.cli.merge:main", "add up ranks and show the imbalance"),
    "roofline": Command("proton_xpu.cli.roofline:main", "draw kernels against the peaks"),
    "regress": Command(
        "proton_xpu.cli.regress:main", "find performance regressions between launches, for CI"
    ),
}
