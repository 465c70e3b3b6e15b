"""Peak rates of the devices in a profile's own device table, for `util` and the roofline.

The machine that reads a profile is never asked. A device entry may name its peaks outright
(`peak_flops8` to `peak_flops64` in operations a second, `peak_bps` in bytes a second); else they
follow from the architecture, the number of cores and the clocks, as in `proton_xpu.specs`, and
for the memory of Intel's GPUs from the PCI device id.
"""

from collections.abc import Mapping
from typing import Any

from proton_xpu import specs

FLOPS_WIDTHS = (8, 16, 32, 64)
"""Operand widths in bits that have a metric `flops<width>`."""

# Operations per Xe-core and clock by operand width, multiply-add counted as two: matrix engines
# where Intel documents a rate for the width, else vector engines. Arc A has no 64-bit arithmetic.
_XE_HPC = {8: 8192, 16: 4096, 32: 2048, 64: 256}
_XE_HPG = {8: 4096, 16: 2048, 32: 256}
_XE2 = {8: 4096, 16: 2048, 32: 256, 64: 32}
_XE_FLOPS_PER_CLOCK = {"pvc": _XE_HPC, "dg2": _XE_HPG, "bmg": _XE2, "lnl": _XE2}

# Bytes a second of one tile's memory by PCI device id, from Intel's data sheets. The bus widths and
# memory clocks that Level Zero reports do not give them: some are an address width, some are 0.
_XPU_BPS = {
    **dict.fromkeys((0x0BD5, 0x0BD6), 1638.4e9),  # Max 1550
    **dict.fromkeys((0x0BD9, 0x0BDA, 0x0BDB), 1228.8e9),  # Max 1100
    0x56A0: 560e9,  # Arc A770
    **dict.fromkeys((0x56A1, 0x56A2), 512e9),  # Arc A750, A580
    0x56A5: 186e9,  # Arc A380
    **dict.fromkeys((0xE209, 0xE20B, 0xE211), 456e9),  # Arc B580, Arc Pro B60
    0xE20C: 380e9,  # Arc B570
    0xE212: 224e9,  # Arc Pro B50
}


def flops_of(device_type: str, facts: Mapping[str, Any], width: int) -> float | None:
    """Peak operations a second of a device entry at an operand width in bits; None if unknown."""
    stated = _stated(facts, f"peak_flops{width}")
    if stated is not None:
        return stated
    try:
        arch, cores, clock = str(facts["arch"]), facts["num_sms"], facts["clock_rate"]
        if device_type == "XPU":
            return _positive(_XE_FLOPS_PER_CLOCK[arch][width] * cores * clock * 1e3)
        return _positive(specs.max_flops(device_type, arch, width, cores, clock))
    except (KeyError, TypeError, ValueError):
        return None


def bps_of(device_type: str, facts: Mapping[str, Any]) -> float | None:
    """Peak bytes a second of a device entry's memory; None if unknown."""
    stated = _stated(facts, "peak_bps")
    if stated is not None:
        return stated
    try:
        if device_type == "XPU":
            return _positive(_XPU_BPS[facts["pci_device_id"]] * facts.get("tile_count", 1))
        arch, bus, clock = str(facts["arch"]), facts["bus_width"], facts["memory_clock_rate"]
        return _positive(specs.max_bps(device_type, arch, bus, clock))
    except (KeyError, TypeError, ValueError):
        return None


def _stated(facts: Mapping[str, Any], name: str) -> float | None:
    value = facts.get(name)
    return _positive(value) if isinstance(value, (int, float)) else None


def _positive(value: float) -> float | None:
    return float(value) if value > 0 else None
