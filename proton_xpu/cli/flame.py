"""`proton-xpu flame`: a flame graph as one HTML file."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from proton_xpu.cli import errors

PROGRAM = "proton-xpu flame"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes a flame graph. Returns 0, or 2 after an error."""
    options = _parser().parse_args(argv)
    return errors.run(PROGRAM, lambda: _write(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Writes a flame graph as one HTML file that needs no network. With two "
        "profiles, colours show what changed from the first to the second.",
        allow_abbrev=False,
    )
    parser.add_argument("profile", help="the profile, or the one to compare with")
    parser.add_argument("after", nargs="?", help="the profile that may have changed")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: PROFILE.html")
    parser.add_argument("--title", help="heading of the page (default: the files' names)")
    return parser


def _write(options: argparse.Namespace) -> int:
    from proton_xpu.cli.loading import load
    from proton_xpu.report.flame import flame_html

    first = load(options.profile)
    if options.after is None:
        text = flame_html(first, title=options.title)
    else:
        text = flame_html(load(options.after), first, options.title)
    output = Path(options.output or f"{options.after or options.profile}.html")
    output.write_text(text, encoding="utf-8", errors="backslashreplace")
    print(output)
    return 0
