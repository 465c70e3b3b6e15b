import pytest
from support.profiles import PVC

from proton_xpu.report.peaks import bps_of, flops_of


@pytest.mark.parametrize(
    ("width", "peak"), [(8, 838.8608e12), (16, 419.4304e12), (32, 209.7152e12), (64, 26.2144e12)]
)
def test_tile_of_max_1550(width: int, peak: float) -> None:
    assert flops_of("XPU", PVC, width) == pytest.approx(peak)


def test_arc_a770_has_no_64_bit_arithmetic() -> None:
    facts = {"arch": "dg2", "num_sms": 32, "clock_rate": 2_400_000}

    assert flops_of("XPU", facts, 16) == pytest.approx(157.2864e12)
    assert flops_of("XPU", facts, 64) is None


def test_arc_b580() -> None:
    facts = {"arch": "bmg", "num_sms": 20, "clock_rate": 2_850_000}

    assert flops_of("XPU", facts, 16) == pytest.approx(116.736e12)


def test_memory_of_intel_gpus_follows_from_the_device_id_not_from_the_reported_bus() -> None:
    assert bps_of("XPU", PVC) == 1638.4e9
    assert bps_of("XPU", {**PVC, "tile_count": 2}) == 3276.8e9
    assert bps_of("XPU", {**PVC, "pci_device_id": 0xFFFF}) is None


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"arch": "unknown", "num_sms": 1, "clock_rate": 1, "bus_width": 999},
        {"arch": "pvc", "num_sms": None, "clock_rate": "fast", "bus_width": None},
        {"arch": "pvc", "num_sms": 0, "clock_rate": 0, "bus_width": 512, "memory_clock_rate": 0},
    ],
)
@pytest.mark.parametrize("kind", ["XPU", "CUDA", "HIP", "TPU"])
def test_unknown_peaks_are_none(kind: str, facts: dict[str, object]) -> None:
    assert flops_of(kind, facts, 16) is None
    assert bps_of(kind, {"arch": "x", **facts, "memory_clock_rate": 0}) is None


def test_stated_peaks_win_over_computed_ones() -> None:
    facts = {**PVC, "peak_flops16": 1e12, "peak_bps": 2e12}

    assert flops_of("XPU", facts, 16) == 1e12
    assert bps_of("XPU", facts) == 2e12
