"""Modes of a session as objects; `start(mode=...)` takes one of these or a string.

The mode string of a session is `name` or `name:key=value:...`. For Intel GPUs the modes are the
empty string, `memory_ops` and
`periodic_flushing[:format=hatchet|hatchet_msgpack|chrome_trace][:memory_ops=on]`. The
instrumentation modes exist so that code written for other GPUs can be imported.
"""

# ruff: noqa: N801 (upstream names its enums like this)

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TypeVar


class METRIC_TYPE(Enum):
    """What in-kernel instrumentation measures."""

    CYCLE = 0


class BUFFER_STRATEGY(Enum):
    """What happens when an instrumentation buffer is full."""

    CIRCULAR = 0
    FLUSH = 1


class BUFFER_TYPE(Enum):
    """Where an instrumentation buffer lives."""

    SHARED = 1
    GLOBAL = 2


class SAMPLING_STRATEGY(Enum):
    """Which units of a kernel are instrumented."""

    NONE = 0
    SELECTIVE = 1


class GRANULARITY(Enum):
    """What counts as one unit of a kernel."""

    CTA = 0
    WARP = 1
    WARP_2 = 2
    WARP_4 = 3
    WARP_8 = 4
    WARP_GROUP = 5
    WARP_GROUP_2 = 6
    WARP_GROUP_4 = 7
    WARP_GROUP_8 = 8


class Optimize(Enum):
    """Optimisations of in-kernel instrumentation."""

    TIMESHIFT = "time_shift"
    SCHED_STORES = "sched_stores"
    SCHED_BARRIERS = "sched_barriers"
    CLOCK32 = "clock32"

    def __str__(self) -> str:
        return self.value


_E = TypeVar("_E", bound=Enum)


def _by_name(enum: type[_E]) -> dict[str, _E]:
    return {member.name.lower(): member for member in enum}


metric_types = _by_name(METRIC_TYPE)
buffer_strategies = _by_name(BUFFER_STRATEGY)
buffer_types = _by_name(BUFFER_TYPE)
sampling_strategies = _by_name(SAMPLING_STRATEGY)
granularities = _by_name(GRANULARITY)
optimizations = {member.value: member for member in Optimize}


@dataclass(frozen=True)
class BaseMode:
    """A mode without options."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class PCSampling(BaseMode):
    """Program counter sampling every `interval` cycles. No Intel GPU profiler has it yet."""

    name: str = field(default="pcsampling", init=False)
    interval: int = 1000

    def __post_init__(self) -> None:
        if self.interval <= 0:
            raise ValueError("Interval must be a positive integer.")

    def __str__(self) -> str:
        return f"{self.name}:interval={self.interval}"


@dataclass(frozen=True)
class InstrumentationMode(BaseMode):
    """Options of in-kernel instrumentation; enum fields also take their names as strings."""

    metric_type: METRIC_TYPE = METRIC_TYPE.CYCLE
    sampling_strategy: SAMPLING_STRATEGY = SAMPLING_STRATEGY.NONE
    sampling_options: str = ""
    granularity: GRANULARITY = GRANULARITY.WARP
    buffer_strategy: BUFFER_STRATEGY = BUFFER_STRATEGY.CIRCULAR
    buffer_type: BUFFER_TYPE = BUFFER_TYPE.SHARED
    buffer_size: int = 0
    optimizations: list[Optimize] = field(default_factory=list)

    def __post_init__(self) -> None:
        tables: dict[str, dict[str, Enum]] = {
            "metric_type": {**metric_types},
            "sampling_strategy": {**sampling_strategies},
            "granularity": {**granularities},
            "buffer_strategy": {**buffer_strategies},
            "buffer_type": {**buffer_types},
        }
        for attribute, table in tables.items():
            value = getattr(self, attribute)
            if isinstance(value, str):
                if value not in table:
                    raise ValueError(f"Unknown {attribute}: {value}")
                object.__setattr__(self, attribute, table[value])
        given: object = self.optimizations
        if isinstance(given, str):
            object.__setattr__(self, "optimizations", _parse_optimizations(given))

    def __str__(self) -> str:
        parts = [self.name]
        for item in fields(self):
            if item.name != "name":
                value = getattr(self, item.name)
                if item.name == "optimizations":
                    value = ",".join(str(member) for member in value)
                parts.append(f"{item.name}={value}")
        return ":".join(parts)


@dataclass(frozen=True)
class Default(InstrumentationMode):
    """The default way to instrument a kernel."""

    name: str = field(default="default", init=False)


@dataclass(frozen=True)
class MMA(InstrumentationMode):
    """Instruments matrix operations."""

    name: str = field(default="mma", init=False)


def _parse_optimizations(names: str) -> list[Optimize]:
    parsed = []
    for name in filter(None, names.split(",")):
        if name not in optimizations:
            raise ValueError(f"Unknown optimization: {name}")
        parsed.append(optimizations[name])
    return parsed
