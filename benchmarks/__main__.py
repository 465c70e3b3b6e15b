"""Run all benchmarks, each in a process of its own: python -m benchmarks."""

import subprocess
import sys

BENCHMARKS = (
    "launch_cost",
    "memory_use",
    "scope_cost",
    "viewer_speed",
    "merge_speed",
    "regress_speed",
)


def main() -> int:
    """Run them one after the other; the exit code is the first that is not 0."""
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
