import pytest
from support.profiles import DEVICES, kernel, node, root

from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.profile import Profile
from proton_xpu.report.tree_text import Style, render, render_sorted
from proton_xpu.report.view import View, profile_view


def view(*metrics: str) -> View:
    step = node("step", kernel("gemm", 9000, 3, bytes=10), kernel("add", 1000))
    document = read_layout([root(step, kernel("copy", 500)), DEVICES], "p")
    return profile_view(Profile(document.tree, document.devices), metrics)


def drawn(shown: View, depth: int = 100, style: Style | None = None) -> str:
    return render(shown, shown.tree.names, depth, style or Style())[0]


def test_columns_are_named_and_aligned_before_the_tree() -> None:
    assert drawn(view("time/us", "count", "bytes")).splitlines() == [
        "time/us  count  bytes  frame",
        " 10.500      5     10  ROOT",
        " 10.000      4     10  ├─ step",
        "  9.000      3     10  │  ├─ gemm",
        "  1.000      1      -  │  └─ add",
        "  0.500      1      -  └─ copy",
    ]


def test_ascii() -> None:
    assert drawn(view("count"), style=Style(unicode=False)).splitlines() == [
        "count  frame",
        "    5  ROOT",
        "    4  |- step",
        "    3  |  |- gemm",
        "    1  |  `- add",
        "    1  `- copy",
    ]


def test_exclusive_metrics_are_marked() -> None:
    document = read_layout([root(node("a", kernel("k", 1), loss=0.5)), {}], "p")

    assert drawn(profile_view(Profile(document.tree), ["loss"])).splitlines() == [
        "loss (exc)  frame",
        "         -  ROOT",
        "     0.500  └─ a",
        "         -     └─ k",
    ]


@pytest.mark.parametrize(
    ("depth", "names", "hidden"), [(0, 0, 5), (1, 1, 4), (2, 3, 2), (3, 5, 0), (4, 5, 0)]
)
def test_depth_counts_levels_and_tells_what_is_hidden(depth: int, names: int, hidden: int) -> None:
    text, deeper = render(view("count"), view("count").tree.names, depth, Style())

    assert len(text.splitlines()) == 1 + names
    assert deeper == hidden


def test_names_are_cut_to_the_width() -> None:
    shown = view("count")
    names = ["x" * 100] * 5

    lines = render(shown, names, 100, Style(width=40))[0].splitlines()

    assert [len(line) for line in lines[1:]] == [40] * 5
    assert lines[1].endswith("x…")
    assert all("x" * 100 in line for line in render(shown, names, 9, Style())[0].splitlines()[1:])


def test_colours_come_only_with_the_style() -> None:
    assert "\x1b" not in drawn(view("time/us"))
    lines = drawn(view("time/us"), style=Style(color=True)).splitlines()
    assert lines[3] == "\x1b[31m  9.000\x1b[0m  \x1b[2m│  ├─ \x1b[0m\x1b[31mgemm\x1b[0m"
    assert lines[5] == "  0.500\x1b[0m  \x1b[2m└─ \x1b[0mcopy\x1b[0m"


def test_hostile_names_cannot_add_lines_or_escapes() -> None:
    shown = view("count")

    text = drawn(View(shown.tree, shown.columns, ["", "new", "", "", ""]))
    assert "├─ step [new]" in text
    hostile = ["a\nb\x1b[2J</script>\U0001f4a5" + "z" * 10_000] * 5
    text = render(shown, hostile, 100, Style(width=80))[0]
    assert len(text.splitlines()) == 6
    assert "\x1b" not in text


def test_sorted_list_has_protons_form() -> None:
    lines = render_sorted(view("time"), ["ROOT", "step", "g" * 104, "add", "copy"]).splitlines()

    assert lines == [
        "",
        "Sorted kernels by metric time (inc)",
        f"{'step':105} 1e+04",
        f"{'g' * 100 + '...':105} 9e+03",
        f"{'add':105} 1e+03",
        f"{'copy':105} 500.0",
    ]


def test_tree_of_depth_5000_is_drawn() -> None:
    tree = '{"frame":{"name":"f"},"metrics":{"count":1},"children":[' * 5000 + "]}" * 5000
    from proton_xpu.report.loading import decode

    profile = Profile(decode(f"[{tree}]".encode(), "p").tree)

    text, hidden = render(profile_view(profile), ["f"] * 5000, 100, Style())

    assert text.splitlines()[1].split()[:1] == ["5000"]
    assert len(text.splitlines()) == 101
    assert hidden == 4900
