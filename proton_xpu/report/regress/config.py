"""Settings: `[tool.proton_xpu.regress]` in pyproject.toml, or a TOML file of their own.

Strict: an unknown key or a value of the wrong kind is an error that names the key.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from proton_xpu.report.packages import require
from proton_xpu.report.regress.errors import ConfigError
from proton_xpu.report.regress.quantities import nanoseconds, share, share_text

METRICS = ("time", "count", "bytes", "util", "launches")
"""What can be gated, per kernel but for `launches`, which is of the whole run.

Only a smaller `util` is worse; of the others more is.
"""

ALLOWABLE = ("device", "driver", "clock")
OFF = "off"

_TABLE = ("tool", "proton_xpu", "regress")


@dataclass(frozen=True)
class Config:
    """All settings with their defaults; docs/regress.md tells what they mean."""

    preset: str = "default"
    runs: int = 5
    warmup: int = 1
    data: str = "tree"
    baseline: str | None = None
    history: int = 20
    max_regression: float = 0.02
    max_false_reports: float = 0.025
    max_false_rows: float = 0.08
    max_cv: float = 0.10
    max_lost: float = 0.0
    min_difference: float = 100.0
    min_share: float = 0.0
    gone: str = "fail"
    strict: bool = False
    allow: tuple[str, ...] = ()
    thresholds: dict[str, dict[str, float | None]] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)

    def limit(self, metric: str, path: tuple[str, ...]) -> float | None:
        """The share by which `metric` of the kernel may get worse; None if it is not gated.

        Patterns are tried in the order of the file against the whole path and the kernel's name.
        """
        whole = "/".join(path)
        for pattern, limit in self.thresholds.get(metric, {}).items():
            if fnmatchcase(whole, pattern) or fnmatchcase(path[-1], pattern):
                return limit
        return self.max_regression if metric == "time" else None

    def gated_metrics(self) -> list[str]:
        """Metrics that some kernel can fail by."""
        return [metric for metric in METRICS if metric == "time" or self.thresholds.get(metric)]


PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "strict": {"max_regression": 0.01, "strict": True, "max_cv": 0.05},
    "lenient": {"max_regression": 0.05, "min_share": 0.001, "gone": "pass", "max_lost": 0.01},
}
"""What each preset changes from the defaults."""


def _integer(least: int) -> Callable[[object, str], int]:
    def read(value: object, key: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        raise ConfigError(f"{key}: {value!r} must be a whole number of at least {least}")

    return read


def _choice(*choices: str) -> Callable[[object, str], str]:
    def read(value: object, key: str) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ConfigError(f"{key}: {value!r} must be one of {', '.join(choices)}")

    return read


def _text(value: object, key: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise ConfigError(f"{key}: {value!r} must be a text that is not empty")


def _truth(value: object, key: str) -> bool:
    if isinstance(value, bool):
        return value
    raise ConfigError(f"{key}: {value!r} must be true or false")


def _allowances(value: object, key: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_choice(*ALLOWABLE)(item, key) for item in value)
    raise ConfigError(f"{key}: {value!r} must be a list of {', '.join(ALLOWABLE)}")


def _probability(value: object, key: str) -> float:
    probability = share(value, key)
    if 0 < probability < 1:
        return probability
    raise ConfigError(f"{key}: {value!r} must lie between 0% and 100%")


def _thresholds(value: object, key: str) -> dict[str, dict[str, float | None]]:
    return {
        metric: {
            pattern: None if limit == OFF else share(limit, f"{key}.{metric}.{pattern}")
            for pattern, limit in _table(limits, f"{key}.{metric}").items()
        }
        for metric, limits in _table(value, key, METRICS).items()
    }


def _renames(value: object, key: str) -> dict[str, str]:
    return {old: _text(new, f"{key}.{old}") for old, new in _table(value, key).items()}


def _table(value: object, key: str, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{key}: {value!r} must be a table")
    for name in value:
        if known is not None and name not in known:
            raise ConfigError(f"{key}.{name} is no setting; there are {', '.join(known)}")
    return value


_READERS: dict[str, Callable[[object, str], Any]] = {
    "preset": _choice(*PRESETS),
    "runs": _integer(1),
    "warmup": _integer(0),
    "data": _choice("tree", "trace"),
    "baseline": _text,
    "history": _integer(0),
    "max_regression": share,
    "max_false_reports": _probability,
    "max_false_rows": _probability,
    "max_cv": share,
    "max_lost": share,
    "min_difference": nanoseconds,
    "min_share": share,
    "gone": _choice("fail", "pass"),
    "strict": _truth,
    "allow": _allowances,
    "thresholds": _thresholds,
    "renames": _renames,
}


def from_mapping(settings: Mapping[str, Any], source: str) -> Config:
    """Settings from a decoded table. `source` names the file in error messages.

    Raises `ConfigError`.
    """
    for key in settings:
        if key not in _READERS:
            raise ConfigError(f"{source}: {key} is no setting; there are {', '.join(_READERS)}")
    read = {key: _READERS[key](value, f"{source}: {key}") for key, value in settings.items()}
    return replace(Config(), **{**PRESETS[read.get("preset", "default")], **read})


def load_config(path: Path | None, overrides: Mapping[str, Any] | None = None) -> Config:
    """Settings from `path`, or from the nearest pyproject.toml at or above the current folder.

    `overrides` are settings in the file's own notation that win over the file's, except that an
    overridden preset changes only what the file does not set. Raises `ConfigError`, `OSError`.
    """
    found = path or _nearest_pyproject()
    settings: dict[str, Any] = {}
    if found is not None:
        settings = _read_table(found, required=path is not None)
    merged = {**settings, **{k: v for k, v in (overrides or {}).items() if v is not None}}
    return from_mapping(merged, str(found or "command line"))


def _nearest_pyproject() -> Path | None:
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pyproject.toml").is_file():
            return folder / "pyproject.toml"
    return None


def _read_table(path: Path, *, required: bool) -> dict[str, Any]:
    module = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    toml = require(module, "tomli", "reading settings")
    try:
        content: Any = toml.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    table = content
    for name in _TABLE:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    if path.name == "pyproject.toml" or "tool" in content:
        return _table(table, ".".join(_TABLE))
    return dict(content) if required else {}


def dump_config(config: Config) -> str:
    """The settings as TOML that `load_config` reads back to the same settings."""
    lines = []
    tables = []
    for item in fields(config):
        value = getattr(config, item.name)
        if item.name == "renames":
            tables += ["", "[renames]", *(f"{_toml(a)} = {_toml(b)}" for a, b in value.items())]
        elif item.name == "thresholds":
            for metric, limits in value.items():
                tables += ["", f"[thresholds.{metric}]"]
                tables += [
                    f"{_toml(pattern)} = {_toml(OFF if limit is None else share_text(limit))}"
                    for pattern, limit in limits.items()
                ]
        elif item.name == "min_difference":
            lines.append(f'min_difference = "{value:.10g}ns"')
        elif isinstance(value, float):
            lines.append(f"{item.name} = {_toml(share_text(value))}")
        elif value is not None:
            lines.append(f"{item.name} = {_toml(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _toml(value: object) -> str:
    """TOML's strings, numbers, truths and lists of them are written as JSON's."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
