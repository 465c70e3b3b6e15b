"""Mode objects and their strings."""

import dataclasses

import pytest

from proton_xpu import mode


def test_base_mode_is_its_name() -> None:
    assert str(mode.BaseMode("periodic_flushing:format=hatchet")) == (
        "periodic_flushing:format=hatchet"
    )


def test_pc_sampling() -> None:
    assert str(mode.PCSampling()) == "pcsampling:interval=1000"
    assert str(mode.PCSampling(interval=7)) == "pcsampling:interval=7"


@pytest.mark.parametrize("interval", [0, -1])
def test_pc_sampling_needs_a_positive_interval(interval: int) -> None:
    with pytest.raises(ValueError, match=r"^Interval must be a positive integer\.$"):
        mode.PCSampling(interval)


def test_default_mode() -> None:
    assert str(mode.Default()) == (
        "default:metric_type=METRIC_TYPE.CYCLE:sampling_strategy=SAMPLING_STRATEGY.NONE"
        ":sampling_options=:granularity=GRANULARITY.WARP:buffer_strategy=BUFFER_STRATEGY.CIRCULAR"
        ":buffer_type=BUFFER_TYPE.SHARED:buffer_size=0:optimizations="
    )


def test_enum_fields_take_names() -> None:
    by_name = mode.MMA(granularity="warp_2", optimizations="time_shift,clock32")  # type: ignore[arg-type]
    assert by_name.granularity is mode.GRANULARITY.WARP_2
    assert by_name.optimizations == [mode.Optimize.TIMESHIFT, mode.Optimize.CLOCK32]
    assert str(by_name).startswith("mma:")
    assert str(by_name).endswith(":optimizations=time_shift,clock32")


@pytest.mark.parametrize(
    "field", ["metric_type", "sampling_strategy", "granularity", "buffer_strategy", "buffer_type"]
)
def test_unknown_names_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"^Unknown {field}: nope$"):
        mode.Default(**{field: "nope"})


def test_unknown_optimization_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Unknown optimization: nope$"):
        mode.Default(optimizations="clock32,nope")  # type: ignore[arg-type]


def test_modes_are_frozen_and_equal_by_value() -> None:
    assert mode.Default() == mode.Default()
    assert mode.Default() != mode.MMA()
    with pytest.raises(dataclasses.FrozenInstanceError):
        mode.Default().buffer_size = 1  # type: ignore[misc]


def test_tables_hold_all_names() -> None:
    assert set(mode.metric_types) == {"cycle"}
    assert set(mode.buffer_strategies) == {"circular", "flush"}
    assert set(mode.buffer_types) == {"shared", "global"}
    assert set(mode.sampling_strategies) == {"none", "selective"}
    assert set(mode.granularities) == {
        "cta",
        "warp",
        "warp_2",
        "warp_4",
        "warp_8",
        "warp_group",
        "warp_group_2",
        "warp_group_4",
        "warp_group_8",
    }
    assert set(mode.optimizations) == {"time_shift", "sched_stores", "sched_barriers", "clock32"}
