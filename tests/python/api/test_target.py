"""What counts as a target."""

import pytest

from proton_xpu.target import Target


@pytest.mark.parametrize(
    ("name", "is_pytest"),
    [
        ("pytest", True),
        ("/usr/bin/pytest", True),
        ("py.test", True),
        ("pytest.py", False),
        ("my_pytest", False),
    ],
)
def test_pytest_is_recognised_by_its_base_name(name: str, is_pytest: bool) -> None:
    assert Target(name, []).is_pytest is is_pytest
