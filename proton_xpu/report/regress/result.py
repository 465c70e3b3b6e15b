"""Results: what the launches of one command measured, as a JSON file with a checksum.

The file holds a column per kernel and metric with one entry per launch, so that a thousand kernels
and ten launches are some hundred kilobytes. `schemas/result-1.json` describes it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from proton_xpu.report.regress.environment import Environment
from proton_xpu.report.regress.errors import ResultFormatError

FORMAT = "proton-xpu-regress-result"
VERSION = 1

KernelPath = tuple[str, ...]
"""Scopes from the outside in, then the kernel's name."""

Column = list["float | None"]

STATUSES = ("ok", "empty", "failed")


@dataclass(frozen=True)
class Launch:
    """One run of the measured program.

    `position` is its place in the order in which both sides ran, -1 if not known. `status` is
    "ok", "empty" (no kernel was recorded) or "failed"; `detail` tells more. `accounting` is what
    the profiler counted: launches, kernels, lost and so on.
    """

    position: int = -1
    status: str = "ok"
    detail: str = ""
    accounting: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """Launches of one side.

    `kernels` maps a kernel's path to metric -> one value per launch, None where a launch has none:
    `time` in ns per call, `count`, `bytes` and `util` as the profile has them. `limits` are limits
    that the measured tests themselves set, by the first name of the path. `session` is equal in
    two results whose launches were interleaved.
    """

    label: str
    created: str
    environment: Environment
    launches: list[Launch]
    kernels: dict[KernelPath, dict[str, Column]]
    command: list[str] = field(default_factory=list)
    session: str = ""
    limits: dict[str, float] = field(default_factory=dict)

    def usable(self) -> list[int]:
        """Indices of the launches that ran and recorded something."""
        return [index for index, launch in enumerate(self.launches) if launch.status == "ok"]

    def to_bytes(self) -> bytes:
        """The file's content."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "label": self.label,
            "created": self.created,
            "command": self.command,
            "session": self.session,
            "limits": self.limits,
            "environment": asdict(self.environment),
            "launches": [asdict(launch) for launch in self.launches],
            "kernels": [
                {"path": list(path), "metrics": metrics} for path, metrics in self.kernels.items()
            ],
        }
        body["checksum"] = _checksum(body)
        return (_text(body) + "\n").encode()

    def save(self, path: Path) -> None:
        """Writes the file. Raises `OSError`."""
        path.write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> "Result":
        """Reads a file. Raises `OSError` or `ResultFormatError`."""
        return cls.from_bytes(path.read_bytes(), str(path))

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> "Result":
        """Reads a file's content; `source` names it in messages. Raises `ResultFormatError`."""
        try:
            body = json.loads(data)
        except ValueError as error:
            raise ResultFormatError(f"{source}: this is no result: {error}") from error
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise ResultFormatError(
                f"{source}: this is no result; make one with `proton-xpu regress record`"
            )
        if body.get("version") != VERSION:
            raise ResultFormatError(
                f"{source}: version {body.get('version')} of the format is not known here; record"
                f" it anew or use the release of proton_xpu that wrote it"
            )
        if body.pop("checksum", None) != _checksum(body):
            raise ResultFormatError(
                f"{source}: the content does not fit its checksum; the file was damaged or edited"
            )
        try:
            return _decoded(body)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ResultFormatError(
                f"{source}: a part is missing or malformed: {error!r}"
            ) from error


def _decoded(body: Mapping[str, Any]) -> "Result":
    launches = [Launch(**launch) for launch in body["launches"]]
    for launch in launches:
        if launch.status not in STATUSES:
            raise ValueError(f"status {launch.status!r}")
    kernels: dict[KernelPath, dict[str, Column]] = {}
    for kernel in body["kernels"]:
        path = tuple(map(str, kernel["path"]))
        if not path:
            raise ValueError("a kernel without a name")
        kernels[path] = {
            str(metric): _column(values, len(launches))
            for metric, values in kernel["metrics"].items()
        }
    return Result(
        label=str(body["label"]),
        created=str(body["created"]),
        environment=Environment(**body["environment"]),
        launches=launches,
        kernels=kernels,
        command=list(map(str, body["command"])),
        session=str(body["session"]),
        limits={str(name): float(limit) for name, limit in body["limits"].items()},
    )


def _column(values: Sequence[Any], launches: int) -> Column:
    if len(values) != launches:
        raise ValueError(f"{len(values)} values for {launches} launches")
    if not {int, float, type(None)}.issuperset(map(type, values)):
        raise ValueError("a value that is no number")
    return list(values)


def _text(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _checksum(body: Mapping[str, Any]) -> str:
    return "sha256:" + hashlib.sha256(_text(body).encode()).hexdigest()
