"""Scopes: as objects, decorators and functions."""

import threading

import pytest
from support.soft_kernels import SoftKernels
from support.trees import read_rows

import proton_xpu as proton
from proton_xpu.flags import flags


def test_the_package_attribute_is_the_class() -> None:
    from proton_xpu.scope import scope

    assert proton.scope is scope


def test_scope_attributes(output: str) -> None:
    proton.start(output)
    scope = proton.scope("name", {"m": 1})
    assert (scope.name, scope.metrics, scope.id) == ("name", {"m": 1}, None)
    with scope as entered:
        assert entered is scope
        assert isinstance(scope.id, int)


def test_scope_ids_grow_by_one(output: str) -> None:
    proton.start(output)
    first = proton.enter_scope("a")
    assert first is not None
    assert proton.enter_scope("b") == first + 1
    with proton.scope("c") as third:
        assert third.id == first + 2
    assert proton.exit_scope() == first + 1
    assert proton.exit_scope() == first


def test_decorator_keeps_the_function(output: str) -> None:
    @proton.scope("work", {"calls": 1})
    def work(a: int, *, b: int = 2) -> int:
        """Add."""
        return a + b

    proton.start(output)
    assert work(1) + work(1, b=5) == 9
    proton.finalize()
    assert (work.__name__, work.__doc__) == ("work", "Add.")
    assert read_rows(output) == {"work": {"calls": 2}}


def test_decorator_is_reentrant(output: str) -> None:
    @proton.scope("down")
    def down(depth: int) -> None:
        if depth > 1:
            down(depth - 1)

    session = proton.start(output)
    down(3)
    assert proton.context.depth(session) == 0
    proton.finalize()
    assert list(read_rows(output)) == ["down", "down/down", "down/down/down"]


def test_exception_closes_the_scope(output: str) -> None:
    session = proton.start(output)
    with pytest.raises(KeyError, match="x"), proton.scope("a"):
        raise KeyError("x")
    assert proton.context.depth(session) == 0


def test_bad_metric_leaves_no_scope_open(output: str) -> None:
    session = proton.start(output)
    with pytest.raises(TypeError, match="x"), proton.scope("a", {"x": "text"}):
        pass
    assert proton.context.depth(session) == 0


def test_nothing_happens_while_profiling_is_off() -> None:
    assert not flags.profiling_on
    assert proton.enter_scope("a", metrics={"m": object()}) is None
    assert proton.exit_scope("never entered") is None


def test_exit_without_an_open_scope_is_said(output: str) -> None:
    proton.start(output)
    with pytest.raises(IndexError, match=r"^\[PROTON\] exit_scope\(\) without an open scope: call"):
        proton.exit_scope()


def test_exit_on_another_thread_is_said(output: str) -> None:
    proton.start(output)
    proton.enter_scope("main's")
    errors: list[BaseException] = []

    def leave() -> None:
        try:
            proton.exit_scope()
        except IndexError as error:
            errors.append(error)

    thread = threading.Thread(target=leave)
    thread.start()
    thread.join()
    assert len(errors) == 1
    proton.exit_scope("main's")


def test_wrong_name_leaves_the_scope_open(output: str) -> None:
    proton.start(output)
    opened = proton.enter_scope("B")
    with pytest.raises(ValueError, match=r"^Scope name mismatch: C != B$"):
        proton.exit_scope("C")
    assert proton.exit_scope("B") == opened


def test_metrics_on_entry_and_exit(output: str) -> None:
    proton.start(output)
    proton.enter_scope("a", metrics={"in": 1})
    proton.exit_scope(metrics={"in": 2, "flops": 3})
    proton.finalize()
    assert read_rows(output) == {"a": {"flops": 3.0, "in": 3}}


def test_cpu_timed_scope(output: str) -> None:
    assert issubclass(proton.cpu_timed_scope, proton.scope)
    proton.start(output)
    with proton.cpu_timed_scope("host", {"own": 2}):
        pass
    proton.finalize()
    metrics = read_rows(output)["host"]
    assert metrics.pop("own") == 2
    assert list(metrics) == ["cpu_time (ns)"]
    assert isinstance(metrics["cpu_time (ns)"], int)
    assert 0 < metrics["cpu_time (ns)"] < 10**9


def test_cpu_timed_decorator(output: str) -> None:
    decorated = proton.cpu_timed_scope("host")(lambda: 7)
    proton.start(output)
    assert decorated() == 7
    proton.finalize()
    assert list(read_rows(output)["host"]) == ["cpu_time (ns)"]


def test_cpu_timed_scope_used_again_while_off(output: str) -> None:
    scope = proton.cpu_timed_scope("host")
    proton.start(output)
    with scope:
        pass
    proton.finalize()
    with scope:
        pass


@pytest.mark.parametrize("name", ["cpu_time (ns)", "cpu_time2", "my cpu_time"])
def test_only_the_exact_name_is_reserved(name: str) -> None:
    proton.cpu_timed_scope("host", {name: 1})
    with pytest.raises(ValueError, match=r"^The metric name 'cpu_time' is reserved\.$"):
        proton.cpu_timed_scope("host", {"cpu_time": 1})


def test_op_of_triton_3_3(output: str, kernels: SoftKernels) -> None:
    proton.start(output)
    opened = proton.enter_scope("my op", triton_op=True, metrics={"flops8": 4})
    kernels.add()
    assert proton.exit_scope(triton_op=True) == opened
    proton.finalize()
    assert read_rows(output) == {"my op": {"count": 1, "flops8": 4.0, "time (ns)": 1000}}
