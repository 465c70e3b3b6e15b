"""Comparisons to show: one with every verdict, and large ones."""

from dataclasses import replace

from proton_xpu.report.regress.comparing import compare_results
from proton_xpu.report.regress.comparison import Comparison
from proton_xpu.report.regress.config import Config
from proton_xpu.report.regress.environment import Environment
from proton_xpu.report.regress.result import Launch, Result
from support.simulated_launches import Simulation, kernel_path, simulated_result

STEADY = [100_000.0, 100_400.0, 99_700.0, 100_100.0, 99_900.0]
NOISY = [100_000.0, 109_000.0, 93_000.0, 104_000.0, 97_000.0]

HOSTILE = ("<script>alert(1)</script>", "a|b `c` *d* ]]> \x01", "k\"&'<%25\n::error::")
"""A kernel's path that no output may take for its own syntax."""


def every_verdict() -> Comparison:
    """REGRESSED, IMPROVED, AMBIGUOUS, NEW, GONE, NO-DATA, INVALID and OK in one, with a history."""
    sides = (STEADY, STEADY, NOISY, STEADY, STEADY, STEADY, STEADY)
    base = simulated_result(sides)
    factors = (1.05, 0.95, 1.06, 1.0, 1.0, 1.0, 1.0)
    new = simulated_result(
        [[time * factor for time in side] for side, factor in zip(sides, factors, strict=True)]
    )
    new.kernels[(*kernel_path(3)[:-1], "kernel3_renamed")] = new.kernels.pop(kernel_path(3))
    new.kernels[kernel_path(4)]["time"] = [None] * 5
    for side in (base, new):
        side.kernels[HOSTILE] = side.kernels.pop(kernel_path(5))
    launches = [replace(launch, accounting={"launches": 9, "lost": 1}) for launch in new.launches]
    environment = Environment(devices=new.environment.devices, packages={"triton": "<3.4>"})
    new = replace(new, launches=launches, environment=environment, label="feature <x>")
    history = [simulated_result(sides) for _ in range(3)]
    rows = compare_results(base, new, Config(), history)
    empty = replace(new, launches=[Launch(0, "empty", "the profile holds no kernel")], kernels={})
    extra = compare_results(base, empty, Config()).findings
    return replace(rows, findings=[*rows.findings, *extra])


def large(kernels: int, changed: float = 0.5) -> Comparison:
    """Many kernels, of which many regressed, with long names."""
    base, new, _ = Simulation(kernels=kernels, changed=changed, change=0.2).pair(1)
    return compare_results(_long(base), _long(new), Config())


def _long(result: Result) -> Result:
    kernels = {(*path[:-1], f"{path[-1]}_{'é' * 90}"): row for path, row in result.kernels.items()}
    return replace(result, kernels=kernels)
