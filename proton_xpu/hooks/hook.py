"""What a launch hook is, and who calls it."""

# ruff: noqa: A002 (`hash` is what Triton calls that argument)

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from proton_xpu.hooks.attachment import Attachment, HookFunctions


class Hook:
    """Base of all hooks: is told of kernel launches, and of kernels loaded and unloaded.

    Hooks with a higher `priority` enter first and exit last. `metadata` is Triton's `LazyDict` of
    the launch; `metadata.get()` evaluates it.
    """

    priority: int = 0

    def init_handle(
        self, module: Any, function: Any, name: str, metadata_group: Mapping[str, str], hash: str
    ) -> None:
        """A kernel has been loaded (Triton 3.6 and later)."""

    def destroy_handle(
        self, module: Any, function: Any, name: str, metadata_group: Mapping[str, str], hash: str
    ) -> None:
        """A kernel is about to be unloaded (Triton 3.8 and later)."""

    def enter(self, metadata: Any) -> None:
        """A kernel is about to be launched, on this thread."""

    def exit(self, metadata: Any) -> None:
        """The kernel has been submitted, on the same thread."""

    def activate(self) -> None:
        """The first session that uses this hook has become active."""

    def deactivate(self) -> None:
        """No session that uses this hook is active any more."""


class HookManager:
    """Calls the hooks of the active sessions; is plugged into Triton while there are any."""

    active_hooks: ClassVar[list[Hook]] = []
    """Hooks in the order in which they enter."""

    session_hooks: ClassVar[defaultdict[int, dict[Hook, bool]]] = defaultdict(dict)
    """Hooks of each session, and whether the session has them active."""

    _attachment: ClassVar[Attachment] = Attachment()

    # Methods of the active hooks, for launches. A change makes a new tuple, since another thread
    # may be walking over the old one.
    _enter_calls: ClassVar[tuple[Callable[[Any], None], ...]] = ()
    _exit_calls: ClassVar[tuple[Callable[[Any], None], ...]] = ()

    @staticmethod
    def init_handle(
        module: Any, function: Any, name: str, metadata_group: Mapping[str, str], hash: str
    ) -> None:
        """Tell the active hooks that a kernel has been loaded."""
        for hook in HookManager.active_hooks:
            hook.init_handle(module, function, name, metadata_group, hash)

    @staticmethod
    def destroy_handle(
        module: Any, function: Any, name: str, metadata_group: Mapping[str, str], hash: str
    ) -> None:
        """Tell the active hooks that a kernel is about to be unloaded."""
        for hook in HookManager.active_hooks:
            hook.destroy_handle(module, function, name, metadata_group, hash)

    @staticmethod
    def enter(metadata: Any) -> None:
        """Tell the active hooks, by descending priority, of a launch about to happen."""
        for call in HookManager._enter_calls:
            call(metadata)

    @staticmethod
    def exit(metadata: Any) -> None:
        """Tell the active hooks, in reverse order, that the launch has happened."""
        for call in HookManager._exit_calls:
            call(metadata)

    @staticmethod
    def register(hook: Hook, session: int) -> None:
        """Add `hook` to `session`, activate it, and plug the manager into Triton."""
        HookManager._attachment.attach(
            HookFunctions(
                HookManager.enter,
                HookManager.exit,
                HookManager.init_handle,
                HookManager.destroy_handle,
            )
        )
        HookManager.session_hooks[session].setdefault(hook, False)
        HookManager.activate(session)

    @staticmethod
    def unregister(session: int | None = None) -> None:
        """Drop the hooks of `session`, or of all sessions.

        Leaves Triton's hooks as they were before `register` if no hook is active any more.
        """
        HookManager.deactivate(session)
        for number in _selected_sessions(session):
            del HookManager.session_hooks[number]
        if not HookManager.active_hooks:
            HookManager._attachment.detach()

    @staticmethod
    def activate(session: int | None = None) -> None:
        """Activate the hooks of `session`, or of all sessions. Does nothing to active ones."""
        for number in _selected_sessions(session):
            hooks = HookManager.session_hooks[number]
            for hook in hooks:
                hooks[hook] = True
                if hook not in HookManager.active_hooks:
                    hook.activate()
                    HookManager._set_active([*HookManager.active_hooks, hook])

    @staticmethod
    def deactivate(session: int | None = None) -> None:
        """Deactivate the hooks of `session`, or of all, that no other session has active."""
        for number in _selected_sessions(session):
            hooks = HookManager.session_hooks[number]
            for hook in hooks:
                hooks[hook] = False
                if hook in HookManager.active_hooks and not _is_active_anywhere(hook):
                    HookManager._set_active(
                        [item for item in HookManager.active_hooks if item is not hook]
                    )
                    hook.deactivate()

    @staticmethod
    def forget() -> None:
        """Drop all hooks without telling them; for a forked child."""
        HookManager._set_active([])
        HookManager.session_hooks.clear()
        HookManager._attachment.detach()

    @staticmethod
    def _set_active(hooks: list[Hook]) -> None:
        ordered = sorted(hooks, key=lambda hook: -hook.priority)
        HookManager.active_hooks = ordered
        HookManager._enter_calls = tuple(hook.enter for hook in ordered)
        HookManager._exit_calls = tuple(hook.exit for hook in reversed(ordered))


def _selected_sessions(session: int | None) -> list[int]:
    if session is None:
        return list(HookManager.session_hooks)
    return [session] if session in HookManager.session_hooks else []


def _is_active_anywhere(hook: Hook) -> bool:
    return any(hooks.get(hook, False) for hooks in HookManager.session_hooks.values())
