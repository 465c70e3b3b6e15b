"""Makes the pictures of the documentation from the profiles beside them.

    python .ci/docs_pictures.py

The profiles are recordings on the software device, made by record_docs_profiles.py.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from terminal_picture import terminal_svg

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "users" / "pictures"

TEXTS = {
    "view.svg": "view -m time/ms,count,avg_time/us,time/% run.rank_0.hatchet",
    "diff.svg": "diff run.rank_0.hatchet run.rank_1.hatchet",
    "merge.svg": "merge run.hatchet",
}
"""Pictures of what a command prints, and its arguments behind `proton-xpu`."""

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAME_SIZE = "960,420"


def text_picture(arguments: str) -> str:
    """The SVG of what `proton-xpu` prints, in colour."""
    return terminal_svg(
        f"proton-xpu {arguments}", output_of(*arguments.split(), "--color", "always")
    )


def output_of(*arguments: str, folder: Path = FOLDER) -> str:
    """What `proton-xpu` prints in a folder, without argument in that of the pictures."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "proton_xpu", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def converted_picture(folder: Path) -> str:
    """The SVG of a profile that is converted to collapsed stacks."""
    stacks = folder / "run.folded"
    output_of("convert", "run.rank_0.hatchet", str(stacks))
    return terminal_svg(
        "proton-xpu convert run.rank_0.hatchet run.folded; cat run.folded",
        stacks.read_text(encoding="utf-8"),
    )


def regress_picture(folder: Path) -> str:
    """The SVG of a comparison of two results, each of three launches."""
    for result, profiles in (("base.json", "run"), ("new.json", "new")):
        launches = [str(FOLDER / f"{profiles}.rank_{number}.hatchet") for number in range(3)]
        output_of("regress", "record", "--profiles", "-o", result, "--", *launches, folder=folder)
    arguments = "regress compare base.json new.json --all"
    return terminal_svg(f"proton-xpu {arguments}", output_of(*arguments.split(), folder=folder))


def photograph(page: Path, picture: Path) -> None:
    """A picture of an HTML page in a browser without window."""
    browser = next((found for found in map(shutil.which, _BROWSERS) if found), None)
    if browser is None:
        sys.exit("install Chromium: ./dev setup does")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--window-size={_FLAME_SIZE}", f"--screenshot={picture}"]
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *options, f"--user-data-dir={profile}", page.as_uri()]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


FILES = {"convert.svg": converted_picture, "regress.svg": regress_picture}
"""Pictures of commands that write files first, into a folder."""


def main() -> None:
    """Writes all pictures."""
    for name, arguments in TEXTS.items():
        (FOLDER / name).write_text(text_picture(arguments), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for name, draw in FILES.items():
            (FOLDER / name).write_text(draw(Path(folder)), encoding="utf-8")
    output_of("roofline", "run.rank_0.hatchet", "roofline.png")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "flame.html"
        output_of("flame", "run.rank_0.hatchet", "-o", str(page))
        photograph(page, FOLDER / "flame.png")


if __name__ == "__main__":
    main()
