"""Run the example kernels under the profiler and print the profile.

    python -m examples [--repeat N] [--output NAME]

Each kernel's result is compared with numpy's.
"""

import argparse
import time
from collections.abc import Callable

import proton_xpu as proton
from proton_xpu import softgpu
from proton_xpu.cli import view

METRICS = "time/ms,count,avg_time/us,time/%"


def main() -> int:
    """Profile the examples; exit code 0 if all results are right."""
    options = parse_options()
    print(softgpu.activate_if_needed(), flush=True)
    session = proton.start(options.output, hook="triton")
    run_examples(options.repeat)
    proton.finalize(session)

    file = f"{options.output}.hatchet"
    print(f"\n$ proton-xpu-viewer -m {METRICS} {file}", flush=True)
    return view.main(["-m", METRICS, file])


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m examples", description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="runs of each kernel")
    parser.add_argument("--output", default="demo", metavar="NAME", help="profile, without suffix")
    return parser.parse_args()


def run_examples(repeat: int) -> None:
    """Run each kernel `repeat` times, in nested scopes."""
    # These start SYCL, which must find the device chosen and the profiler there.
    from examples import fused_softmax, layer_norm, matmul, vector_add
    from proton_xpu.softgpu import triton_driver

    triton_driver.install()
    print("Kernels are compiled when they are used first, which takes a while.", flush=True)
    with proton.scope("examples"):
        with proton.scope("elementwise"):
            run_one("vector_add", vector_add.run, repeat)
        with proton.scope("by row"):
            run_one("fused_softmax", fused_softmax.run, repeat)
            run_one("layer_norm", layer_norm.run, repeat)
        with proton.scope("matmul"):
            run_one("fp32", lambda: matmul.run("float32"), repeat)
            run_one("fp16", lambda: matmul.run("float16"), repeat)


def run_one(name: str, run: Callable[[], None], repeat: int) -> None:
    """Run one example in a scope of its name and tell how long it took, compilation included."""
    start = time.perf_counter()
    with proton.scope(name):
        for _ in range(repeat):
            run()
    print(f"  {name}: as numpy has it ({time.perf_counter() - start:.1f} s)", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
