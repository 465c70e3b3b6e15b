"""What a command prints on a terminal, as an SVG."""

import html
import re
from collections.abc import Iterator

_CHARACTER_WIDTH = 8.4
_LINE_HEIGHT = 19
_MARGIN = 14
_ESCAPE = re.compile(r"\x1b\[(\d+)m")
_STYLES = {
    "1": "font-weight:bold",
    "2": "fill:#8b949e",
    "31": "fill:#ff7b72",
    "32": "fill:#7ee787",
    "33": "fill:#e3b341",
}


def terminal_svg(command: str, output: str) -> str:
    """A prompt with the command, and its output with its colours, light on dark."""
    lines = [f"$ {command}", *output.rstrip("\n").split("\n")]
    columns = max(len(_ESCAPE.sub("", line)) for line in lines)
    width = round(columns * _CHARACTER_WIDTH) + 2 * _MARGIN
    height = len(lines) * _LINE_HEIGHT + 2 * _MARGIN
    rows = [
        f'<text x="{_MARGIN}" y="{_MARGIN + (number + 0.75) * _LINE_HEIGHT}">'
        f"{''.join(_spans(line))}</text>"
        for number, line in enumerate(lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(command)}">\n'
        '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n'
        '<g font-family="monospace" font-size="14" fill="#e6edf3">\n'
        + "\n".join(rows)
        + "\n</g>\n</svg>\n"
    )


def _spans(line: str) -> Iterator[str]:
    """Pieces of a line, each with the styles that are on there."""
    styles: list[str] = []
    for index, piece in enumerate(_ESCAPE.split(line)):
        if index % 2:
            styles = [*styles, _STYLES.get(piece, "")] if piece != "0" else []
        elif piece:
            # Renderers of SVG join ordinary spaces.
            text = html.escape(piece).replace(" ", "\N{NO-BREAK SPACE}")
            style = ";".join(filter(None, styles))
            yield f'<tspan style="{style}">{text}</tspan>' if style else text
