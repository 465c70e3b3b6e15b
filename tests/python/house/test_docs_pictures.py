"""The documentation's pictures are those that its build makes now."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from docs_pictures import FOLDER, TEXTS, converted_picture, text_picture
from terminal_picture import terminal_svg


@pytest.mark.parametrize("name", TEXTS)
def test_pictures_of_texts_are_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_picture(TEXTS[name])


def test_picture_of_a_converted_file_is_up_to_date(tmp_path: Path) -> None:
    made = (FOLDER / "convert.svg").read_text(encoding="utf-8")

    assert made == converted_picture(tmp_path)


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
