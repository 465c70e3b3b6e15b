"""Where Triton calls launch hooks, in all its versions, and how to share these places.

Triton 3.6 and later has chains (`knobs.runtime.launch_enter_hook.add`), 3.4 and 3.5 a single slot
at the same place, 3.3 a class attribute of `CompiledKernel`. What other tools have put into a slot
keeps being called, and taking our function out again leaves the slot as it was.
"""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

HookFunction = Callable[..., Any]


class HookFunctions(NamedTuple):
    """What Triton is to call: around each launch, and after a kernel is loaded or unloaded."""

    enter: HookFunction
    exit: HookFunction
    load: HookFunction
    unload: HookFunction


class _Place(Protocol):
    def add(self, function: HookFunction, /) -> None: ...

    def remove(self, function: HookFunction, /) -> None: ...


class Attachment:
    """Our functions in the hook places of the Triton that this process has imported."""

    def __init__(self) -> None:
        self._attached: list[tuple[_Place, HookFunction]] = []

    def attach(self, functions: HookFunctions) -> None:
        """Plug `functions` in; does nothing if they are. `RuntimeError` without Triton."""
        if self._attached:
            return
        owner = _hook_owner()
        for attribute, function, runs_first in (
            ("launch_enter_hook", functions.enter, False),
            ("launch_exit_hook", functions.exit, True),
            ("kernel_load_end_hook", functions.load, True),
            ("kernel_unload_hook", functions.unload, False),
        ):
            if hasattr(owner, attribute):
                place = _place(owner, attribute, runs_first)
                place.add(function)
                self._attached.append((place, function))

    def detach(self) -> None:
        """Take our functions out; does nothing if they are not in."""
        for place, function in self._attached:
            place.remove(function)
        self._attached.clear()


class _Link:
    """What a single slot holds while we share it: our function and what was there before."""

    __slots__ = ("_own", "_previous", "_runs_first")

    def __init__(self, own: HookFunction, previous: HookFunction | None, runs_first: bool) -> None:
        self._own: HookFunction | None = own
        self._previous = previous
        self._runs_first = runs_first

    def __call__(self, *args: Any) -> None:
        own, previous = self._own, self._previous
        first, second = (own, previous) if self._runs_first else (previous, own)
        if first is not None:
            first(*args)
        if second is not None:
            second(*args)

    def retire(self) -> None:
        """Pass calls on to what was there before, and to nothing else."""
        self._own = None


class _SingleSlot:
    """An attribute that holds one callable or None."""

    def __init__(self, owner: Any, attribute: str, runs_first: bool) -> None:
        self._owner = owner
        self._attribute = attribute
        self._runs_first = runs_first
        self._link: _Link | None = None
        self._previous: HookFunction | None = None
        self._was_set_on_owner = False

    def add(self, function: HookFunction) -> None:
        self._was_set_on_owner = self._attribute in vars(self._owner)
        self._previous = getattr(self._owner, self._attribute)
        self._link = _Link(function, self._previous, self._runs_first)
        setattr(self._owner, self._attribute, self._link)

    def remove(self, _function: HookFunction) -> None:
        """Restore the slot, or retire our link if another tool has put its own hook over it."""
        link = self._link
        if link is None:
            return
        link.retire()
        if getattr(self._owner, self._attribute) is link:
            if self._was_set_on_owner:
                setattr(self._owner, self._attribute, self._previous)
            else:
                delattr(self._owner, self._attribute)
        self._link = None


def _hook_owner() -> Any:
    try:
        triton = importlib.import_module("triton")
    except ImportError as error:
        raise RuntimeError(
            "[PROTON] Hooks into kernel launches need Triton, which cannot be imported here: "
            f"{error}. Install triton-xpu, or start the session without a hook."
        ) from error
    knobs = getattr(triton, "knobs", None)
    if knobs is not None:
        return knobs.runtime
    return importlib.import_module("triton.compiler").CompiledKernel


def _place(owner: Any, attribute: str, runs_first: bool) -> _Place:
    current: Any = getattr(owner, attribute)
    if hasattr(current, "add") and hasattr(current, "remove"):
        chain: _Place = current
        return chain
    return _SingleSlot(owner, attribute, runs_first)
