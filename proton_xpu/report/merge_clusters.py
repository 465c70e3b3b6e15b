"""Merging on a cluster: on Dask workers, or on the processes of an MPI run.

The files must be readable under the same paths everywhere. The result is that of `merge_files`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from proton_xpu.report.merge import Merge, MergedProfile, load_part

_PATHS_PER_TASK = 16
_PARTS_PER_TASK = 8


def combined(parts: Sequence[Merge]) -> Merge:
    """A new merge of all parts, which stay as they are."""
    total = Merge()
    for part in parts:
        total.combine(part)
    return total


def merge_on_dask(paths: Iterable[str | Path], client: Any) -> MergedProfile:
    """Merges files on the workers of a `distributed.Client`, as a tree of tasks.

    Raises `OSError` or `ReportError` as `merge_files` does.
    """
    every = [str(path) for path in paths]
    chunks = [every[i : i + _PATHS_PER_TASK] for i in range(0, len(every), _PATHS_PER_TASK)]
    parts = client.map(load_part, chunks, pure=False)
    while len(parts) > 1:
        groups = [parts[i : i + _PARTS_PER_TASK] for i in range(0, len(parts), _PARTS_PER_TASK)]
        parts = [client.submit(combined, group, pure=False) for group in groups]
    merge: Merge = parts[0].result() if parts else Merge()
    return merge.finish()


def merge_on_mpi(paths: Iterable[str | Path], communicator: Any) -> MergedProfile | None:
    """Merges files on the processes of an mpi4py communicator; all must call this alike.

    Returns the result in process 0 and None in the others. If a process cannot load its files,
    that one and process 0 raise its `OSError` or `ReportError`.
    """
    every = [str(path) for path in paths]
    part: Merge | Exception
    try:
        part = load_part(every[communicator.rank :: communicator.size])
    except Exception as error:  # noqa: BLE001 (raised below, once all have heard of it)
        part = error
    gathered: list[Merge | Exception] | None = communicator.gather(part, root=0)
    for item in [part] if gathered is None else gathered:
        if isinstance(item, Exception):
            raise item
    if gathered is None:
        return None
    return combined([item for item in gathered if isinstance(item, Merge)]).finish()
