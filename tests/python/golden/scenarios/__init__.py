"""What a user can do with the profiler, one function for each thing.

Each takes the profiler module, kernels to launch and the path of the output without suffix. What it
returns, raises and writes is compared with what upstream Proton 3.9 does (`proton-3.9.json`).
"""

from golden.scenarios import (
    bad_arguments,
    data,
    hooks,
    metrics,
    scopes,
    sessions,
    states,
    threads,
    traces,
)
from golden.scenarios.registry import SCENARIOS, Kernels, Scenario

__all__ = [
    "SCENARIOS",
    "Kernels",
    "Scenario",
    "bad_arguments",
    "data",
    "hooks",
    "metrics",
    "scopes",
    "sessions",
    "states",
    "threads",
    "traces",
]
