"""A headless Chromium for tests that click, driven over its debugging pipe."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_PROGRAMS = ("chromium-headless-shell", "chromium")

_PATIENCE_S = 60

_VIRTUAL_KEYS = {"Enter": 13, "Escape": 27}


class Page:
    """One page of a browser; `close` it at the end."""

    def __init__(self, width: int = 1000, height: int = 700) -> None:
        program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
        assert program, "install Debian's package chromium-headless-shell for the tests that click"
        self._profile = TemporaryDirectory(prefix="browser", ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The browser reads commands from descriptor 3 and answers on descriptor 4.
        redirect = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            [
                *("bash", "-c", redirect, program),
                *("--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"),
                f"--user-data-dir={self._profile.name}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._reader = os.fdopen(self._in, "rb")
        self._number = 0
        self._buffer = b""
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._call("Page.enable")

    def close(self) -> None:
        """Ends the browser."""
        self._session = None
        self._call("Browser.close")
        self._process.wait(_PATIENCE_S)
        self._reader.close()
        os.close(self._out)
        self._profile.cleanup()

    def open(self, path: Path) -> None:
        """Loads a file and waits until it is there."""
        self._call("Page.navigate", url=path.as_uri())
        self._wait_for("Page.loadEventFired")

    def run(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Presses and releases the mouse in the middle of an element."""
        middle = self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=middle[0],
                y=middle[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str) -> None:
        """Presses and releases a key, named as in KeyboardEvent.key."""
        code = {"windowsVirtualKeyCode": _VIRTUAL_KEYS[key]} if key in _VIRTUAL_KEYS else {}
        self._call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, **code)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def type(self, text: str) -> None:
        """Writes text where the focus is."""
        self._call("Input.insertText", text=text)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _wait_for(self, event: str) -> None:
        while self._receive().get("method") != event:
            pass

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._in, 65536)
            assert chunk, "the browser ended"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        received: dict[str, Any] = json.loads(message)
        return received
