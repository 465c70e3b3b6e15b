"""Profiles in other tools' formats."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from proton_xpu.report import (
    export_table,
    loading,
    perfetto_reader,
    stacks,
    timeline,
    trace_files,
)
from proton_xpu.report.errors import ReportError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.metrics import Column
from proton_xpu.report.packages import require
from proton_xpu.report.profile import Profile
from proton_xpu.report.text_cells import encodable
from proton_xpu.report.view import View


class Format(NamedTuple):
    """An output format: the suffix that chooses it, a help line, and its writer."""

    suffix: str
    help: str
    write: Callable[[Path], bytes]


def convert(source: Path, format_name: str) -> bytes:
    """The file `source` in one of `FORMATS`.

    Raises `OSError`, or a `ReportError` if it cannot be read or lacks what the format needs.
    """
    return FORMATS[format_name].write(source)


def format_of(output: Path) -> str:
    """The format that a file's name asks for. Raises `ReportError` if it asks for none."""
    for name, form in FORMATS.items():
        if output.name.endswith(form.suffix):
            return name
    known = ", ".join(form.suffix for form in FORMATS.values())
    raise ReportError(f"{output}: name one of the formats with --to, or end the name in {known}")


def _tracks(source: Path) -> list[timeline.Track]:
    """The timeline of a trace file, or the layout of a call tree."""
    if source.is_file():
        data = loading.unzipped(source.read_bytes(), str(source))
        if perfetto_reader.is_perfetto(data):
            return perfetto_reader.read_tracks(data, str(source))
        content: Any = loading.decode_content(data, str(source))
        if isinstance(content, dict):
            return timeline.from_trace(content, str(source))
    return timeline.from_tree(without_helpers(Profile.load(source).tree))


def _perfetto(source: Path) -> bytes:
    return trace_files.perfetto_trace(_tracks(source))


def _chrome(source: Path) -> bytes:
    return trace_files.chrome_json(_tracks(source)).encode()


def _speedscope(source: Path) -> bytes:
    return stacks.speedscope(Profile.load(source)).encode()


def _collapsed(source: Path) -> bytes:
    return stacks.collapsed(Profile.load(source)).encode()


def _csv(source: Path) -> bytes:
    """Every recorded number of every frame itself, not of what is below it."""
    tree = without_helpers(Profile.load(source).tree)
    columns = [Column(name, False, True, tree.numbers(name)) for name in tree.metric_names()]
    numeric = [column for column in columns if any(v is not None for v in column.values)]
    out = io.StringIO()
    export_table.to_csv(View(tree, numeric), tree.names, len(tree) + 1, out)
    return out.getvalue().encode("utf-8", "backslashreplace")


def _parquet(source: Path) -> bytes:
    """`Profile.dataframe`, with paths as lists and columns of one type each."""
    require("pyarrow", "pyarrow", "a Parquet file")
    out = io.BytesIO()
    frame = Profile.load(source).dataframe()
    frame["path"] = [[encodable(name) for name in path] for path in frame["path"]]
    for name in frame.columns.drop("path"):
        if frame[name].dtype == object:
            frame[name] = _of_one_type(list(frame[name]))
    frame.columns = [encodable(name) for name in frame.columns]
    frame.to_parquet(out, engine="pyarrow", index=False)
    return out.getvalue()


def _of_one_type(values: list[Any]) -> list[Any]:
    """The values if they are texts or lists or absent, else each one's JSON text."""
    types = {type(value) for value in values if value is not None}
    if types == {str}:
        return [None if value is None else encodable(value) for value in values]
    if types <= {list}:
        return values
    return [None if value is None else json.dumps(value) for value in values]


FORMATS: dict[str, Format] = {
    "perfetto": Format(".pftrace", "Perfetto protobuf trace", _perfetto),
    "speedscope": Format(".speedscope.json", "speedscope", _speedscope),
    "chrome": Format(".json", "Chrome trace JSON", _chrome),
    "collapsed": Format(".folded", "collapsed stacks for flame graph tools", _collapsed),
    "csv": Format(".csv", "frames with their own metrics", _csv),
    "parquet": Format(".parquet", "data frame with paths", _parquet),
}
