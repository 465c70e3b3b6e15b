"""Names and numbers as terminal text: nothing that a terminal would obey, known widths."""

import unicodedata

from proton_xpu.report.calltree import Number

_ELLIPSIS = {True: "…", False: "..."}

# Format characters can reorder or hide text; the joiner only shapes emoji and scripts.
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINER = "\u200d"

ABSENT = "-"


def printable(text: str) -> str:
    """`text` with control, format and lone-surrogate characters escaped, on one line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char == _JOINER or not _is_escaped(char) else _escape(char) for char in text
    )


def _is_escaped(char: str) -> bool:
    return unicodedata.category(char) in _ESCAPED_CATEGORIES


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or char == _JOINER or unicodedata.category(char) == "Mn":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shortened(text: str, columns: int, unicode: bool = True) -> str:
    """`text` cut to `columns`, with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    ellipsis = _ELLIPSIS[unicode]
    room = columns - len(ellipsis)
    kept: list[str] = []
    for char in text:
        room -= _char_width(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + ellipsis


def number(value: Number | None) -> str:
    """Whole numbers as they are, others with three decimals; never 0.000 for what is not zero."""
    if value is None or value != value:
        return ABSENT
    if isinstance(value, int):
        return str(value)
    if value == 0:
        return "0.000"
    if 0.0005 <= abs(value) < 1e9:
        return f"{value:.3f}"
    return f"{value:.3e}"


def encodable(text: str) -> str:
    """`text` as UTF-8 can hold it: lone surrogates are escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def csv_text(text: str) -> str:
    """A name for CSV: printable, and never a formula to a spreadsheet."""
    text = printable(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
