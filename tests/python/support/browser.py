"""Chromium without a window, driven over a pipe with its DevTools protocol."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE_S = 60
_KEYS = {
    "Tab": ("Tab", 9, ""),
    "Enter": ("Enter", 13, "\r"),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "Escape": ("Escape", 27, ""),
}


class Page:
    """One page. `requests` are the URLs it asked for, `errors` what went wrong in it."""

    def __init__(self, commands: IO[bytes], answers: IO[bytes]) -> None:
        self._commands = commands
        self._answers = answers
        self._session: dict[str, str] = {}
        self._number = 0
        self.events: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        attached = self.command("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.command(f"{domain}.enable")

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters, **self._session}
        self._commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path) -> None:
        """Opens a file and waits until it is loaded."""
        seen = len(self.events)
        self.command("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events[seen:]):
            self._receive()

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.command("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Presses and releases the mouse in the middle of an element."""
        x, y = self.evaluate(
            "((box) => [box.x + box.width / 2, box.y + box.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            button = {"button": "left", "clickCount": 1}
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def press(self, *keys: str) -> None:
        """Presses keys, such as "Enter" or "m", one after the other."""
        for key in keys:
            name, code, text = _KEYS.get(key, (key, 0, key))
            described = {"key": name, "code": name, "windowsVirtualKeyCode": code}
            self.command("Input.dispatchKeyEvent", type="keyDown", text=text, **described)
            self.command("Input.dispatchKeyEvent", type="keyUp", **described)

    def write(self, text: str) -> None:
        """Types text into what has the focus."""
        self.command("Input.insertText", text=text)

    def prefer(self, scheme: str) -> None:
        """Has the page see a preference for "light" or "dark"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.command("Emulation.setEmulatedMedia", features=[feature])

    def _receive(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "the browser ended"
            data += byte
        message: dict[str, Any] = json.loads(data)
        if "method" in message:
            self._note(message)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        parameters = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event["method"] == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"]["text"])
        elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])


@contextmanager
def browser_page(profile: Path) -> Iterator[Page]:
    """A page of a browser without network. `profile` is a folder for the browser's files."""
    program = next((found for found in map(shutil.which, _NAMES) if found), None)
    assert program, "install Chromium: ./dev setup does"
    commands_out, commands_in = os.pipe()
    answers_out, answers_in = os.pipe()
    arguments = [
        program,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--remote-debugging-pipe",
        f"--user-data-dir={profile}",
    ]
    process = subprocess.Popen(
        ["bash", "-c", f'exec "$@" 3<&{commands_out} 4>&{answers_in}', "bash", *arguments],
        pass_fds=(commands_out, answers_in),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(commands_out)
    os.close(answers_in)
    try:
        with (
            os.fdopen(commands_in, "wb", buffering=0) as commands,
            os.fdopen(answers_out, "rb") as answers,
        ):
            yield Page(commands, answers)
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)
