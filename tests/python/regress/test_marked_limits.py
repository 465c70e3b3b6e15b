from pathlib import Path

import pytest

from proton_xpu.report.regress.errors import ResultFormatError
from proton_xpu.report.regress.marked_limits import folder_beside, read_limits, write_limit


def test_limits_stand_by_the_name_of_their_profile(tmp_path: Path) -> None:
    write_limit(tmp_path / "run" / "test_a", 0.05)
    write_limit(tmp_path / "run" / "test_b", 0.10)
    assert read_limits(tmp_path / "run") == {"test_a": 0.05, "test_b": 0.10}


def test_a_run_with_one_profile_has_them_beside_it(tmp_path: Path) -> None:
    write_limit(folder_beside(tmp_path / "profile") / "test_a", 0.05)
    assert read_limits(tmp_path / "profile") == {"test_a": 0.05}


def test_no_folder_has_no_limits(tmp_path: Path) -> None:
    assert read_limits(tmp_path / "nothing") == {}


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_a.limits.json").write_text("{}")
    with pytest.raises(ResultFormatError, match=r"test_a\.limits\.json: this holds no limit"):
        read_limits(tmp_path)
