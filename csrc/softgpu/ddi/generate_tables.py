"""Writes the C++ source of the dispatch table getters from the Level Zero headers at hand.

Every entry of every ze, zet and zes table is filled: with the driver's own entry point if it has
one, else with one that answers "unsupported feature". Each is guarded by the version of the API
that it came with, since a loader that asks for an older version passes a smaller table.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIXES = ("ze", "zet", "zes")
CURRENT = "ZE_API_VERSION_CURRENT"


class Table(NamedTuple):
    """A dispatch table: its type, the function that fills it, and its (field, function) pairs."""

    type: str
    getter: str
    entries: list[tuple[str, str]]


def read_tables(header: str, prefix: str) -> Iterator[Table]:
    """Yields the tables that a *_ddi.h declares, in its order."""
    getters = {
        table: getter
        for getter, table in re.findall(
            rf"^({prefix}Get\w+ProcAddrTable)\(\s*ze_api_version_t version,[^\n]*\n"
            rf"\s*({prefix}_\w+_dditable_t)\*",
            header,
            re.MULTILINE,
        )
    }
    pattern = rf"typedef struct _({prefix}_\w+_dditable_t)\s*\{{(.*?)\}}"
    for table, body in re.findall(pattern, header, re.DOTALL):
        entries = [
            (field, prefix + function)
            for function, field in re.findall(rf"{prefix}_pfn(\w+)_t\s+(pfn\w+);", body)
        ]
        if table in getters and entries:
            yield Table(table, getters[table], entries)


def read_versions(path: Path) -> dict[tuple[str, str], str]:
    """Maps (table, field) to a C++ expression of the API version that it came with."""
    versions = {}
    for version, tables in json.loads(path.read_text(encoding="utf-8")).items():
        expression = f"ZE_MAKE_VERSION({version.replace('.', ', ')})"
        for table, fields in tables.items():
            versions.update({(table, field): expression for field in fields})
    return versions


def write_getter(
    table: Table,
    implemented: set[str],
    versions: dict[tuple[str, str], str],
) -> str:
    """The C++ definition of one table getter.

    Entries that the version file does not know are younger than it: only a loader that is at least
    as new as the headers has them.
    """
    lines = [
        f'extern "C" SOFTGPU_API ze_result_t ZE_APICALL {table.getter}(',
        f"    ze_api_version_t version, {table.type}* table) {{",
        "  const softgpu::TableFiller fill(version, table);",
        "  if (fill.refusal() != ZE_RESULT_SUCCESS) return fill.refusal();",
    ]
    for field, function in table.entries:
        entry = f"table->{field}, {versions.get((table.type, field), CURRENT)}"
        if function in implemented:
            lines.append(f"  SOFTGPU_FILL({entry}, {function});")
        else:
            lines.append(f"  fill.unsupported({entry});")
    return "\n".join([*lines, "  return ZE_RESULT_SUCCESS;", "}"])


def main() -> None:
    """Reads the headers and writes the source file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", type=Path, required=True, help="folder of ze_ddi.h")
    parser.add_argument("--entry-points", type=Path, required=True, help="entry_points.h")
    parser.add_argument("--versions", type=Path, required=True, help="entry_versions.json")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()

    declarations = arguments.entry_points.read_text(encoding="utf-8")
    implemented = set(re.findall(r"^SOFTGPU_ENTRY\((\w+)\);", declarations, re.MULTILINE))
    versions = read_versions(arguments.versions)

    parts = ['#include "softgpu/ddi/table_filler.h"']
    used: set[str] = set()
    for prefix in PREFIXES:
        header = (arguments.headers / f"{prefix}_ddi.h").read_text(encoding="utf-8")
        for table in read_tables(header, prefix):
            parts.append(write_getter(table, implemented, versions))
            used.update(function for _, function in table.entries)
    unused = implemented - used
    if unused:
        raise SystemExit(f"These entry points are in no table: {', '.join(sorted(unused))}.")
    arguments.output.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
