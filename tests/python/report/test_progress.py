import io

import pytest
from support.profiles import ProfileWriter

from proton_xpu.cli.loading import load
from proton_xpu.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_terminal_sees_the_count_and_a_clean_line_at_the_end(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)

    with progress("loading", 40) as advance:
        advance(1)
        clock[0] = 1.0
        advance(16)

    assert terminal.getvalue() == "\rloading 17/40\r\x1b[K"


def test_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)

    with progress("loading", 2) as advance:
        clock[0] = 1.0
        advance(1)

    assert pipe.getvalue() == ""


def test_loading_of_part_files_is_seen(
    write: ProfileWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in range(3):
        write.steps(f"p.part_{part}.hatchet")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    now = iter(range(100))
    monkeypatch.setattr("time.monotonic", lambda: next(now))

    profile = load(write.folder / "p.hatchet")

    assert profile.column("count").values[0] == 15
    assert terminal.getvalue() == "".join([*(f"\rloading {n}/3" for n in (1, 2, 3)), "\r\x1b[K"])
