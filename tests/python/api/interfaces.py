"""What a package of Python modules offers, as JSON: interfaces.py PACKAGE MODULE...

Functions and classes that the modules define, with the names, kinds and defaults of all parameters,
and the types of their other public values. Annotations are left out. A module called "" is the
package itself, with all that it has from its modules.
"""

import importlib
import inspect
import json
import sys
from enum import Enum
from types import ModuleType
from typing import Any

_SPECIAL_METHODS = ("__init__", "__enter__", "__exit__", "__call__")


def interfaces(package: str, modules: list[str]) -> dict[str, Any]:
    """Everything by its path, such as `hooks.hook.Hook.enter`."""
    found: dict[str, Any] = {}
    for name in modules:
        module = importlib.import_module(f"{package}.{name}" if name else package)
        origin = package if not name else module.__name__
        for attribute, value in vars(module).items():
            is_own = str(getattr(value, "__module__", origin)).startswith(origin)
            is_own = is_own or attribute in getattr(module, "__all__", ())
            if not attribute.startswith("_") and is_own and not isinstance(value, ModuleType):
                _add(found, f"{name}.{attribute}".removeprefix("."), value)
    return found


def _add(found: dict[str, Any], path: str, value: Any) -> None:
    if not inspect.isclass(value):
        found[path] = _parameters(value) if callable(value) else "value"
        return
    found[path] = _parameters(value)
    for name in dir(value):
        is_wanted = name in _SPECIAL_METHODS[1:] or not name.startswith("_")
        if is_wanted and not (issubclass(value, Enum) and name in ("name", "value")):
            member = inspect.getattr_static(value, name)
            is_function = callable(member) or isinstance(member, (staticmethod, classmethod))
            found[f"{path}.{name}"] = _parameters(member) if is_function else "value"


def _parameters(function: Any) -> Any:
    """Name, kind and default of each parameter; "value" if Python does not know."""
    if isinstance(function, (staticmethod, classmethod)):
        function = function.__func__
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "value"
    return [
        [parameter.name, parameter.kind.name.lower(), _default(parameter)]
        for parameter in signature.parameters.values()
    ]


def _default(parameter: inspect.Parameter) -> str | None:
    if parameter.default is parameter.empty:
        return None
    is_enum = isinstance(parameter.default, Enum)
    return str(parameter.default) if is_enum else repr(parameter.default)


if __name__ == "__main__":
    print(json.dumps(interfaces(sys.argv[1], sys.argv[2:])))
