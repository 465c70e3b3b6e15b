"""Make `import triton.profiler` give this package.

`install()` redirects `triton.profiler`, all its modules and its native module, also for code that
imports them later; `uninstall()` puts everything back. What a program has already bound to a name
(`from triton.profiler import scope`) stays what it was.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

_VARIABLE = "PROTON_XPU_INSTALL"

_ALIASES = {"triton.profiler": "proton_xpu", "triton._C.libproton": "proton_xpu.libproton"}
_MODULES_OF_THE_PACKAGE = (
    "context",
    "data",
    "flags",
    "install",
    "metric",
    "profile",
    "scope",
    "specs",
    "state",
)
"""What importing the package has imported."""


def install() -> None:
    """Redirect `triton.profiler` to this package. Does nothing if it is."""
    if _installation.is_active:
        return
    _installation.activate()


def install_if_asked() -> None:
    """`install()` if `PROTON_XPU_INSTALL` is set, to anything but 0.

    The package's .pth file calls it when an interpreter starts with that variable.
    """
    if os.environ.get(_VARIABLE, "0") not in ("", "0"):
        install()


def uninstall() -> None:
    """Undo `install()`. Does nothing if it was not called."""
    if _installation.is_active:
        _installation.deactivate()


class _AliasLoader:
    """Loads a module by taking another one as it is."""

    def __init__(self, actual_name: str) -> None:
        self._actual_name = actual_name
        self._actual_spec: ModuleSpec | None = None

    def create_module(self, _spec: ModuleSpec) -> ModuleType:
        """Return the actual module, and remember what the import system will overwrite."""
        module = importlib.import_module(self._actual_name)
        self._actual_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Put back what the import system has overwritten."""
        module.__spec__ = self._actual_spec
        if module.__name__ == "proton_xpu":
            # Loaded through the finder, these would be bound in the package over the classes and
            # functions of the same name.
            for name in _MODULES_OF_THE_PACKAGE:
                sys.modules[f"triton.profiler.{name}"] = sys.modules[f"proton_xpu.{name}"]

    def get_code(self, _name: str) -> CodeType | None:
        """The actual module's code, for `python -m`."""
        spec = importlib.util.find_spec(self._actual_name)
        loader: Any = None if spec is None else spec.loader
        code: CodeType | None = loader.get_code(self._actual_name)
        return code


class _AliasFinder:
    """Finds the aliases and everything below them."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: Any = None
    ) -> ModuleSpec | None:
        """The alias's spec, or None for a name that is none."""
        actual_name = _actual_name(fullname)
        if actual_name is None or importlib.util.find_spec(actual_name) is None:
            return None
        loader: Any = _AliasLoader(actual_name)
        return ModuleSpec(fullname, loader)


class _Installation:
    """The redirection and what is needed to undo it."""

    def __init__(self) -> None:
        self._finder = _AliasFinder()
        self._saved_modules: dict[str, ModuleType] = {}
        self._saved_attributes: list[tuple[ModuleType, str, ModuleType]] = []

    @property
    def is_active(self) -> bool:
        """Whether the redirection is in force."""
        return self._finder in sys.meta_path

    def activate(self) -> None:
        """Redirect, after noting down what is there."""
        self._saved_modules = _take_aliased_modules()
        self._saved_attributes = _take_aliased_attributes()
        sys.meta_path.insert(0, self._finder)
        for parent, attribute, _ in self._saved_attributes:
            importlib.import_module(f"{parent.__name__}.{attribute}")

    def deactivate(self) -> None:
        """Put back what was there."""
        sys.meta_path.remove(self._finder)
        _take_aliased_modules()
        _take_aliased_attributes()
        sys.modules.update(self._saved_modules)
        for parent, attribute, module in self._saved_attributes:
            setattr(parent, attribute, module)
        self._saved_modules = {}
        self._saved_attributes = []


def _actual_name(fullname: str) -> str | None:
    for alias, actual in _ALIASES.items():
        if fullname == alias or fullname.startswith(alias + "."):
            return actual + fullname[len(alias) :]
    return None


def _take_aliased_modules() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if _actual_name(name) is not None]
    return {name: sys.modules.pop(name) for name in names}


def _take_aliased_attributes() -> list[tuple[ModuleType, str, ModuleType]]:
    taken = []
    for alias in _ALIASES:
        parent_name, _, attribute = alias.rpartition(".")
        parent = sys.modules.get(parent_name)
        if parent is not None and attribute in vars(parent):
            taken.append((parent, attribute, vars(parent)[attribute]))
            delattr(parent, attribute)
    return taken


_installation = _Installation()
