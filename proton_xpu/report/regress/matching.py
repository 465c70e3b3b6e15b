"""Which kernel of the base is which of the new result, and which may have been renamed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

from proton_xpu.report.regress.errors import ConfigError
from proton_xpu.report.regress.result import Column, KernelPath, Result

_LEAST_SCORE = 0.6
_MOST_COMPARED = 200
_NAME_WEIGHT = 0.7


@dataclass(frozen=True)
class Suggestion:
    """A kernel that is gone and one that is new that look like the same one; `score` is 0 to 1."""

    old: KernelPath
    new: KernelPath
    score: float


@dataclass(frozen=True)
class Matching:
    """Kernels of both sides in the base's order, then the new ones.

    `base_path` gives the path that a kernel had in the base, if it was renamed since.
    """

    paths: list[KernelPath]
    base_path: dict[KernelPath, KernelPath]
    suggestions: list[Suggestion]


def match(base: Result, new: Result, renames: Mapping[str, str]) -> Matching:
    """Matches kernels by path and name. `renames` maps old paths, joined by "/", to new ones.

    Raises `ConfigError` if a rename would make two kernels of the base one.
    """
    base_path = _renamed(base.kernels, renames)
    paths = list(dict.fromkeys([*base_path, *new.kernels]))
    gone = [path for path in base_path if path not in new.kernels]
    added = [path for path in new.kernels if path not in base_path]
    pairs = {path: base.kernels[old] for path, old in base_path.items()}
    return Matching(paths, base_path, _suggestions(gone, added, pairs, new.kernels))


def _renamed(
    paths: Iterable[KernelPath], renames: Mapping[str, str]
) -> dict[KernelPath, KernelPath]:
    renamed: dict[KernelPath, KernelPath] = {}
    for path in paths:
        target = renames.get("/".join(path))
        now = path if target is None else tuple(target.split("/"))
        if now in renamed:
            raise ConfigError(
                f"renames: {'/'.join(path)} and {'/'.join(renamed[now])} would both become"
                f" {'/'.join(now)}; remove one of the renames"
            )
        renamed[now] = path
    return renamed


def _suggestions(
    gone: list[KernelPath],
    added: list[KernelPath],
    before: Mapping[KernelPath, Mapping[str, Column]],
    after: Mapping[KernelPath, Mapping[str, Column]],
) -> list[Suggestion]:
    """The best pairs of a gone and a new kernel, each kernel in one pair at most."""
    scored = [
        Suggestion(old, new, _likeness(old, new, before[old], after[new]))
        for old in gone[:_MOST_COMPARED]
        for new in added[:_MOST_COMPARED]
    ]
    scored.sort(key=lambda pair: -pair.score)
    used: set[KernelPath] = set()
    best = []
    for pair in scored:
        if pair.score < _LEAST_SCORE:
            break
        if pair.old not in used and pair.new not in used:
            used |= {pair.old, pair.new}
            best.append(pair)
    return best


def _likeness(
    old: KernelPath,
    new: KernelPath,
    before: Mapping[str, Column],
    after: Mapping[str, Column],
) -> float:
    """How alike two kernels are: mostly by name and scopes, the rest by count and time."""
    matcher = SequenceMatcher(None, old[-1], new[-1], autojunk=False)
    name = matcher.ratio() if matcher.real_quick_ratio() > _LEAST_SCORE / 2 else 0.0
    if old[:-1] != new[:-1]:
        shared = len(set(old[:-1]) & set(new[:-1]))
        name *= 0.75 + 0.25 * shared / max(len(old) - 1, len(new) - 1, 1)
    numbers = [_closeness(before.get(m), after.get(m)) for m in ("count", "time")]
    return _NAME_WEIGHT * name + (1 - _NAME_WEIGHT) * sum(numbers) / len(numbers)


def _closeness(before: Column | None, after: Column | None) -> float:
    one = [value for value in before or () if value]
    other = [value for value in after or () if value]
    if not one or not other:
        return 0.0
    small, large = sorted((median(one), median(other)))
    return small / large
