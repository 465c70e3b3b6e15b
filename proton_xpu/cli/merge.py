"""`proton-xpu merge`: many ranks or runs as one profile."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from proton_xpu.cli import errors, output
from proton_xpu.cli.progress import progress

PROGRAM = "proton-xpu merge"


def main(argv: Sequence[str] | None = None) -> int:
    """Merges profiles. Returns 0, or 2 after an error."""
    options = _parser().parse_args(argv)
    return errors.run(PROGRAM, lambda: _merge(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Adds up the profiles of many ranks or runs and shows how unevenly the time of "
        "each frame is spread over them: the least, median and largest time, the largest over the "
        "mean (imbalance), and the slowest profile. With -o, writes the merged profile instead.",
        allow_abbrev=False,
    )
    parser.add_argument("profiles", nargs="+", help="the files to merge")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a hatchet file to write")
    parser.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes that load files, 0 for one per CPU (default: 1)",
    )
    output.add_filter_options(parser)
    output.add_output_options(parser)
    return parser


def _merge(options: argparse.Namespace) -> int:
    from proton_xpu.report.packages import require

    require("numpy", "numpy", "merging profiles")
    from proton_xpu.report.merge import merge_files
    from proton_xpu.report.merge_view import spread_view

    jobs = options.jobs or os.cpu_count() or 1
    with progress("loading", len(options.profiles)) as advance:
        merged = merge_files(options.profiles, jobs, advance)
    if options.output is not None:
        options.output.write_text(merged.profile.to_json(), encoding="utf-8")
        return 0
    view = spread_view(merged).filter(options.include, options.exclude)
    output.show(PROGRAM, view, options)
    return 0
