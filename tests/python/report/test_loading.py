import gzip
import json
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.profiles import DEVICES, Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.report import ProfileFormatError
from proton_xpu.report.loading import decode, load_documents, part_files


def encoded(tree: Node) -> bytes:
    return json.dumps([tree, DEVICES]).encode()


def test_reads_names_parents_metrics_and_devices(write: ProfileWriter) -> None:
    (document,) = load_documents(write.steps())

    assert document.tree.names == ["ROOT", "step", "gemm", "add", "copy"]
    assert document.tree.parents == [-1, 0, 1, 1, 0]
    assert document.tree.metrics[2]["time (ns)"] == 9000
    assert document.devices == DEVICES


def test_msgpack_reads_like_json(write: ProfileWriter) -> None:
    content = json.loads(write.steps().read_text())

    from_json = decode(json.dumps(content).encode(), "p")
    from_msgpack = decode(msgpack.packb(content), "p")

    assert from_msgpack == from_json


def test_gzip_is_seen_by_content(write: ProfileWriter) -> None:
    plain = write.steps()
    zipped = plain.with_name("zipped")
    zipped.write_bytes(gzip.compress(plain.read_bytes()))

    assert load_documents(zipped)[0] == load_documents(plain)[0]


def test_leading_newline_and_byte_order_mark_are_accepted() -> None:
    content = encoded(root(kernel("k", 5)))

    assert decode(b"\n" + content, "p").tree.names == ["ROOT", "k"]
    assert decode(b"\xef\xbb\xbf" + content, "p").tree.names == ["ROOT", "k"]


def test_names_of_early_releases_are_renamed() -> None:
    old = node("k", **{"Count": 2, "Time (ns)": 7, "DeviceId": "1", "DeviceType": "CUDA"})

    tree = decode(encoded(root(old)), "p").tree

    assert tree.metrics[1] == {
        "count": 2,
        "time (ns)": 7,
        "device_id": "1",
        "device_type": "CUDA",
    }


def test_tree_without_device_table_is_accepted() -> None:
    document = decode(json.dumps([root(kernel("k", 5))]).encode(), "p")

    assert document.tree.names == ["ROOT", "k"]
    assert document.devices == {}


def test_null_and_not_a_number_are_absent_values() -> None:
    content = encoded(root(kernel("k", 5, loss=None))).replace(b"null", b"NaN")

    assert decode(content, "p").tree.metrics[1]["loss"] is None


def test_keys_beside_the_tree_become_metadata() -> None:
    tree = {**root(kernel("k", 5)), "proton_xpu": {"accounting": {"launches": 3}}}

    assert decode(encoded(tree), "p").metadata == {"proton_xpu": {"accounting": {"launches": 3}}}


def test_tree_of_depth_5000_is_read() -> None:
    tree = '{"frame":{"name":"f"},"metrics":{},"children":[' * 5000 + "]}" * 5000

    document = decode(f"[{tree},{{}}]".encode(), "p")

    assert len(document.tree) == 5000
    assert document.tree.depths()[-1] == 4999


def test_part_files_are_found_in_phase_order(write: ProfileWriter) -> None:
    for phase in (10, 2, 0):
        write.steps(f"p.part_{phase}.hatchet")
    write.steps("pp.part_1.hatchet")
    write.steps("p.part_1.chrome_trace")

    found = part_files(write.folder / "p.hatchet")

    assert [path.name for path in found] == [
        "p.part_0.hatchet",
        "p.part_2.hatchet",
        "p.part_10.hatchet",
    ]
    assert len(load_documents(write.folder / "p.hatchet")) == 3


def test_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.hatchet: there is no such file"):
        load_documents(tmp_path / "none.hatchet")


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="this is a folder"):
        load_documents(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_empty_file_says_so(content: bytes) -> None:
    with pytest.raises(ProfileFormatError, match=r"^p: the file is empty"):
        decode(content, "p")


def test_file_cut_off_names_the_place() -> None:
    content = encoded(root(kernel("k", 5)))[:-10]

    with pytest.raises(ProfileFormatError, match=r"^p: line 1, column \d+: .*cut off"):
        decode(content, "p")


def test_broken_json_names_line_and_column() -> None:
    with pytest.raises(ProfileFormatError, match=r"^p: line 2, column 3: not valid JSON: "):
        decode(b"[\n  x]", "p")


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"metrics": {}, "children": []}, 'a node needs a "frame"'),
        ({"frame": {"name": 3}, "metrics": {}, "children": []}, '"name" must be a string'),
        ({"frame": {"name": "k"}, "metrics": [], "children": []}, "\"metrics\" of 'k' must be"),
        ({"frame": {"name": "k"}, "metrics": {}, "children": {}}, "\"children\" of 'k' must be"),
        (node("k", time={}), "metric 'time' of 'k' must be a number.*an object"),
        (node("k", time=[[]]), "metric 'time' of 'k' must be a number.*a list"),
        ("text", "a node must be an object, but it is a string"),
    ],
)
def test_broken_node_names_the_path_and_the_reason(broken: Any, message: str) -> None:
    with pytest.raises(ProfileFormatError, match=f"^p: at 'ROOT': .*{message}"):
        decode(encoded(root(broken)), "p")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "an empty list"),
        ([{}, 3], "the device table must be an object"),
        ([{"XPU": {}}], "no call tree"),
        ([root(), {"XPU": 3}], "entry 'XPU' of the device table"),
        ({"a": 1}, "traceEvents"),
    ],
)
def test_other_json_is_refused(content: Any, message: str) -> None:
    with pytest.raises(ProfileFormatError, match=message):
        decode(json.dumps(content).encode(), "p")


@pytest.mark.parametrize("content", [b"\x7fELF\xff\xfe", b"\x1f\x8bnonsense", b"\x92\xc1", b"\x92"])
def test_binary_files_are_refused(content: bytes) -> None:
    with pytest.raises(ProfileFormatError, match=r"^p: "):
        decode(content, "p")


@given(trees())
def test_any_tree_keeps_its_nodes_and_order(tree: Node) -> None:
    document = decode(encoded(tree), "p")

    expected: list[tuple[str, dict[str, Any]]] = []

    def visit(item: Node) -> None:
        expected.append((item["frame"]["name"], item["metrics"]))
        for child in item["children"]:
            visit(child)

    visit(tree)
    assert list(zip(document.tree.names, document.tree.metrics, strict=True)) == expected


@given(st.binary(max_size=60) | st.builds(lambda t: t[: len(t) // 2], trees().map(encoded)))
def test_broken_bytes_raise_nothing_else(content: bytes) -> None:
    try:
        decode(content, "p")
    except ProfileFormatError as error:
        assert str(error).startswith("p: ")  # noqa: PT017 (either outcome is right)


@given(trees().map(encoded), st.data())
def test_flipped_bytes_raise_nothing_else(content: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(content) - 1))
    value = data.draw(st.integers(0, 255))
    changed = content[:place] + bytes([value]) + content[place + 1 :]
    try:
        decode(changed, "p")
    except ProfileFormatError as error:
        assert str(error).startswith("p: ")  # noqa: PT017 (either outcome is right)
