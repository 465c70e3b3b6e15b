import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from support.browser import Page, browser_page
from support.profiles import Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.cli.flame import main
from proton_xpu.report import NoMatchError, Profile
from proton_xpu.report.flame import flame_html
from proton_xpu.report.hatchet_layout import read_layout


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert match
    content: dict[str, Any] = json.loads(match[1])
    return content


def test_page_holds_every_frame_and_metric(write: ProfileWriter) -> None:
    data = data_of(flame_html(Profile.load(write.steps())))

    assert [data["names"][index] for index in data["nodes"]] == [
        "ROOT",
        "step",
        "gemm",
        "add",
        "copy",
    ]
    assert data["parents"] == [-1, 0, 1, 1, 0]
    widths = {m["name"]: m["values"] for m in data["metrics"] if m["width"]}
    assert list(widths) == ["time/ms", "count", "flops16", "bytes"]
    assert widths["count"] == [5, 4, 3, 1, 1]
    assert [m["name"] for m in data["metrics"] if not m["width"]] == [
        "avg_time/us",
        "tflop16/s",
        "gbyte/s",
        "util",
    ]


def test_page_needs_no_network(write: ProfileWriter) -> None:
    page = flame_html(Profile.load(write.steps()))

    assert "://" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=", page)


def test_difference_holds_both_sides(write: ProfileWriter) -> None:
    before = Profile.load(write.file(root(kernel("k", 5), kernel("old", 4)), name="before"))
    after = Profile.load(write.file(root(kernel("k", 9), kernel("fresh", 1)), name="after"))

    data = data_of(flame_html(after, before))

    (count,) = [m for m in data["metrics"] if m["name"] == "count"]
    names = [data["names"][index] for index in data["nodes"]]
    sides = zip(count["before"], count["values"], strict=True)
    assert dict(zip(names, sides, strict=True)) == {
        "ROOT": (2, 2),
        "k": (1, 1),
        "fresh": (None, 1),
        "old": (1, None),
    }
    assert dict(zip(names, data["marks"], strict=True)) == {
        "ROOT": "",
        "k": "",
        "fresh": "new",
        "old": "gone",
    }


def test_several_roots_get_one_above_them() -> None:
    document = read_layout([kernel("a", 3), kernel("b", 4)], "p")

    data = data_of(flame_html(Profile(document.tree)))

    assert [data["names"][index] for index in data["nodes"]] == ["all", "a", "b"]
    assert data["parents"] == [-1, 0, 0]
    assert data["metrics"][1]["values"] == [2, 1, 1]


def test_profile_without_metrics_is_refused(write: ProfileWriter) -> None:
    with pytest.raises(NoMatchError, match="has no metric to draw"):
        flame_html(Profile.load(write.file(node("ROOT"), {})))


@given(trees())
def test_names_cannot_leave_the_data(tree: Node) -> None:
    document = read_layout([root(tree), {}], "p")

    page = flame_html(Profile(document.tree, path='"><script>alert(1)</script>{{data}}'))

    data = data_of(page)
    assert set(data["names"]) <= set(document.tree.names)
    assert page.count("<script") == 2
    page.encode(errors="backslashreplace")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser_page(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def flame(page: Page, write: ProfileWriter) -> Page:
    output = write.folder / "flame.html"
    assert main([str(write.steps()), "-o", str(output)]) == 0
    page.open(output)
    return page


def shown(page: Page) -> dict[str, float]:
    """Names of the drawn frames and their shares of the chart's width, rounded."""
    found: dict[str, float] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.frame')].map(f => ["
        "f.textContent, Number((parseFloat(f.style.width) / 100).toFixed(3))]))"
    )
    return found


def text(page: Page, selector: str) -> str:
    found: str = page.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")
    return found


def test_widths_are_shares_of_the_time(flame: Page) -> None:
    assert shown(flame) == {"ROOT": 1, "step": 0.952, "gemm": 0.857, "add": 0.095, "copy": 0.048}


def test_click_zooms_in_and_escape_out(flame: Page) -> None:
    flame.click('.frame[data-node="1"]')
    assert shown(flame) == {"ROOT": 1, "step": 1, "gemm": 0.9, "add": 0.1}
    assert text(flame, "#details h2") == "step"

    flame.press("Escape")
    assert shown(flame)["copy"] == 0.048


def test_button_shows_the_whole_profile(flame: Page) -> None:
    flame.click('.frame[data-node="2"]')
    flame.click("#reset")

    assert len(shown(flame)) == 5


def test_keyboard_moves_zooms_and_shows_details(flame: Page) -> None:
    flame.click("#reset")
    flame.press("ArrowDown", "ArrowDown", "ArrowRight")

    assert flame.evaluate("document.activeElement.textContent") == "add"
    assert text(flame, "#details .path") == "ROOT > step > add"
    flame.press("ArrowLeft", "Enter")
    assert shown(flame) == {"ROOT": 1, "step": 1, "gemm": 1}


def test_search_marks_frames_and_tells_their_share(flame: Page) -> None:
    flame.press("/")
    flame.write("MM")

    assert text(flame, "#status") == "1 frames match, 85.7 % of the whole"
    assert flame.evaluate("document.querySelector('.frame.match').textContent") == "gemm"
    flame.press("Escape")
    assert text(flame, "#status") == ""


def test_metric_switch_changes_the_widths(flame: Page) -> None:
    flame.press("m")

    assert (
        flame.evaluate("document.querySelector('#metric').selectedOptions[0].textContent")
        == "count"
    )
    assert shown(flame) == {"ROOT": 1, "step": 0.8, "gemm": 0.6, "add": 0.2, "copy": 0.2}


def test_theme_switches(flame: Page) -> None:
    before = flame.evaluate("getComputedStyle(document.body).backgroundColor")

    flame.click("#theme")

    assert flame.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_difference_page_switches_sides(page: Page, write: ProfileWriter) -> None:
    before = write.file(root(kernel("k", 5), kernel("old", 5)), name="before")
    after = write.file(root(kernel("k", 9), kernel("fresh", 1)), name="after")
    output = write.folder / "difference.html"
    assert main([str(before), str(after), "-o", str(output)]) == 0

    page.open(output)
    assert shown(page) == {"ROOT": 1, "k": 0.9, "fresh [new]": 0.1}
    page.evaluate(
        "(() => { const side = document.querySelector('#side'); side.value = 'before';"
        "side.dispatchEvent(new Event('change')); })()"
    )
    assert shown(page) == {"ROOT": 1, "k": 0.5, "old [gone]": 0.5}


def test_hostile_names_run_nothing(page: Page, write: ProfileWriter) -> None:
    hostile = "</script><img src=x onerror='window.hacked=1'>\"\n\u2028\U0001f4a5" + "x" * 10_000
    output = write.folder / "hostile.html"
    profile = write.file(root(kernel(hostile, 5)), name="<b>'p'.hatchet")
    assert main([str(profile), "-o", str(output)]) == 0

    page.open(output)

    assert page.evaluate("window.hacked === undefined && document.images.length === 0")
    assert text(page, "#details h2") == "ROOT"
    page.click('.frame[data-node="1"]')
    assert text(page, "#details h2") == hostile
    assert text(page, "h1").endswith("<b>'p'.hatchet")


def test_output_is_named_after_the_profile(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = write.steps()

    assert main([str(profile)]) == 0

    assert capsys.readouterr().out.strip() == f"{profile}.html"
    assert Path(f"{profile}.html").is_file()
