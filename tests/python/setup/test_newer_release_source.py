"""The package source for a newer Debian release, derived from the machine's own."""

from pathlib import Path

import newer_release_source as module
import pytest

DEB822 = """\
Types: deb
# a comment inside a stanza
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
"""

ONE_LINE = """\
# deb http://commented.example/debian bookworm main
deb-src http://mirror.example/debian bookworm main
deb [arch=amd64 signed-by=/keys/archive.gpg] http://mirror.example/debian bookworm main contrib
"""


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def derive(folder: Path) -> str:
    return module.derive_source(module.read_sources(folder), "bookworm", "trixie")


def test_a_deb822_source_keeps_address_and_key(tmp_path: Path) -> None:
    write(tmp_path, "sources.list.d/debian.sources", DEB822)
    assert derive(tmp_path) == (
        "Types: deb\n"
        "URIs: http://mirror.example/debian\n"
        "Suites: trixie\n"
        "Components: main\n"
        "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
    )


def test_a_one_line_source_keeps_address_and_key(tmp_path: Path) -> None:
    write(tmp_path, "sources.list", ONE_LINE)
    assert derive(tmp_path) == (
        "Types: deb\n"
        "URIs: http://mirror.example/debian\n"
        "Suites: trixie\n"
        "Components: main\n"
        "Signed-By: /keys/archive.gpg\n"
    )


def test_a_source_without_a_key_leaves_the_choice_to_apt(tmp_path: Path) -> None:
    write(tmp_path, "sources.list", "deb http://mirror.example/debian bookworm main\n")
    assert "Signed-By" not in derive(tmp_path)


def test_trust_without_signatures_is_not_taken_over(tmp_path: Path) -> None:
    write(tmp_path, "sources.list", "deb [trusted=yes] http://mirror.example/d bookworm main\n")
    assert "rusted" not in derive(tmp_path)


def test_an_embedded_key_keeps_its_lines(tmp_path: Path) -> None:
    key = "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mDMEX\n"
    write(tmp_path, "sources.list.d/debian.sources", DEB822.split("\n\n")[0] + "\n" + key)
    assert derive(tmp_path).endswith(
        "Signed-By: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mDMEX\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        DEB822.replace("Types: deb\n", "Types: deb-src\n"),
        DEB822.replace("Suites: bookworm ", "Suites: "),
        DEB822.replace("Components: main contrib", "Components: contrib"),
        DEB822.replace("Types: deb\n", "Types: deb\nEnabled: no\n"),
    ],
    ids=["source packages only", "another release", "without main", "disabled"],
)
def test_a_source_that_does_not_serve_the_release_is_refused(tmp_path: Path, source: str) -> None:
    write(tmp_path, "sources.list.d/debian.sources", source)
    with pytest.raises(LookupError, match="bookworm main"):
        derive(tmp_path)


def test_a_machine_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="no package source"):
        derive(tmp_path)
