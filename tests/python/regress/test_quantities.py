import pytest

from proton_xpu.report.regress.errors import ConfigError
from proton_xpu.report.regress.quantities import (
    change_text,
    duration_text,
    nanoseconds,
    share,
    share_text,
)


@pytest.mark.parametrize(
    ("text", "value"), [("5%", 0.05), (" 0.5 % ", 0.005), (0.05, 0.05), (0, 0)]
)
def test_shares(text: object, value: float) -> None:
    assert share(text, "key") == pytest.approx(value)


@pytest.mark.parametrize("text", ["5", "-5%", "five", -0.1, float("nan"), float("inf"), True, None])
def test_what_is_no_share(text: object) -> None:
    with pytest.raises(ConfigError, match=r"^key: .* is no share"):
        share(text, "key")


@pytest.mark.parametrize(
    ("text", "value"), [("100ns", 100), ("2.5 us", 2500), ("1ms", 1e6), ("2s", 2e9)]
)
def test_durations(text: str, value: float) -> None:
    assert nanoseconds(text, "key") == value


@pytest.mark.parametrize("text", ["100", 100, "1 min", ""])
def test_what_is_no_duration(text: object) -> None:
    with pytest.raises(ConfigError, match=r"^key: .* is no duration"):
        nanoseconds(text, "key")


def test_texts() -> None:
    assert share_text(0.025) == "2.5%"
    assert [duration_text(ns) for ns in (12.0, 1234.0, 5e6, 2e9)] == [
        "12 ns",
        "1.234 us",
        "5 ms",
        "2 s",
    ]
    assert change_text(1.0512) == "+5.1 %"
    assert change_text(0.9) == "-10.0 %"
    assert change_text(25.0) == "x25"
