"""`proton-xpu merge`: many ranks or runs as one profile."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from proton_xpu.cli import errors, output
from proton_xpu.cli.progress import progress

if TYPE_CHECKING:
    from proton_xpu.report.merge import MergedProfile

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
    parser.add_argument(
        "profiles",
        nargs="+",
        help="the files to merge; run.hatchet stands for its ranks' files, run.rank_0.hatchet, ...",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a hatchet file to write")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes that load files, 0 for one per CPU (default: 1)",
    )
    where.add_argument("--dask", metavar="ADDRESS", help="load on the workers of a Dask scheduler")
    where.add_argument(
        "--mpi",
        action="store_true",
        help="share the files among the processes of this MPI run: mpiexec -n 8 proton-xpu merge "
        "--mpi ...",
    )
    output.add_filter_options(parser)
    output.add_output_options(parser)
    return parser


def _merge(options: argparse.Namespace) -> int:
    from proton_xpu.report.packages import require

    require("numpy", "numpy", "merging profiles")
    from proton_xpu.report.merge_view import spread_view

    merged = _merged(options)
    if merged is None:
        return 0
    if options.output is not None:
        options.output.write_text(merged.profile.to_json(), encoding="utf-8")
        return 0
    view = spread_view(merged).filter(options.include, options.exclude)
    output.show(PROGRAM, view, options)
    return 0


def _merged(options: argparse.Namespace) -> "MergedProfile | None":
    """The result; None in all processes of an MPI run but the first."""
    from proton_xpu.report import merge_clusters
    from proton_xpu.report.merge import merge_files
    from proton_xpu.report.packages import require

    profiles = _with_ranks(options.profiles)
    if options.mpi:
        mpi = require("mpi4py.MPI", "mpi4py", "merging in an MPI run")
        return merge_clusters.merge_on_mpi(profiles, mpi.COMM_WORLD)
    if options.dask is not None:
        distributed = require("distributed", "distributed", "merging on Dask")
        with distributed.Client(options.dask) as client:
            return merge_clusters.merge_on_dask(profiles, client)
    jobs = options.jobs or os.cpu_count() or 1
    with progress("loading", len(profiles)) as advance:
        return merge_files(profiles, jobs, advance)


def _with_ranks(paths: Sequence[str]) -> list[str]:
    """The paths, with those that are files of a run's ranks only replaced by these."""
    from proton_xpu.report.loading import rank_files

    found: list[str] = []
    for path in paths:
        ranks = [] if Path(path).exists() else [str(file) for file in rank_files(Path(path))]
        found += ranks or [path]
    return found
