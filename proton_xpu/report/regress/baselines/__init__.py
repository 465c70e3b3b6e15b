"""Places where results are kept to compare with: a folder, a git branch, or a URL."""

from proton_xpu.report.regress.baselines.store import Baselines, BaselineStore, open_baselines

__all__ = ["BaselineStore", "Baselines", "open_baselines"]
