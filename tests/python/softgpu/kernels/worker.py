"""Runs cases in one process: one adapter and one set of hardware features.

Reads a JSON object from stdin; writes one JSON object for each case, in a line of its own that
starts with a mark, since kernels may print.
"""

import importlib
import json
import sys
import traceback
from dataclasses import asdict, dataclass, field

MARK = "result: "
FAMILIES = (
    "atomics", "conversions", "diagnostics", "elementwise", "layouts", "mathematics", "matrices",
    "randomness", "reductions",
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A case with its options."""

    case: str
    sub_group: int
    warps: int


@dataclass(frozen=True)
class Work:
    """What a process is to do."""

    features: bool
    in_order: bool
    runs: list[Run] = field(default_factory=list)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Work":
        fields = json.loads(text)
        runs = [Run(**run) for run in fields.pop("runs")]
        return cls(runs=runs, **fields)


def list_cases() -> None:
    """Print the facts of all cases as a JSON list of [name, matrix, sub_groups]."""
    from softgpu.kernels.cases import CASES

    _import_families()
    facts = [[case.name, case.matrix, case.sub_groups] for case in CASES.values()]
    print(json.dumps(facts))


def _import_families() -> None:
    for family in FAMILIES:
        importlib.import_module(f"softgpu.kernels.{family}")


def main() -> None:
    work = Work.from_json(sys.stdin.read())
    from proton_xpu import softgpu

    softgpu.activate()
    import dpctl

    from proton_xpu.softgpu import array, triton_driver

    if not work.in_order:
        queue = dpctl.SyclQueue("level_zero:gpu")
        array.default_queue = lambda: queue  # Arrays and kernels of all cases are on it.
    features = triton_driver.Features(
        dpas=work.features,
        block_io=work.features,
        bfloat16=work.features,
        tensor_float32=work.features,
    )
    triton_driver.install(array.default_queue(), features=features)
    _import_families()
    from softgpu.kernels.cases import CASES

    for run in work.runs:
        options = {"num_warps": run.warps, "threads_per_warp": run.sub_group}
        print(MARK + json.dumps({"started": asdict(run)}), flush=True)
        error = ""
        try:
            CASES[run.case].check(options)
        except Exception:  # noqa: BLE001 (whatever a check raises is its result)
            error = traceback.format_exc()
        print(MARK + json.dumps({"finished": asdict(run), "error": error}), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        list_cases()
    else:
        main()
