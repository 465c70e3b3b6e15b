"""What a long run holds in memory and on disk, as a tree and as a trace.

    python -m benchmarks.memory_use [--tree-launches N] [--trace-launches N]

A Triton kernel is launched on the software device, which times it and does not run it, and waited
for every thousand launches; each kind of data has a process of its own. The limits: a tree's memory
does not grow with the launches; a trace of a million takes at most 110 bytes a launch on disk, and
200 MB more memory than the program without it.
"""

import argparse
import multiprocessing
import resource
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import triton
import triton.language as tl

import proton_xpu as proton
from proton_xpu import softgpu

LAUNCHES_PER_WAIT = 1000
SUFFIXES = {"tree": ".hatchet", "trace": ".chrome_trace"}


@triton.jit
def store_kernel(x):  # type: ignore[no-untyped-def]
    """Store one number."""
    tl.store(x, 1.0)


def peak_mb() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def run(data: str, launches: int, output: str) -> tuple[float, float, float]:
    """Peak memory in MB before the session, after a tenth of the launches, and at the end."""
    softgpu.activate(clock="scripted", execution=False)
    from proton_xpu.softgpu import array, triton_driver

    triton_driver.install()
    x = array.DeviceArray(1)
    store_kernel[(1,)](x)
    array.synchronize()
    before = early = peak_mb()
    session = proton.start(output, data=data)
    for made in range(launches):
        if made % LAUNCHES_PER_WAIT == 0:
            array.synchronize()
        if made == launches // 10:
            early = peak_mb()
        store_kernel[(1,)](x)
    proton.finalize(session)
    return before, early, peak_mb()


def main() -> int:
    """Measure and print; returns 0."""
    parser = argparse.ArgumentParser(description="Measures memory and size of long profiles.")
    parser.add_argument("--tree-launches", type=int, default=10_000_000)
    parser.add_argument("--trace-launches", type=int, default=1_000_000)
    options = parser.parse_args()

    print("data      launches  MB before  MB at 10 %  MB at end  file B/launch")
    for data, launches in (("trace", options.trace_launches), ("tree", options.tree_launches)):
        with tempfile.TemporaryDirectory() as folder:
            output = str(Path(folder, "memory_use"))
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as process:
                before, early, late = process.submit(run, data, launches, output).result()
            size = Path(output + SUFFIXES[data]).stat().st_size
        row = f"{data:6} {launches:11,} {before:10.1f} {early:11.1f} {late:10.1f}"
        print(f"{row} {size / launches:14.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
