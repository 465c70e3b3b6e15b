"""The launch hook: with the installed Triton 3.3, and with upstream's Triton 3.9."""

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from support.children import run_for_json
from support.soft_kernels import SoftKernels
from support.trees import read_rows
from support.upstream_triton import upstream_triton_folder

import proton_xpu as proton
from proton_xpu import _native
from proton_xpu.hooks import launch
from proton_xpu.hooks.launch import LaunchHook

KERNEL = {"count": 1, "time (ns)": 1000}


class Launch:
    """Stands for Triton's `LazyDict` of one launch."""

    def __init__(self, name: str | None, function: Callable[[], Any] | None = None) -> None:
        self.data: dict[str, Any] = {"name": name, "function": 1, "stream": 2}
        self.extras = [] if function is None else [function]

    def get(self) -> dict[str, Any]:
        for function in self.extras:
            self.data = self.data | function()
        self.extras.clear()
        return self.data


@pytest.fixture
def hook() -> Iterator[LaunchHook]:
    hook = LaunchHook()
    hook._warned.clear()
    yield hook
    hook.configure()


def launched(hook: LaunchHook, metadata: Launch) -> None:
    hook.enter(metadata)
    hook.exit(metadata)


def test_it_is_one_object_of_priority_100(hook: LaunchHook) -> None:
    assert LaunchHook() is hook
    assert hook.priority == 100


def test_metadata_of_real_kernels(output: str, kernels: SoftKernels) -> None:
    proton.start(output, hook="triton")
    kernels.meta(16)
    kernels.meta(16)
    kernels.add()
    proton.finalize()
    assert read_rows(output) == {
        "meta_16": {"bytes": 256, "count": 2, "flops32": 64.0, "time (ns)": 2000},
        "add_kernel": KERNEL,
    }


def test_third_party_hook_of_triton_3_3_keeps_working(output: str, kernels: SoftKernels) -> None:
    from triton.compiler import CompiledKernel

    names = []
    CompiledKernel.launch_enter_hook = their_hook = lambda metadata: names.append(
        metadata.get()["name"]
    )
    try:
        proton.start(output, hook="triton")
        kernels.meta(3)
        proton.finalize()
        assert CompiledKernel.launch_enter_hook is their_hook
    finally:
        CompiledKernel.launch_enter_hook = None
    assert names == ["meta_3"]
    # Their hook evaluates the metadata first; ours still finds what it gave.
    assert read_rows(output)["meta_3"]["bytes"] == 24


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        (2.5, 2.5),
        (7, 7),
        (True, 1),
        (np.float32(1.5), 1.5),
        (np.array([1, 2]), [1, 2]),
        ([1, 2], [1, 2]),
        ((0.5, 1.5), [0.5, 1.5]),
    ],
)
def test_numbers_become_metrics(value: Any, recorded: Any, hook: LaunchHook, output: str) -> None:
    proton.start(output)
    launched(hook, Launch("k", lambda: {"own": value}))
    proton.finalize()
    assert read_rows(output) == {"k": {"own": recorded}}


@pytest.mark.parametrize("value", ["text", None, [], ["a"], {"a": 1}, object()])
def test_what_is_no_number_is_left_out(value: Any, hook: LaunchHook, output: str) -> None:
    proton.start(output)
    launched(hook, Launch("k", lambda: {"own": value, "flops": 1}))
    proton.finalize()
    assert read_rows(output) == {"k": {"flops": 1.0}}


