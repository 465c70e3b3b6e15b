"""How a profile shows itself in a notebook: a collapsible tree and a flame graph."""

import html

from proton_xpu.report.errors import ReportError
from proton_xpu.report.flame import flame_html
from proton_xpu.report.profile import Profile
from proton_xpu.report.text_cells import number, printable
from proton_xpu.report.view import View, profile_view

_MOST_FRAMES = 2000

# Levels that are open at first.
_OPEN_LEVELS = 3

_STYLE = "font-family: monospace; white-space: pre; position: relative; max-width: 80em"

# Numbers stand at the right edge, whatever the depth of the frame.
_NUMBERS = '<span style="position: absolute; right: 0; background: canvas; padding-left: 1em">'


def profile_html(profile: Profile) -> str:
    """The tree with the default metrics, then the flame graph in a frame of its own.

    Of a large profile the tree shows the frames with the largest first metric.
    """
    view = profile_view(profile).sort()
    hidden = 0
    if len(view.tree) > _MOST_FRAMES:
        hidden = len(view.tree) - _MOST_FRAMES
        view = _largest(view, _MOST_FRAMES)
    parts = [f'<div style="{_STYLE}">{_tree(view)}</div>']
    if hidden:
        parts.append(f"<p>{hidden} smaller frames are not shown.</p>")
    try:
        page = flame_html(profile)
    except ReportError:
        return "".join(parts)
    frame = f'<iframe style="width: 100%; height: 32em; border: 0" srcdoc="{html.escape(page)}">'
    return "".join([*parts, frame, "</iframe>"])


def _largest(view: View, count: int) -> View:
    """The frames with the largest first metric; parents come before children of equal size."""
    values = view.columns[0].values
    order = sorted(range(len(values)), key=lambda i: (-(values[i] or 0), i))
    keep = [False] * len(values)
    for index in order[:count]:
        keep[index] = True
    return view.select(keep)


def _tree(view: View) -> str:
    """Nested `details` elements."""
    leaf = view.tree.is_leaf()
    depths = view.tree.depths()
    columns = [[c.name, *map(number, c.values)] for c in view.columns]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        html.escape("  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)))
        for row in zip(*columns, strict=True)
    ]
    pieces = [f"<div><b>frame{_NUMBERS}{lines[0]}</span></b></div>"]
    depth = 0
    for index, level in enumerate(depths):
        pieces.append("</div></details>" * (depth - level))
        name = html.escape(printable(view.tree.names[index]))
        line = f"{name}{_NUMBERS}{lines[index + 1]}</span>"
        if leaf[index]:
            pieces.append(f"<div>{line}</div>")
            depth = level
        else:
            state = " open" if level < _OPEN_LEVELS else ""
            indent = '<div style="padding-left: 1.2em">'
            pieces.append(f"<details{state}><summary>{line}</summary>{indent}")
            depth = level + 1
    pieces.append("</div></details>" * depth)
    return "".join(pieces)
