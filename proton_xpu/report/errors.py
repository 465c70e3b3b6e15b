"""What can go wrong on the read side. Each message is one sentence that says what to do."""


class ReportError(Exception):
    """Base class: the command line prints the message and ends with code 2."""


class ProfileFormatError(ReportError, ValueError):
    """A file exists but is not a profile; the message names the file, the place and the reason."""


class MetricNotFoundError(ReportError, RuntimeError):
    """A metric was asked for that the profile does not hold and cannot derive."""


class MetricUnitError(ReportError, ValueError):
    """A metric was asked for in a unit it does not have."""


class NoMatchError(ReportError, ValueError):
    """A filter left no frame."""


class MissingPackageError(ReportError, ImportError):
    """A report needs an optional package that is not installed."""
