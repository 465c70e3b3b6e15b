"""Runs scenarios on the software device: worker.py OUTPUT.json [NAME...].

Writes what each returned, raised and wrote, in normal form. One process runs them all: a session
that one leaves behind is finalized before the next.
"""

import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from support.soft_kernels import soft_kernels

from golden.normal_form import files_below
from golden.scenarios import SCENARIOS, Kernels, Scenario


def outcome_of(scenario: Scenario, proton: Any, kernels: Kernels, folder: Path) -> dict[str, Any]:
    """What came of one scenario, with `folder` named /out."""
    outcome: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome["returned"] = scenario(proton, kernels, str(folder / "p"))
        except Exception as error:  # noqa: BLE001 (the exception is the outcome)
            outcome["raised"] = type(error).__name__
            outcome["message"] = str(error)
        proton.finalize()
    if caught:
        outcome["warnings"] = [str(warning.message) for warning in caught]
    outcome["files"] = files_below(folder)
    plain: dict[str, Any] = json.loads(json.dumps(outcome).replace(str(folder), "/out"))
    return plain


def main() -> None:
    import proton_xpu

    output, *names = sys.argv[1:]
    kernels = soft_kernels()
    outcomes = {}
    for name in names or SCENARIOS:
        with tempfile.TemporaryDirectory() as folder:
            outcomes[name] = outcome_of(SCENARIOS[name], proton_xpu, kernels, Path(folder))
    Path(output).write_text(json.dumps(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
