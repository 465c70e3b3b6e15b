"""What `with proton.scope("x"): pass` costs, with no session and in an active one.

    python -m benchmarks.scope_cost [--repeat N]

The session is a real one, on the software device where there is no GPU, but nothing is launched.
"""

import argparse
import sys
import tempfile
import timeit
from collections.abc import Callable
from pathlib import Path

import proton_xpu as proton
from proton_xpu import softgpu

LOOPS = 200_000
SCOPE = "with scope('x'): pass"


def nanoseconds(repeat: int, statement: str, scope: Callable[..., object]) -> float:
    """Return the best of `repeat` runs, for one execution of `statement`, without the loop."""
    names = {"scope": scope}
    best = min(timeit.repeat(statement, globals=names, number=LOOPS, repeat=repeat))
    empty = min(timeit.repeat("pass", number=LOOPS, repeat=repeat))
    return (best - empty) / LOOPS * 1e9


def main() -> int:
    """Measure and print; returns 0."""
    parser = argparse.ArgumentParser(description="Measures the cost of a scope.")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()

    print(softgpu.activate_if_needed(clock="scripted"))
    rows = {"inactive": nanoseconds(options.repeat, SCOPE, proton.scope)}
    with tempfile.TemporaryDirectory() as folder:
        session = proton.start(str(Path(folder, "scope_cost")))
        rows["active"] = nanoseconds(options.repeat, SCOPE, proton.scope)
        proton.deactivate(session)
        rows["deactivated"] = nanoseconds(options.repeat, SCOPE, proton.scope)
        proton.finalize(session)
    print(f"{'with scope(...)':16} {'ns':>6}")
    for name, value in rows.items():
        print(f"{name:16} {value:6.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
