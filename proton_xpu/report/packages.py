"""Optional packages, imported when a report needs them."""

from importlib import import_module
from typing import Any

from proton_xpu.report.errors import MissingPackageError


def require(module: str, distribution: str, purpose: str) -> Any:
    """Imports `module`, or says which distribution to install for `purpose`.

    The result is untyped because most of these packages are not typed themselves.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPackageError(
            f"{purpose} needs the package {distribution}; install it with"
            f" `pip install {distribution}` or `pip install proton_xpu[report]`"
        ) from error
