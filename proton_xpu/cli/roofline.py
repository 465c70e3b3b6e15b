"""`proton-xpu roofline`: kernels against the device's ceilings."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from proton_xpu.cli import errors

PROGRAM = "proton-xpu roofline"


def main(argv: Sequence[str] | None = None) -> int:
    """Draws a roofline. Returns 0, or 2 after an error."""
    options = _parser().parse_args(argv)
    return errors.run(PROGRAM, lambda: _draw(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Draws the kernels that have flops and bytes by arithmetic intensity against "
        "the ceilings of the device in the profile.",
        allow_abbrev=False,
    )
    parser.add_argument("profile", help="the profile")
    parser.add_argument(
        "output", type=Path, help="the file to write, named .png, .svg or .html (with a table)"
    )
    parser.add_argument("--title", help="heading (default: the profile's name)")
    return parser


def _draw(options: argparse.Namespace) -> int:
    from proton_xpu.cli.loading import load
    from proton_xpu.report.roofline import roofline
    from proton_xpu.report.roofline_plot import draw

    data = roofline(load(options.profile))
    form = options.output.suffix.removeprefix(".")
    options.output.write_bytes(draw(data, form, options.title or options.profile))
    for note in data.notes:
        errors.warn(PROGRAM, note)
    return 0
