"""Where a result was recorded, and whether two such places may be compared."""

import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from proton_xpu.report.document import DeviceTable
from proton_xpu.report.regress.verdicts import Reason

PACKAGES = ("proton_xpu", "triton", "triton-xpu", "pytorch-triton-xpu", "torch", "intel-pti")

_CLOCK_TOLERANCE = 0.02
_IDENTITY = ("name", "arch", "num_sms", "pci_device_id", "ip_version", "tile_count")
_DRIVER = "driver_version"
_CLOCKS = ("clock_rate", "memory_clock_rate")
_GIT_SECONDS = 10
_UNKNOWN_TICK = 100.0


@dataclass(frozen=True)
class Environment:
    """What may explain a difference between two results.

    `devices` holds the facts of the device table per "TYPE index"; `tracer` what recorded the
    kernels; `packages` versions of those of `PACKAGES` that are installed; `git` the revision.
    """

    devices: dict[str, dict[str, Any]] = field(default_factory=dict)
    tracer: dict[str, Any] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    system: dict[str, str] = field(default_factory=dict)
    git: dict[str, str] = field(default_factory=dict)

    @property
    def drivers(self) -> list[str]:
        """Driver versions of the devices, without repetition."""
        return sorted({str(facts[_DRIVER]) for facts in self.devices.values() if _DRIVER in facts})

    @property
    def revision(self) -> str:
        """The git revision, shortened, with a mark for uncommitted changes; empty if unknown."""
        short = self.git.get("revision", "")[:12]
        return f"{short}+changes" if short and self.git.get("dirty") == "yes" else short

    @property
    def tick(self) -> float:
        """Length in ns of the coarsest tick of the devices' timers; a safe guess if unknown."""
        rates = [facts.get("timer_hz") for facts in self.devices.values()]
        known = [rate for rate in rates if isinstance(rate, (int, float)) and rate > 0]
        return 1e9 / min(known) if known else _UNKNOWN_TICK

    def machine(self) -> str:
        """The devices in words, each kind once."""
        words = []
        for name, facts in sorted(self.devices.items()):
            details = [str(facts[key]) for key in ("arch",) if key in facts]
            if "num_sms" in facts:
                details.append(f"{facts['num_sms']} Xe cores")
            words.append(f"{facts.get('name', name)} ({', '.join(details)})")
        return " + ".join(dict.fromkeys(words)) or "unknown device"


def current_environment(
    devices: DeviceTable, tracer: Mapping[str, Any], folder: Path | None = None
) -> Environment:
    """The environment of this process, with what a profile says of devices and tracer.

    `folder` is where git is asked for the revision; the current one by default.
    """
    return Environment(
        devices=device_facts(devices),
        tracer=dict(tracer),
        packages=_package_versions(),
        system={
            "python": platform.python_version(),
            "kernel": platform.release(),
            "machine": platform.machine(),
            "host": platform.node(),
        },
        git=_git_state(folder or Path.cwd()),
    )


def device_facts(devices: DeviceTable) -> dict[str, dict[str, Any]]:
    """The device table with one level less: "XPU 0" -> facts."""
    return {
        f"{kind} {index}": dict(facts)
        for kind, by_index in devices.items()
        for index, facts in by_index.items()
    }


@dataclass(frozen=True)
class Mismatch:
    """A difference that forbids a comparison: `kind` is what the setting `allow` calls it."""

    kind: str
    reason: Reason
    text: str


def mismatches(base: Environment, new: Environment) -> list[Mismatch]:
    """Differences in device, driver and clock rates. What a side does not know cannot differ."""
    found = []
    ours, theirs = _identities(base), _identities(new)
    if ours and theirs and ours != theirs:
        text = f"base ran on {', '.join(ours)}; new ran on {', '.join(theirs)}"
        found.append(Mismatch("device", Reason.OTHER_DEVICE, text))
        return found
    if base.drivers and new.drivers and base.drivers != new.drivers:
        text = f"base ran with driver {', '.join(base.drivers)}; new with {', '.join(new.drivers)}"
        found.append(Mismatch("driver", Reason.OTHER_DRIVER, text))
    for name in base.devices.keys() & new.devices.keys():
        for clock in _CLOCKS:
            before, after = (side.devices[name].get(clock) for side in (base, new))
            if _differ(before, after):
                text = f"{clock} of {name} was {before} kHz in base and is {after} kHz in new"
                found.append(Mismatch("clock", Reason.OTHER_CLOCK, text))
    return found


def other_differences(base: Environment, new: Environment) -> list[str]:
    """Differences worth a note: package versions, the tracer, the operating system's kernel."""
    compared: list[tuple[str, Any, Any]] = [
        (name, base.packages.get(name, "absent"), new.packages.get(name, "absent"))
        for name in sorted(base.packages.keys() | new.packages.keys())
    ]
    compared += [
        (f"tracer {key}", base.tracer.get(key), new.tracer.get(key))
        for key in ("backend", "version")
    ]
    compared.append(
        ("operating system kernel", base.system.get("kernel"), new.system.get("kernel"))
    )
    return [
        f"{what} {before} in base, {after} in new"
        for what, before, after in compared
        if before and after and before != after
    ]


def _identities(environment: Environment) -> list[str]:
    return sorted(
        {
            " ".join(f"{key}={facts[key]}" for key in _IDENTITY if key in facts)
            for facts in environment.devices.values()
        }
        - {""}
    )


def _differ(before: object, after: object) -> bool:
    if not isinstance(before, (int, float)) or not isinstance(after, (int, float)):
        return False
    if not before or not after:
        return False
    return abs(after / before - 1) > _CLOCK_TOLERANCE


def _package_versions() -> dict[str, str]:
    found = {name: _version(name) for name in PACKAGES}
    return {name: version for name, version in found.items() if version is not None}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _git_state(folder: Path) -> dict[str, str]:
    revision = _git(folder, "rev-parse", "HEAD")
    if not revision:
        return {}
    state = {"revision": revision, "dirty": "yes" if _git(folder, "status", "-s", "-uno") else "no"}
    branch = os.environ.get("GITHUB_HEAD_REF") or os.environ.get("CI_COMMIT_REF_NAME")
    branch = branch or _git(folder, "branch", "--show-current")
    return {**state, "branch": branch} if branch else state


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(folder), *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
