"""Everything that upstream's `triton.profiler` 3.9 offers is here and takes the same arguments."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.children import run_python
from support.upstream_triton import upstream_triton_folder

MODULES = [
    "",
    "context",
    "data",
    "flags",
    "hooks.hook",
    "hooks.instrumentation",
    "hooks.launch",
    "language",
    "metric",
    "mode",
    "profile",
    "proton",
    "scope",
    "specs",
    "state",
    "viewer",
]

METRIC_KERNELS = "metrics need no kernels here"
COMMAND = "how the command is made inside, with no use outside"
AMD = "for AMD GPUs only"
CUDA = "for CUDA only"
VIEWER = "the viewer's own tables; metrics are derived in another way here"
SPECS = "the tables behind max_flops and max_bps"
NATIVE_TYPE = "a native type, for speed, takes the arguments of special methods by position"

MISSING = {
    "configure_runtime": AMD,
    "hooks.instrumentation.CudaAllocator": CUDA,
    "hooks.instrumentation.CudaAllocator.__call__": CUDA,
    "hooks.instrumentation.VERSION": "layout of a buffer that is never filled here",
    "metric.scalar_metric_kernel": METRIC_KERNELS,
    "metric.tensor_metric_kernel": METRIC_KERNELS,
    "proton.do_setup_and_execute": COMMAND,
    "proton.execute_as_main": COMMAND,
    "proton.is_pytest": COMMAND,
    "specs.amd_bps_by_arch": SPECS,
    "specs.amd_fp8_flops_by_arch": SPECS,
    "specs.flops_by_device": SPECS,
    "viewer.FLOPS_WIDTHS": "in `metric`",
    "viewer.FactorDict": VIEWER,
    "viewer.FactorDict.count": VIEWER,
    "viewer.FactorDict.factor": VIEWER,
    "viewer.FactorDict.index": VIEWER,
    "viewer.FactorDict.name": VIEWER,
    "viewer.avg_cpu_time_factor_dict": VIEWER,
    "viewer.avg_time_factor_dict": VIEWER,
    "viewer.bytes_factor_dict": VIEWER,
    "viewer.cpu_time_factor_dict": VIEWER,
    "viewer.default_flop_factor_dict": VIEWER,
    "viewer.derivable_metrics": VIEWER,
    "viewer.factor_dict": VIEWER,
    "viewer.factor_name": VIEWER,
    "viewer.time_factor_dict": VIEWER,
    "viewer.width": VIEWER,
}
"""What upstream has and we do not, and why."""

DIFFERENT = {
    "cpu_timed_scope.__call__": NATIVE_TYPE,
    "cpu_timed_scope.__exit__": "two arguments that only Python passes have shorter names",
    "hooks.launch.LaunchHook": "upstream's takes arguments and ignores them",
    "proton.parse_arguments": COMMAND,
    "proton.run_profiling": COMMAND,
    "scope.__call__": NATIVE_TYPE,
    "scope.__enter__": NATIVE_TYPE,
    "scope.__exit__": NATIVE_TYPE,
    "scope.cpu_timed_scope.__call__": NATIVE_TYPE,
    "scope.cpu_timed_scope.__exit__": "two arguments that only Python passes have shorter names",
    "scope.scope.__call__": NATIVE_TYPE,
    "scope.scope.__enter__": NATIVE_TYPE,
    "scope.scope.__exit__": NATIVE_TYPE,
}
"""What does not take the same arguments, and why."""


def interfaces_of(package: str, path: list[Path]) -> dict[str, Any]:
    script = Path(__file__).with_name("interfaces.py")
    done = run_python([script, package, *MODULES], path=path)
    assert done.returncode == 0, done.stderr
    interfaces: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return interfaces


@pytest.fixture(scope="module")
def upstream() -> dict[str, Any]:
    return interfaces_of("triton.profiler", [upstream_triton_folder()])


@pytest.fixture(scope="module")
def ours() -> dict[str, Any]:
    return interfaces_of("proton_xpu", [])


def takes_what(theirs: Any, ours: Any) -> bool:
    """Whether each call that `theirs` takes means the same for `ours`."""
    if theirs == "value" or ours == "value":
        return bool(theirs == ours)
    our_order = [name for name, kind, _ in ours if kind != "keyword_only"]
    their_order = [name for name, kind, _ in theirs if kind != "keyword_only"]
    our_kinds = {name: (kind, default) for name, kind, default in ours}
    has_all = all(
        name in our_kinds
        and our_kinds[name][0] == kind
        and (default is None or our_kinds[name][1] == default)
        for name, kind, default in theirs
    )
    added = set(our_kinds) - {name for name, _, _ in theirs}
    return (
        our_order[: len(their_order)] == their_order
        and has_all
        and all(our_kinds[name][1] is not None for name in added)
    )


def test_nothing_is_missing(upstream: dict[str, Any], ours: dict[str, Any]) -> None:
    assert set(upstream) - set(ours) == set(MISSING)


def test_everything_takes_the_same_arguments(
    upstream: dict[str, Any], ours: dict[str, Any]
) -> None:
    different = {
        name
        for name, theirs in upstream.items()
        if name in ours and not takes_what(theirs, ours[name])
    }
    assert different == set(DIFFERENT)


def test_start_is_compared_in_full(upstream: dict[str, Any], ours: dict[str, Any]) -> None:
    assert len(upstream["start"]) == 6
    assert upstream["start"] == ours["start"]
    assert upstream["finalize"] == ours["finalize"]
