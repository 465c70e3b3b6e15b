"""The native interface under upstream's names."""

import pytest
from support.trees import read_rows

from proton_xpu.libproton import proton as libproton


def test_session_by_hand(output: str) -> None:
    session = libproton.start(output, "shadow", "tree", "xpupti")
    scope = libproton.record_scope()
    libproton.enter_scope(scope, "one")
    libproton.add_metrics(scope, {"a": 1.0, "b": [1, 2]})
    libproton.exit_scope(scope, "one")
    libproton.deactivate(session)
    libproton.activate(session)
    libproton.finalize(session, "hatchet")
    libproton.finalize_all("hatchet")
    assert read_rows(output) == {"one": {"a": 1.0, "b": [1, 2]}}


def test_ops_and_states_without_a_session() -> None:
    op = libproton.record_scope()
    libproton.enter_op(op, "zero")
    libproton.exit_op(op, "zero")
    libproton.enter_state("s")
    libproton.exit_state()
    libproton.add_metrics(op, {"a": 1})


def test_profilers() -> None:
    assert "xpupti" in libproton.get_available_profilers()
    assert libproton.select_profiler_from_triton_backend("XPU") == "xpupti"
    with pytest.raises(ValueError, match="No profiler registered for triton backend cuda"):
        libproton.select_profiler_from_triton_backend("cuda")


def test_tensor_metrics_by_address_are_refused(output: str) -> None:
    metric = libproton.TensorMetric(1024, libproton.metric_type_double_index)
    assert (metric.ptr, metric.index, metric.size) == (1024, 2, 1)
    libproton.start(output, "shadow", "tree", "xpupti")
    with pytest.raises(RuntimeError, match="pass the tensor itself"):
        libproton.add_metrics(1, {}, {"m": metric})


def test_constants() -> None:
    assert libproton.metadata_scope_name == "__proton_launch_metadata"
    assert libproton.metadata_scope_prefix == "__proton_launch_metadata:"
    assert (
        libproton.metric_type_int64_index,
        libproton.metric_type_double_index,
        libproton.metric_type_vector_int64_index,
        libproton.metric_type_vector_double_index,
    ) == (1, 2, 5, 6)


def test_what_other_backends_have_does_nothing() -> None:
    libproton.set_metric_kernels(1, 2, 3, tThreads=32)
    libproton.init_function_metadata(1, "f", [(0, "s")], [(0, 0)], "path")
    libproton.enter_instrumented_op(0, 1, 2, 3)
    libproton.exit_instrumented_op(0, 1, 2, 3)
    libproton.destroy_function_metadata(1)
