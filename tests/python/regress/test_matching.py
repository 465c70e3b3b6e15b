import pytest
from support.simulated_launches import simulated_result

from proton_xpu.report.regress.errors import ConfigError
from proton_xpu.report.regress.matching import match
from proton_xpu.report.regress.result import KernelPath, Result


def result(*paths: KernelPath, time: float = 1000.0) -> Result:
    plain = simulated_result([[time, time]])
    columns = next(iter(plain.kernels.values()))
    plain.kernels.clear()
    plain.kernels.update({path: dict(columns) for path in paths})
    return plain


def test_kernels_are_matched_by_scopes_and_name() -> None:
    matching = match(result(("a", "k"), ("b", "k")), result(("b", "k"), ("c", "k")), {})
    assert matching.paths == [("a", "k"), ("b", "k"), ("c", "k")]
    assert matching.base_path == {("a", "k"): ("a", "k"), ("b", "k"): ("b", "k")}


def test_a_similar_new_name_is_suggested() -> None:
    base = result(("a", "matmul_kernel"), ("a", "softmax"))
    new = result(("a", "matmul_kernel_v2"), ("a", "zz"))
    (suggestion,) = match(base, new, {}).suggestions
    assert (suggestion.old, suggestion.new) == (("a", "matmul_kernel"), ("a", "matmul_kernel_v2"))
    assert suggestion.score > 0.9


def test_a_kernel_that_moved_to_another_scope_is_suggested() -> None:
    (suggestion,) = match(result(("a", "b", "k")), result(("a", "c", "k")), {}).suggestions
    assert (suggestion.old, suggestion.new) == (("a", "b", "k"), ("a", "c", "k"))


def test_each_kernel_is_suggested_once() -> None:
    base = result(("kernel_1",), ("kernel_2",))
    suggestions = match(base, result(("kernel_3",)), {}).suggestions
    assert len(suggestions) == 1


def test_other_names_are_not_suggested() -> None:
    assert match(result(("matmul",)), result(("softmax",), time=9000.0), {}).suggestions == []


def test_a_rename_from_the_settings_joins_the_two() -> None:
    matching = match(result(("a", "old")), result(("a", "new")), {"a/old": "a/new"})
    assert matching.paths == [("a", "new")]
    assert matching.base_path == {("a", "new"): ("a", "old")}
    assert matching.suggestions == []


def test_renames_must_not_join_two_kernels_of_the_base() -> None:
    with pytest.raises(ConfigError, match="a/x and a/y would both become a/y"):
        match(result(("a", "y"), ("a", "x")), result(("a", "y")), {"a/x": "a/y"})
