"""Options and printing that commands which show a tree have in common."""

import argparse
import sys
from typing import TYPE_CHECKING

from proton_xpu.cli import errors

if TYPE_CHECKING:
    from proton_xpu.report.view import View

DEFAULT_DEPTH = 100


def positive(text: str) -> int:
    """A whole number above zero, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return value


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    """Options that choose frames."""
    add = parser.add_argument
    add("-i", "--include", metavar="RE", help="keep only paths through frames that match")
    add("-e", "--exclude", metavar="RE", help="drop matching frames and all below them")
    add(
        "-d",
        "--depth",
        type=positive,
        metavar="N",
        help=f"levels to show (default {DEFAULT_DEPTH})",
    )
    add(
        "-f",
        "--format",
        choices=("full", "file_function_line", "function_line", "file_function"),
        help="how to write the names of Python frames",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Options that choose the form of the output."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the frames as JSON")
    form.add_argument("--csv", action="store_true", help="print the frames as CSV")
    add = parser.add_argument
    add("--color", choices=("auto", "always", "never"), default="auto", help="use of colours")
    add("--ascii", action="store_true", help="draw the tree with ASCII characters")
    add("--width", type=int, metavar="N", help="columns per line (default: the terminal's)")


def show(program: str, view: "View", options: argparse.Namespace) -> None:
    """Prints a view as the options of `add_filter_options` and `add_output_options` say."""
    from proton_xpu.cli.terminal import text_style
    from proton_xpu.report import export_table
    from proton_xpu.report.tree_text import render

    for note in view.notes:
        errors.warn(program, note)
    names = shown_names(view, options)
    depth = DEFAULT_DEPTH if options.depth is None else options.depth
    if options.json or options.csv:
        write = export_table.to_json if options.json else export_table.to_csv
        write(view, names, depth, sys.stdout)
        return
    style = text_style(options.color, options.ascii, options.width)
    text, hidden = render(view, names, depth, style)
    print(text)
    if hidden and options.depth is None:
        errors.warn(program, f"{hidden} frames deeper than {depth} levels are not shown; see -d")


def shown_names(view: "View", options: argparse.Namespace) -> list[str]:
    """The frames' names in the asked-for style."""
    from proton_xpu.report.frames import styled_name

    return [styled_name(name, options.format) for name in view.tree.names]
