"""Print an apt source for another Debian release, made from the machine's own sources.

    python newer_release_source.py bookworm trixie > newer.sources

The archive's address and the signing key are those that the machine uses for the first release;
only the release's name changes, so apt checks the newer packages' signatures as it always does.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

APT_FOLDER = Path("/etc/apt")


def parse_deb822(text: str) -> Iterator[dict[str, str]]:
    """Yield the stanzas of a `.sources` file: field names in lower case, lines kept."""
    for block in re.split(r"\n[ \t]*\n", text):
        stanza: dict[str, str] = {}
        field = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t") and field:
                stanza[field] += "\n" + line
            elif ":" in line:
                field, _, value = line.partition(":")
                field = field.strip().lower()
                stanza[field] = value.strip()
        if stanza:
            yield stanza


def parse_one_line(text: str) -> Iterator[dict[str, str]]:
    """Yield the entries of a `sources.list` file, in the form of `parse_deb822`."""
    pattern = re.compile(r"(deb|deb-src)\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s*(.*)")
    for line in text.splitlines():
        match = pattern.fullmatch(line.partition("#")[0].strip())
        if match is None:
            continue
        kind, options, uri, suite, components = match.groups()
        entry = {"types": kind, "uris": uri, "suites": suite, "components": components}
        for option in (options or "").split():
            name, _, value = option.partition("=")
            entry[name.lower()] = value.replace(",", " ")
        yield entry


def read_sources(folder: Path) -> Iterator[dict[str, str]]:
    """Yield all package sources under apt's configuration folder."""
    parts = sorted((folder / "sources.list.d").glob("*"))
    for path in [folder / "sources.list", *parts]:
        if path.suffix == ".sources":
            yield from parse_deb822(path.read_text())
        elif path.suffix == ".list" and path.exists():
            yield from parse_one_line(path.read_text())


def derive_source(sources: Iterable[dict[str, str]], release: str, newer: str) -> str:
    """Return a deb822 stanza for `newer` from the source that serves the main part of `release`.

    Raises:
        LookupError: no enabled binary source serves it.
    """
    for source in sources:
        if (
            "deb" in source.get("types", "").split()
            and release in source.get("suites", "").split()
            and "main" in source.get("components", "").split()
            and source.get("enabled", "yes").lower() not in ("no", "false", "0")
        ):
            lines = ["Types: deb", f"URIs: {source['uris']}", f"Suites: {newer}"]
            lines.append("Components: main")
            if "signed-by" in source:
                lines.append(f"Signed-By: {source['signed-by']}")
            return "\n".join(lines) + "\n"
    raise LookupError(f"no package source under {APT_FOLDER} serves Debian's {release} main")


def main() -> int:
    """Print the derived source; exit code 1 and a sentence if the machine has none."""
    release, newer = sys.argv[1:]
    try:
        print(derive_source(read_sources(APT_FOLDER), release, newer), end="")
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
