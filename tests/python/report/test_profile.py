import json
import subprocess
import sys

import pytest
from support.profiles import DEVICES, ProfileWriter, kernel, node, root

from proton_xpu.report import MissingPackageError, Profile
from proton_xpu.report.packages import require


def test_load(write: ProfileWriter) -> None:
    profile = Profile.load(write.steps())

    assert len(profile) == 5
    assert profile.devices == DEVICES
    assert profile.column("time/us").values == [10.5, 10.0, 9.0, 1.0, 0.5]
    assert "5 frames" in repr(profile)


def test_accounting_is_read_and_may_be_absent(write: ProfileWriter) -> None:
    entries = {"launches": 5, "kernels": 3, "lost": 2}
    told = {**root(kernel("k", 1)), "proton_xpu": {"accounting": entries, "version": "1"}}

    assert Profile.load(write.file(told)).accounting == entries
    assert Profile.load(write.steps()).accounting == {}


def test_part_files_are_added_up(write: ProfileWriter) -> None:
    first = {**root(node("it0", kernel("k", 5)), kernel("k", 1)), "proton_xpu": {"version": "1"}}
    second = {**root(node("it1", kernel("k", 7)), kernel("k", 2)), "proton_xpu": {"version": "2"}}
    write.file(first, name="p.part_0.hatchet")
    write.file(second, {"XPU": {"1": {"arch": "bmg"}}}, "p.part_1.hatchet")

    profile = Profile.load(write.folder / "p.hatchet")

    assert profile.tree.names == ["ROOT", "it0", "k", "k", "it1", "k"]
    assert profile.column("time").values == [15, 5, 5, 3, 7, 7]
    assert sorted(profile.devices["XPU"]) == ["0", "1"]
    assert profile.metadata == {"proton_xpu": {"version": "2"}}


def test_dataframe(write: ProfileWriter) -> None:
    frame = Profile.load(write.steps()).dataframe(["time/us", "util"])

    assert list(frame["name"]) == ["ROOT", "step", "gemm", "add", "copy"]
    assert list(frame["depth"]) == [0, 1, 2, 2, 1]
    assert frame["path"][2] == ("ROOT", "step", "gemm")
    assert list(frame["time (ns)"].dropna()) == [0, 9000, 1000, 500]
    assert list(frame["time/us (inc)"]) == [10.5, 10.0, 9.0, 1.0, 0.5]
    assert list(frame["util"].notna()) == [False, False, True, True, False]


def test_graphframe(write: ProfileWriter) -> None:
    graphframe = Profile.load(write.steps()).graphframe()

    rows = graphframe.dataframe.set_index("name")
    assert rows["time (ns) (inc)"].to_dict() == {
        "ROOT": 10500,
        "step": 10000,
        "gemm": 9000,
        "add": 1000,
        "copy": 500,
    }
    assert "bytes (inc)" in graphframe.inc_metrics
    assert "device_id" in graphframe.exc_metrics
    assert len(graphframe.graph) == 5


def test_missing_package_says_what_to_install() -> None:
    with pytest.raises(MissingPackageError, match=r"a picture needs the package nopic; .*pip"):
        require("proton_xpu_no_such_module", "nopic", "a picture")


def test_reading_imports_neither_the_native_module_nor_heavy_packages(
    write: ProfileWriter,
) -> None:
    program = (
        "import sys\n"
        "sys.modules['proton_xpu._native'] = None\n"
        "from proton_xpu.cli.view import main\n"
        f"main([{str(write.steps())!r}])\n"
        "heavy = {'numpy', 'pandas', 'hatchet', 'msgpack', 'matplotlib', 'typing_extensions'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-1] == "[]"
    assert "gemm" in done.stdout


def test_files_of_every_kind_of_metric_load(write: ProfileWriter) -> None:
    tree = root(kernel("k", 1, latency=[1.0, 2.0], loss=None, note="text", big=2**70))

    profile = Profile.load(write.text(json.dumps([tree, {}])))

    assert profile.column("big").values == [None, 2**70]
    assert profile.dataframe()["note"][1] == "text"
    assert profile.graphframe().dataframe["latency"].iloc[1] == [1.0, 2.0]
