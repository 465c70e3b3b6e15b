"""Loading of profiles that tells a terminal how far it is."""

from pathlib import Path

from proton_xpu.cli.progress import progress
from proton_xpu.report.loading import part_files
from proton_xpu.report.profile import Profile


def load(path: str | Path) -> Profile:
    """`Profile.load`, whose progress over part files is seen on a terminal."""
    with progress("loading", len(part_files(Path(path)))) as advance:
        return Profile.load(path, advance)
