"""The native interface under upstream's names, for code that goes around the Python one.

What only other backends have (metric kernels, instrumented kernels) is there and does nothing.
"""

# ruff: noqa: N803 (upstream's names, and arguments that nothing needs here)

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proton_xpu import _native
from proton_xpu._native import (
    activate,
    activate_all,
    advance_data_phase,
    clear_data,
    enter_op,
    enter_scope,
    enter_state,
    exit_op,
    exit_scope,
    exit_state,
    finalize,
    finalize_all,
    get_available_profilers,
    get_context_depth,
    get_data,
    get_data_msgpack,
    is_data_phase_complete,
    record_scope,
)
from proton_xpu.backend import provide_device, provide_pti_library
from proton_xpu.state import COMPUTE_METADATA_SCOPE_NAME, COMPUTE_METADATA_SCOPE_PREFIX

__all__ = [
    "TensorMetric",
    "activate",
    "activate_all",
    "add_metrics",
    "advance_data_phase",
    "clear_data",
    "deactivate",
    "deactivate_all",
    "destroy_function_metadata",
    "enter_instrumented_op",
    "enter_op",
    "enter_scope",
    "enter_state",
    "exit_instrumented_op",
    "exit_op",
    "exit_scope",
    "exit_state",
    "finalize",
    "finalize_all",
    "get_available_profilers",
    "get_context_depth",
    "get_data",
    "get_data_msgpack",
    "init_function_metadata",
    "is_data_phase_complete",
    "metadata_scope_name",
    "metadata_scope_prefix",
    "metric_type_double_index",
    "metric_type_int64_index",
    "metric_type_vector_double_index",
    "metric_type_vector_int64_index",
    "record_scope",
    "select_profiler_from_triton_backend",
    "set_metric_kernels",
    "start",
]

metadata_scope_name = COMPUTE_METADATA_SCOPE_NAME
metadata_scope_prefix = COMPUTE_METADATA_SCOPE_PREFIX
metric_type_int64_index = 1
metric_type_double_index = 2
metric_type_vector_int64_index = 5
metric_type_vector_double_index = 6


@dataclass(frozen=True)
class TensorMetric:
    """A metric value in device memory: address, type number and number of elements."""

    ptr: int
    index: int
    size: int = 1


def start(
    path: str, contextSourceName: str, dataName: str, profilerName: str, mode: str = ""
) -> int:
    """Start a session and activate it. Returns its id."""
    provide_device()
    provide_pti_library()
    return _native.start(path, contextSourceName, dataName, profilerName, mode)


def deactivate(session: int, flushing: bool = False) -> None:
    """Stop recording into `session`."""
    _native.deactivate(session, flushing)


def deactivate_all(flushing: bool = False) -> None:
    """Stop recording into all sessions."""
    _native.deactivate_all(flushing)


def add_metrics(
    scopeId: int,
    metrics: Mapping[str, Any],
    tensorMetrics: Mapping[str, TensorMetric] | None = None,
) -> None:
    """Add `metrics` to a scope. `RuntimeError` for tensor metrics, which have no kernel here."""
    if tensorMetrics:
        raise RuntimeError(
            "[PROTON] Tensor metrics by address are not supported on Intel GPUs: "
            "pass the tensor itself to scope() or enter_scope()."
        )
    _native.add_metrics(scopeId, metrics)


def select_profiler_from_triton_backend(tritonBackend: str) -> str:
    """Name of the profiler for Triton's backend. `ValueError` if there is none."""
    if tritonBackend.lower() != "xpu":
        raise ValueError(f"[PROTON] No profiler registered for triton backend {tritonBackend}")
    return "xpupti"


def set_metric_kernels(*args: Any, **kwargs: Any) -> None:
    """Does nothing: metrics need no kernels."""


def init_function_metadata(
    functionId: int,
    functionName: str,
    scopeIdNames: Sequence[tuple[int, str]],
    scopeIdParents: Sequence[tuple[int, int]],
    metadataPath: str,
) -> None:
    """Does nothing: there are no instrumented kernels."""


def destroy_function_metadata(functionId: int) -> None:
    """Does nothing: there are no instrumented kernels."""


def enter_instrumented_op(stream: int, functionId: int, buffer: int, size: int) -> None:
    """Does nothing: there are no instrumented kernels."""


def exit_instrumented_op(stream: int, functionId: int, buffer: int, size: int) -> None:
    """Does nothing: there are no instrumented kernels."""
