"""The documentation's pictures are those that its build makes now."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from docs_pictures import FILES, FOLDER, TEXTS, text_picture
from terminal_picture import terminal_svg


@pytest.mark.parametrize("name", TEXTS)
def test_pictures_of_texts_are_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_picture(TEXTS[name])


def undated(picture: str) -> str:
    """Without the times at which results were made."""
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}\+\d\d:\d\d", "", picture)


@pytest.mark.parametrize("name", FILES)
def test_pictures_of_written_files_are_up_to_date(name: str, tmp_path: Path) -> None:
    made = (FOLDER / name).read_text(encoding="utf-8")

    assert undated(made) == undated(FILES[name](tmp_path))


@pytest.mark.parametrize("name", ["flame.png", "roofline.png"])
def test_pictures_of_pages_are_pictures(name: str) -> None:
    assert (FOLDER / name).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_terminal_text_keeps_its_colours_and_harms_nothing() -> None:
    picture = ET.fromstring(terminal_svg("x <&", "\x1b[1m\x1b[31m<a>\x1b[0m  b\nsecond\n"))

    texts = picture.findall(".//{http://www.w3.org/2000/svg}text")
    shown = ["".join(text.itertext()).replace("\xa0", " ") for text in texts]
    assert shown == ["$ x <&", "<a>  b", "second"]
    (span,) = picture.findall(".//{http://www.w3.org/2000/svg}tspan")
    assert span.attrib["style"] == "font-weight:bold;fill:#ff7b72"
