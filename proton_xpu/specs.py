"""Peak rates by architecture, in the form that Proton's viewer uses.

Clocks are in kHz, bus widths in bits, operand widths in bits. Sources: the vendors' data sheets;
the clock multipliers of Intel's memories are those of GDDR6 and HBM2e per stated memory clock.
"""

from collections.abc import Callable

_REFERENCE_WIDTH = 8

_CUDA_FLOPS8: dict[str, Callable[[int, float], float]] = {
    "80": lambda _num_sms, _clock_rate: 624e12,
    "89": lambda _num_sms, _clock_rate: 330.3e12,
    "90": lambda num_sms, clock_rate: num_sms / 114 * (clock_rate / 1755e3) * 1513e12,
    "100": lambda num_sms, clock_rate: num_sms * 16384 * (clock_rate / 1e3) * 1e6,
}

_HIP_FLOPS8_PER_CLOCK = {"gfx90a": 1024, "gfx942": 4096, "gfx950": 8192}
_HIP_BYTES_PER_SECOND = {"gfx90a": 3.2e12, "gfx942": 5.3e12, "gfx950": 8.0e12}

_XPU_TRANSFERS_PER_CLOCK = {"pvc": 2, "dg2": 8, "bmg": 8}


def max_flops(device_type: str, arch: str, width: int, num_sms: int, clock_rate: float) -> float:
    """Peak operations a second on operands of `width` bits.

    `ValueError` for a device type or architecture without an entry; Intel GPUs have none here.
    """
    if device_type == "CUDA":
        formula = _CUDA_FLOPS8.get(arch)
        if formula is None:
            raise ValueError(f"Unsupported architecture: {arch}")
        peak = formula(num_sms, clock_rate)
    elif device_type == "HIP":
        peak = _HIP_FLOPS8_PER_CLOCK[arch] * num_sms * clock_rate * 1e3
    else:
        raise ValueError(f"Unsupported device type: {device_type}")
    return peak / (width / _REFERENCE_WIDTH)


def max_bps(device_type: str, arch: str, bus_width: int, memory_clock_rate: float) -> float:
    """Peak bytes a second to and from the device's memory.

    `ValueError` for a device type or Intel architecture without an entry, `KeyError` for HIP.
    """
    if device_type == "CUDA":
        transfers_per_clock = 2
    elif device_type == "HIP":
        return _HIP_BYTES_PER_SECOND[arch]
    elif device_type == "XPU":
        if arch not in _XPU_TRANSFERS_PER_CLOCK:
            raise ValueError(f"Unsupported architecture: {arch}")
        transfers_per_clock = _XPU_TRANSFERS_PER_CLOCK[arch]
    else:
        raise ValueError(f"Unsupported device type: {device_type}")
    return transfers_per_clock * bus_width * memory_clock_rate * 1e3 / 8
