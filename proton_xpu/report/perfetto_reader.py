"""Slices of Perfetto's protobuf traces, whoever wrote them."""

from dataclasses import dataclass, field
from typing import Any

from proton_xpu.report.errors import ProfileFormatError
from proton_xpu.report.packages import require
from proton_xpu.report.timeline import Slice, Track

_PB2 = "perfetto.protos.perfetto.trace.perfetto_trace_pb2"

# The tag of a trace's field 1, a packet. It is also a line feed, with which JSON may begin.
_PACKET_TAG = 0x0A

# Clocks of these numbers are a sequence's own.
_SEQUENCE_CLOCKS = range(64, 128)


def is_perfetto(data: bytes) -> bool:
    """Whether a file's bytes are a Perfetto trace, perhaps one that is cut off."""
    if not data or data[0] != _PACKET_TAG:
        return False
    return data.lstrip()[:1] not in (b"[", b"{", b"") or _is_row_of_packets(data)


def _is_row_of_packets(data: bytes) -> bool:
    position = 0
    while position < len(data):
        if data[position] != _PACKET_TAG:
            return False
        size = shift = 0
        while True:
            position += 1
            if position >= len(data):
                return False
            size |= (data[position] & 0x7F) << shift
            shift += 7
            if data[position] < 0x80:
                break
        position += 1 + size
    return position == len(data)


def read_tracks(data: bytes, source: str) -> list[Track]:
    """The slices of each track that has some, in order of their starts.

    Slices that have not ended end with the trace. Instants, counters and everything else that
    Perfetto can hold are left out. Raises `ProfileFormatError`.
    """
    pb2 = require(_PB2, "perfetto", "reading a Perfetto trace")
    message = require("google.protobuf.message", "protobuf", "reading a Perfetto trace")
    try:
        packets = pb2.Trace.FromString(data).packet
    except message.DecodeError as error:
        raise ProfileFormatError(
            f"{source}: broken Perfetto data: {error}; the file may be cut off"
        ) from error
    reader = _Reader(pb2)
    number = 0
    try:
        for number, packet in enumerate(packets):  # noqa: B007 (named in the error)
            reader.add(packet)
    except KeyError as error:
        raise ProfileFormatError(
            f"{source}: packet {number} refers to the number {error}, which no packet before it"
            " defines"
        ) from error
    return reader.tracks()


@dataclass
class _Clock:
    """A sequence's own clock: nanoseconds per unit, and where an incremental one stands."""

    unit: int = 1
    is_incremental: bool = False
    time: int = 0


@dataclass
class _Sequence:
    """What the packets of one writer refer to by number, and what they leave out."""

    names: dict[int, str] = field(default_factory=dict)
    categories: dict[int, str] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    clocks: dict[int, _Clock] = field(default_factory=dict)
    default_clock: int = 0
    default_track: int = 0

    def learn(self, packet: Any) -> None:
        interned = packet.interned_data
        self.names.update((entry.iid, entry.name) for entry in interned.event_names)
        self.categories.update((entry.iid, entry.name) for entry in interned.event_categories)
        self.keys.update((entry.iid, entry.name) for entry in interned.debug_annotation_names)
        if packet.HasField("trace_packet_defaults"):
            self.default_clock = packet.trace_packet_defaults.timestamp_clock_id
            self.default_track = packet.trace_packet_defaults.track_event_defaults.track_uuid
        for entry in packet.clock_snapshot.clocks:
            if entry.clock_id in _SEQUENCE_CLOCKS:
                unit = entry.unit_multiplier_ns or 1
                self.clocks[entry.clock_id] = _Clock(
                    unit, entry.is_incremental, entry.timestamp * unit
                )

    def time(self, packet: Any) -> int:
        clock = self.clocks.get(packet.timestamp_clock_id or self.default_clock)
        value: int = packet.timestamp
        if clock is None:
            return value
        if not clock.is_incremental:
            return value * clock.unit
        clock.time += value * clock.unit
        return clock.time


_Edge = tuple[int, Slice | None]
"""When a slice begins, with the slice, still without an end; or when the innermost one ends."""


class _Reader:
    """Slices of the packets so far."""

    def __init__(self, pb2: Any) -> None:
        self._cleared: int = pb2.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        self._begin: int = pb2.TrackEvent.TYPE_SLICE_BEGIN
        self._end: int = pb2.TrackEvent.TYPE_SLICE_END
        self._sequences: dict[int, _Sequence] = {}
        self._names: dict[int, str] = {}
        self._edges: dict[int, list[_Edge]] = {}

    def add(self, packet: Any) -> None:
        """Takes note of a packet. Raises `KeyError` if it refers to what is not known."""
        number = packet.trusted_packet_sequence_id
        if packet.sequence_flags & self._cleared or number not in self._sequences:
            self._sequences[number] = _Sequence()
        sequence = self._sequences[number]
        sequence.learn(packet)
        if packet.HasField("track_descriptor"):
            self._note_track(packet.track_descriptor)
        elif packet.HasField("track_event"):
            self._add_event(packet, packet.track_event, sequence)

    def _note_track(self, about: Any) -> None:
        name = (
            about.name
            or about.static_name
            or about.thread.thread_name
            or about.process.process_name
            or f"track {about.uuid}"
        )
        self._names[about.uuid] = name

    def _add_event(self, packet: Any, event: Any, sequence: _Sequence) -> None:
        time = sequence.time(packet)
        has_track = event.HasField("track_uuid")
        edges = self._edges.setdefault(
            event.track_uuid if has_track else sequence.default_track, []
        )
        if event.type == self._begin:
            edges.append((time, _begun(event, time, sequence)))
        elif event.type == self._end:
            edges.append((time, None))

    def tracks(self) -> list[Track]:
        """All slices, with their ends."""
        last = max((time for edges in self._edges.values() for time, _ in edges), default=0)
        return [
            Track(self._names.get(uuid, f"track {uuid}"), _closed(edges, last))
            for uuid, edges in self._edges.items()
            if edges
        ]


def _begun(event: Any, time: int, sequence: _Sequence) -> Slice:
    name = sequence.names[event.name_iid] if event.name_iid else event.name
    categories = [*event.categories, *(sequence.categories[iid] for iid in event.category_iids)]
    args = {_key(note, sequence): _value(note, sequence) for note in event.debug_annotations}
    return Slice(name, time, time, ",".join(categories), args)


def _key(note: Any, sequence: _Sequence) -> str:
    key: str = sequence.keys[note.name_iid] if note.name_iid else note.name
    return key


def _value(note: Any, sequence: _Sequence) -> Any:
    """An annotation's value as JSON has it; None if it has none or one of another kind."""
    if note.array_values:
        return [_value(item, sequence) for item in note.array_values]
    if note.dict_entries:
        return {_key(item, sequence): _value(item, sequence) for item in note.dict_entries}
    kind = note.WhichOneof("value")
    value = None if kind is None else getattr(note, kind)
    return value if isinstance(value, (int, float, str)) else None


def _closed(edges: list[_Edge], last: int) -> list[Slice]:
    """Slices with ends and depths; `last` is the end of those that have none."""
    slices: list[Slice] = []
    still_open: list[int] = []
    for time, item in sorted(edges, key=lambda edge: edge[0]):
        if item is not None:
            slices.append(item._replace(end=last, depth=len(still_open)))
            still_open.append(len(slices) - 1)
        elif still_open:
            begun = still_open.pop()
            slices[begun] = slices[begun]._replace(end=time)
    return slices
