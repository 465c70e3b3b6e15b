"""Call stacks that a Chrome trace's events refer to."""

from typing import Any


class StackFrames:
    """The frames under a trace's "stackFrames", each with its name and its parent's number."""

    def __init__(self, content: dict[str, Any]) -> None:
        frames = content.get("stackFrames")
        self._frames: dict[str, Any] = frames if isinstance(frames, dict) else {}
        self._stacks: dict[str, list[str]] = {}

    def stack(self, reference: object) -> list[str]:
        """Names from the root to a frame. Raises `KeyError` with the frame that does not exist."""
        key = str(reference)
        known = self._stacks.get(key)
        if known is None:
            known = self._stacks[key] = self._resolved(key)
        return known

    def _resolved(self, reference: str) -> list[str]:
        names: list[str] = []
        at: str | None = reference
        while at is not None:
            frame = self._frames.get(at)
            if not isinstance(frame, dict) or "name" not in frame or len(names) > len(self._frames):
                raise KeyError(at)
            names.append(str(frame["name"]))
            at = str(frame["parent"]) if "parent" in frame else None
        return names[::-1]
