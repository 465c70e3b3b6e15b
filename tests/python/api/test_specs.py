"""Peak rates, checked against what upstream's viewer computes with."""

import pytest

from proton_xpu.specs import max_bps, max_flops


@pytest.mark.parametrize(
    ("device", "arch", "width", "num_sms", "clock_rate", "peak"),
    [
        ("CUDA", "80", 16, 108, 1410000, 312e12),
        ("CUDA", "89", 8, 128, 2520000, 330.3e12),
        ("CUDA", "90", 16, 114, 1755000, 756.5e12),
        ("CUDA", "100", 8, 148, 1800000, 4364.6976e12),
        ("HIP", "gfx942", 8, 304, 2100000, 2614.8864e12),
        ("HIP", "gfx90a", 32, 110, 1700000, 47.872e12),
        ("HIP", "gfx950", 8, 1, 1, 8192e3),
    ],
)
def test_max_flops(
    device: str, arch: str, width: int, num_sms: int, clock_rate: int, peak: float
) -> None:
    assert max_flops(device, arch, width, num_sms, clock_rate) == pytest.approx(peak)


@pytest.mark.parametrize(
    ("device", "arch", "bus_width", "memory_clock_rate", "peak"),
    [
        ("CUDA", "90", 5120, 2619000, 3.35232e12),
        ("HIP", "gfx90a", 1, 1, 3.2e12),
        ("HIP", "gfx942", 1, 1, 5.3e12),
        ("HIP", "gfx950", 1, 1, 8.0e12),
        ("XPU", "pvc", 8192, 1565000, 3.20512e12),
        ("XPU", "dg2", 256, 2187000, 559.872e9),
        ("XPU", "bmg", 192, 2375000, 456e9),
    ],
)
def test_max_bps(
    device: str, arch: str, bus_width: int, memory_clock_rate: int, peak: float
) -> None:
    assert max_bps(device, arch, bus_width, memory_clock_rate) == pytest.approx(peak)


def test_unknown_devices_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Unsupported device type: XPU$"):
        max_flops("XPU", "pvc", 16, 128, 1600000)
    with pytest.raises(ValueError, match=r"^Unsupported device type: TPU$"):
        max_bps("TPU", "v5", 1, 1)


def test_unknown_architectures_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Unsupported architecture: 70$"):
        max_flops("CUDA", "70", 16, 80, 1530000)
    with pytest.raises(ValueError, match=r"^Unsupported architecture: lnl$"):
        max_bps("XPU", "lnl", 128, 4267000)
    with pytest.raises(KeyError):
        max_flops("HIP", "gfx906", 16, 60, 1800000)
