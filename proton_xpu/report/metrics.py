"""Metrics of a call tree: which there are, and the derived ones (rates, averages, shares)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from proton_xpu.report.calltree import CallTree, Number
from proton_xpu.report.document import DeviceTable
from proton_xpu.report.errors import MetricNotFoundError, MetricUnitError
from proton_xpu.report.peaks import FLOPS_WIDTHS, bps_of, flops_of

TIME_UNITS = {"s": 1e-9, "ms": 1e-6, "us": 1e-3, "ns": 1}
"""Factor from nanoseconds to each unit."""

_PREFIXES = {"": 1.0, "g": 1e9, "t": 1e12}

_TIME = re.compile(r"(avg_)?(cpu_)?time")
_RATE = re.compile(r"(g|t|)(?:(flop)(8|16|32|64|)|byte)")
_UNIT = re.compile(r"\s*\([^()]*\)$")

# Totals of the subtree by nature, whether or not the root lists them.
_ALWAYS_INCLUSIVE = re.compile(r"count|time|flops(8|16|32|64|)|bytes")

_NOT_NUMBERS = ("device_id", "device_type")

_PeakOf: TypeAlias = Callable[[str, Mapping[str, Any]], float | None]


@dataclass(frozen=True)
class Column:
    """One metric of every frame.

    `label` is the name with " (inc)" for an inclusive metric. `additive` tells whether values of
    different frames or runs may be added and subtracted (time may, a rate may not).
    """

    name: str
    inclusive: bool
    additive: bool
    values: list[Number | None]

    @property
    def label(self) -> str:
        """The name as hatchet's columns have it."""
        return f"{self.name} (inc)" if self.inclusive else self.name


def base_name(raw: str) -> str:
    """A recorded metric's name without its unit, in lower case: "time (ns)" -> "time"."""
    return _UNIT.sub("", raw).strip().lower()


