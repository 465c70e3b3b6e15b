"""Typical times of kernels within one launch, where the profile has every call."""

from pathlib import Path
from statistics import median

from proton_xpu.report.chrome_trace import kernel_durations
from proton_xpu.report.loading import decode_content, part_files

TRACE_SUFFIX = ".chrome_trace"


def median_times(path: Path) -> dict[tuple[str, ...], float]:
    """Median time in ns per kernel path of a chrome trace; empty for aggregated profiles.

    A median ignores the odd slow call, which a mean of few calls does not. Raises `OSError` or
    `ProfileFormatError`.
    """
    if path.suffix != TRACE_SUFFIX:
        return {}
    durations: dict[tuple[str, ...], list[int]] = {}
    for part in [path] if path.exists() else part_files(path):
        content = decode_content(part.read_bytes(), str(part))
        if not isinstance(content, dict):
            continue
        for kernel, times in kernel_durations(content, str(part)).items():
            durations.setdefault(kernel, []).extend(times)
    return {kernel: float(median(times)) for kernel, times in durations.items()}
