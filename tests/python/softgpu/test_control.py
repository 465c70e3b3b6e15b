from typing import Any

import pytest
from support.children import REPOSITORY, run_for_json

_TESTS = REPOSITORY / "tests" / "python"


@pytest.fixture(scope="module")
def happened() -> dict[str, Any]:
    """Kernels on the scripted clock, all in one process."""
    code = """
        import json
        from proton_xpu import softgpu
        softgpu.activate()
        import dpctl
        import numpy as np
        from proton_xpu.softgpu import array, triton_driver
        from softgpu.kernels.elementwise import add_kernel
        queue = dpctl.SyclQueue("level_zero:gpu", property=["in_order", "enable_profiling"])
        array.default_queue = lambda: queue
        triton_driver.install(queue)
        x = array.from_numpy(np.ones(64, np.float32))
        out = array.zeros(64)

        def launch(times=1):
            for _ in range(times):
                add_kernel[(1,)](x, x, out, 64, BLOCK=64)
            marker = queue.submit_barrier()
            queue.wait()
            return out.numpy().tolist()

        facts = {}
        launch()
        with softgpu.Control() as control:
            control.set_clock("scripted")
            control.set_execution(enabled=False)
            out.copy_from(np.zeros(64))
            before = control.count("kernel")
            launch(3)
            facts["launches"] = control.count("kernel") - before
        facts["not executed"] = launch(0)[0]
        facts["executed again"] = launch()[0]
        errors = []
        for attempt in (
            lambda: control.set_clock("slow"),
            lambda: control.count("thing"),
            lambda: control.push("k", -1),
            lambda: control.push("k", 2**64),
        ):
            try:
                attempt()
            except ValueError as error:
                errors.append(str(error))
        facts["errors"] = errors
        print(json.dumps(facts))
    """
    facts: dict[str, Any] = run_for_json(code, path=[_TESTS, REPOSITORY])
    return facts


def test_launches_are_counted_even_if_not_executed(happened: dict[str, Any]) -> None:
    assert happened["launches"] == 3


def test_the_end_of_the_context_lets_kernels_run_again(happened: dict[str, Any]) -> None:
    assert happened["executed again"] == 2


def test_wrong_values_are_refused(happened: dict[str, Any]) -> None:
    assert happened["errors"] == [
        "the clock is 'real' or 'scripted', not 'slow'",
        "the device counts kernel, copy, fill, barrier, signal; not 'thing'",
        "duration is a number of 64 bits and not negative, not -1",
        f"duration is a number of 64 bits and not negative, not {2**64}",
    ]


@pytest.mark.parametrize("adapter", ["v1", "v2"])
def test_kernels_last_what_they_are_told(adapter: str) -> None:
    code = """
        import json
        from proton_xpu import softgpu
        softgpu.activate(clock="scripted")
        import ctypes
        import dpctl
        import dpctl.memory as usm
        from proton_xpu.softgpu import triton_driver
        triton_driver.install()
        from softgpu.kernels.spirv import add_program
        add = add_program()
        queue = dpctl.SyclQueue("level_zero:gpu", property=["in_order", "enable_profiling"])
        memory = usm.MemoryUSMDevice(4096, queue=queue)
        control = softgpu.Control()
        control.push("add_kernel", 700, repeat=2)
        control.push("add_kernel", 12345, delay=50)
        control.push(None, 42, repeat=None)
        arguments = [memory, memory, memory, ctypes.c_int32(64)]
        events = [add(queue, arguments, 64) for _ in range(5)]
        queue.wait()
        print(json.dumps([e.profiling_info_end - e.profiling_info_start for e in events]))
    """
    durations = run_for_json(
        code,
        path=[_TESTS, REPOSITORY],
        variables={"UR_LOADER_USE_LEVEL_ZERO_V2": "1" if adapter == "v2" else "0"},
    )
    assert durations[:3] == [700, 700, 12345]
