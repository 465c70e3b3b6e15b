"""Plain SYCL, through dpctl, on the software device: what happened, as JSON.

No Triton launcher is involved; its compiler only makes the SPIR-V.
"""

import ctypes
import json
import threading
from typing import TYPE_CHECKING, Any

from proton_xpu import softgpu

softgpu.activate()

import dpctl  # noqa: E402 (after the device is there)
import dpctl.memory as usm  # noqa: E402
import numpy as np  # noqa: E402
import triton  # noqa: E402

from proton_xpu.softgpu import triton_driver  # noqa: E402
from softgpu.kernels.spirv import GROUP, add_program, gate_program  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

_N = 4096


def _floats(queue: dpctl.SyclQueue, value: float, n: int = _N) -> usm.MemoryUSMDevice:
    memory = usm.MemoryUSMDevice(4 * n, queue=queue)
    memory.copy_from_host(np.full(n, value, np.float32).view(np.uint8))
    return memory


def _read(memory: Any) -> np.ndarray:
    host = np.empty(memory.nbytes, np.uint8)
    memory.copy_to_host(host)
    return host.view(np.float32)


def _programs(n: int) -> int:
    return triton.cdiv(n, 256) * GROUP


class Scenarios:
    def __init__(self) -> None:
        self._add = add_program()
        self._gate = gate_program()

    def queues(self) -> dict[str, bool]:
        """Copies and a kernel in a chain of events, on each kind of queue."""
        right = {}
        for properties in (
            [],
            ["in_order"],
            ["enable_profiling"],
            ["in_order", "enable_profiling"],
        ):
            queue = dpctl.SyclQueue("level_zero", property=properties)
            x = np.arange(_N, dtype=np.float32)
            y = 3 * x
            a, b, c = (usm.MemoryUSMDevice(x.nbytes, queue=queue) for _ in range(3))
            first = queue.memcpy_async(a, x.view(np.uint8), x.nbytes)
            second = queue.memcpy_async(b, y.view(np.uint8), x.nbytes)
            third = self._add(queue, [a, b, c, ctypes.c_int32(_N)], _programs(_N), [first, second])
            out = np.zeros_like(x)
            queue.memcpy_async(out.view(np.uint8), c, x.nbytes, [third]).wait()
            right["+".join(properties) or "plain"] = bool((out == 4 * x).all())
        return right

    def profiling(self) -> list[list[int]]:
        """Submit, start and end of events that wait for each other, in ns."""
        queue = dpctl.SyclQueue("level_zero", property=["enable_profiling"])
        a, b, c = (_floats(queue, value) for value in (1, 2, 0))
        arguments = [a, b, c, ctypes.c_int32(_N)]
        events: list[dpctl.SyclEvent] = []
        for _ in range(5):
            events.append(self._add(queue, arguments, _programs(_N), events[-1:]))
        queue.wait()
        return [
            [e.profiling_info_submit, e.profiling_info_start, e.profiling_info_end] for e in events
        ]

    def waiting(self) -> dict[str, Any]:
        """A kernel that waits for the host: submit has returned, and what depends on it waits."""
        first, second = (dpctl.SyclQueue("level_zero") for _ in range(2))
        gate, out = (usm.MemoryUSMHost(64, queue=first) for _ in range(2))
        gate_word, out_word = (np.asarray(memory).view(np.int32)[:1] for memory in (gate, out))
        gate_word[:] = 0
        out_word[:] = 0
        blocked = self._gate(first, [gate, out])
        open_gate = usm.MemoryUSMHost(64, queue=second)
        np.asarray(open_gate).view(np.int32)[:1] = 1
        dependent = self._gate(second, [open_gate, out], after=[blocked])
        barrier = second.submit_barrier([dependent])
        complete = dpctl.event_status_type.complete
        before = [event.execution_status == complete for event in (blocked, dependent, barrier)]
        value_before = int(out_word[0])
        gate_word[:] = 1
        barrier.wait()
        after = [event.execution_status == complete for event in (blocked, dependent, barrier)]
        return {
            "complete before": before,
            "complete after": after,
            "values": [value_before, int(out_word[0])],
        }

    def memories(self) -> dict[str, Any]:
        queue = dpctl.SyclQueue("level_zero")
        host, shared = (
            usm.MemoryUSMHost(4 * _N, queue=queue),
            usm.MemoryUSMShared(4 * _N, queue=queue),
        )
        device = usm.MemoryUSMDevice(4 * _N, queue=queue)
        np.asarray(host).view(np.float32)[:] = np.arange(_N)
        np.asarray(shared).view(np.float32)[:] = 5
        arguments = [host, shared, device, ctypes.c_int32(_N)]
        self._add(queue, arguments, _programs(_N)).wait()
        sums = bool((_read(device) == np.arange(_N) + 5).all())
        device.memset(7)
        filled = bool((_read(device).view(np.uint8) == 7).all())
        device.copy_from_device(shared)
        copied = bool((_read(device) == 5).all())
        kinds = [memory.get_usm_type() for memory in (host, shared, device)]
        return {"kinds": kinds, "sums": sums, "filled": filled, "copied": copied}

    def threads(self) -> dict[str, list[int]]:
        """Six threads, on queues of their own and on one, each adding to its own array."""
        shared_queue = dpctl.SyclQueue("level_zero", property="in_order")
        results: dict[str, list[int]] = {}
        for name, queues in (
            ("own", [dpctl.SyclQueue("level_zero", property="in_order") for _ in range(6)]),
            ("shared", [shared_queue] * 6),
        ):
            sums = [0] * 6
            workers = [
                threading.Thread(target=self._accumulate, args=(queue, index, sums))
                for index, queue in enumerate(queues)
            ]
            for queue in queues:
                self._add(queue, [*(_floats(queue, 0) for _ in range(3)), ctypes.c_int32(1)]).wait()
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            results[name] = sums
        return results

    def _accumulate(self, queue: dpctl.SyclQueue, index: int, sums: list[int]) -> None:
        total, step = _floats(queue, 0), _floats(queue, index + 1)
        for _ in range(100):
            event = self._add(queue, [total, step, total, ctypes.c_int32(_N)], _programs(_N))
        event.wait()
        values = _read(total)
        sums[index] = int(values[0]) if (values == values[0]).all() else -1

    def temporaries(self) -> int:
        """How many of 50 sums are right whose inputs are freed while kernels may still run."""
        queue = dpctl.SyclQueue("level_zero", property="in_order")
        right = 0
        for _ in range(50):
            out = _floats(queue, 0)
            arguments = [_floats(queue, 1), _floats(queue, 2), out, ctypes.c_int32(_N)]
            self._add(queue, arguments, _programs(_N))
            del arguments
            _floats(queue, 9)
            queue.wait()
            right += int((_read(out) == 3).all())
        return right

    def in_flight_at_exit(self) -> None:
        """Leaves work behind."""
        queue = dpctl.SyclQueue("level_zero", property="in_order")
        n = 1 << 20
        a, b, c = (_floats(queue, 1, n) for _ in range(3))
        for _ in range(50):
            self._add(queue, [a, b, c, ctypes.c_int32(n)], _programs(n))
        self._left = (queue, a, b, c)


def main() -> None:
    triton_driver.install()
    scenarios = Scenarios()
    tried: list[Callable[[], Any]] = [
        scenarios.queues,
        scenarios.profiling,
        scenarios.waiting,
        scenarios.memories,
        scenarios.threads,
        scenarios.temporaries,
    ]
    print(json.dumps({scenario.__name__: scenario() for scenario in tried}), flush=True)
    scenarios.in_flight_at_exit()
    main.left = scenarios  # type: ignore[attr-defined] # alive until the interpreter ends


if __name__ == "__main__":
    main()
