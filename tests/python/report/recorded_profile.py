"""Records a profile on the software device: recorded_profile.py OUTPUT."""

import sys

from support.soft_kernels import soft_kernels

import proton_xpu as proton


def main() -> None:
    kernels = soft_kernels()
    session = proton.start(sys.argv[1], hook="triton")
    with proton.scope("step", {"tokens": 7}):
        kernels.meta(256)
        kernels.add()
        kernels.add()
        with proton.cpu_timed_scope("inner"):
            kernels.mul()
    proton.finalize(session)


if __name__ == "__main__":
    main()
