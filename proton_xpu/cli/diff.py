"""`proton-xpu diff`: what changed between two profiles."""

import argparse
from collections.abc import Sequence

from proton_xpu.cli import errors, output

PROGRAM = "proton-xpu diff"


def main(argv: Sequence[str] | None = None) -> int:
    """Compares two profiles. Returns 0, or 2 after an error."""
    options = _parser().parse_args(argv)
    return errors.run(PROGRAM, lambda: _show(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Shows what changed from one profile to another, the largest changes first. "
        "Frames of one profile only are marked [new] or [gone].",
        allow_abbrev=False,
    )
    parser.add_argument("before", help="the profile to compare with")
    parser.add_argument("after", help="the profile that may have changed")
    parser.add_argument("-m", "--metric", default="time/ms", help="default: %(default)s")
    output.add_filter_options(parser)
    parser.add_argument(
        "-t",
        "--threshold",
        type=float,
        default=0.0,
        metavar="X",
        help="keep only frames that changed by X or more",
    )
    parser.add_argument(
        "--sort",
        choices=("change", "name", "file"),
        default="change",
        help="order of siblings (default: %(default)s)",
    )
    output.add_output_options(parser)
    return parser


def _show(options: argparse.Namespace) -> int:
    from proton_xpu.cli.loading import load
    from proton_xpu.report.diff import change_view

    view = change_view(load(options.before), load(options.after), options.metric)
    view = view.filter(options.include, options.exclude)
    if options.threshold > 0:
        view = view.select(
            [size is not None and size >= options.threshold for size in view.sort_keys]
        )
    if options.sort != "file":
        view = view.sort(by_name=options.sort == "name")
    output.show(PROGRAM, view, options)
    return 0