class MetricTable:
    """All metrics of one tree. Columns are computed when asked for, then kept."""

    def __init__(self, tree: CallTree, devices: DeviceTable) -> None:
        self.tree = tree
        self.devices = devices
        self.notes: list[str] = []
        """Why a derived metric is absent where one might expect it."""
        self._raw: dict[str, str] = {}
        for raw in tree.metric_names():
            self._raw.setdefault(base_name(raw), raw)
        self._at_root = {
            base_name(raw) for root in tree.roots() for raw in tree.metrics[root]
        }.difference(_NOT_NUMBERS)
        self._columns: dict[str, list[Number | None]] = {}

    def recorded(self) -> dict[str, str]:
        """Name in the file of each recorded metric, by its name without unit."""
        return dict(self._raw)

    def is_numeric(self, name: str) -> bool:
        """Whether a recorded metric, named without unit, is a number wherever it stands."""
        raw = self._raw[name]
        values = [row[raw] for row in self.tree.metrics if raw in row]
        return all(value is None or isinstance(value, (int, float)) for value in values)

    def inclusive_names(self) -> list[str]:
        """Metrics that are summed over the subtree, without units."""
        return [name for name in self._raw if self.is_inclusive(name)]

    def exclusive_names(self) -> list[str]:
        """Metrics of a frame itself, without units; includes text such as `device_id`."""
        return [name for name in self._raw if not self.is_inclusive(name)]

    def derived_names(self) -> list[str]:
        """Derived metrics that this profile's recorded ones allow."""
        names: list[str] = []
        for clock in ("time", "cpu_time"):
            if clock in self._raw:
                names += [f"{clock}/{unit}" for unit in TIME_UNITS]
                if "count" in self._raw:
                    names += [f"avg_{clock}/{unit}" for unit in TIME_UNITS]
        if "time" in self._raw:
            for width in ("", *map(str, FLOPS_WIDTHS)):
                if f"flops{width}" in self._raw:
                    names += [f"{prefix}flop{width}/s" for prefix in _PREFIXES]
            if "bytes" in self._raw:
                names += [f"{prefix}byte/s" for prefix in _PREFIXES]
            if self._has_work():
                names.append("util")
        names += [f"{name}/%" for name in self.inclusive_names()]
        return names

    def is_inclusive(self, name: str) -> bool:
        """Whether a recorded metric, named without unit, is summed over the subtree.

        The root's own metrics say so; work and time always are.
        """
        return name in self._at_root or _ALWAYS_INCLUSIVE.fullmatch(name) is not None

    def derive(self, name: str) -> Column:
        """The column of a recorded or derived metric; see `derived_names`.

        Raises `MetricNotFoundError` if the profile lacks what it needs, `MetricUnitError` for a
        unit the metric does not have.
        """
        metric, slash, unit = name.strip().rpartition("/")
        if not slash:
            return self._util(name) if base_name(name) == "util" else self._recorded(name)
        metric, unit = base_name(metric), unit.lower()
        if unit == "%":
            return self._share(name, metric)
        time = _TIME.fullmatch(metric)
        if time and unit in TIME_UNITS:
            return self._time(name, time, TIME_UNITS[unit])
        rate = _RATE.fullmatch(metric)
        if rate and unit == "s":
            return self._rate(name, rate)
        raise MetricUnitError(f"Unsupported unit {unit} in {name}; {self._known_units(metric)}")

    def _known_units(self, metric: str) -> str:
        if _TIME.fullmatch(metric):
            return f"{metric} has the units {', '.join(TIME_UNITS)} and %"
        if _RATE.fullmatch(metric):
            return f"{metric} has the unit s"
        return "only times, flop and byte rates have units, and % shows a share of the whole"

    def _recorded(self, name: str) -> Column:
        metric = base_name(name)
        if _TIME.fullmatch(metric) and metric not in self._raw:
            source = metric.removeprefix("avg_")
            if source != metric and source in self._raw:
                raise MetricUnitError(f"{metric} needs a unit: {metric}/us, for example")
        values = self._numbers(metric)
        return Column(name, self.is_inclusive(metric), True, values)

    def _numbers(self, metric: str) -> list[Number | None]:
        """A recorded metric, summed over the subtree if it is inclusive."""
        values = self._columns.get(metric)
        if values is None:
            values = self._exclusive(metric)
            if self.is_inclusive(metric):
                values = self.tree.subtree_sum(values)
            self._columns[metric] = values
        return values

    def _exclusive(self, metric: str) -> list[Number | None]:
        raw = self._raw.get(metric)
        if raw is None:
            raise MetricNotFoundError(
                f"Metric {metric} is not found. Use the --list flag to list available metrics;"
                f" this profile has: {', '.join(self._raw) or 'none'}"
            )
        values = self.tree.numbers(raw)
        if metric not in self._at_root and all(value is None for value in values):
            raise MetricNotFoundError(
                f"Metric {metric} has no numbers to show; it holds text or lists"
            )
        return values

    def _time(self, name: str, match: re.Match[str], factor: float) -> Column:
        average, cpu = match.groups()
        source = f"{cpu or ''}time"
        values = self._numbers(source)
        inclusive = self.is_inclusive(source)
        if average:
            counts = self._numbers("count")
            return Column(name, inclusive, False, _ratio(values, counts, factor))
        return Column(name, inclusive, True, _scaled(values, factor))

    def _rate(self, name: str, match: re.Match[str]) -> Column:
        prefix, flop, width = match.groups()
        work = f"flops{width}" if flop else "bytes"
        if work not in self._raw:
            present = [f"flops{w}" for w in ("", *FLOPS_WIDTHS) if f"flops{w}" in self._raw]
            hint = f"; this profile has {', '.join(present)}" if flop and present else ""
            raise MetricNotFoundError(
                f"Metric {work}, which {name} needs, is not found{hint}. Use the --list flag to"
                " list available metrics"
            )
        seconds = _scaled(self._numbers("time"), TIME_UNITS["s"])
        values = _ratio(self._numbers(work), seconds, 1 / _PREFIXES[prefix])
        return Column(name, True, False, values)

    def _share(self, name: str, metric: str) -> Column:
        values = self._numbers(metric)
        inclusive = self.is_inclusive(metric)
        parts = [values[root] for root in self.tree.roots()] if inclusive else values
        total = sum(value for value in parts if value is not None)
        if not total:
            return Column(name, inclusive, False, [None] * len(values))
        return Column(name, inclusive, False, _scaled(values, 100 / total))

    def _has_work(self) -> bool:
        work = {f"flops{width}" for width in FLOPS_WIDTHS} | {"bytes"}
        return not work.isdisjoint(self._raw)

    def _util(self, name: str) -> Column:
        """Least time the device needs for the frame's work, over the time it took."""
        if not self._has_work():
            raise MetricNotFoundError(
                "Metric util needs flops8, flops16, flops32, flops64 or bytes, which this profile"
                " does not have; give them through the launch metadata or a scope's metrics"
            )
        least = self.least_times()
        seconds = _scaled(self._exclusive("time"), TIME_UNITS["s"])
        return Column(name, False, False, _ratio(least, seconds, 1))

    def least_times(self) -> list[Number | None]:
        """Seconds each frame's own flops and bytes need at the device's peak rates.

        None for frames without a device, without work, or on a device whose peak is unknown.
        """
        flops = self.flop_times()
        memory = self.byte_times()
        return [
            max((t for t in times if t is not None), default=None)
            for times in zip(flops, memory, strict=True)
        ]

    def flop_times(self) -> list[Number | None]:
        """Seconds each frame's own `flops<width>` need at the peak rates, added over the widths."""
        works = [
            (f"flops{width}", _peak_by_width(width))
            for width in FLOPS_WIDTHS
            if f"flops{width}" in self._raw
        ]
        return self._work_times(works)

    def byte_times(self) -> list[Number | None]:
        """Seconds each frame's own `bytes` need at the memory's peak rate."""
        return self._work_times([("bytes", bps_of)] if "bytes" in self._raw else [])

    def _work_times(self, works: list[tuple[str, _PeakOf]]) -> list[Number | None]:
        peaks: dict[tuple[str, str, str], float | None] = {}
        raws = [(self._raw[work], work, peak) for work, peak in works]
        times: list[Number | None] = []
        for row in self.tree.metrics:
            total: Number | None = None
            kind, index = str(row.get("device_type")), str(row.get("device_id"))
            for raw, work, peak in raws:
                amount = row.get(raw)
                if not isinstance(amount, (int, float)) or "device_type" not in row:
                    continue
                key = (kind, index, work)
                if key not in peaks:
                    peaks[key] = self._peak(kind, index, work, peak)
                rate = peaks[key]
                if rate is not None:
                    total = (total or 0) + amount / rate
            times.append(total)
        return times

    def _peak(self, kind: str, index: str, work: str, peak: _PeakOf) -> float | None:
        facts = self.devices.get(kind, {}).get(index, {})
        rate = peak(kind, facts)
        if rate is None:
            arch = facts.get("arch", "unknown")
            self.notes.append(
                f"the peak rate for {work} of device {kind} {index} ({arch}) is not known, so"
                " util leaves it out"
            )
        return rate


def _peak_by_width(width: int) -> _PeakOf:
    return lambda kind, facts: flops_of(kind, facts, width)


def _scaled(values: list[Number | None], factor: float) -> list[Number | None]:
    if factor == 1:
        return values
    return [None if value is None else value * factor for value in values]


def _ratio(
    values: list[Number | None], divisors: list[Number | None], factor: float
) -> list[Number | None]:
    return [
        value * factor / divisor if value is not None and divisor else None
        for value, divisor in zip(values, divisors, strict=True)
    ]
