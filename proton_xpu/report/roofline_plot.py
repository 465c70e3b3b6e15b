"""Drawings of rooflines: PNG, SVG, and an HTML page with a table."""

import html
import io
import math
import warnings
from collections.abc import Iterator
from typing import Any

from proton_xpu.report.errors import ReportError
from proton_xpu.report.packages import require
from proton_xpu.report.roofline import Point, Roof, Roofline
from proton_xpu.report.text_cells import number, printable, shortened

FORMATS = ("png", "svg", "html")

_LABELLED = 10
_LABEL_COLUMNS = 40
_HEADING_COLUMNS = 90
_TIP_COLUMNS = 200

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 1rem; }}
svg {{ display: block; max-width: 100%; height: auto; background: #fff; }}
.chart {{ position: relative; display: inline-block; max-width: 100%; }}
.point {{ position: absolute; width: 16px; height: 16px; padding: 0; border: 0; border-radius: 50%;
  background: none; transform: translate(-50%, -50%); }}
.point:hover, .point:focus {{ outline: 2px solid #d33; z-index: 1; }}
.point span {{ display: none; position: absolute; top: 20px; left: 0; width: max-content;
  max-width: 20rem; padding: 0.3rem 0.6rem; text-align: left; white-space: pre-line;
  overflow-wrap: anywhere; color: #fff; background: #222; }}
.point.right span {{ left: auto; right: 0; }}
.point:hover span, .point:focus span {{ display: block; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.15rem 0.8rem 0.15rem 0; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; overflow-wrap: anywhere; max-width: 40rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div class="chart">
{drawing}
{marks}
</div>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
<ul>{notes}</ul>
</body>
</html>
"""

_COLUMNS = (
    "kernel",
    "device",
    "width/bit",
    "time/ms",
    "flop/byte",
    "tflop/s",
    "attainable tflop/s",
    "efficiency/%",
    "bound by",
)


def draw(data: Roofline, form: str, title: str) -> bytes:
    """The drawing in one of `FORMATS`. Raises `ReportError` for another format."""
    if form == "html":
        return _page(data, title).encode("utf-8", "backslashreplace")
    if form not in FORMATS:
        raise ReportError(f"a roofline is drawn as {', '.join(FORMATS)}, not as {form}")
    return _saved(_figure(data, title), form)


def _saved(figure: Any, form: str) -> bytes:
    out = io.BytesIO()
    metadata = {"Date": None} if form == "svg" else {}
    with warnings.catch_warnings():
        # A character that the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        figure.savefig(out, format=form, dpi=150, metadata=metadata)
    return out.getvalue()


def _figure(data: Roofline, title: str) -> Any:
    """One plot per device, above each other."""
    figures = require("matplotlib.figure", "matplotlib", "a roofline")
    figure = figures.Figure(figsize=(9, 5.5 * len(data.roofs)), layout="constrained")
    figure.suptitle(_label(title)).set_parse_math(False)
    plots = figure.subplots(len(data.roofs), 1, squeeze=False)[:, 0]
    for axes, roof in zip(plots, data.roofs, strict=True):
        points = [point for point in data.points if point.device == roof.device]
        _draw_device(axes, roof, points)
    return figure


def _draw_device(axes: Any, roof: Roof, points: list[Point]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations a byte")
    axes.set_ylabel("operations a second")
    heading = shortened(printable(f"{roof.device}: {roof.name}"), _HEADING_COLUMNS)
    axes.set_title(heading).set_parse_math(False)
    axes.grid(visible=True, which="major", alpha=0.3)
    low, high = _intensities(roof, points)
    for width in sorted({point.width for point in points}):
        peak = roof.flops.get(width)
        if peak is None or roof.bytes_per_second is None:
            continue
        knee = peak / roof.bytes_per_second
        ceiling = [min(peak, x * roof.bytes_per_second) for x in (low, knee, high)]
        axes.plot([low, knee, high], ceiling, label=f"{width} bit: {peak / 1e12:.1f} Tflop/s")
    longest = max(point.seconds for point in points)
    axes.scatter(
        [point.intensity for point in points],
        [point.rate for point in points],
        s=[20 + 180 * math.sqrt(point.seconds / longest) for point in points],
        alpha=0.6,
    )
    for point in points[:_LABELLED]:
        place = (point.intensity, point.rate)
        text = axes.annotate(
            _label(point.name), place, xytext=(6, 4), textcoords="offset points", fontsize=8
        )
        text.set_parse_math(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right")


def _intensities(roof: Roof, points: list[Point]) -> tuple[float, float]:
    """The range of the horizontal axis: all points and knees, with room."""
    marks = [point.intensity for point in points]
    if roof.bytes_per_second is not None:
        widths = {point.width for point in points}
        marks += [peak / roof.bytes_per_second for w, peak in roof.flops.items() if w in widths]
    return min(marks) / 4, max(marks) * 4


def _label(text: str) -> str:
    return shortened(printable(text), _LABEL_COLUMNS)


def _page(data: Roofline, title: str) -> str:
    figure = _figure(data, title)
    svg = _saved(figure, "svg").decode()
    return _PAGE.format(
        title=html.escape(printable(title)),
        drawing=svg[svg.index("<svg") :],
        marks="\n".join(_marks(figure, data)),
        head="".join(f"<th>{column}</th>" for column in _COLUMNS),
        rows="\n".join(_row(point) for point in data.points),
        notes="".join(f"<li>{html.escape(note)}</li>" for note in data.notes),
    )


def _marks(figure: Any, data: Roofline) -> Iterator[str]:
    """A button over each point of the drawing, which shows the point's numbers."""
    width, height = figure.bbox.width, figure.bbox.height
    for axes, roof in zip(figure.axes, data.roofs, strict=True):
        points = [point for point in data.points if point.device == roof.device]
        for point in points:
            x, y = axes.transData.transform((point.intensity, point.rate))
            side = " right" if x > width / 2 else ""
            cells = [shortened(cell, _TIP_COLUMNS) for cell in _cells(point)]
            lines = (f"{c}: {cell}" for c, cell in zip(_COLUMNS, cells, strict=True))
            text = html.escape("\n".join(lines))
            place = f"left:{100 * x / width:.2f}%;top:{100 * (1 - y / height):.2f}%"
            yield (
                f'<button type="button" class="point{side}" style="{place}">'
                f"<span>{text}</span></button>"
            )


def _row(point: Point) -> str:
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(point)) + "</tr>"


def _cells(point: Point) -> tuple[str, ...]:
    """Texts for `_COLUMNS`."""
    attainable = None if point.attainable is None else point.attainable / 1e12
    efficiency = None if point.efficiency is None else 100 * point.efficiency
    return (
        printable(point.name),
        point.device,
        str(point.width),
        number(point.seconds * 1e3),
        number(point.intensity),
        number(point.rate / 1e12),
        number(attainable),
        number(efficiency),
        point.bound or "-",
    )
