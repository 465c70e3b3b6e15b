"""`proton-xpu convert`: a profile in another tool's format."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from proton_xpu.cli import errors

PROGRAM = "proton-xpu convert"


def main(argv: Sequence[str] | None = None) -> int:
    """Converts a profile. Returns 0, or 2 after an error."""
    options = _parser().parse_args(argv)
    return errors.run(PROGRAM, lambda: _convert(options))


def _parser() -> argparse.ArgumentParser:
    from proton_xpu.report.convert import FORMATS

    listing = "\n".join(f"  {n:12} {f.suffix:18} {f.help}" for n, f in FORMATS.items())
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Writes a profile or a trace in another tool's format.",
        epilog=f"formats, the suffixes that choose them, and what they are:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("profile", type=Path, help="the file to convert")
    parser.add_argument("output", type=Path, help="the file to write")
    parser.add_argument("-t", "--to", choices=FORMATS, help="default: by OUTPUT's suffix")
    return parser


def _convert(options: argparse.Namespace) -> int:
    from proton_xpu.report.convert import convert, format_of

    name = options.to or format_of(options.output)
    options.output.write_bytes(convert(options.profile, name))
    return 0
