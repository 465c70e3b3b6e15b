"""What the viewer shows: chosen frames in a chosen order with chosen metrics."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from proton_xpu.report.calltree import CallTree, Number
from proton_xpu.report.errors import NoMatchError
from proton_xpu.report.frames import flattened, hot_path, matching, without_helpers
from proton_xpu.report.metrics import Column, MetricTable
from proton_xpu.report.profile import Profile

DEFAULT_METRICS = ("time/ms", "count", "avg_time/us", "time/%")


@dataclass
class View:
    """Frames with one value per column and frame, in display order.

    `marks` holds a short word per frame, such as "new" in a difference; `sort_keys` the values of
    the metric to sort by; `notes` are sentences for the reader about what is missing.
    """

    tree: CallTree
    columns: list[Column]
    marks: list[str] = field(default_factory=list)
    sort_keys: list[Number | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.marks:
            self.marks = [""] * len(self.tree)
        if not self.sort_keys:
            self.sort_keys = self.columns[0].values

    def select(self, keep: Sequence[bool]) -> "View":
        """The view of the kept frames. Raises `NoMatchError` if there are none."""
        if not any(keep):
            raise NoMatchError("no frame is left; loosen the filter")
        return self._picked(*self.tree.select(keep))

    def filter(
        self,
        include: str | None = None,
        exclude: str | None = None,
        threshold: float | None = None,
    ) -> "View":
        """Frames that pass the expressions and whose first metric reaches the threshold.

        Values stay those of the whole profile.
        """
        view = self
        if include or exclude:
            view = view.select(matching(view.tree, include, exclude))
        if threshold is not None:
            first = view.columns[0]
            keep = [value is not None and value >= threshold for value in first.values]
            if not any(keep):
                raise NoMatchError(f"no frame has {first.name} of {threshold:g} or more")
            view = view.select(keep)
        return view

    def hot_path(self) -> "View":
        """Only the path that follows the largest first metric down from the root.

        Raises `NoMatchError` if the root has no such value.
        """
        first = self.columns[0]
        keep = hot_path(self.tree, first.values)
        if not any(keep):
            raise NoMatchError(f"the root has no {first.name}, so there is no path to follow")
        return self.select(keep)

    def sort(self, by_name: bool = False) -> "View":
        """Siblings by name, or by falling `sort_keys`; equal ones keep their order."""
        names, keys = self.tree.names, self.sort_keys

        def sorted_siblings(siblings: list[int]) -> list[int]:
            if by_name:
                return sorted(siblings, key=lambda index: names[index])
            return sorted(siblings, key=lambda index: _falling(keys[index]))

        places = self.tree.reordered(sorted_siblings)
        return self._picked(self.tree.rearranged(places), places)

    def ranked(self) -> list[int]:
        """Frames below the roots that have the first metric, largest first."""
        values = self.columns[0].values
        below = [i for i, parent in enumerate(self.tree.parents) if parent >= 0]
        return sorted(
            (i for i in below if values[i] is not None), key=lambda i: _falling(values[i])
        )

    def _picked(self, tree: CallTree, origin: Sequence[int]) -> "View":
        return View(
            tree,
            [replace(c, values=[c.values[index] for index in origin]) for c in self.columns],
            [self.marks[index] for index in origin],
            [self.sort_keys[index] for index in origin],
            self.notes,
        )


def _falling(value: Number | None) -> tuple[bool, Number]:
    return (value is None, 0 if value is None else -value)


def profile_view(profile: Profile, metrics: Sequence[str] = (), sort_by: str | None = None) -> View:
    """All frames but helper frames, with the given metrics or the default ones.

    Raises `MetricNotFoundError` or `MetricUnitError`.
    """
    return _view(without_helpers(profile.tree), profile, metrics, sort_by)


def top_view(
    profile: Profile,
    metrics: Sequence[str],
    limit: int,
    include: str | None = None,
    exclude: str | None = None,
) -> View:
    """The `limit` frames with the largest own first metric, without the tree.

    Frames of equal name on one device are added up. Raises `NoMatchError` if no frame has it.
    """
    tree = without_helpers(profile.tree)
    tree = flattened(tree.select(matching(tree, include, exclude))[0])
    view = _view(tree, profile, metrics, None)
    ranked = view.ranked()[:limit]
    if not ranked:
        raise NoMatchError(f"no frame has a value of {view.columns[0].name}")
    keep = [False] * len(tree)
    for index in ranked:
        keep[index] = True
    return view.select(keep).sort()


def _view(tree: CallTree, profile: Profile, metrics: Sequence[str], sort_by: str | None) -> View:
    table = MetricTable(tree, profile.devices)
    if not table.recorded():
        nothing: list[Number | None] = [None] * len(tree)
        columns = [Column(metric, True, True, nothing) for metric in metrics or DEFAULT_METRICS]
        return View(tree, columns, notes=["the profile holds no metrics: no kernel was recorded"])
    columns = [table.derive(metric) for metric in metrics or default_metrics(table)]
    keys = table.derive(sort_by).values if sort_by else []
    return View(tree, columns, sort_keys=keys, notes=table.notes)


def default_metrics(table: MetricTable) -> list[str]:
    """Metrics to show when none are asked for: time and counts, else any."""
    derived = table.derived_names()
    own = [name for name in table.exclusive_names() if table.is_numeric(name)]
    available = [*table.inclusive_names(), *derived, *own]
    chosen = [metric for metric in DEFAULT_METRICS if metric in available]
    return chosen or available[:1]
