"""What `Scope` does as a decorator."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from proton_xpu._native import Scope

_F = TypeVar("_F", bound=Callable[..., Any])


def decorate(scope: Scope, func: _F) -> _F:
    """`func`, each call of it in a scope like `scope`.

    Every call opens a scope of its own, so that recursion and threads do not meet.
    """
    kind = type(scope)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with kind(scope.name, scope.metrics):
            return func(*args, **kwargs)

    return cast("_F", wrapper)
