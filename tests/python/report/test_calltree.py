from hypothesis import given
from hypothesis import strategies as st
from support.profiles import Node, trees

from proton_xpu.report.calltree import CallTree, Number, add_metrics, from_paths
from proton_xpu.report.hatchet_layout import read_layout, write_tree


def small() -> CallTree:
    """r > (a > (b, c), d)."""
    return CallTree(["r", "a", "b", "c", "d"], [-1, 0, 1, 1, 0], [{}, {}, {"x": 1}, {}, {"x": 2}])


def any_tree() -> st.SearchStrategy[CallTree]:
    return trees().map(lambda tree: read_layout([tree, {}], "p").tree)


def test_depths_ends_children_and_paths() -> None:
    tree = small()

    assert tree.depths() == [0, 1, 2, 2, 1]
    assert tree.ends() == [5, 4, 3, 4, 5]
    assert tree.children() == [[1, 4], [2, 3], [], [], []]
    assert tree.is_leaf() == [False, False, True, True, True]
    assert tree.path(3) == ["r", "a", "c"]


def test_subtree_sum_is_absent_where_nothing_is_recorded() -> None:
    tree = small()

    assert tree.subtree_sum(tree.numbers("x")) == [3, 1, 1, None, 2]


def test_select_hangs_nodes_below_the_nearest_kept_ancestor() -> None:
    tree, origin = small().select([True, False, True, False, True])

    assert tree.names == ["r", "b", "d"]
    assert tree.parents == [-1, 0, 0]
    assert origin == [0, 2, 4]


def test_select_without_the_root_makes_several_roots() -> None:
    tree, _ = small().select([False, True, True, False, True])

    assert tree.names == ["a", "b", "d"]
    assert tree.parents == [-1, 0, -1]


def test_from_paths_adds_up_equal_paths_and_orders_by_first_seen() -> None:
    tree = from_paths(
        [
            (["r", "a", "k"], {"n": 1, "v": [1, 2], "s": "x"}),
            (["r", "b"], {"n": 5}),
            (["r", "a", "k"], {"n": 2, "v": [10, 20], "s": "y"}),
            (["r", "a", "m"], {}),
        ]
    )

    assert tree.names == ["r", "a", "k", "m", "b"]
    assert tree.parents == [-1, 0, 1, 1, 0]
    assert tree.metrics[2] == {"n": 3, "v": [11, 22], "s": "y"}


def test_adding_vectors_of_other_length_takes_the_later_one() -> None:
    target: dict[str, object] = {"v": [1, 2]}

    add_metrics(target, {"v": [3]})  # type: ignore[arg-type]

    assert target == {"v": [3]}


@given(any_tree())
def test_subtree_sum_equals_the_sum_over_the_subtree(tree: CallTree) -> None:
    values = tree.numbers("time (ns)")
    ends = tree.ends()

    sums = tree.subtree_sum(values)

    for index in range(len(tree)):
        inside = [value for value in values[index : ends[index]] if value is not None]
        expected: Number | None = sum(inside) if inside else None
        assert sums[index] == expected


@given(any_tree(), st.data())
def test_select_keeps_ancestors_in_order(tree: CallTree, data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)))

    smaller, origin = tree.select(keep)

    assert origin == [index for index, kept in enumerate(keep) if kept]
    assert all(parent < index for index, parent in enumerate(smaller.parents))
    for index, old in enumerate(origin):
        ancestor = tree.parents[old]
        while ancestor >= 0 and not keep[ancestor]:
            ancestor = tree.parents[ancestor]
        parent = smaller.parents[index]
        assert (origin[parent] if parent >= 0 else -1) == ancestor


@given(any_tree())
def test_reversing_siblings_twice_gives_the_tree_back(tree: CallTree) -> None:
    def reverse(siblings: list[int]) -> list[int]:
        return siblings[::-1]

    there = tree.rearranged(tree.reordered(reverse))

    assert there.rearranged(there.reordered(reverse)) == tree


@given(trees())
def test_writing_gives_the_file_form_back(tree: Node) -> None:
    assert write_tree(read_layout([tree, {}], "p").tree) == [tree]
