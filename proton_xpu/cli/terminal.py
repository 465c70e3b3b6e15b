"""How to draw text on this standard output."""

import os
import shutil
import sys

from proton_xpu.report.tree_text import Style

_TREE_CHARACTERS = "├─└│…"


def text_style(color: str, ascii_only: bool, width: int | None) -> Style:
    """Colours and the terminal's width only on a terminal; ASCII where the encoding needs it.

    `color` is "auto", "always" or "never"; "auto" follows NO_COLOR and TERM. `width` overrides
    the terminal's; 0 means no limit.
    """
    terminal = sys.stdout.isatty()
    if width is None and terminal:
        width = shutil.get_terminal_size().columns
    colored = color == "always" or (color == "auto" and terminal and _terminal_has_color())
    return Style(width or None, colored, not ascii_only and _can_encode(_TREE_CHARACTERS))


def _terminal_has_color() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
