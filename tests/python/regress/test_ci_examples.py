"""The example files for CI are YAML, and their commands are ones that exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from proton_xpu.cli.regress import main

FOLDER = Path(__file__).parents[3] / "examples" / "ci"


def texts(value: Any) -> list[str]:
    """All texts in a decoded file."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [value] if isinstance(value, str) else []


def commands(name: str) -> list[list[str]]:
    """Arguments of each `proton-xpu regress`; shell variables are left as they are."""
    content = yaml.safe_load((FOLDER / name).read_text())
    lines = [
        line
        for text in texts(content)
        for line in re.sub(r"\\\n\s*", " ", text).splitlines()
        if line.startswith("proton-xpu regress ")
    ]
    return [shlex.split(line.replace("$UPDATE", "--update"))[2:] for line in lines]


@pytest.mark.parametrize(("name", "count"), [("github-actions.yml", 4), ("gitlab-ci.yml", 2)])
def test_the_commands_exist(
    name: str, count: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = commands(name)
    assert len(found) == count
    settings = tmp_path / "settings.toml"
    settings.write_text("")
    for arguments in found:
        split = arguments.index("--") if "--" in arguments else len(arguments)
        options = ["--config", str(settings), "--dump-config"]
        assert main([*arguments[:split], *options, *arguments[split:]]) == 0
        assert 'preset = "default"' in capsys.readouterr().out
