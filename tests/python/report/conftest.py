"""What the tests of the read side share."""

from pathlib import Path

import pytest
from support.profiles import ProfileWriter


@pytest.fixture
def write(tmp_path: Path) -> ProfileWriter:
    return ProfileWriter(tmp_path)
