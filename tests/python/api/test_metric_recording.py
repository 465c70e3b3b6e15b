"""Tensors on a device as metrics: copied there in order, read when the data are asked for."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import proton_xpu as proton
from proton_xpu import metric_recording, softgpu
from proton_xpu.hooks.launch import LaunchHook
from proton_xpu.softgpu import array


class CountingTensor:
    """A tensor on a device that counts how often it is read, through any of its copies."""

    dtype = "float32"

    def __init__(self, value: float, reads: list[float], error: Exception | None = None) -> None:
        self._value = value
        self._reads = reads
        self._error = error

    def __dlpack_device__(self) -> tuple[int, int]:
        return (14, 0)

    def clone(self) -> "CountingTensor":
        return CountingTensor(self._value, self._reads, self._error)

    def numel(self) -> int:
        return 1

    def item(self) -> float:
        if self._error is not None:
            raise self._error
        self._reads.append(self._value)
        return self._value


@pytest.fixture
def device(kernels: Any) -> Any:
    """The software device, with copies and kernels that are executed."""
    softgpu.Control().set_execution(enabled=True)
    return kernels


def start(tmp_path: Path, **options: Any) -> int:
    session = proton.start(str(tmp_path / "run"), **options)
    assert session is not None
    return session


def metrics_in(tree: Any, name: str) -> dict[str, Any]:
    """The metrics of the root's child `name`."""
    (node,) = (node for node in tree[0]["children"] if node["frame"]["name"] == name)
    metrics: dict[str, Any] = node["metrics"]
    return metrics


def written(tmp_path: Path, name: str) -> dict[str, Any]:
    return metrics_in(json.loads((tmp_path / "run.hatchet").read_text()), name)


@pytest.mark.usefixtures("kernels")
def test_nothing_is_read_before_the_data_are_asked_for(tmp_path: Path) -> None:
    session = start(tmp_path)
    reads: list[float] = []
    for value in (1.5, 2.0):
        with proton.scope("step", {"loss": CountingTensor(value, reads)}):
            pass
    proton.deactivate(session)
    assert reads == []
    assert metrics_in(proton.data.get(session), "step") == {"loss": 3.5}
    assert reads == [1.5, 2.0]
    proton.finalize()
    assert reads == [1.5, 2.0]
    assert written(tmp_path, "step") == {"loss": 3.5}


@pytest.mark.usefixtures("device")
def test_values_are_those_at_the_time(tmp_path: Path) -> None:
    start(tmp_path)
    loss = array.from_numpy(np.array([2.5], np.float32))
    counts = array.from_numpy(np.array([[1, 2], [3, 4]], np.int32))
    with proton.scope("step", {"loss": loss, "counts": counts, "bytes": loss, "plain": 1}):
        loss.copy_from([100.0])
        counts.copy_from([[9, 9], [9, 9]])
    del loss, counts
    proton.finalize()
    assert written(tmp_path, "step") == {
        "bytes": 2, "counts": [1, 2, 3, 4], "loss": 2.5, "plain": 1
    }  # fmt: skip


@pytest.mark.usefixtures("device")
def test_low_precision_counts_as_floating(tmp_path: Path) -> None:
    start(tmp_path)
    with proton.scope("step", {"low": array.from_numpy(np.array([1.5]), "bfloat16")}):
        pass
    proton.finalize()
    assert written(tmp_path, "step") == {"low": 1.5}


@pytest.mark.usefixtures("kernels")
def test_conflict_of_types_is_reported_where_the_metric_is_given(tmp_path: Path) -> None:
    start(tmp_path)
    reads: list[float] = []
    with proton.scope("step", {"loss": 1}):
        pass
    with pytest.raises(ValueError, match=r"\(loss\): current=int64_t, new=double"):
        proton.enter_scope("step", metrics={"loss": CountingTensor(2.0, reads)})
    proton.exit_scope()
    proton.finalize()
    assert written(tmp_path, "step") == {"loss": 1}


