"""Metrics that a user gives."""

from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def scope_metrics(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for _ in range(3):
        with proton.scope("m", {"i": 2, "f": 1.5}):
            kernels.add()
            with proton.scope("child", {"i": 1}):
                kernels.add()
    proton.finalize(session)


@scenario
def scope_metric_kinds(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for _ in range(2):
        with proton.scope("p", {"wait (ns)(exc)": 90, "tile (pty)": 128, "n (inc)": 4}):
            kernels.add()
    proton.finalize(session)


@scenario
def scope_metric_vector(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("v", {"lat": [1.0, 2.0, 3.0]}):
        kernels.add()
    proton.finalize(session)


@scenario
def scope_metric_vector_repeated(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for _ in range(2):
        with proton.scope("v", {"ints": [1, 2], "floats": [0.5, 1.5], "last (pty)": [3, 4]}):
            pass
    proton.finalize(session)


@scenario
def metric_values(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    values = {
        "negative": -5,
        "flag": True,
        "beyond 64 bits": 2**70,
        "mixed": [1, 2.5],
        "tuple": (1, 2),
        "empty": [],
        "not a number": float("nan"),
        "infinite": float("inf"),
        "flops": 3,
        "bytes": 3.7,
        "flops8": [1, 2],
    }
    with proton.scope("values", values):
        pass
    proton.finalize(session)


@scenario
def metric_type_conflict(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    with proton.scope("a", {"x": 1}):
        kernels.add()
    with proton.scope("a", {"x": 1.5}):
        kernels.add()


@scenario
def metric_length_conflict(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    with proton.scope("a", {"x": [1, 2]}):
        pass
    with proton.scope("a", {"x": [1, 2, 3]}):
        pass


@scenario
def metric_bad_value(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    with proton.scope("a", {"x": "text"}):
        kernels.add()


@scenario
def metrics_after_reactivation(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.deactivate(session)
    proton.enter_scope("ignored", metrics={"a": 1.0})
    proton.exit_scope()
    proton.activate(session)
    for _ in range(2):
        proton.enter_scope("kept", metrics={"a": 1.0})
        proton.exit_scope()
    proton.finalize(session)


@scenario
def cpu_timed(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.cpu_timed_scope("host"):
        kernels.add()
        with proton.cpu_timed_scope("host_inner", {"own": 2}):
            pass
    proton.finalize(session)


@scenario
def cpu_timed_reserved(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    with proton.cpu_timed_scope("host", {"cpu_time": 1}):
        pass
