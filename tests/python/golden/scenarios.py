"""What a user can do with the profiler, one function for each thing.

Each takes the profiler module, kernels to launch and the path of the output without suffix. What it
returns, raises and writes is compared with what upstream Proton 3.9 does (`proton-3.9.json`).
"""

import contextlib
import importlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol


class Kernels(Protocol):
    """Launches of Triton kernels."""

    def add(self) -> None:
        """Launch `add_kernel`."""

    def mul(self) -> None:
        """Launch `mul_kernel`."""

    def meta(self, size: int) -> None:
        """Launch `meta_kernel`, named `meta_<size>`, of 2 size flops32 and 8 size bytes."""

    def bad(self) -> None:
        """Launch `bad_kernel`, whose metadata function raises `ZeroDivisionError`."""

    def nested(self) -> None:
        """Launch `outer_kernel`, whose metadata function launches `add_kernel`."""


Scenario = Callable[[Any, Kernels, str], Any]

SCENARIOS: dict[str, Scenario] = {}


def scenario(function: Scenario) -> Scenario:
    SCENARIOS[function.__name__] = function
    return function


# Scopes.


@scenario
def scopes_nested(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("outer"):
        kernels.add()
        with proton.scope("inner"):
            kernels.mul()
            kernels.mul()
    with proton.scope("outer"):
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def scope_decorator(proton: Any, kernels: Kernels, output: str) -> None:
    decorated = proton.scope("decorated")(kernels.add)
    session = proton.start(output)
    decorated()
    decorated()
    proton.finalize(session)


@scenario
def enter_exit_scope(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.enter_scope("a")
    kernels.add()
    proton.enter_scope("b", metrics={"tokens": 7})
    kernels.mul()
    proton.exit_scope()
    proton.exit_scope(metrics={"late": 3})
    proton.finalize(session)


@scenario
def exit_scope_wrong_name(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.enter_scope("B")
    proton.exit_scope("C")


@scenario
def exit_scope_named(proton: Any, kernels: Kernels, output: str) -> list[bool]:
    session = proton.start(output)
    outer = proton.enter_scope("a")
    inner = proton.enter_scope("b")
    ids_match = [proton.exit_scope("b") == inner, proton.exit_scope("a") == outer]
    proton.finalize(session)
    return [inner == outer + 1, *ids_match]


@scenario
def exception_in_scope(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with contextlib.suppress(KeyError), proton.scope("boom"):
        kernels.add()
        raise KeyError("x")
    with proton.scope("after"):
        kernels.mul()
    proton.finalize(session)


@scenario
def scope_without_session(proton: Any, kernels: Kernels, output: str) -> Any:
    with proton.scope("x", {"m": 1}):
        kernels.add()
    return proton.enter_scope("y")


@scenario
def scope_names_of_any_kind(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for name in ("", 'quote " and \\', "new\nline", "tab\t", "Grüße 世界 🚀", "a/b:c@d", "\x01"):
        with proton.scope(name):
            kernels.add()
    proton.finalize(session)


@scenario
def many_launches(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for number in range(1000):
        with proton.scope(f"b{number % 4}"):
            kernels.add()
    proton.finalize(session)


@scenario
def scope_open_across_start(proton: Any, kernels: Kernels, output: str) -> None:
    with proton.scope("before"):
        session = proton.start(output)
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def scope_open_across_deactivation(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    scope = proton.scope("kept")
    scope.__enter__()
    proton.deactivate(session)
    scope.__exit__(None, None, None)
    proton.activate(session)
    kernels.add()
    proton.finalize(session)


@scenario
def scope_entered_inactive_left_active(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.deactivate(session)
    with proton.scope("unseen"):
        proton.activate(session)
        kernels.add()


@scenario
def finalize_inside_scope(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with proton.scope("cut"):
        kernels.add()
        proton.finalize()
    second = proton.start(output + ".b")
    depth: int = proton.context.depth(second)
    kernels.mul()
    proton.finalize(second)
    return depth + second - first


@scenario
def context_depth(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    depths = [proton.context.depth(session)]
    with proton.scope("a"):
        depths.append(proton.context.depth(session))
        with proton.scope("b"):
            depths.append(proton.context.depth(session))
    depths.append(proton.context.depth(session))
    proton.finalize(session)
    return depths


@scenario
def context_depth_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.context.depth(4711)


@scenario
def context_depth_off(proton: Any, kernels: Kernels, output: str) -> Any:
    return proton.context.depth(0)


# Metrics.


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


# States.


@scenario
def states(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("it"):
        with proton.state("opt"):
            kernels.add()
            with proton.state("inner_state"):
                kernels.mul()
            kernels.add()
        kernels.mul()
    proton.finalize(session)


@scenario
def enter_exit_state(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.enter_state("st")
    kernels.add()
    proton.exit_state()
    kernels.add()
    proton.finalize(session)


@scenario
def scope_metrics_under_state(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("test0"), proton.state("state"), proton.scope("test1", {"a": 1.0}):
        kernels.add()
    proton.finalize(session)


@scenario
def state_decorator(proton: Any, kernels: Kernels, output: str) -> None:
    stated = proton.state("st")(kernels.add)
    session = proton.start(output)
    stated()
    kernels.mul()
    proton.finalize(session)


@scenario
def metadata_states(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.metadata_state():
        kernels.add()
    with proton.metadata_state("some_kernel"):
        kernels.mul()
    proton.finalize(session)


# Sessions.


@scenario
def no_kernels(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize(proton.start(output))


@scenario
def activate_deactivate(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("a"):
        kernels.add()
    proton.deactivate(session)
    with proton.scope("skipped"):
        kernels.add()
    proton.activate(session)
    with proton.scope("b"):
        kernels.mul()
    proton.finalize(session)


@scenario
def activate_twice(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.activate(session)
    proton.activate()
    kernels.add()
    proton.deactivate()
    proton.deactivate(session)
    kernels.mul()
    proton.finalize(session)


@scenario
def two_sessions(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with proton.scope("first"):
        kernels.add()
    second = proton.start(output + ".b")
    with proton.scope("both"):
        kernels.mul()
    proton.deactivate(first)
    with proton.scope("only_b"):
        kernels.add()
    proton.finalize()
    distance: int = second - first
    return distance


@scenario
def two_sessions_of_different_kinds(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.start(output + ".trace", data="trace")
    with proton.scope("s"):
        kernels.add()
    proton.finalize()


@scenario
def two_sessions_of_different_modes(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.start(output + ".b", mode="periodic_flushing:format=hatchet")


@scenario
def same_name_again(proton: Any, kernels: Kernels, output: str) -> bool:
    session = proton.start(output)
    proton.deactivate(session)
    again = proton.start(output, data="trace", context="python")
    kernels.add()
    proton.finalize(session)
    same: bool = again == session
    return same


@scenario
def session_ids(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    first = proton.start(output)
    proton.finalize(first)
    second = proton.start(output + ".b")
    proton.finalize(second)
    return [isinstance(first, int), second - first]


@scenario
def failed_start_consumes_an_id(proton: Any, kernels: Kernels, output: str) -> int:
    first = proton.start(output)
    with contextlib.suppress(ValueError):
        proton.start(output + ".b", data="nope")
    second = proton.start(output + ".c")
    proton.finalize()
    distance: int = second - first
    return distance


@scenario
def finalize_twice(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(session)
    proton.finalize(session)


@scenario
def finalize_all_when_none(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize()


@scenario
def finalize_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(4711)
    proton.finalize(session)


@scenario
def activate_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.activate(4711)


@scenario
def deactivate_unknown(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    kernels.add()
    proton.deactivate(4711)


@scenario
def finalize_flushes_pending(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    for _ in range(200):
        kernels.add()
    proton.finalize(session)


@scenario
def profile_decorator(proton: Any, kernels: Kernels, output: str) -> int:
    @proton.profile(name=output)
    def profiled(x: int, *, y: int) -> int:
        with proton.scope("s"):
            kernels.add()
        return x + y

    result: int = profiled(1, y=2)
    with proton.scope("after_is_inactive"):
        kernels.mul()
    proton.finalize()
    return result


# Bad arguments.


@scenario
def bad_context(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, context="nope")


@scenario
def bad_data(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, data="nope")


@scenario
def bad_backend(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, backend="nope")


@scenario
def bad_mode(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="nope")


@scenario
def bad_hook(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, hook="nope")


@scenario
def bad_output_format(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.add()
    proton.finalize(session, "nope")


@scenario
def missing_directory(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output + "/no/such/dir/x")
    kernels.add()
    proton.finalize(session)


# The Python context, threads.


@scenario
def python_context(proton: Any, kernels: Kernels, output: str) -> None:
    def leaf() -> None:
        kernels.add()

    def middle() -> None:
        for _ in range(2):
            leaf()

    session = proton.start(output, context="python")
    middle()
    proton.finalize(session)


@scenario
def python_context_ignores_scopes(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, context="python")
    with proton.scope("no frame"), proton.state("st"):
        kernels.add()
    proton.finalize(session)


@scenario
def threads(proton: Any, kernels: Kernels, output: str) -> None:
    entered = threading.Semaphore(0)

    def work(number: int) -> None:
        with proton.scope(f"t{number}"):
            entered.release()
            for _ in range(50):
                kernels.add()

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    session = proton.start(output)
    with proton.scope("main"):
        kernels.mul()
        for worker in workers:
            worker.start()
            entered.acquire()
        for worker in workers:
            worker.join()
    proton.finalize(session)


@scenario
def pool_thread_keeps_first_stack(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with ThreadPoolExecutor(max_workers=1) as pool:
        with proton.scope("m1"):
            pool.submit(kernels.add).result()
        with proton.scope("m2"):
            pool.submit(kernels.mul).result()
    proton.finalize(session)


@scenario
def thread_started_outside(proton: Any, kernels: Kernels, output: str) -> None:
    has_entered, may_launch = threading.Event(), threading.Event()

    def work() -> None:
        with proton.scope("early"):
            has_entered.set()
            may_launch.wait()
            kernels.add()

    session = proton.start(output)
    worker = threading.Thread(target=work)
    worker.start()
    has_entered.wait()
    with proton.scope("main"):
        may_launch.set()
        worker.join()
    proton.finalize(session)


# Hooks.


@scenario
def hook_triton(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    with proton.scope("h"):
        kernels.meta(256)
        kernels.meta(512)
        kernels.meta(512)
        kernels.add()
    proton.finalize(session)


@scenario
def no_hook_metadata(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    kernels.meta(256)
    proton.finalize(session)


@scenario
def hook_launches_in_metadata(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    with proton.scope("h"):
        kernels.nested()
        kernels.add()
    proton.finalize(session)


@scenario
def hook_deactivated(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, hook="triton")
    kernels.meta(1)
    proton.deactivate(session)
    kernels.meta(2)
    proton.activate(session)
    kernels.meta(3)
    proton.finalize(session)


@scenario
def hook_of_one_session_names_for_all(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    hooked = proton.start(output + ".b", hook="triton")
    kernels.meta(1)
    proton.finalize(hooked)
    kernels.meta(2)
    proton.finalize()


@scenario
def hook_filter(proton: Any, kernels: Kernels, output: str) -> None:
    hook = importlib.import_module(f"{proton.__name__}.hooks.launch").LaunchHook()
    hook.configure(include="(meta|add).*", exclude="meta_2")
    try:
        session = proton.start(output, hook=hook)
        kernels.meta(1)
        kernels.meta(2)
        kernels.add()
        proton.finalize(session)
    finally:
        hook.configure()


@scenario
def hook_metadata_raises(proton: Any, kernels: Kernels, output: str) -> str:
    proton.start(output, hook="triton")
    try:
        kernels.bad()
    except ZeroDivisionError as error:
        outcome = type(error).__name__
    else:
        outcome = "no error"
    kernels.add()
    return outcome


@scenario
def custom_hook(proton: Any, kernels: Kernels, output: str) -> list[str]:
    base = importlib.import_module(f"{proton.__name__}.hooks.hook").Hook
    calls = []

    def note(name: str) -> Callable[..., None]:
        return lambda *_: calls.append(name)

    methods = ("enter", "exit", "activate", "deactivate")
    hook = type("Noting", (base,), {"priority": 5, **{name: note(name) for name in methods}})()
    session = proton.start(output, hook=hook)
    kernels.add()
    proton.deactivate(session)
    kernels.add()
    proton.activate(session)
    kernels.mul()
    proton.finalize(session)
    return calls


# Traces.


@scenario
def trace_scopes(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("outer"):
        kernels.add()
        with proton.scope("inner"):
            kernels.mul()
    proton.finalize(session)


@scenario
def trace_metrics(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("A", {"m": 1, "e (exc)": 2.0}):
        kernels.add()
    kernels.mul()
    proton.finalize(session)


@scenario
def trace_hook(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace", hook="triton")
    with proton.scope("A"):
        kernels.meta(4)
    proton.finalize(session)


@scenario
def trace_python_context(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace", context="python")
    kernels.add()
    proton.finalize(session)


@scenario
def trace_without_kernels(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    with proton.scope("alone"):
        pass
    proton.finalize(session)


@scenario
def trace_empty(proton: Any, kernels: Kernels, output: str) -> None:
    proton.finalize(proton.start(output, data="trace"))


@scenario
def trace_data_get(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, data="trace")
    proton.data.get(session)


# Output formats, data and phases.


@scenario
def msgpack_file(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("x", {"i": 1, "v": [1.5]}):
        kernels.add()
    proton.finalize(session, "hatchet_msgpack")


@scenario
def format_of_other_data(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    kernels.add()
    try:
        proton.finalize(session, "chrome_trace")
    except ValueError as error:
        message = str(error)
    proton.finalize(session, "HATCHET")
    return message


@scenario
def data_get(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("x"):
        kernels.add()
    proton.deactivate(session)
    tree = proton.data.get(session)
    proton.finalize(session)
    return [type(tree).__name__, sorted(tree[0]), [child_name(tree, 0)]]


@scenario
def data_get_active(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    kernels.add()
    return type(proton.data.get(session)).__name__


@scenario
def data_get_missing_phase(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.data.get(session, 3)


@scenario
def data_get_unknown_session(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.data.get(4711)


@scenario
def data_of_no_session(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    return [
        proton.data.get(None),
        proton.data.get_msgpack(None),
        proton.data.advance_phase(None),
        proton.data.is_phase_complete(None),
        proton.data.clear(None),
    ]


@scenario
def data_get_msgpack(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("x", {"v": [1, 2]}):
        kernels.add()
    proton.deactivate(session, flushing=True)
    packed = proton.data.get_msgpack(session)
    proton.finalize(session)
    return [type(packed).__name__, len(packed) > 20]


@scenario
def deactivate_flushing(proton: Any, kernels: Kernels, output: str) -> list[str]:
    session = proton.start(output)
    with proton.scope("x"):
        kernels.add()
    proton.deactivate(session, flushing=True)
    tree = proton.data.get(session)
    proton.activate(session)
    with proton.scope("y"):
        kernels.mul()
    proton.finalize(session)
    return child_names(tree)


@scenario
def data_clear(proton: Any, kernels: Kernels, output: str) -> list[str]:
    session = proton.start(output)
    with proton.scope("gone"):
        kernels.add()
    proton.deactivate(session, flushing=True)
    proton.data.clear(session)
    tree = proton.data.get(session)
    proton.activate(session)
    with proton.scope("kept"):
        kernels.mul()
    proton.finalize(session)
    return child_names(tree)


@scenario
def phases_manual(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("p0"):
        kernels.add()
    phase = proton.data.advance_phase(session)
    with proton.scope("p1"):
        kernels.mul()
    proton.deactivate(session, flushing=True)
    completed = [proton.data.is_phase_complete(session, number) for number in (0, 1)]
    names = [child_names(proton.data.get(session, number)) for number in (0, 1)]
    proton.finalize(session)
    return [phase, completed, names]


@scenario
def phases_cleared(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    for number in range(3):
        with proton.scope(f"p{number}"):
            kernels.add()
        proton.data.advance_phase(session)
    proton.deactivate(session, flushing=True)
    proton.data.clear(session, 1, clear_up_to_phase=True)
    try:
        proton.data.get(session, 0)
    except IndexError as error:
        message = str(error)
    proton.finalize(session)
    return message


@scenario
def periodic_flushing(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, mode="periodic_flushing:format=hatchet")
    for number in range(3):
        with proton.scope(f"it{number}"):
            kernels.add()
        proton.data.advance_phase(session)
    proton.finalize(session)


@scenario
def periodic_bad_format(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="periodic_flushing:format=zz")


@scenario
def periodic_bad_option(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="periodic_flushing:color=red")


def child_names(tree: Any) -> list[str]:
    """Names of the frames right below the root."""
    return [child["frame"]["name"] for child in tree[0]["children"]]


def child_name(tree: Any, index: int) -> str:
    """Name of one frame right below the root."""
    return child_names(tree)[index]
