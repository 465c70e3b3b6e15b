import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from support.children import python_environment
from support.profiles import ProfileWriter, kernel, node, root

from proton_xpu.cli.terminal import text_style

_ESCAPE = re.compile(r"\x1b\[\d*m")


def on_terminal(profile: Path, columns: int, *options: str, **variables: str | None) -> list[str]:
    """Lines that the viewer prints on a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    terminal = {"TERM": "xterm", "NO_COLOR": None, "COLUMNS": None, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "proton_xpu.cli.view", str(profile), *options],
        stdin=slave,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env=python_environment(sys.path, {**terminal, **variables}),
    )
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 65536):
            output += chunk
    except OSError:
        # Linux reports a terminal whose other side is closed as an error.
        pass
    finally:
        os.close(master)
    assert process.wait() == 0
    return output.decode().splitlines()


@pytest.fixture
def wide(write: ProfileWriter) -> Path:
    return write.file(root(node("scope", kernel("k" * 300, 5), kernel("核" * 100, 7))))


@pytest.mark.parametrize("columns", [70, 80, 120])
def test_lines_fit_the_terminal(wide: Path, columns: int) -> None:
    lines = [_ESCAPE.sub("", line) for line in on_terminal(wide, columns)]

    assert len(lines[3]) == columns
    assert lines[3].endswith("k…")
    # Each of these characters takes two columns.
    assert len(lines[4]) + lines[4].count("核") in (columns - 1, columns)


def test_width_can_be_given(wide: Path) -> None:
    lines = [_ESCAPE.sub("", line) for line in on_terminal(wide, 60, "--width", "0")]

    assert "k" * 300 in lines[3]


def test_colours_are_for_terminals(wide: Path) -> None:
    assert "\x1b[31m" in "".join(on_terminal(wide, 80))


@pytest.mark.parametrize(
    ("options", "variables"),
    [([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--color", "never"], {})],
)
def test_colours_can_be_switched_off(
    wide: Path, options: list[str], variables: dict[str, str]
) -> None:
    assert "\x1b" not in "".join(on_terminal(wide, 80, *options, **variables))


def test_pipe_gets_no_colours_and_whole_names() -> None:
    style = text_style("auto", ascii_only=False, width=None)

    assert (style.color, style.width) == (False, None)


def test_colours_can_be_forced_into_a_pipe() -> None:
    assert text_style("always", ascii_only=False, width=None).color


def test_ascii_where_asked_for_or_where_the_encoding_needs_it(wide: Path) -> None:
    assert not text_style("auto", ascii_only=True, width=None).unicode
    lines = on_terminal(wide, 80, PYTHONIOENCODING="ascii")
    assert "`- " in "".join(lines)
    assert "\\u6838" in lines[4]
