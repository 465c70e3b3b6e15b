import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_xpu.report.text_cells import csv_text, number, printable, shortened, width

ANY_TEXT = st.text(st.characters(codec=None), max_size=40)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gemm<16>", "gemm<16>"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),
        ("ab\u202ecd", r"ab\u202ecd"),
        ("lone \ud800", r"lone \ud800"),
        ("line\u2028end", r"line\u2028end"),
        ("\u6838\u5fc3 \U0001f680", "\u6838\u5fc3 \U0001f680"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(ANY_TEXT)
def test_printable_text_obeys_nothing_and_encodes(text: str) -> None:
    shown = printable(text)

    shown.encode()
    assert not {unicodedata.category(c) for c in shown if c != "\u200d"} & {"Cc", "Cf", "Cs", "Zl"}


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("\u6838\u5fc3", 4), ("e\u0301", 1)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_shortened_marks_what_is_missing() -> None:
    assert shortened("kernel", 6) == "kernel"
    assert shortened("kernels", 6) == "kerne\u2026"
    assert shortened("kernels", 6, unicode=False) == "ker..."
    assert shortened("\u6838\u5fc3\u6838", 5) == "\u6838\u5fc3\u2026"


@given(ANY_TEXT.map(printable), st.integers(1, 30))
def test_shortened_text_fits(text: str, columns: int) -> None:
    assert width(shortened(text, columns)) <= columns


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0, "0"),
        (12345678901234, "12345678901234"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (-2.5, "-2.500"),
        (0.0004, "4.000e-04"),
        (2e-9, "2.000e-09"),
        (268554687499999.97, "2.686e+14"),
        (float("nan"), "-"),
        (float("inf"), "inf"),
    ],
)
def test_number(value: float | None, text: str) -> None:
    assert number(value) == text


@given(st.floats(allow_nan=False).filter(bool))
def test_a_number_that_is_not_zero_never_reads_as_zero(value: float) -> None:
    assert float(number(value)) != 0


@given(ANY_TEXT)
def test_csv_text_is_one_cell_and_no_formula(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([csv_text(text), "next"])

    ((cell, following),) = csv.reader(io.StringIO(out.getvalue()))
    assert following == "next"
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
