"""Links in the documentation lead somewhere; the environment variables are all described."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(page: Path) -> set[str]:
    """The link targets that a page's headings make."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_between_files_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in anchors(file), f"{page.name} links to {target}"


def test_each_page_is_reached_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {
        (index.parent / target.partition("#")[0]).resolve()
        for target in re.findall(r"\]\(([^)\s]+)\)", index.read_text())
    }
    assert set(PAGES[1:]) - {index} <= linked


def test_the_environment_variables_are_those_that_the_code_reads() -> None:
    sources = [*(ROOT / "csrc").rglob("*.cpp"), *(ROOT / "csrc").rglob("*.h")]
    sources += (ROOT / "proton_xpu").rglob("*.py")
    read = {
        name
        for source in sources
        for name in re.findall(r'["\'](PROTON_XPU_[A-Z_]+)["\']', source.read_text())
    }
    page = (ROOT / "docs" / "users" / "environment.md").read_text()
    described = re.findall(r"^\| `(PROTON_XPU_[A-Z_]+)`", page, flags=re.MULTILINE)
    assert sorted(described) == sorted(read)
