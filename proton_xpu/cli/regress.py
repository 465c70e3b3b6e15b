"""`proton-xpu regress`: records launches, compares them, and gates on what the numbers say."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from proton_xpu.cli import errors

PROGRAM = "proton-xpu regress"

_EPILOG = """\
exit codes:
  0  no kernel got worse (improved, new and undecided kernels included)
  1  at least one kernel regressed
  2  wrong usage: arguments, settings, files that are not there
  3  nothing to judge: no data, a failed launch, a kernel that is gone, a damaged baseline, other
     device, driver or clocks
  4  undecided, with --strict only

examples:
  proton-xpu regress record -n 5 -o new.json -- bench.py
  proton-xpu regress record -n 5 --against-rev origin/main -o new.json -- bench.py
  proton-xpu regress compare base.json new.json --html report.html
  proton-xpu regress gate new.json --baseline git:perf-baselines --update
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. Returns the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.command is None and not options.dump_config:
        parser.error("name a command: record, compare, gate, report or history")

    def work() -> int:
        from proton_xpu.report.regress import commands

        return commands.run(options)

    return errors.run(PROGRAM, work)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Finds performance regressions of kernels, with a launch of the program as the"
        " unit of statistics.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_settings(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_record(
        commands.add_parser("record", help="run a command several times", allow_abbrev=False)
    )
    _add_compare(commands.add_parser("compare", help="compare two results", allow_abbrev=False))
    _add_gate(
        commands.add_parser("gate", help="compare with the stored baseline", allow_abbrev=False)
    )
    _add_report(
        commands.add_parser("report", help="show a saved comparison again", allow_abbrev=False)
    )
    _add_history(commands.add_parser("history", help="show the stored results", allow_abbrev=False))
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings")
    group.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a TOML file (default: [tool.proton_xpu.regress] of the nearest pyproject.toml)",
    )
    group.add_argument("--preset", help="default, strict or lenient")
    group.add_argument(
        "--dump-config", action="store_true", help="print the settings in force as TOML and stop"
    )


def _add_judgement(parser: argparse.ArgumentParser) -> None:
    _add_settings(parser)
    parser.add_argument(
        "--max-regression", metavar="SHARE", help='how much slower a kernel may get, e.g. "5%%"'
    )
    parser.add_argument(
        "--strict", action="store_true", default=None, help="exit with 4 if a kernel is undecided"
    )
    parser.add_argument(
        "--allow",
        action="append",
        choices=["device", "driver", "clock"],
        help="compare even if this differs; may be repeated",
    )
    parser.add_argument("--gone", choices=["fail", "pass"], help="what a vanished kernel does")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("outputs")
    group.add_argument("--all", action="store_true", help="show rows that are OK, too")
    group.add_argument("--json", type=Path, metavar="FILE", help="the whole report; see docs")
    group.add_argument("--markdown", type=Path, metavar="FILE", help="for a comment, up to 64 KiB")
    group.add_argument("--html", type=Path, metavar="FILE", help="one page with plots, no network")
    group.add_argument("--junit", type=Path, metavar="FILE", help="JUnit XML")
    group.add_argument("--gitlab", type=Path, metavar="FILE", help="GitLab code quality")
    group.add_argument(
        "--gitlab-location",
        default="pyproject.toml",
        metavar="PATH",
        help="file of the repository to hang GitLab's findings on (%(default)s)",
    )
    group.add_argument(
        "--github", action="store_true", help="annotations on stdout, and the job's summary"
    )


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs a Python script, -m MODULE or pytest under the profiler several times. A command"
        " that writes its profile itself takes the path for it in place of {profile}."
    )
    parser.usage = f"{PROGRAM} record [options] -- COMMAND [ARGUMENTS]"
    _add_settings(parser)
    parser.add_argument("-n", "--runs", type=int, help="launches per side that count (5)")
    parser.add_argument("--warmup", type=int, help="launches per side before them (1)")
    parser.add_argument(
        "--data",
        choices=["tree", "trace"],
        help="trace: take each kernel's median over its calls; tree: their mean, in less space",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="file of the result")
    parser.add_argument("--label", default="", help="a name for the result")
    against = parser.add_mutually_exclusive_group()
    against.add_argument(
        "--against", metavar="COMMAND", help="the base's command, run in turns with COMMAND"
    )
    against.add_argument(
        "--against-rev",
        metavar="REV",
        help="run COMMAND in a work tree of this git revision, too, in turns",
    )
    parser.add_argument(
        "--against-output", type=Path, help="file of the base's result (base.json beside OUTPUT)"
    )
    parser.add_argument(
        "--profiles",
        action="store_true",
        help="read existing profiles, or folders of them, one a launch, instead of running",
    )
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="what to run, after --")


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", type=Path, help="a result (.json) or a profile")
    parser.add_argument("new", type=Path, help="a result (.json) or a profile")
    _add_judgement(parser)
    _add_outputs(parser)


def _add_baselines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="PLACE",
        help="a folder, git:BRANCH[:FOLDER], or a URL such as s3://bucket/folder",
    )
    parser.add_argument("--name", default="kernels", help="name of the baselines (%(default)s)")


def _add_gate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("new", type=Path, help="a result (.json) or a profile")
    _add_baselines(parser)
    parser.add_argument(
        "--update", action="store_true", help="a result that passes becomes the new baseline"
    )
    parser.add_argument(
        "--accept", metavar="REASON", default="", help="make it the baseline though it is worse"
    )
    _add_judgement(parser)
    _add_outputs(parser)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("comparison", type=Path, help="a file of compare --json or gate --json")
    _add_outputs(parser)


def _add_history(parser: argparse.ArgumentParser) -> None:
    _add_settings(parser)
    _add_baselines(parser)
    parser.add_argument("--kernel", default="*", metavar="PATTERN", help="kernels to show (*)")
    parser.add_argument("--json", action="store_true", help="print JSON")
