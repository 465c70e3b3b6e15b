"""The `[root, devices]` layout of hatchet JSON and MessagePack files of every Proton release."""

from typing import Any, NoReturn

from proton_xpu.report.calltree import NO_PARENT, CallTree, Metrics
from proton_xpu.report.document import DeviceTable, Document
from proton_xpu.report.errors import ProfileFormatError
from proton_xpu.report.json_text import paused_gc

_SCALAR_TYPES = frozenset({int, float, bool, str, type(None)})

# Names that early releases used.
_OLD_NAMES = {
    "Count": "count",
    "Time (ns)": "time (ns)",
    "DeviceId": "device_id",
    "DeviceType": "device_type",
}

_ROOT_KEYS = frozenset({"children", "frame", "metrics"})


def read_layout(content: Any, source: str) -> Document:
    """Turns a decoded file into a `Document`.

    Raises `ProfileFormatError` that names the path to the offending node and the reason.
    """
    if not isinstance(content, list) or not content:
        raise ProfileFormatError(
            f"{source}: a profile is a list of a call tree and a device table, but this file holds"
            f" {_describe(content)}"
        )
    *roots, last = content
    devices: DeviceTable = {}
    if _is_node(last):
        roots.append(last)
    elif isinstance(last, dict):
        devices = _read_devices(last, source)
    else:
        raise ProfileFormatError(
            f"{source}: the device table must be an object, but it is {_describe(last)}"
        )
    if not roots:
        raise ProfileFormatError(f"{source}: the file has no call tree, only a device table")
    with paused_gc():
        tree = _read_tree(roots, source)
    return Document(tree, devices, _read_metadata(roots))


def _is_node(value: Any) -> bool:
    return isinstance(value, dict) and "frame" in value


def _read_tree(roots: list[Any], source: str) -> CallTree:
    tree = CallTree()
    names, parents, metrics = tree.names, tree.parents, tree.metrics
    stack: list[tuple[Any, int]] = [(root, NO_PARENT) for root in reversed(roots)]
    seen: dict[str, None] = {}
    while stack:
        node, parent = stack.pop()
        try:
            name = node["frame"]["name"]
            row = node["metrics"]
            children = node["children"]
        except (KeyError, TypeError):
            node = _completed(node, tree, parent, source)
            name, row, children = node["frame"]["name"], node["metrics"], node["children"]
        if type(name) is not str or type(row) is not dict or type(children) is not list:
            _reject_types(name, row, children, tree, parent, source)
        if not _SCALAR_TYPES.issuperset(map(type, row.values())):
            _check_values(row, tree, parent, name, source)
        if not row.keys() <= seen.keys():
            seen.update(dict.fromkeys(row))
        names.append(name)
        parents.append(parent)
        metrics.append(row)
        if children:
            index = len(names) - 1
            stack.extend([(child, index) for child in reversed(children)])
    if not _OLD_NAMES.keys().isdisjoint(seen):
        tree.metrics[:] = [
            {_OLD_NAMES.get(name, name): value for name, value in row.items()}
            for row in tree.metrics
        ]
    return tree


def _completed(node: Any, tree: CallTree, parent: int, source: str) -> dict[str, Any]:
    """A node that leaves out what may be left out, with it filled in."""
    if not isinstance(node, dict):
        _reject(f"a node must be an object, but it is {_describe(node)}", tree, parent, source)
    frame = node.get("frame")
    if not isinstance(frame, dict) or "name" not in frame:
        _reject('a node needs a "frame" with a "name"', tree, parent, source)
    return {
        "frame": frame,
        "metrics": node.get("metrics", {}),
        "children": node.get("children", []),
    }


def _reject_types(
    name: Any, row: Any, children: Any, tree: CallTree, parent: int, source: str
) -> NoReturn:
    if not isinstance(name, str):
        _reject(f'"name" must be a string, but it is {_describe(name)}', tree, parent, source)
    place = f'"metrics" of {_shown(name)} must be an object, but it is {_describe(row)}'
    if isinstance(row, dict):
        place = f'"children" of {_shown(name)} must be a list, but it is {_describe(children)}'
    _reject(place, tree, parent, source)


def _check_values(row: Metrics, tree: CallTree, parent: int, name: str, source: str) -> None:
    for metric, value in row.items():
        if type(value) in _SCALAR_TYPES:
            continue
        if isinstance(value, list) and all(type(item) in (int, float) for item in value):
            continue
        _reject(
            f"metric {_shown(metric)} of {_shown(name)} must be a number, a string or a list"
            f" of numbers, but it is {_describe(value)}",
            tree,
            parent,
            source,
        )


def _reject(reason: str, tree: CallTree, parent: int, source: str) -> NoReturn:
    place = " > ".join(_shown(name) for name in tree.path(parent)) if parent >= 0 else "the top"
    raise ProfileFormatError(f"{source}: at {place}: {reason}")


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 60 else name[:57] + "...")


def _describe(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "a list of other things" if value else "an empty list"
    kinds = {dict: "an object", str: "a string", bool: "a truth value"}
    kinds.update({int: "a number", float: "a number"})
    return kinds.get(type(value), f"a {type(value).__name__}")


def _read_devices(table: dict[str, Any], source: str) -> DeviceTable:
    """Keeps the `type -> index -> facts` part of the table; other entries are metadata."""
    devices: DeviceTable = {}
    for kind, by_index in table.items():
        if not isinstance(by_index, dict):
            raise ProfileFormatError(
                f"{source}: entry {_shown(kind)} of the device table must be an object, but it is"
                f" {_describe(by_index)}"
            )
        if all(isinstance(facts, dict) for facts in by_index.values()):
            devices[kind] = by_index
    return devices


def _read_metadata(roots: list[Any]) -> dict[str, Any]:
    """What the writer put next to the tree: keys of the root that upstream's readers skip."""
    return {key: value for root in roots for key, value in root.items() if key not in _ROOT_KEYS}


def write_tree(tree: CallTree) -> list[dict[str, Any]]:
    """A tree's roots as nested objects, as files hold them."""
    nodes = [
        {"children": [], "frame": {"name": name, "type": "function"}, "metrics": row}
        for name, row in zip(tree.names, tree.metrics, strict=True)
    ]
    roots: list[dict[str, Any]] = []
    for node, parent in zip(nodes, tree.parents, strict=True):
        siblings: Any = nodes[parent]["children"] if parent >= 0 else roots
        siblings.append(node)
    return roots
