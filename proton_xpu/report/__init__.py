"""The read side: loads profiles and makes reports of them.

Nothing here imports the native module, so any machine can read profiles. Start with `Profile`.
"""

from proton_xpu.report.errors import (
    MetricNotFoundError,
    MetricUnitError,
    MissingPackageError,
    NoMatchError,
    ProfileFormatError,
    ReportError,
)
from proton_xpu.report.profile import Profile

__all__ = [
    "MetricNotFoundError",
    "MetricUnitError",
    "MissingPackageError",
    "NoMatchError",
    "Profile",
    "ProfileFormatError",
    "ReportError",
]
