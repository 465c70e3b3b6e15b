"""Timelines as files for trace viewers: Perfetto's protobuf and Chrome's JSON."""

import json
from collections.abc import Sequence
from typing import Any

from proton_xpu.report.packages import require
from proton_xpu.report.text_cells import encodable
from proton_xpu.report.timeline import Slice, Track, edges

_SEQUENCE = 1


def perfetto_trace(tracks: Sequence[Track]) -> bytes:
    """A Perfetto trace; names are written once and referred to by number."""
    pb2 = require(
        "perfetto.protos.perfetto.trace.perfetto_trace_pb2", "perfetto", "a Perfetto trace"
    )
    trace = pb2.Trace()
    names: dict[str, int] = {}
    categories: dict[str, int] = {}
    for uuid, track in enumerate(tracks, 1):
        descriptor = trace.packet.add()
        descriptor.trusted_packet_sequence_id = _SEQUENCE
        descriptor.track_descriptor.uuid = uuid
        descriptor.track_descriptor.name = encodable(track.name)
        if uuid == 1:
            descriptor.sequence_flags = pb2.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        for timestamp, item in edges(track):
            packet = trace.packet.add()
            packet.timestamp = timestamp
            packet.trusted_packet_sequence_id = _SEQUENCE
            packet.sequence_flags = pb2.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
            event = packet.track_event
            event.track_uuid = uuid
            if item is None:
                event.type = pb2.TrackEvent.TYPE_SLICE_END
                continue
            event.type = pb2.TrackEvent.TYPE_SLICE_BEGIN
            event.name_iid = _interned(item.name, names, packet.interned_data.event_names)
            if item.category:
                event.category_iids.append(
                    _interned(item.category, categories, packet.interned_data.event_categories)
                )
            for key, value in item.args.items():
                _annotate(event.debug_annotations.add(name=encodable(key)), value)
    data: bytes = trace.SerializeToString()
    return data


def _interned(text: str, known: dict[str, int], table: Any) -> int:
    number = known.get(text)
    if number is None:
        number = known[text] = len(known) + 1
        table.add(iid=number, name=encodable(text))
    return number


def _annotate(annotation: Any, value: Any) -> None:
    """Gives an annotation its value; None is no value."""
    if isinstance(value, bool):
        annotation.bool_value = value
    elif isinstance(value, int) and -(2**63) <= value < 2**63:
        annotation.int_value = value
    elif isinstance(value, (int, float)):
        annotation.double_value = float(value)
    elif isinstance(value, list):
        for item in value:
            _annotate(annotation.array_values.add(), item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _annotate(annotation.dict_entries.add(name=encodable(str(key))), item)
    elif value is not None:
        annotation.string_value = encodable(str(value))


def chrome_json(tracks: Sequence[Track]) -> str:
    """A Chrome trace as text."""
    return json.dumps(chrome_content(tracks)) + "\n"


def chrome_content(tracks: Sequence[Track]) -> dict[str, Any]:
    """A Chrome trace with one lane per track; times relative to the first slice."""
    base = min((track.slices[0].start for track in tracks if track.slices), default=0)
    events: list[dict[str, Any]] = []
    for lane, track in enumerate(tracks):
        about = {"name": "thread_name", "ph": "M", "pid": 0, "tid": lane}
        events.append({**about, "args": {"name": track.name}})
        events.extend(_chrome_event(item, lane, base) for item in track.slices)
    return {"baseTimeNanoseconds": base, "displayTimeUnit": "ns", "traceEvents": events}


def _chrome_event(item: Slice, lane: int, base: int) -> dict[str, Any]:
    return {
        "name": item.name,
        "cat": item.category,
        "ph": "X",
        "pid": 0,
        "tid": lane,
        "ts": (item.start - base) / 1000,
        "dur": (item.end - item.start) / 1000,
        "args": item.args,
    }
