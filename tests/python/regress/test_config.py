from pathlib import Path

import pytest

from proton_xpu.report.regress.config import (
    PRESETS,
    Config,
    dump_config,
    from_mapping,
    load_config,
)
from proton_xpu.report.regress.errors import ConfigError

PYPROJECT = """
[tool.proton_xpu.regress]
preset = "strict"
runs = 7
allow = ["clock"]
min_difference = "1us"

[tool.proton_xpu.regress.thresholds.time]
"*/softmax*" = "10%"
"slow" = "off"
"*" = "3%"

[tool.proton_xpu.regress.thresholds.count]
"*" = "0%"

[tool.proton_xpu.regress.renames]
"a/old" = "a/new"
"""


@pytest.fixture
def pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "pyproject.toml"
    path.write_text(PYPROJECT)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return path


def test_settings_come_from_the_nearest_pyproject(pyproject: Path) -> None:
    config = load_config(None)
    assert config == load_config(pyproject)
    assert (config.runs, config.strict, config.max_regression) == (7, True, 0.01)
    assert config.allow == ("clock",)
    assert config.min_difference == 1000
    assert config.renames == {"a/old": "a/new"}


def test_a_file_of_its_own_needs_no_table(tmp_path: Path) -> None:
    path = tmp_path / "perf.toml"
    path.write_text('max_regression = "7%"\n')
    assert load_config(path).max_regression == 0.07


def test_the_command_line_wins(pyproject: Path) -> None:
    overrides = {"runs": 3, "preset": "lenient", "baseline": None}
    config = load_config(pyproject, overrides)
    assert (config.runs, config.gone, config.max_regression) == (3, "pass", 0.05)


def test_without_a_file_there_are_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config(None) == Config()


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        (("model", "softmax_fwd"), 0.10),
        (("softmax", "matmul"), 0.03),
        (("model", "slow"), None),
        (("slow",), None),
    ],
)
def test_the_first_pattern_that_fits_gives_the_limit(
    pyproject: Path, path: tuple[str, ...], limit: float | None
) -> None:
    config = load_config(pyproject)
    assert config.limit("time", path) == limit
    assert config.limit("count", path) == 0.0
    assert config.limit("bytes", path) is None
    assert config.gated_metrics() == ["time", "count"]


@pytest.mark.parametrize("preset", PRESETS)
def test_dumped_settings_read_back_to_the_same(preset: str, tmp_path: Path) -> None:
    config = from_mapping(
        {
            "preset": preset,
            "baseline": "git:perf",
            "allow": ["driver"],
            "thresholds": {"time": {'odd "name"': "off", "*": "2.5%"}, "util": {"*": "5%"}},
            "renames": {"a/é": "b"},
        },
        "test",
    )
    path = tmp_path / "dump.toml"
    path.write_text(dump_config(config))
    assert load_config(path) == config


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_regresion": "5%"}, "max_regresion is no setting"),
        ({"max_regression": "5"}, "max_regression: '5' is no share"),
        ({"runs": 0}, "runs: 0 must be a whole number of at least 1"),
        ({"runs": True}, "runs: True must be"),
        ({"strict": 1}, "strict: 1 must be true or false"),
        ({"preset": "brave"}, "preset: 'brave' must be one of default, strict, lenient"),
        ({"gone": "maybe"}, "gone: 'maybe' must be one of fail, pass"),
        ({"allow": "driver"}, "allow: 'driver' must be a list"),
        ({"allow": ["os"]}, "allow: 'os' must be one of device, driver, clock"),
        ({"thresholds": {"speed": {"*": "5%"}}}, "thresholds.speed is no setting"),
        ({"thresholds": {"time": {"*": "fast"}}}, "thresholds.time.*: 'fast' is no share"),
        ({"thresholds": {"time": "5%"}}, "thresholds.time: '5%' must be a table"),
        ({"max_false_rows": "100%"}, "max_false_rows: '100%' must lie between"),
        ({"baseline": ""}, "baseline: '' must be a text"),
        ({"min_difference": 100}, "min_difference: 100 is no duration"),
        ({"renames": {"a": 1}}, "renames.a: 1 must be a text"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_mapping(settings, "perf.toml")
    assert message in str(caught.value)
    assert "perf.toml" in str(caught.value)


def test_broken_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "perf.toml"
    path.write_text("runs = = 3")
    with pytest.raises(ConfigError, match=r"perf\.toml: not valid TOML"):
        load_config(path)
