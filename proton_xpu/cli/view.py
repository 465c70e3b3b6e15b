"""`proton-xpu-viewer`: prints a profile as a tree.

Understands every option of upstream's `proton-viewer` with the same meaning.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from proton_xpu.cli import errors, output

if TYPE_CHECKING:
    from proton_xpu.report.profile import Profile
    from proton_xpu.report.view import View

PROGRAM = "proton-xpu-viewer"


_EPILOG = """\
metrics (no matter the case):
  time/s ms us ns            time of the kernels in the frame
  avg_time/s ms us ns        time / count
  cpu_time/.. avg_cpu_time/..  the same for scopes timed on the host
  flop[8|16|32|64]/s         operations / time; with gflop, tflop
  byte/s gbyte/s tbyte/s     bytes / time
  util                       least time for the frame's flops and bytes at the device's peak / time
  <metric>/%                 share of the whole
  any recorded metric        by its name without unit, e.g. count
A metric covers the frame and all below it; those marked (exc) only the frame itself. "-" means
that a frame has no such value.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the viewer on command-line arguments. Returns 0, or 2 after an error."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.top is not None and (options.sort != "file" or options.diff_profile):
        parser.error("--top sorts by the first metric and shows one profile: leave out the rest")
    return errors.run(PROGRAM, lambda: _show(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Prints a Proton profile as a tree.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("file", help="hatchet JSON, MessagePack or chrome trace, gzipped or not")
    add("-l", "--list", action="store_true", help="list the metrics that the profile offers")
    add("-m", "--metrics", help="metrics to show, separated by commas")
    output.add_filter_options(parser)
    add(
        "-t",
        "--threshold",
        type=float,
        metavar="X",
        help="keep only frames whose first metric is X or more",
    )
    add(
        "--print-sorted",
        action="store_true",
        help="after the tree, list the frames by falling first metric",
    )
    add(
        "-diff",
        "--diff-profile",
        metavar="FILE",
        help="show the profile minus the one in FILE",
    )
    add(
        "--sort",
        default="file",
        metavar="BY",
        help='order of siblings: "file" (first seen first, the default), "name" or a metric',
    )
    add(
        "--top",
        type=output.positive,
        metavar="N",
        help="the N frames with the largest own first metric",
    )
    add("--hot-path", action="store_true", help="follow only the child with the largest metric")
    output.add_output_options(parser)
    return parser


def _show(options: argparse.Namespace) -> int:
    from proton_xpu.cli.loading import load
    from proton_xpu.report.tree_text import render_sorted

    profile = load(options.file)
    _warn_about_losses(profile.accounting, options.file)
    if options.list:
        print(_listing(profile))
        return 0
    view = _build(options, profile)
    output.show(PROGRAM, view, options)
    if options.print_sorted and not (options.json or options.csv):
        print(render_sorted(view, output.shown_names(view, options)))
    return 0


def _build(options: argparse.Namespace, profile: "Profile") -> "View":
    from proton_xpu.cli.loading import load
    from proton_xpu.report import view as views

    metrics = _split(options.metrics)
    by_metric = None if options.sort in ("file", "name") else options.sort
    if options.top is not None:
        view = views.top_view(profile, metrics, options.top, options.include, options.exclude)
    elif options.diff_profile is not None:
        from proton_xpu.report.diff import difference_view

        baseline = load(options.diff_profile)
        view = difference_view(profile, baseline, metrics or views.DEFAULT_METRICS, by_metric)
    else:
        view = views.profile_view(profile, metrics, by_metric)
    view = view.filter(options.include, options.exclude, options.threshold)
    if options.hot_path:
        view = view.hot_path()
    if options.sort != "file":
        view = view.sort(by_name=options.sort == "name")
    return view


def _split(metrics: str | None) -> list[str]:
    return [name for name in (part.strip() for part in (metrics or "").split(",")) if name]


def _warn_about_losses(accounting: Mapping[str, int], file: str) -> None:
    launches = accounting.get("launches", 0)
    for counter, what in (
        ("lost", "are missing in this profile"),
        ("untimed", "have no valid time"),
        ("pending", "were not over when this profile was written"),
    ):
        count = accounting.get(counter, 0)
        if count:
            errors.warn(PROGRAM, f"{file}: {count} of {launches} launches {what}")


def _listing(profile: "Profile") -> str:
    from proton_xpu.report.text_cells import printable

    table = profile.metrics()
    return "\n".join(
        [
            "Available inclusive metrics:",
            *(f"- {name}" for name in map(printable, table.inclusive_names())),
            "Available exclusive metrics:",
            *(f"- {name}" for name in map(printable, ["name", *table.exclusive_names()])),
            "Derived metrics:",
            *(f"- {name}" for name in map(printable, table.derived_names())),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
