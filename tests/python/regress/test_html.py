"""The HTML page, opened in a real browser that has no network."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.browser import Page, browser_page
from support.comparisons import every_verdict, large

from proton_xpu.report.regress.outputs import html

VOID = {"meta", "input"}
VISIBLE = "[...document.querySelectorAll('#rows tbody tr')].filter(r => !r.hidden)"


class Checker(HTMLParser):
    """Checks that elements are nested, and collects what a page could load."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


@pytest.fixture(scope="module")
def text() -> str:
    return html.render(every_verdict())


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser_page(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def page(browser: Page, text: str, tmp_path: Path) -> Page:
    path = tmp_path / "report.html"
    path.write_text(text, encoding="utf-8")
    for notes in (browser.events, browser.requests, browser.errors):
        notes.clear()
    browser.open(path)
    return browser


def names(page: Page) -> list[str]:
    found: list[str] = page.evaluate(f"{VISIBLE}.map(r => r.cells[1].textContent)")
    return found


def test_the_page_is_well_formed_and_loads_nothing(text: str) -> None:
    checker = Checker()
    checker.feed(text)
    assert checker.stack == []
    assert checker.links == []
    assert "<script>alert" not in text


def test_it_opens_without_network_and_errors(page: Page) -> None:
    assert page.errors == []
    assert len(page.requests) == 1
    assert page.requests[0].startswith("file://")
    assert page.evaluate("document.title") == "INVALID: The comparison is not valid"
    assert page.evaluate("document.getElementById('shown').textContent") == "8 of 8 rows"


def test_the_page_forbids_itself_the_network(page: Page) -> None:
    page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'http://mirror.example/x.png'}))"
    )
    page.evaluate("1")
    assert any("Content Security Policy" in error for error in page.errors)


def test_the_gravest_rows_come_first(page: Page) -> None:
    verdicts = page.evaluate(f"{VISIBLE}.map(r => r.cells[0].textContent)")
    assert verdicts == [
        "NO-DATA",
        "GONE",
        "REGRESSED",
        "AMBIGUOUS",
        "IMPROVED",
        "NEW",
        "OK",
        "OK",
    ]


def test_the_keyboard_opens_a_row_with_its_plots(page: Page) -> None:
    page.evaluate("document.querySelector('#rows tbody button').focus()")
    page.press("ArrowDown", "ArrowDown", "Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    details = "document.querySelector('tr.details')"
    assert page.evaluate(f"{details}.previousElementSibling.cells[0].textContent") == "REGRESSED"
    labels = page.evaluate(
        f"[...{details}.querySelectorAll('svg')].map(s => s.getAttribute('aria-label'))"
    )
    assert labels == [
        "Launches: base 100 us, new 105 us",
        "History, 5.0 % from first to last",
    ]
    launches, history = (
        page.evaluate(f"{details}.querySelectorAll('svg')[{n}].querySelectorAll('circle').length")
        for n in (0, 1)
    )
    assert (launches, history) == (10, 5)
    texts = f"[...{details}.querySelectorAll('svg')[1].querySelectorAll('text')]"
    assert page.evaluate(f"{texts}.map(t => t.textContent)") == [
        "100 us",
        "105 us",
        "simulated",
        "feature <x>",
    ]
    page.press("Enter")
    assert page.evaluate(f"{details} === null")


def test_the_tab_key_reaches_the_controls_in_order(page: Page) -> None:
    reached = []
    for _ in range(4):
        page.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.textContent")
        )
    assert reached == ["search", "verdict", "verdict", "kernel"]


def test_rows_can_be_searched(page: Page) -> None:
    page.evaluate("document.getElementById('search').focus()")
    page.write("KERNEL3")
    assert names(page) == ["model/layer0/kernel3", "model/layer0/kernel3_renamed"]
    assert page.evaluate("document.getElementById('shown').textContent") == "2 of 8 rows"


def test_rows_can_be_chosen_by_verdict(page: Page) -> None:
    page.evaluate(
        "(s => { s.value = 'IMPROVED'; s.dispatchEvent(new Event('change')); })"
        "(document.getElementById('verdict'))"
    )
    assert names(page) == ["model/layer0/kernel1"]


def test_rows_can_be_sorted_and_what_is_not_known_comes_last(page: Page) -> None:
    page.evaluate("document.querySelector('th[data-key=ratio] button').focus()")
    page.press("Enter")
    column = f"{VISIBLE}.map(r => r.cells[5].textContent)"
    up = page.evaluate(column)
    assert up[0].startswith("-5.0 %")
    assert up[-3:] == ["-", "-", "-"]
    page.press("Enter")
    down = page.evaluate(column)
    assert down[0].startswith("+6.0 %")
    assert down[-3:] == ["-", "-", "-"]
    assert (
        page.evaluate("document.querySelector('th[data-key=ratio]').getAttribute('aria-sort')")
        == "descending"
    )


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_light_and_dark(page: Page, scheme: str, is_dark: bool) -> None:
    page.prefer(scheme)
    ground, text = (
        sum(map(int, re.findall(r"\d+", page.evaluate(f"getComputedStyle(document.body).{name}"))))
        for name in ("backgroundColor", "color")
    )
    assert (ground < text) is is_dark


def test_hostile_names_are_text(page: Page) -> None:
    assert any("<script>alert(1)</script>" in name for name in names(page))
    assert page.evaluate("document.scripts.length") == 2


def test_two_thousand_kernels_open(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    path.write_text(html.render(large(2000)), encoding="utf-8")
    browser.events.clear()
    browser.open(path)
    assert browser.evaluate("document.getElementById('shown').textContent") == "2000 of 2000 rows"
