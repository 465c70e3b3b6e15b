"""The model that every output shows: rows, findings, and a verdict with its exit code."""

from dataclasses import dataclass, field

from proton_xpu.report.regress.matching import Suggestion
from proton_xpu.report.regress.result import KernelPath
from proton_xpu.report.regress.verdicts import EXPLANATIONS, SEVERITY, ExitCode, Reason, Verdict


@dataclass(frozen=True)
class Side:
    """A kernel's launches on one side: `values` per launch (None: not in that launch)."""

    values: list[float | None]
    median: float | None
    cv: float | None


@dataclass(frozen=True)
class Row:
    """One kernel and metric.

    `ratio` is new over base; `low` and `high` bound it with 95 % confidence. `p` and `q` are the
    one-sided p-value in the direction of the change and its false-discovery rate. `limit` is the
    share by which the metric may get worse, `detectable` the smallest change that as many launches
    would find nine times in ten, `more_launches` how many per side would settle an ambiguous row,
    `share` the kernel's part of the base's device time. What is not known is None.
    """

    path: KernelPath
    metric: str
    verdict: Verdict
    reason: Reason
    base: Side | None
    new: Side | None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    q: float | None = None
    limit: float | None = None
    detectable: float | None = None
    more_launches: int | None = None
    share: float | None = None
    set_aside: int = 0
    note: str = ""
    history: list[float | None] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The path as text."""
        return "/".join(self.path)

    @property
    def explanation(self) -> str:
        """The reason in words."""
        return EXPLANATIONS[self.reason]


@dataclass(frozen=True)
class Finding:
    """Something about the report as a whole that bears on its verdict, or a note (OK)."""

    verdict: Verdict
    reason: Reason
    text: str


@dataclass(frozen=True)
class SideSummary:
    """Where a side's numbers come from."""

    label: str
    revision: str
    created: str
    machine: str
    launches: int
    usable: int


@dataclass(frozen=True)
class Comparison:
    """A whole report.

    `total_ratio` is of the summed device time, `mean_ratio` the geometric mean over kernels,
    `common_ratio` the drift that all kernels shared and that was taken out.
    """

    base: SideSummary | None
    new: SideSummary
    rows: list[Row]
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    total_ratio: float | None = None
    mean_ratio: float | None = None
    common_ratio: float | None = None
    interleaved: bool = False
    gone_fails: bool = True
    strict: bool = False
    history_labels: list[str] = field(default_factory=list)

    def count(self, verdict: Verdict) -> int:
        """Number of rows with a verdict."""
        return sum(row.verdict is verdict for row in self.rows)

    def sorted_rows(self) -> list[Row]:
        """Rows with the gravest first, then by how much they changed."""
        rank = {verdict: place for place, verdict in enumerate(SEVERITY)}
        return sorted(
            self.rows, key=lambda row: (rank[row.verdict], -abs((row.ratio or 1.0) - 1), row.name)
        )

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict that counts: what `exit_code` stands for."""
        present = {row.verdict for row in self.rows} | {f.verdict for f in self.findings}
        if not self.gone_fails:
            present.discard(Verdict.GONE)
        deciding = (
            Verdict.INVALID,
            Verdict.NO_DATA,
            Verdict.GONE,
            Verdict.REGRESSED,
            Verdict.AMBIGUOUS,
        )
        return next((verdict for verdict in deciding if verdict in present), Verdict.OK)

    @property
    def exit_code(self) -> ExitCode:
        """0 fine, 1 regressed, 3 no data or invalid, 4 ambiguous if `strict`."""
        verdict = self.verdict
        if verdict in (Verdict.INVALID, Verdict.NO_DATA, Verdict.GONE):
            return ExitCode.NO_DATA
        if verdict is Verdict.REGRESSED:
            return ExitCode.REGRESSED
        if verdict is Verdict.AMBIGUOUS and self.strict:
            return ExitCode.AMBIGUOUS
        return ExitCode.FINE
