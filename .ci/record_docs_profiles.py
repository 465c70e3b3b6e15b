"""Records the profiles that the documentation's pictures show: the examples, twice three times.

    python .ci/record_docs_profiles.py

The times are those of the software device. Run docs_pictures.py afterwards.
"""

from pathlib import Path
from typing import Any

import proton_xpu as proton
from examples import fused_softmax, layer_norm, matmul, vector_add
from examples.__main__ import run_examples
from proton_xpu import softgpu
from proton_xpu.report import Profile

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "users" / "pictures"

_NAMES = [f"{name}.rank_{number}" for name in ("run", "new") for number in range(3)]
_REPEAT = 5


def matmul_work(_grid: Any, _metadata: Any, arguments: dict[str, Any]) -> dict[str, float]:
    """Operations and bytes of a matrix product."""
    m, n, k = (arguments[name] for name in "MNK")
    width = 2 if "16" in str(arguments["a_ptr"].dtype) else 4
    return {f"flops{8 * width}": 2.0 * m * n * k, "bytes": width * (m * k + k * n) + 4 * m * n}


def addition_work(_grid: Any, _metadata: Any, arguments: dict[str, Any]) -> dict[str, float]:
    """Operations and bytes of the sum of two vectors."""
    return {"flops32": float(arguments["n"]), "bytes": 12 * arguments["n"]}


def rows_work(grid: Any, _metadata: Any, arguments: dict[str, Any]) -> dict[str, float]:
    """Operations and bytes of a kernel that reads a row, reduces it twice and writes it."""
    elements = grid[0] * arguments["columns"]
    return {"flops32": 5.0 * elements, "bytes": 8 * elements}


def main() -> None:
    """Writes one profile a run, without the paths of this machine's libraries."""
    softgpu.activate_if_needed()
    matmul.matmul_kernel.launch_metadata = matmul_work
    vector_add.add_kernel.launch_metadata = addition_work
    fused_softmax.softmax_kernel.launch_metadata = rows_work
    layer_norm.layer_norm_kernel.launch_metadata = rows_work
    for name in _NAMES:
        session = proton.start(FOLDER / name, hook="triton")
        run_examples(_REPEAT)
        proton.finalize(session)
        file = FOLDER / f"{name}.hatchet"
        recorded = Profile.load(file)
        file.write_text(Profile(recorded.tree, recorded.devices).to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
