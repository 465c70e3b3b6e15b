from html.parser import HTMLParser
from typing import Any

from support.profiles import ProfileWriter, kernel, node, root

from proton_xpu.report import Profile

VOID = {"meta"}


class Outline(HTMLParser):
    """Checks that elements nest and collects the summaries and the frames' pages."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.lines: list[tuple[int, str]] = []
        self.numbers: list[list[str]] = []
        self.pages: list[str] = []
        self.elements: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.pages += [value for name, value in attrs if name == "srcdoc"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "span":
            self.lines.append((self.open.count("details"), data))
        else:
            self.numbers.append(data.split())


def shown(profile: Profile) -> Outline:
    outline = Outline()
    outline.feed(profile._repr_html_())
    assert outline.open == []
    return outline


def test_tree_is_collapsible_and_nested_with_a_flame_graph(write: ProfileWriter) -> None:
    outline = shown(Profile.load(write.steps()))

    assert outline.lines == [
        (0, "frame"),
        (1, "ROOT"),
        (2, "step"),
        (2, "gemm"),
        (2, "add"),
        (1, "copy"),
    ]
    assert outline.numbers[:2] == [
        ["time/ms", "count", "avg_time/us", "time/%"],
        ["0.010", "5", "2.100", "100.000"],
    ]
    assert len(outline.pages) == 1
    assert "<!DOCTYPE html>" in outline.pages[0]


def test_profile_without_kernels_shows_its_root(write: ProfileWriter) -> None:
    outline = shown(Profile.load(write.file(node("ROOT"), {})))

    assert [name for _, name in outline.lines] == ["frame", "ROOT"]
    assert outline.pages == []


def test_hostile_names_stay_text(write: ProfileWriter) -> None:
    outline = shown(Profile.load(write.file(root(kernel('<img src=x onerror="x">\n', 5)))))

    assert outline.elements == {"b", "details", "div", "iframe", "span", "summary"}


def test_large_profiles_show_their_largest_frames(write: ProfileWriter) -> None:
    kernels = [kernel(f"k{number}", number) for number in range(1, 2501)]

    text = Profile.load(write.file(root(*kernels)))._repr_html_()

    tree = text[: text.index("<iframe")]
    assert "501 smaller frames are not shown" in tree
    assert ">k2500<" in tree
    assert ">k501<" not in tree
    assert ">k502<" in tree
