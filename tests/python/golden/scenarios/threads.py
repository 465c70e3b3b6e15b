"""The Python context, and threads."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from golden.scenarios.registry import Kernels, scenario


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
