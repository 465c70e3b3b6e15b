"""What can go wrong with results, settings and baselines; all end the command with code 2 or 3."""

from proton_xpu.report.errors import ReportError


class ConfigError(ReportError, ValueError):
    """A setting is unknown or has a value that it cannot have; the message names the key."""


class ResultFormatError(ReportError, ValueError):
    """A result or a stored comparison is damaged or of another version."""


class RecordingError(ReportError, RuntimeError):
    """The command to measure could not be started."""


class BaselineError(ReportError, RuntimeError):
    """A place for baselines could not be read or written."""
