"""The README: short, and its first two code blocks are the commands a newcomer needs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()
CODE_BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def test_it_has_at_most_120_lines() -> None:
    assert len(README.splitlines()) <= 120


def test_the_first_code_block_sets_up_and_profiles() -> None:
    assert CODE_BLOCKS[0] == ("sh", "./dev demo\n")


def test_the_second_code_block_runs_the_tests() -> None:
    assert CODE_BLOCKS[1] == ("sh", "./dev test\n")


def test_it_has_one_picture() -> None:
    drawings = [language for language, _ in CODE_BLOCKS if language == "mermaid"]
    images = re.findall(r"!\[[^]]*\]\([^)]+\)", README)
    assert len(drawings) + len(images) == 1


def test_the_commands_it_names_exist() -> None:
    known = re.search(r"^ +((?:\w+ \| )+\w+)\)$", (ROOT / "dev").read_text(), flags=re.MULTILINE)
    assert known is not None
    assert set(re.findall(r"\./dev (\w+)", README)) <= set(known[1].split(" | "))
