"""The call tree of a profile as flat lists in pre-order.

Flat lists keep 100,000 nodes cheap: a subtree is a slice, an inclusive sum one backward loop.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Number: TypeAlias = int | float
MetricValue: TypeAlias = int | float | str | list[int | float] | None
Metrics: TypeAlias = dict[str, MetricValue]

NO_PARENT = -1

_NUMBER_TYPES = frozenset({int, float, bool, type(None)})


@dataclass
class CallTree:
    """Nodes in pre-order: a parent stands before its children, a subtree is contiguous.

    `parents[i]` is the index of node `i`'s parent, `NO_PARENT` for a root. `metrics[i]` holds what
    was recorded at node `i` itself; the dictionaries are shared with whoever made the tree and
    must not be changed.
    """

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    metrics: list[Metrics] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.names)

    def add(self, name: str, parent: int, metrics: Metrics) -> int:
        """Appends a node and returns its index; the caller keeps the pre-order."""
        self.names.append(name)
        self.parents.append(parent)
        self.metrics.append(metrics)
        return len(self.names) - 1

    def metric_names(self) -> list[str]:
        """Names of all recorded metrics, in first-seen order."""
        # The first few rows mostly have all that there are.
        missing: set[str] = set().union(*self.metrics)
        names: dict[str, None] = {}
        for row in self.metrics:
            if not missing:
                break
            if not missing.isdisjoint(row):
                names.update(dict.fromkeys(row))
                missing.difference_update(row)
        return list(names)

    def numbers(self, metric: str) -> list[Number | None]:
        """Recorded numbers of one metric per node; None where the node has none."""
        column = [row.get(metric) for row in self.metrics]
        if _NUMBER_TYPES.issuperset(map(type, column)):
            return column  # type: ignore[return-value]
        return [value if isinstance(value, (int, float)) else None for value in column]

    def depths(self) -> list[int]:
        """Depth per node; roots have depth 0."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        return depths

    def ends(self) -> list[int]:
        """Per node the index after the last node of its subtree."""
        ends = list(range(1, len(self) + 1))
        for index in range(len(self) - 1, 0, -1):
            parent = self.parents[index]
            if parent >= 0 and ends[index] > ends[parent]:
                ends[parent] = ends[index]
        return ends

    def children(self) -> list[list[int]]:
        """Per node the indices of its children, in order."""
        children: list[list[int]] = [[] for _ in self.names]
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(index)
        return children

    def roots(self) -> list[int]:
        """Indices of the nodes without a parent."""
        return [index for index, parent in enumerate(self.parents) if parent < 0]

    def is_leaf(self) -> list[bool]:
        """Per node whether it has no children."""
        leaf = [True] * len(self)
        for parent in self.parents:
            if parent >= 0:
                leaf[parent] = False
        return leaf

    def path(self, index: int) -> list[str]:
        """Names from the root to node `index`."""
        names: list[str] = []
        while index >= 0:
            names.append(self.names[index])
            index = self.parents[index]
        return names[::-1]

    def subtree_sum(self, values: Sequence[Number | None]) -> list[Number | None]:
        """Per node the sum of `values` over its subtree; None where nothing in it has a value."""
        sums = list(values)
        parents = self.parents
        for index in range(len(sums) - 1, 0, -1):
            value = sums[index]
            parent = parents[index]
            if value is not None and parent >= 0:
                above = sums[parent]
                sums[parent] = value if above is None else above + value
        return sums

    def select(self, keep: Sequence[bool]) -> "tuple[CallTree, list[int]]":
        """The tree of the kept nodes, and for each of them its index in this tree.

        A node whose parent is dropped hangs below its nearest kept ancestor.
        """
        new_index = [NO_PARENT] * len(self)
        origin: list[int] = []
        parents: list[int] = []
        for index, parent in enumerate(self.parents):
            above = new_index[parent] if parent >= 0 else NO_PARENT
            if keep[index]:
                new_index[index] = len(origin)
                origin.append(index)
                parents.append(above)
            else:
                new_index[index] = above
        tree = CallTree(
            names=[self.names[i] for i in origin],
            parents=parents,
            metrics=[self.metrics[i] for i in origin],
        )
        return tree, origin

    def reordered(self, sort: Callable[[list[int]], list[int]]) -> list[int]:
        """Node indices in pre-order after `sort` ordered each list of siblings."""
        children = self.children()
        order: list[int] = []
        stack = sort(self.roots())[::-1]
        while stack:
            index = stack.pop()
            order.append(index)
            stack.extend(sort(children[index])[::-1])
        return order

    def rearranged(self, order: Sequence[int]) -> "CallTree":
        """The same nodes in another pre-order, e.g. one made by `reordered`."""
        position = {index: place for place, index in enumerate(order)}
        position[NO_PARENT] = NO_PARENT
        return CallTree(
            names=[self.names[i] for i in order],
            parents=[position[self.parents[i]] for i in order],
            metrics=[self.metrics[i] for i in order],
        )


def from_paths(rows: Iterable[tuple[Sequence[str], Metrics]]) -> CallTree:
    """Builds a tree from paths that start at the root; metrics of equal paths are added up.

    Numbers are added, anything else is replaced by the later value.
    """
    names: list[str] = []
    parents: list[int] = []
    metrics: list[Metrics] = []
    known: dict[tuple[int, str], int] = {}
    for path, row in rows:
        index = NO_PARENT
        for name in path:
            key = (index, name)
            child = known.get(key)
            if child is None:
                child = known[key] = len(names)
                names.append(name)
                parents.append(index)
                metrics.append({})
            index = child
        if index >= 0:
            add_metrics(metrics[index], row)
    grown = CallTree(names, parents, metrics)
    return grown.rearranged(grown.reordered(lambda siblings: siblings))


def add_metrics(target: Metrics, source: Metrics) -> None:
    """Adds `source`'s numbers and vectors of equal length to `target`; other values replace."""
    for name, value in source.items():
        present = target.get(name)
        if isinstance(value, (int, float)) and isinstance(present, (int, float)):
            target[name] = present + value
        elif isinstance(value, list) and isinstance(present, list) and len(value) == len(present):
            target[name] = [a + b for a, b in zip(present, value, strict=True)]
        else:
            target[name] = value
