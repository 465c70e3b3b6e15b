"""A view as text: aligned columns, then the tree."""

from collections.abc import Sequence
from dataclasses import dataclass

from proton_xpu.report import text_cells
from proton_xpu.report.calltree import Number
from proton_xpu.report.metrics import Column
from proton_xpu.report.view import View

_RESET = "\x1b[0m"
_DIM = "\x1b[2m"
_BOLD = "\x1b[1m"
_HOT = "\x1b[31m"
_WARM = "\x1b[33m"

# Shares of the whole from which a frame counts as hot or warm.
_HOT_SHARE = 0.3
_WARM_SHARE = 0.1

_LEAST_NAME_COLUMNS = 16

# Proton's sorted list: names of up to 100 characters and an ellipsis, values at a fixed column.
_SORTED_NAME_COLUMNS = 103
_SORTED_VALUE_COLUMN = 105


@dataclass(frozen=True)
class Style:
    """How text is drawn. `width` limits the line in columns; None means no limit."""

    width: int | None = None
    color: bool = False
    unicode: bool = True


@dataclass(frozen=True)
class _Lines:
    """The pieces that draw the tree."""

    child: str
    last: str
    through: str
    blank: str


_UNICODE_LINES = _Lines("├─ ", "└─ ", "│  ", "   ")
_ASCII_LINES = _Lines("|- ", "`- ", "|  ", "   ")


def render(view: View, names: Sequence[str], depth: int, style: Style) -> tuple[str, int]:
    """Draws the view down to `depth` levels; `names` are the frames' names as to be shown.

    Returns the text and the number of frames that lie deeper. The first line names the columns;
    "(exc)" marks metrics of a frame without what is below it.
    """
    rows = _rows(view, depth, _UNICODE_LINES if style.unicode else _ASCII_LINES)
    headers = [_header(column) for column in view.columns]
    cells = [
        [text_cells.number(column.values[index]) for index, _ in rows] for column in view.columns
    ]
    widths = [
        max(len(header), max(map(len, column), default=0))
        for header, column in zip(headers, cells, strict=True)
    ]
    head = "  ".join(h.rjust(w) for h, w in zip(headers, widths, strict=True)) + "  frame"
    lines = [f"{_BOLD}{head}{_RESET}" if style.color else head]
    paints = _paints(view.columns[0]) if style.color else None
    used = sum(widths) + 2 * len(widths)
    room = None if style.width is None else max(style.width - used, _LEAST_NAME_COLUMNS)
    padded = [[cell.rjust(w) for cell in column] for column, w in zip(cells, widths, strict=True)]
    for place, (index, guide) in enumerate(rows):
        values = "  ".join([column[place] for column in padded])
        mark = f" [{view.marks[index]}]" if view.marks[index] else ""
        name = text_cells.printable(names[index]) + mark
        if room is not None:
            name = text_cells.shortened(
                name, max(room - len(guide), _LEAST_NAME_COLUMNS), style.unicode
            )
        if paints is None:
            lines.append(f"{values}  {guide}{name}")
        else:
            paint = paints[index]
            lines.append(f"{paint}{values}{_RESET}  {_DIM}{guide}{_RESET}{paint}{name}{_RESET}")
    return "\n".join(lines), len(view.tree) - len(rows)


def render_sorted(view: View, names: Sequence[str]) -> str:
    """Frames below the root by falling first metric, in the form of Proton's viewer."""
    column = view.columns[0]
    lines = [f"\nSorted kernels by metric {column.label}"]
    for index in view.ranked():
        name = text_cells.shortened(
            text_cells.printable(names[index]), _SORTED_NAME_COLUMNS, unicode=False
        )
        value = column.values[index]
        if value is not None:
            lines.append(f"{name:{_SORTED_VALUE_COLUMN}} {float(value):.4}")
    return "\n".join(lines)


def _header(column: Column) -> str:
    return column.name if column.inclusive else f"{column.name} (exc)"


def _rows(view: View, depth: int, draw: _Lines) -> list[tuple[int, str]]:
    """Frames to show with the guide before each name."""
    children = view.tree.children()
    rows: list[tuple[int, str]] = []
    stack = [(index, "", "", 1) for index in reversed(view.tree.roots())] if depth > 0 else []
    while stack:
        index, guide, below, level = stack.pop()
        rows.append((index, guide))
        if level >= depth:
            continue
        inner = children[index]
        if inner:
            stack.append((inner[-1], below + draw.last, below + draw.blank, level + 1))
            child, through = below + draw.child, below + draw.through
            stack.extend([(node, child, through, level + 1) for node in inner[-2::-1]])
    return rows


def _paints(column: Column) -> list[str]:
    """A colour per frame by its share of the largest value."""
    largest = max((v for v in column.values if v is not None), default=0)
    return [_paint(value, largest) for value in column.values]


def _paint(value: Number | None, largest: Number) -> str:
    if value is None or largest <= 0:
        return ""
    share = value / largest
    return _HOT if share >= _HOT_SHARE else _WARM if share >= _WARM_SHARE else ""
