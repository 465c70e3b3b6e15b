"""From the profiles of one launch to one number per kernel and metric."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proton_xpu.report.document import DeviceTable
from proton_xpu.report.errors import MetricNotFoundError
from proton_xpu.report.frames import without_helpers
from proton_xpu.report.loading import part_files
from proton_xpu.report.profile import Profile
from proton_xpu.report.regress.durations import median_times
from proton_xpu.report.regress.result import KernelPath, Launch

SUFFIXES = ("hatchet", "hatchet_msgpack", "chrome_trace")

_METADATA = "proton_xpu"
_DEVICE_TYPE = "XPU"


@dataclass
class Measurement:
    """What one launch recorded: metric -> value per kernel, and what profiles say of the run."""

    kernels: dict[KernelPath, dict[str, float]] = field(default_factory=dict)
    devices: DeviceTable = field(default_factory=dict)
    accounting: dict[str, int] = field(default_factory=dict)
    tracer: dict[str, Any] = field(default_factory=dict)

    def launch(self, position: int = -1) -> Launch:
        """The launch's entry in a result."""
        if self.kernels:
            return Launch(position, "ok", "", self.accounting)
        return Launch(position, "empty", "the profile holds no kernel", self.accounting)

    def add(self, profile: Profile, prefix: tuple[str, ...] = ()) -> None:
        """Adds the kernels of a profile, below the scopes of `prefix`.

        Equal paths become one kernel. A frame that ran kernels is one, wherever it stands.
        """
        tree = without_helpers(profile.tree)
        kept = Profile(tree, profile.devices, profile.metadata, profile.path)
        medians = median_times(Path(profile.path)) if profile.path else {}
        utils = _utils(kept)
        for index, row in enumerate(tree.metrics):
            count, time = row.get("count"), row.get("time (ns)")
            if not isinstance(count, (int, float)) or count <= 0:
                continue
            inner = _encodable(tree.path(index)[1:] or [tree.names[index]])
            entry = self.kernels.setdefault(prefix + inner, {})
            values = {"count": float(count)}
            if isinstance(time, (int, float)) and time > 0:
                values["time"] = medians.get(inner, time / count)
            if isinstance(row.get("bytes"), (int, float)):
                values["bytes"] = float(row["bytes"])  # type: ignore[arg-type]
            if utils[index] is not None:
                values["util"] = float(utils[index])  # type: ignore[arg-type]
            _merge(entry, values)
        self._note(profile)

    def _note(self, profile: Profile) -> None:
        ours = profile.metadata.get(_METADATA)
        if isinstance(ours, Mapping):
            for name, value in ours.get("accounting", {}).items():
                self.accounting[name] = self.accounting.get(name, 0) + int(value)
            self.tracer = dict(ours.get("tracer", self.tracer))
        for kind, by_index in _devices(profile).items():
            self.devices.setdefault(kind, {}).update(by_index)


def _encodable(path: list[str]) -> KernelPath:
    """The path without halves of characters, which JSON can bring in but no file can hold."""
    return tuple(name.encode("utf-8", "replace").decode() for name in path)


def _devices(profile: Profile) -> DeviceTable:
    """The device table; a trace has it with what the writer says of the run."""
    ours = profile.metadata.get(_METADATA)
    if not profile.devices and isinstance(ours, Mapping):
        return {_DEVICE_TYPE: ours.get("devices", {})}
    return profile.devices


def _merge(entry: dict[str, float], values: Mapping[str, float]) -> None:
    """Two frames of equal path: counts and bytes add up, time and util are averaged by count."""
    if not entry:
        entry.update(values)
        return
    weight, more = entry["count"], values["count"]
    for metric in ("time", "util"):
        if metric in entry and metric in values:
            mixed = entry[metric] * weight + values[metric] * more
            entry[metric] = mixed / (weight + more)
        elif metric in values:
            entry[metric] = values[metric]
    for metric in ("count", "bytes"):
        if metric in values:
            entry[metric] = entry.get(metric, 0.0) + values[metric]


def _utils(profile: Profile) -> list[float | int | None]:
    try:
        return profile.column("util").values
    except MetricNotFoundError:
        return [None] * len(profile)


def measure(base_path: Path) -> Measurement:
    """Reads what a launch wrote at `base_path`, a path without suffix, or a profile, or a folder.

    In a folder every profile is read, its kernels below a scope with the profile's name. Nothing
    found is an empty measurement. Raises `OSError` or `ProfileFormatError`.
    """
    measurement = Measurement()
    if base_path.is_dir():
        for path in sorted(_profiles_in(base_path)):
            measurement.add(Profile.load(path), (path.name.rsplit(".", 1)[0],))
        return measurement
    for path in _profiles_at(base_path):
        measurement.add(Profile.load(path))
    return measurement


def _profiles_in(folder: Path) -> Iterable[Path]:
    return (path for suffix in SUFFIXES for path in folder.glob(f"*.{suffix}"))


def _profiles_at(base_path: Path) -> list[Path]:
    if base_path.is_file():
        return [base_path]
    candidates = [base_path.with_name(f"{base_path.name}.{suffix}") for suffix in SUFFIXES]
    return [path for path in candidates if path.exists() or part_files(path)]
