import pytest
from support.profiles import Node, kernel, node, root

from proton_xpu.report import NoMatchError, ReportError
from proton_xpu.report.calltree import CallTree
from proton_xpu.report.frames import flattened, hot_path, matching, styled_name, without_helpers
from proton_xpu.report.hatchet_layout import read_layout


def tree_of(tree: Node) -> CallTree:
    return read_layout([tree, {}], "p").tree


def chosen(tree: CallTree, keep: list[bool]) -> list[str]:
    return [name for name, kept in zip(tree.names, keep, strict=True) if kept]


@pytest.mark.parametrize("name", ["__proton_launch_metadata", "__proton_launch_metadata:k"])
def test_launch_metadata_and_frames_left_empty_are_dropped(name: str) -> None:
    only_helper = node("only", node(name, kernel("helper", 7)))
    tree = tree_of(
        root(node("scope", node(name, kernel("helper", 7)), kernel("k", 5)), only_helper)
    )

    assert without_helpers(tree).names == ["ROOT", "scope", "k"]


def test_similar_names_and_frames_with_own_metrics_stay() -> None:
    tree = tree_of(
        root(
            node("x__proton_launch_metadata", kernel("k", 5)),
            node("__proton_launch_metadata2", kernel("k", 5)),
            node("own", node("__proton_launch_metadata", kernel("helper", 7)), tokens=3),
            node("empty", node("empty too")),
        )
    )

    assert without_helpers(tree).names == [
        "ROOT",
        "x__proton_launch_metadata",
        "k",
        "__proton_launch_metadata2",
        "k",
        "own",
    ]


def test_root_stays_though_empty() -> None:
    assert without_helpers(tree_of(node("ROOT", node("a")))).names == ["ROOT"]


def sample() -> CallTree:
    return tree_of(
        root(
            node("fwd", kernel("gemm", 5), node("norm", kernel("sum", 1))),
            node("bwd", kernel("gemm", 7)),
        )
    )


def test_include_keeps_whole_paths() -> None:
    tree = sample()

    assert chosen(tree, matching(tree, "norm", None)) == ["ROOT", "fwd", "norm", "sum"]


def test_expressions_match_from_the_start_of_the_name() -> None:
    tree = sample()

    assert chosen(tree, matching(tree, "no", None)) == ["ROOT", "fwd", "norm", "sum"]
    with pytest.raises(NoMatchError, match=r"no frame is left after include 'orm'; .*\.\*"):
        matching(tree, "orm", None)


def test_exclude_drops_whole_subtrees() -> None:
    tree = sample()

    assert chosen(tree, matching(tree, None, "fwd")) == ["ROOT", "bwd", "gemm"]


def test_include_and_exclude_together() -> None:
    tree = sample()

    assert chosen(tree, matching(tree, "gemm", "bwd")) == ["ROOT", "fwd", "gemm"]


def test_broken_expression_is_reported() -> None:
    with pytest.raises(ReportError, match=r"'\(' is not a regular expression"):
        matching(sample(), "(", None)


def test_hot_path_follows_the_largest_child_and_the_first_of_equals() -> None:
    tree = sample()

    assert chosen(tree, hot_path(tree, [13, 6, 5, 1, 1, 7, 7])) == ["ROOT", "bwd", "gemm"]
    assert chosen(tree, hot_path(tree, [2, 1, None, None, None, 1, 1])) == ["ROOT", "fwd"]


def test_flattened_adds_equal_names_on_one_device() -> None:
    flat = flattened(
        tree_of(
            root(
                node("a", kernel("k", 5, 2)),
                node("b", kernel("k", 7, 1), kernel("k", 11, device="1")),
            )
        )
    )

    assert flat.names == ["ROOT", "k", "k"]
    assert [row["time (ns)"] for row in flat.metrics] == [0, 12, 11]
    assert [row["count"] for row in flat.metrics] == [0, 3, 1]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (None, "/home/user/run.py/test.py:1@foo"),
        ("full", "/home/user/run.py/test.py:1@foo"),
        ("file_function_line", "test.py:1@foo"),
        ("function_line", "1@foo"),
        ("file_function", "test.py@foo"),
    ],
)
def test_styles_of_python_frames(style: str | None, expected: str) -> None:
    assert styled_name("/home/user/run.py/test.py:1@foo", style) == expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("file_function_line", "test.py:foo@1"),
        ("function_line", "foo@1"),
        ("file_function", "test.py:foo"),
    ],
)
def test_styles_of_python_frames_of_early_releases(style: str, expected: str) -> None:
    assert styled_name("/home/run.py/test.py:foo@1", style) == expected


@pytest.mark.parametrize("style", ["file_function_line", "function_line", "file_function"])
@pytest.mark.parametrize("name", ["ROOT", "sycl::_V1::detail::Kernel<a/b>", "a/b", "step 1/2: x"])
def test_other_names_are_not_mangled(style: str, name: str) -> None:
    assert styled_name(name, style) == name
