"""Laying several call trees over each other: equal paths are one frame."""

from collections.abc import Sequence

from proton_xpu.report.calltree import NO_PARENT, CallTree, add_metrics


class Union:
    """The union of call trees, grown one tree at a time.

    Siblings of equal name are told apart by their order. Frames get ids in first-seen order.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self._known: dict[tuple[int, str, int], int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def add(self, tree: CallTree) -> list[int]:
        """Adds a tree's frames and returns the id of each of its nodes."""
        ids: list[int] = []
        seen: dict[tuple[int, str], int] = {}
        known = self._known
        for name, parent in zip(tree.names, tree.parents, strict=True):
            above = ids[parent] if parent >= 0 else NO_PARENT
            occurrence = seen.get((above, name), 0)
            seen[above, name] = occurrence + 1
            key = (above, name, occurrence)
            frame = known.get(key)
            if frame is None:
                frame = known[key] = len(self.names)
                self.names.append(name)
                self.parents.append(above)
            ids.append(frame)
        return ids

    def add_union(self, other: "Union") -> list[int]:
        """Adds all frames of another union and returns the id here of each of its frames."""
        ids: list[int] = []
        known = self._known
        for above, name, occurrence in other._known:
            key = (ids[above] if above >= 0 else NO_PARENT, name, occurrence)
            frame = known.get(key)
            if frame is None:
                frame = known[key] = len(self.names)
                self.names.append(name)
                self.parents.append(key[0])
            ids.append(frame)
        return ids

    def tree(self) -> tuple[CallTree, list[int]]:
        """The union as a tree in pre-order, and the id of each of its nodes."""
        grown = CallTree(self.names, self.parents, [{} for _ in self.names])
        order = grown.reordered(lambda siblings: siblings)
        return grown.rearranged(order), order


def summed(trees: Sequence[CallTree]) -> CallTree:
    """One tree with the metrics of equal frames added up."""
    union = Union()
    ids = [union.add(tree) for tree in trees]
    total, order = union.tree()
    place = {frame: index for index, frame in enumerate(order)}
    for tree, frames in zip(trees, ids, strict=True):
        for row, frame in zip(tree.metrics, frames, strict=True):
            add_metrics(total.metrics[place[frame]], row)
    return total
