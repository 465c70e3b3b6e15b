"""Finding and decoding profile files of every format.

The content decides on the format, not the suffix. Gzipped files and the part files of a session
with phases are handled here.
"""

import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proton_xpu.report import (
    chrome_trace,
    hatchet_layout,
    json_text,
    perfetto_reader,
    trace_files,
    track_tree,
)
from proton_xpu.report.document import Document
from proton_xpu.report.errors import ProfileFormatError
from proton_xpu.report.packages import require
from proton_xpu.report.timeline import FRAME_CATEGORY, Track

_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_BOM = b"\xef\xbb\xbf"
_MSGPACK_ARRAYS = frozenset({0x91, 0x92, 0xDC, 0xDD})


def load_documents(
    path: str | Path, on_loaded: Callable[[int], None] = lambda _count: None
) -> list[Document]:
    """Loads the file at `path`, or, if there is none, its part files in phase order.

    `on_loaded` is told how many more part files were loaded. Raises `FileNotFoundError`, another
    `OSError`, or `ProfileFormatError`.
    """
    path = Path(path)
    if path.exists():
        return [load_document(path)]
    parts = part_files(path)
    if not parts and rank_files(path):
        raise FileNotFoundError(
            f"{path}: there is only a file per rank; add them up with `proton-xpu merge`"
        )
    if not parts:
        raise FileNotFoundError(f"{path}: there is no such file; check the path")
    documents: list[Document] = []
    for part in parts:
        documents.append(load_document(part))
        on_loaded(1)
    return documents


def part_files(path: Path) -> list[Path]:
    """Files `<name>.part_<n>.<suffix>` that a session with phases wrote instead of `path`."""
    return _numbered_files(path, "part")


def rank_files(path: Path) -> list[Path]:
    """Files `<name>.rank_<n>.<suffix>` that the processes of a run wrote instead of `path`."""
    return _numbered_files(path, "rank")


def _numbered_files(path: Path, what: str) -> list[Path]:
    if not path.parent.is_dir():
        return []
    pattern = re.compile(rf"{re.escape(path.stem)}\.{what}_(\d+){re.escape(path.suffix)}")
    numbered: list[tuple[int, Path]] = []
    for candidate in path.parent.iterdir():
        match = pattern.fullmatch(candidate.name)
        if match:
            numbered.append((int(match.group(1)), candidate))
    return [part for _, part in sorted(numbered)]


def load_document(path: Path) -> Document:
    """Loads one file. Raises `OSError` or `ProfileFormatError`."""
    if path.is_dir():
        raise IsADirectoryError(f"{path}: this is a folder; give a profile file")
    return decode(path.read_bytes(), str(path))


def decode(data: bytes, source: str) -> Document:
    """Decodes a file's bytes. `source` names the file in error messages.

    Raises `ProfileFormatError`.
    """
    data = unzipped(data, source)
    if perfetto_reader.is_perfetto(data):
        return _of_tracks(perfetto_reader.read_tracks(data, source), source)
    content = decode_content(data, source)
    if isinstance(content, dict):
        return chrome_trace.read_trace(content, source)
    return hatchet_layout.read_layout(content, source)


def _of_tracks(tracks: list[Track], source: str) -> Document:
    """A tree that was laid out, or a trace, which has the same events in every format."""
    if any(item.category == FRAME_CATEGORY for track in tracks for item in track.slices):
        return Document(track_tree.tree_of(tracks))
    return chrome_trace.read_trace(trace_files.chrome_content(tracks), source)


def decode_content(data: bytes, source: str) -> Any:
    """The JSON or MessagePack value that a file's bytes hold: a trace's object or a tree's list.

    A trace that is a mere list of events becomes an object, too. Raises `ProfileFormatError`.
    """
    data = unzipped(data, source)
    if not data or data.isspace():
        raise ProfileFormatError(
            f"{source}: the file is empty; the profiled program may have ended before finalize()"
        )
    if data[0] in _MSGPACK_ARRAYS:
        return _decode_msgpack(data, source)
    content = json_text.parse(_with_bracket(_decoded_text(data, source)), source)
    if isinstance(content, list) and content and _is_event(content[0]):
        return {"traceEvents": content}
    return content


def _with_bracket(text: str) -> str:
    """Closes a list of trace events: its writers may leave the bracket out."""
    is_list_of_events = text[:1000].lstrip().startswith("[") and '"ph"' in text[:1000]
    if is_list_of_events and text.rstrip().endswith(","):
        return text.rstrip()[:-1] + "]"
    return text


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and "ph" in value


def unzipped(data: bytes, source: str) -> bytes:
    """The bytes, unzipped if they are gzip data. Raises `ProfileFormatError`."""
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ProfileFormatError(f"{source}: broken gzip data: {error}") from error


def _decoded_text(data: bytes, source: str) -> str:
    try:
        return data.removeprefix(_UTF8_BOM).decode()
    except UnicodeDecodeError as error:
        raise ProfileFormatError(
            f"{source}: byte {error.start} is neither UTF-8 text nor MessagePack; this is no"
            " profile"
        ) from error


def _decode_msgpack(data: bytes, source: str) -> Any:
    msgpack = require("msgpack", "msgpack", "reading a MessagePack profile")
    try:
        with json_text.paused_gc():
            return msgpack.unpackb(data, strict_map_key=False)
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise ProfileFormatError(f"{source}: broken MessagePack data: {reason}") from error