@pytest.mark.usefixtures("kernels")
def test_the_last_property_stands(tmp_path: Path) -> None:
    start(tmp_path)
    reads: list[float] = []
    for name, values in {
        "plain_last": (CountingTensor(1.0, reads), 2.0),
        "tensor_last": (3.0, CountingTensor(4.0, reads)),
        "tensors": (CountingTensor(5.0, reads), CountingTensor(6.0, reads)),
    }.items():
        for value in values:
            with proton.scope(name, {"rate (pty)": value}):
                pass
    proton.finalize()
    for name, value in {"plain_last": 2.0, "tensor_last": 4.0, "tensors": 6.0}.items():
        assert written(tmp_path, name) == {"rate": value}


@pytest.mark.usefixtures("kernels")
def test_a_value_goes_to_the_phase_in_which_it_was_given(tmp_path: Path) -> None:
    session = start(tmp_path)
    reads: list[float] = []
    with proton.scope("step", {"loss": CountingTensor(1.0, reads)}):
        pass
    proton.data.advance_phase(session)
    with proton.scope("step", {"loss": CountingTensor(2.0, reads)}):
        pass
    assert metrics_in(proton.data.get(session, 0), "step") == {"loss": 1.0}
    assert metrics_in(proton.data.get(session, 1), "step") == {"loss": 2.0}


@pytest.mark.usefixtures("kernels")
def test_nothing_comes_back_after_clear(tmp_path: Path) -> None:
    session = start(tmp_path)
    with proton.scope("step", {"loss": CountingTensor(1.0, [])}):
        pass
    proton.data.advance_phase(session)
    with proton.scope("step", {"loss": CountingTensor(1.0, [])}):
        proton.data.clear(session, 0)
    with pytest.raises(IndexError, match="Phase 0 has no data"):
        proton.data.get(session, 0)


@pytest.mark.usefixtures("kernels")
def test_a_trace_reads_at_once(tmp_path: Path) -> None:
    start(tmp_path, data="trace")
    reads: list[float] = []
    with proton.scope("step", {"loss": CountingTensor(1.5, reads)}):
        assert reads == [1.5]
    proton.finalize()
    events = json.loads((tmp_path / "run.chrome_trace").read_text())["traceEvents"]
    (event,) = (event for event in events if event.get("cat") == "metric")
    assert event["args"]["metrics"] == {"loss": "1.500000"}


@pytest.mark.usefixtures("kernels")
def test_tensor_that_cannot_be_read_is_named_in_a_warning(tmp_path: Path) -> None:
    start(tmp_path)
    with proton.scope("step", {"loss": CountingTensor(1.0, [], RuntimeError("gone")), "n": 3}):
        pass
    with pytest.warns(RuntimeWarning, match="'loss' is left out.*RuntimeError: gone"):
        proton.finalize()
    assert written(tmp_path, "step") == {"loss": 0.0, "n": 3}


@pytest.mark.usefixtures("kernels")
def test_memory_is_bounded(tmp_path: Path) -> None:
    start(tmp_path)
    reads: list[float] = []
    for _ in range(5000):
        proton.enter_scope("step", metrics={"loss": CountingTensor(1.0, reads)})
        proton.exit_scope()
    assert len(reads) == 4096
    proton.finalize()
    assert written(tmp_path, "step") == {"loss": 5000.0}


@pytest.mark.usefixtures("kernels")
def test_launch_metadata_may_hold_tensors(tmp_path: Path) -> None:
    start(tmp_path, hook="triton")
    reads: list[float] = []
    metadata = Metadata({"name": "named", "function": 0, "stream": 0})
    metadata.data["flops"] = CountingTensor(8.0, reads)
    hook = LaunchHook()
    hook.enter(metadata)
    hook.exit(metadata)
    assert reads == []
    proton.finalize()
    assert written(tmp_path, "named") == {"flops": 8.0}


class Metadata:
    """What Triton hands to launch hooks, evaluated."""

    extras: tuple[object, ...] = ()

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data


def test_zeros_have_the_tensors_type() -> None:
    tensor = metric_recording.prepared({"flops": CountingTensor(1.0, [])})["flops"]
    assert repr(tensor.zeros()) == "0.0"
    tensor = metric_recording.prepared({"bytes": CountingTensor(1.0, [])})["bytes"]
    assert repr(tensor.zeros()) == "0"
