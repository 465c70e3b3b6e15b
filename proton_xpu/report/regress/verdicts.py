"""What can be said of a kernel or of a report, why, and the exit codes that follow."""

from enum import Enum, IntEnum


class Verdict(str, Enum):
    """What is said of a row, a finding or a whole report."""

    OK = "OK"
    REGRESSED = "REGRESSED"
    IMPROVED = "IMPROVED"
    AMBIGUOUS = "AMBIGUOUS"
    NEW = "NEW"
    GONE = "GONE"
    NO_DATA = "NO-DATA"
    INVALID = "INVALID"


class Reason(str, Enum):
    """Why a verdict was given. The values are part of the report's format."""

    NO_CHANGE = "no-change"
    BELOW_LIMIT = "below-limit"
    NEGLIGIBLE = "negligible"
    NOT_GATED = "not-gated"
    WORSE = "worse"
    BETTER = "better"
    ALL_WORSE = "all-worse"
    ALL_BETTER = "all-better"
    SINGLE_LAUNCH = "single-launch"
    UNDECIDED = "undecided"
    NOISY = "noisy"
    COMMON_DRIFT = "common-drift"
    ONLY_IN_NEW = "only-in-new"
    ONLY_IN_BASE = "only-in-base"
    NO_VALUES = "no-values"
    NO_KERNELS = "no-kernels"
    LAUNCH_EMPTY = "launch-empty"
    LAUNCH_FAILED = "launch-failed"
    RECORDS_LOST = "records-lost"
    OTHER_DEVICE = "other-device"
    OTHER_DRIVER = "other-driver"
    OTHER_CLOCK = "other-clock"
    CORRUPT_BASELINE = "corrupt-baseline"
    BASELINE_SEEDED = "baseline-seeded"


EXPLANATIONS: dict[Reason, str] = {
    Reason.NO_CHANGE: "no change that stands out of the noise",
    Reason.BELOW_LIMIT: "a change, but within the limit",
    Reason.NEGLIGIBLE: "a change too small in time or in share of the whole to matter",
    Reason.NOT_GATED: "the settings leave this kernel out",
    Reason.WORSE: "worse by more than the limit, and not by chance",
    Reason.BETTER: "better by more than the limit, and not by chance",
    Reason.ALL_WORSE: "the whole report is worse; look at clocks, driver and compiler first",
    Reason.ALL_BETTER: "the whole report is better; look at clocks, driver and compiler first",
    Reason.SINGLE_LAUNCH: "one launch per side cannot tell a change from noise",
    Reason.UNDECIDED: "more than the limit, but it could still be noise",
    Reason.NOISY: "launches differ so much that a change could hide",
    Reason.COMMON_DRIFT: "all kernels drifted together; interleave the sides with record --against",
    Reason.ONLY_IN_NEW: "not in the base",
    Reason.ONLY_IN_BASE: "in the base, but not measured any more",
    Reason.NO_VALUES: "nothing was recorded of this metric",
    Reason.NO_KERNELS: "no kernel was recorded",
    Reason.LAUNCH_EMPTY: "a launch recorded no kernel",
    Reason.LAUNCH_FAILED: "a launch of the command failed",
    Reason.RECORDS_LOST: "kernel records were lost",
    Reason.OTHER_DEVICE: "the sides ran on different devices",
    Reason.OTHER_DRIVER: "the sides ran with different drivers",
    Reason.OTHER_CLOCK: "the sides ran at different clock rates",
    Reason.CORRUPT_BASELINE: "the baseline cannot be read",
    Reason.BASELINE_SEEDED: "there was no baseline; this result is the first",
}


class ExitCode(IntEnum):
    """Exit codes of `proton-xpu regress`."""

    FINE = 0
    REGRESSED = 1
    USAGE = 2
    NO_DATA = 3
    AMBIGUOUS = 4


SEVERITY = (
    Verdict.INVALID,
    Verdict.NO_DATA,
    Verdict.GONE,
    Verdict.REGRESSED,
    Verdict.AMBIGUOUS,
    Verdict.IMPROVED,
    Verdict.NEW,
    Verdict.OK,
)
"""Verdicts with the gravest first; rows are shown in this order."""
