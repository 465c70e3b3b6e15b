"""Kernels by arithmetic intensity against the ceilings of the device that ran them."""

from dataclasses import dataclass

from proton_xpu.report.calltree import Metrics
from proton_xpu.report.errors import NoMatchError
from proton_xpu.report.frames import flattened, without_helpers
from proton_xpu.report.metrics import base_name
from proton_xpu.report.peaks import FLOPS_WIDTHS, bps_of, flops_of
from proton_xpu.report.profile import Profile


@dataclass(frozen=True)
class Point:
    """A kernel: all launches of one name on one device.

    `width` is the operand width in bits of most of its operations, `intensity` operations a byte,
    `attainable` the operations a second that the ceilings allow at that intensity (None if the
    device's peaks are not known).
    """

    name: str
    device: str
    width: int
    flops: float
    bytes: float
    seconds: float
    attainable: float | None
    bound: str
    """ "memory" or "compute"; empty if the peaks are not known."""

    @property
    def intensity(self) -> float:
        """Operations a byte."""
        return self.flops / self.bytes

    @property
    def rate(self) -> float:
        """Operations a second."""
        return self.flops / self.seconds

    @property
    def efficiency(self) -> float | None:
        """The rate's share of what is attainable; None if the peaks are not known."""
        return None if self.attainable is None else self.rate / self.attainable


@dataclass(frozen=True)
class Roof:
    """The ceilings of a device: operations a second by operand width, and bytes a second."""

    device: str
    name: str
    flops: dict[int, float]
    bytes_per_second: float | None


@dataclass(frozen=True)
class Roofline:
    """Points, largest time first, the roofs of their devices, and what is missing."""

    points: list[Point]
    roofs: list[Roof]
    notes: list[str]


def roofline(profile: Profile) -> Roofline:
    """Places the kernels of a profile. Raises `NoMatchError` if none has both flops and bytes."""
    flat = flattened(without_helpers(profile.tree))
    roofs: dict[str, Roof] = {}
    points: list[Point] = []
    left_out = 0
    for name, row in zip(flat.names[1:], flat.metrics[1:], strict=True):
        kind, index = str(row.get("device_type")), str(row.get("device_id"))
        if "device_type" not in row:
            continue
        device = f"{kind} {index}"
        if device not in roofs:
            roofs[device] = _roof(device, kind, profile.devices.get(kind, {}).get(index, {}))
        point = _point(name, device, row, roofs[device])
        if point is None:
            left_out += 1
        else:
            points.append(point)
    if not points:
        raise NoMatchError(
            f"{profile.path or 'the profile'}: no kernel has flops8, flops16, flops32 or flops64"
            " and bytes; give them through the launch metadata (hook='triton')"
        )
    notes = [f"{left_out} kernels without flops or bytes are not shown"] if left_out else []
    used = {point.device for point in points}
    shown = [roof for roof in roofs.values() if roof.device in used]
    notes += [
        f"the ceilings of device {roof.device} ({roof.name}) are not known"
        for roof in shown
        if not roof.flops or roof.bytes_per_second is None
    ]
    points.sort(key=lambda point: -point.seconds)
    return Roofline(points, shown, notes)


def _roof(device: str, kind: str, facts: dict[str, object]) -> Roof:
    peaks = {width: flops_of(kind, facts, width) for width in FLOPS_WIDTHS}
    known = {width: peak for width, peak in peaks.items() if peak is not None}
    name = facts.get("name") or facts.get("arch") or "unknown"
    return Roof(device, str(name), known, bps_of(kind, facts))


def _point(name: str, device: str, row: Metrics, roof: Roof) -> Point | None:
    numbers = {base_name(k): v for k, v in row.items() if isinstance(v, (int, float))}
    flops = {width: numbers.get(f"flops{width}", 0) for width in FLOPS_WIDTHS}
    total, moved = sum(flops.values()), numbers.get("bytes", 0)
    seconds = numbers.get("time", 0) * 1e-9
    if total <= 0 or moved <= 0 or seconds <= 0:
        return None
    width = max(FLOPS_WIDTHS, key=lambda w: flops[w])
    attainable, bound = None, ""
    peak, bandwidth = roof.flops.get(width), roof.bytes_per_second
    if peak is not None and bandwidth is not None:
        by_memory = total / moved * bandwidth
        attainable = min(peak, by_memory)
        bound = "memory" if by_memory < peak else "compute"
    return Point(name, device, width, total, moved, seconds, attainable, bound)
