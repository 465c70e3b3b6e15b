"""What Level Zero sees, asked through its loader. Nothing but the standard library.

Run as a script, with a loader's path, it prints the GPUs as JSON: a process that wants to know
whether there is one, without starting Level Zero itself, starts this in a helper.
"""

import ctypes
import json
import sys
from typing import NamedTuple

_SUCCESS = 0
_INIT_GPU_ONLY = 1
_DEVICE_TYPE_GPU = 1
_STYPE_DEVICE_PROPERTIES = 0x3
_STYPE_DEVICE_IP_VERSION = 0x1000F


class _IpVersion(ctypes.Structure):
    """`ze_device_ip_version_ext_t`."""

    _fields_ = [
        ("stype", ctypes.c_int),
        ("p_next", ctypes.c_void_p),
        ("ip_version", ctypes.c_uint32),
    ]


class _DeviceProperties(ctypes.Structure):
    """`ze_device_properties_t`."""

    _fields_ = [
        ("stype", ctypes.c_int),
        ("p_next", ctypes.c_void_p),
        ("type", ctypes.c_int),
        ("vendor_id", ctypes.c_uint32),
        ("device_id", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("subdevice_id", ctypes.c_uint32),
        ("core_clock_rate", ctypes.c_uint32),
        ("max_mem_alloc_size", ctypes.c_uint64),
        ("max_hardware_contexts", ctypes.c_uint32),
        ("max_command_queue_priority", ctypes.c_uint32),
        ("num_threads_per_eu", ctypes.c_uint32),
        ("physical_eu_simd_width", ctypes.c_uint32),
        ("num_eus_per_subslice", ctypes.c_uint32),
        ("num_subslices_per_slice", ctypes.c_uint32),
        ("num_slices", ctypes.c_uint32),
        ("timer_resolution", ctypes.c_uint64),
        ("timestamp_valid_bits", ctypes.c_uint32),
        ("kernel_timestamp_valid_bits", ctypes.c_uint32),
        ("uuid", ctypes.c_uint8 * 16),
        ("name", ctypes.c_char * 256),
    ]


class Gpu(NamedTuple):
    """A Level Zero GPU.

    `ip_version` packs the architecture as major << 22 | minor << 14 | revision; 0 if the driver
    does not tell.
    """

    name: str
    device_id: int
    ip_version: int


def gpus(loader: ctypes.CDLL) -> list[Gpu]:
    """The GPUs of all drivers, in Level Zero's order. Starts Level Zero in this process.

    Empty if Level Zero does not start, as is so without a driver.
    """
    if loader.zeInit(_INIT_GPU_ONLY) != _SUCCESS:
        return []
    found = []
    for driver in _handles(loader.zeDriverGet):
        for device in _handles(loader.zeDeviceGet, driver):
            ip_version = _IpVersion(stype=_STYPE_DEVICE_IP_VERSION)
            properties = _DeviceProperties(stype=_STYPE_DEVICE_PROPERTIES)
            properties.p_next = ctypes.addressof(ip_version)
            result = loader.zeDeviceGetProperties(ctypes.c_void_p(device), ctypes.byref(properties))
            if result == _SUCCESS and properties.type == _DEVICE_TYPE_GPU:
                name = properties.name.decode(errors="replace")
                found.append(Gpu(name, properties.device_id, ip_version.ip_version))
    return found


def _handles(function: "ctypes._NamedFuncPointer", *parents: int) -> list[int]:
    """What one of Level Zero's two-call enumerations gives; empty on an error."""
    arguments = [ctypes.c_void_p(parent) for parent in parents]
    count = ctypes.c_uint32(0)
    if function(*arguments, ctypes.byref(count), None) != _SUCCESS or count.value == 0:
        return []
    handles = (ctypes.c_void_p * count.value)()
    if function(*arguments, ctypes.byref(count), handles) != _SUCCESS:
        return []
    return [handle for handle in handles[: count.value] if handle is not None]


if __name__ == "__main__":
    print(json.dumps(gpus(ctypes.CDLL(sys.argv[1]))))