def test_reserved_keys_are_no_metrics(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    launched(hook, Launch("k", lambda: {"function": 3, "stream": 4, "name": "named"}))
    proton.finalize()
    assert read_rows(output) == {"named": {}}


@pytest.mark.parametrize("name", [None, ""])
def test_no_name_is_the_kernel_s(name: Any, hook: LaunchHook, output: str) -> None:
    proton.start(output)
    launched(hook, Launch("k", lambda: {"name": name}))
    proton.finalize()
    assert read_rows(output) == {"k": {}}


def raise_key_error() -> Any:
    raise KeyError("size")


def test_raising_metadata_warns_once_and_the_hook_stays_on(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            launched(hook, Launch("k", raise_key_error))
    launched(hook, Launch("k", lambda: {"flops": 1}))
    proton.finalize()
    assert [str(warning.message) for warning in caught] == [
        "The launch metadata of kernel k is left out: KeyError: 'size'"
    ]
    assert read_rows(output) == {"k": {"flops": 1.0}}


def test_metadata_of_the_wrong_type_warns(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    with pytest.warns(RuntimeWarning, match="kernel k is left out: TypeError: unsupported"):
        launched(hook, Launch("k", lambda: 7))
    proton.finalize()
    assert read_rows(output) == {"k": {}}


def test_conflicting_metrics_warn_and_the_launch_goes_on(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    launched(hook, Launch("k", lambda: {"own": 1}))
    with pytest.warns(RuntimeWarning, match=r"Metric value type mismatch for valueId 0 \(own\)"):
        launched(hook, Launch("k", lambda: {"own": 1.5}))
    launched(hook, Launch("k", lambda: {"own": 2}))
    proton.finalize()
    assert read_rows(output) == {"k": {"own": 3}}


def test_warnings_as_errors_leave_no_state_behind(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            hook.enter(Launch("k", raise_key_error))
    assert not launch.in_hook.get()
    launched(hook, Launch("k", lambda: {"flops": 1}))
    proton.finalize()
    assert read_rows(output) == {"k": {"flops": 1.0}}


def test_interrupt_while_metadata_is_evaluated_leaves_no_state_behind(
    hook: LaunchHook, output: str
) -> None:
    def interrupt() -> Any:
        raise KeyboardInterrupt

    proton.start(output)
    with pytest.raises(KeyboardInterrupt):
        hook.enter(Launch("k", interrupt))
    assert not launch.in_hook.get()
    with proton.scope("after"):
        pass
    proton.finalize()
    assert read_rows(output) == {"after": {}}


def test_launches_inside_metadata_are_left_alone(hook: LaunchHook, output: str) -> None:
    seen = []

    def metadata() -> dict[str, Any]:
        seen.append((launch.in_hook.get(), launch.enabled.get()))
        launched(hook, Launch("helper", lambda: {"flops": 9}))
        return {"flops": 1}

    proton.start(output)
    launched(hook, Launch("k", metadata))
    proton.finalize()
    assert seen == [(True, False)]
    assert read_rows(output) == {"k": {"flops": 1.0}}


def test_launch_that_failed_between_its_hooks_takes_no_other(
    hook: LaunchHook, output: str, kernels: SoftKernels
) -> None:
    proton.start(output, hook="triton")
    hook.enter(Launch("failed"))
    kernels.meta(2)
    kernels.add()
    proton.finalize()
    assert list(read_rows(output)) == ["failed", "meta_2", "add_kernel"]


def test_context_variables(hook: LaunchHook, output: str) -> None:
    proton.start(output)
    before = _native.record_scope()
    hook.enter(Launch("k"))
    assert (launch.id.get(), launch.op_name.get(), launch.enabled.get()) == (before + 1, "k", True)
    hook.exit(Launch("k"))
    assert (launch.id.get(), launch.op_name.get(), launch.enabled.get()) == (before + 1, "k", False)


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        (None, None, ["a_1", "a_2", "b_1", "renamed"]),
        ("a_", None, ["a_1", "a_2"]),
        (None, "a_", ["b_1", "renamed"]),
        ("a_", "a_2", ["a_1"]),
        ("1", None, []),
        ("b_2|renamed", None, ["renamed"]),
    ],
)
def test_filters(
    include: str | None, exclude: str | None, names: list[str], hook: LaunchHook, output: str
) -> None:
    hook.configure(include=include, exclude=exclude)
    proton.start(output)
    for name in ("a_1", "a_2", "b_1"):
        launched(hook, Launch(name))
    launched(hook, Launch("b_2", lambda: {"name": "renamed"}))
    proton.finalize()
    assert list(read_rows(output)) == names


def test_filter_stays_across_sessions_and_malformed_ones_are_refused(
    hook: LaunchHook, output: str
) -> None:
    hook.configure(include="a_")
    with pytest.raises(re.error):
        hook.configure(exclude="(")
    proton.finalize(proton.start(output + ".first", hook=hook))
    proton.start(output)
    launched(hook, Launch("b_1"))
    proton.finalize()
    assert read_rows(output) == {}


def test_threads_do_not_meet(output: str, kernels: SoftKernels) -> None:
    proton.start(output, hook="triton")

    def work(size: int) -> None:
        for _ in range(20):
            kernels.meta(size)

    workers = [threading.Thread(target=work, args=(size,)) for size in (1, 2, 3, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    proton.finalize()
    rows = read_rows(output)
    assert {name: row["bytes"] for name, row in rows.items()} == {
        f"meta_{size}": 160 * size for size in (1, 2, 3, 4)
    }
    assert {row["count"] for row in rows.values()} == {20}


def test_upstream_triton_3_9(output: str) -> None:
    seen = run_for_json(
        """
        import json, sys, warnings
        from types import SimpleNamespace
        from triton import knobs
        from triton.compiler import LazyDict
        import proton_xpu as proton

        def launch(name, function=None, **args):
            metadata = LazyDict({"name": name, "function": 1, "stream": 0})
            if function is not None:
                metadata.add(function, ((1,), SimpleNamespace(name=name), args))
            knobs.runtime.launch_enter_hook(metadata)
            knobs.runtime.launch_exit_hook(metadata)

        def roofline(grid, metadata, args):
            return {"name": f"{metadata.name}_{args['n']}", "flops16": args["n"], "own": [1, 2]}

        def fail(grid, metadata, args):
            raise ZeroDivisionError

        calls = []
        knobs.runtime.launch_enter_hook.add(lambda metadata: calls.append(metadata.data["name"]))
        proton.start(sys.argv[1], hook="triton")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with proton.scope("s"):
                launch("k", roofline, n=8)
                launch("plain")
                launch("bad", fail)
                launch("k", roofline, n=8)
        proton.finalize()
        launch("after")
        left = len(knobs.runtime.launch_enter_hook.calls), knobs.runtime.launch_exit_hook.calls
        print(json.dumps([calls, [str(warning.message) for warning in caught], left]))
        """,
        output,
        path=[upstream_triton_folder()],
    )
    assert seen == [
        ["k", "plain", "bad", "k", "after"],
        ["The launch metadata of kernel bad is left out: ZeroDivisionError: "],
        [1, []],
    ]
    assert read_rows(output) == {
        "s": {},
        "s/k_8": {"flops16": 16.0, "own": [2, 4]},
        "s/plain": {},
        "s/bad": {},
    }
