"""Call trees from slices of time: a slice's callers are the slices around it."""

from collections.abc import Iterator, Sequence

from proton_xpu.report.calltree import CallTree, Metrics, from_paths
from proton_xpu.report.metrics import base_name
from proton_xpu.report.timeline import FRAME_CATEGORY, Track, edges

_ROOT = "ROOT"


def tree_of(tracks: Sequence[Track]) -> CallTree:
    """Sums up the slices of all tracks by their paths.

    Frames that were laid out by `timeline.from_tree` get their metrics back. Any other slice
    counts 1, below its track's name if there are several, and its time is what no slice in it
    covers.
    """
    return from_paths(
        row for track in tracks for row in _rows(track, [track.name] if len(tracks) > 1 else [])
    )


def _rows(track: Track, above: list[str]) -> Iterator[tuple[list[str], Metrics]]:
    """Path from the root and metrics of each slice, callers first."""
    path: list[str] = []
    rows: list[tuple[list[str], Metrics]] = []
    open_rows: list[int] = []
    own: list[int] = []
    for _, item in edges(track):
        if item is None:
            path.pop()
            open_rows.pop()
            continue
        duration = item.end - item.start
        if open_rows:
            own[open_rows[-1]] -= duration
        path.append(item.name)
        open_rows.append(len(rows))
        own.append(duration)
        is_frame = item.category == FRAME_CATEGORY
        prefix = [] if is_frame else [_ROOT, *above]
        rows.append(([*prefix, *path], dict(item.args) if is_frame else {"count": 1}))
    for (full, metrics), time in zip(rows, own, strict=True):
        if time or any(base_name(name) == "time" for name in metrics):
            metrics["time (ns)"] = time
        yield full, metrics
