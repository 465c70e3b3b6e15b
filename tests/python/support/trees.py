"""Written trees in a form that is easy to compare."""

import json
from pathlib import Path
from typing import Any

Rows = dict[str, dict[str, Any]]


def rows(tree: list[Any]) -> Rows:
    """Metrics of all nodes below the root by their paths, such as `outer/inner`, in file order.

    Device ids and types are left out.
    """
    found: Rows = {}

    def visit(node: dict[str, Any], prefix: str) -> None:
        for child in node["children"]:
            path = prefix + child["frame"]["name"]
            assert path not in found
            found[path] = {
                name: value
                for name, value in child["metrics"].items()
                if name not in ("device_id", "device_type")
            }
            visit(child, path + "/")

    visit(tree[0], "")
    return found


def read_rows(output: str | Path, suffix: str = "hatchet") -> Rows:
    """`rows` of the file that a session called `output` wrote."""
    return rows(json.loads(Path(f"{output}.{suffix}").read_text(encoding="utf-8")))


def file_names(folder: Path) -> list[str]:
    """Sorted names of what is in `folder`."""
    return sorted(path.name for path in folder.iterdir())
