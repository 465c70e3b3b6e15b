"""A program to measure: launches kernels on the software device, which last as they are told.

soft_benchmark.py '{"add_kernel": TICKS, ...}'; a kernel that is not named is not launched.
"""

import json
import sys

from support.soft_kernels import soft_kernels

import proton_xpu
from proton_xpu.softgpu import Control


def main() -> None:
    durations = json.loads(sys.argv[1])
    kernels = soft_kernels()
    control = Control()
    for name, ticks in durations.items():
        control.push(name, ticks, repeat=None)
    launches = {"add_kernel": kernels.add, "mul_kernel": kernels.mul}
    with proton_xpu.scope("step"):
        for name in durations:
            for _ in range(3):
                launches[name]()


if __name__ == "__main__":
    main()
