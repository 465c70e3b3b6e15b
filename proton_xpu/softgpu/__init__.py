"""A Level Zero device made of the CPU, for development and tests without an Intel GPU.

Kernels really run, on the OpenCL CPU runtime; their times are the CPU's, or what a test tells.
`activate` must come before SYCL or Level Zero start in the process::

    from proton_xpu import softgpu

    print(softgpu.activate_if_needed())  # a GPU if there is one, else the software device

Beside it, imported when used because they need numpy, dpctl and Triton:
`proton_xpu.softgpu.array`, device arrays for kernels, and `proton_xpu.softgpu.triton_driver`, a
Triton driver that needs no Torch. Both work on a real GPU as well.
"""

from proton_xpu.softgpu.activation import (
    Device,
    activate,
    activate_if_needed,
    is_active,
    opencl_runtime,
    profiles,
    select,
)
from proton_xpu.softgpu.control import Control

__all__ = [
    "Control",
    "Device",
    "activate",
    "activate_if_needed",
    "is_active",
    "opencl_runtime",
    "profiles",
    "select",
]
