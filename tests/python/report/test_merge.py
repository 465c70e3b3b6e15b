import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.profiles import DEVICES, Node, ProfileWriter, kernel, node, root, trees

from proton_xpu.cli.merge import main
from proton_xpu.cli.view import main as view
from proton_xpu.report import NoMatchError, Profile, ReportError
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.merge import Merge, MergedProfile, merge_files


def profile(tree: Node, devices: object = None) -> Profile:
    document = read_layout([tree, DEVICES if devices is None else devices], "p")
    return Profile(document.tree, document.devices)


def merged(*items: Profile) -> MergedProfile:
    merge = Merge()
    for number, item in enumerate(items):
        merge.add(item, f"rank{number}")
    return merge.finish()


def three_ranks() -> MergedProfile:
    """step > gemm takes 4, 8 and 6 ns; only rank 1 has extra, 10 ns; idle has no time."""
    return merged(
        profile(root(node("step", kernel("gemm", 4, 1, bytes=10)), node("idle", tokens=1))),
        profile(root(node("step", kernel("gemm", 8, 2, bytes=20), kernel("extra", 10)))),
        profile(root(node("step", kernel("gemm", 6, 3, loss=0.5)))),
    )


def test_metrics_are_added_up() -> None:
    tree = three_ranks().profile.tree

    assert tree.names == ["ROOT", "step", "gemm", "extra", "idle"]
    assert tree.parents == [-1, 0, 1, 1, 0]
    assert tree.metrics[2]["time (ns)"] == 18
    assert tree.metrics[2]["count"] == 6
    assert tree.metrics[2]["bytes"] == 30
    assert tree.metrics[2]["loss"] == 0.5
    assert tree.metrics[4] == {"tokens": 1}
    assert (tree.metrics[2]["device_type"], tree.metrics[2]["device_id"]) == ("XPU", "0")


def test_spread_of_inclusive_times() -> None:
    result = three_ranks()
    spread = result.spread

    assert result.labels == ["rank0", "rank1", "rank2"]
    assert spread.least.tolist()[:4] == [4, 4, 4, 10]
    assert spread.median.tolist()[:4] == [6, 6, 6, 10]
    assert spread.largest.tolist()[:4] == [18, 18, 8, 10]
    assert spread.imbalance.tolist()[2:4] == pytest.approx([8 / 6, 1.0])
    assert spread.straggler.tolist() == [1, 1, 1, 1, -1]
    assert spread.present.tolist() == [3, 3, 3, 1, 0]


def test_median_of_an_even_number_is_the_middle() -> None:
    result = merged(*(profile(root(kernel("k", time))) for time in (1, 9, 3, 100)))

    assert result.spread.median.tolist() == [6, 6]


def test_labels_sort_by_their_numbers() -> None:
    merge = Merge()
    for rank in (10, 9, 1):
        merge.add(profile(root(kernel("k", 1))), f"rank{rank}")

    assert merge.finish().labels == ["rank1", "rank9", "rank10"]


def test_a_label_given_twice_is_refused() -> None:
    merge = Merge()
    merge.add(profile(root()), "a")

    with pytest.raises(ReportError, match="a is given twice"):
        merge.add(profile(root()), "a")
    other = Merge()
    other.add(profile(root()), "a")
    with pytest.raises(ReportError, match="a is given twice"):
        merge.combine(other)


def test_nothing_to_merge_is_refused() -> None:
    with pytest.raises(NoMatchError, match="no profile to merge"):
        Merge().finish()


def test_devices_of_all_profiles_are_kept() -> None:
    result = merged(
        profile(root(kernel("k", 1)), {"XPU": {"0": {"arch": "pvc"}}}),
        profile(root(kernel("m", 1, device="1")), {"XPU": {"1": {"arch": "bmg"}}}),
    )

    assert result.profile.devices == {"XPU": {"0": {"arch": "pvc"}, "1": {"arch": "bmg"}}}
    assert [row.get("device_id") for row in result.profile.tree.metrics] == [None, "0", "1"]


@pytest.mark.parametrize("device", [{"device_id": [1]}, {"device_type": 3}, {"device_id": None}])
def test_what_is_no_device_is_left_out(device: dict[str, object]) -> None:
    odd = kernel("odd", 1)
    odd["metrics"].update(device)
    result = merged(profile(root(odd)), profile(root(kernel("k", 1), kernel("odd", 1))))

    alone = merged(profile(root(odd)))
    assert "device_id" not in alone.profile.tree.metrics[1]
    rows = dict(zip(result.profile.tree.names, result.profile.tree.metrics, strict=True))
    assert rows["odd"]["device_id"] == rows["k"]["device_id"] == "0"


def test_large_whole_numbers_stay_whole() -> None:
    result = merged(*(profile(root(kernel("k", 2**51))) for _ in range(2)))

    assert result.profile.tree.metrics[1]["time (ns)"] == 2**52
    assert isinstance(result.profile.tree.metrics[1]["time (ns)"], int)


@given(st.lists(trees(8), min_size=1, max_size=5), st.data())
def test_grouping_and_order_do_not_matter(items: list[Node], data: st.DataObject) -> None:
    profiles = {f"r{i}": profile(root(tree), {}) for i, tree in enumerate(items)}
    expected = Merge()
    for label, item in profiles.items():
        expected.add(item, label)

    order = data.draw(st.permutations(sorted(profiles)))
    merges = []
    for label in order:
        single = Merge()
        single.add(profiles[label], label)
        merges.append(pickle.loads(pickle.dumps(single)))
    while len(merges) > 1:
        place = data.draw(st.integers(0, len(merges) - 2))
        merges[place : place + 2] = [merges[place].combine(merges[place + 1])]

    assert merges[0].finish().profile.to_json() == expected.finish().profile.to_json()


@given(st.lists(trees(8), min_size=1, max_size=4))
def test_totals_are_the_sums_of_the_totals(items: list[Node]) -> None:
    profiles = [profile(root(tree), {}) for tree in items]

    total = merged(*profiles).profile.column("time").values[0]

    assert total == sum(item.column("time").values[0] or 0 for item in profiles)


def ranks(write: ProfileWriter, count: int) -> list[Path]:
    return [
        write.file(root(node("step", kernel("k", 1000 * (rank + 1)))), name=f"rank{rank}.hatchet")
        for rank in range(count)
    ]


def test_processes_give_the_same_result(write: ProfileWriter) -> None:
    paths = ranks(write, 40)

    alone = merge_files(paths)
    together = merge_files(reversed(paths), jobs=2)

    assert together.profile.to_json() == alone.profile.to_json()
    assert alone.profile.column("time").values == [820_000] * 3


def test_command_prints_the_spread(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks(write, 3)
    monkeypatch.chdir(write.folder)

    assert main(["rank0.hatchet", "rank1.hatchet", "rank2.hatchet"]) == 0

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["min/ms", "median/ms", "max/ms", "imbalance", "profiles", "frame"],
        ["0.001", "0.002", "0.003", "1.500", "3", "ROOT", "[slowest:", "rank2.hatchet]"],
        ["0.001", "0.002", "0.003", "1.500", "3", "└─", "step", "[slowest:", "rank2.hatchet]"],
        ["0.001", "0.002", "0.003", "1.500", "3", "└─", "k", "[slowest:", "rank2.hatchet]"],
    ]


def test_merged_file_is_a_profile(write: ProfileWriter, capsys: pytest.CaptureFixture[str]) -> None:
    output = write.folder / "merged.hatchet"
    paths = [str(path) for path in ranks(write, 2)]

    assert main([*paths, "-o", str(output)]) == 0
    assert view(["-m", "time/us,max time,imbalance", str(output)]) == 0

    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["3.000", "-", "-", "ROOT"],
        ["3.000", "2000.000", "1.333", "└─", "step"],
        ["3.000", "2000.000", "1.333", "└─", "k"],
    ]
    kept = json.loads(output.read_text())[0]
    assert kept["proton_xpu"]["merged"] == paths
    assert kept["children"][0]["children"][0]["metrics"]["straggler"] == paths[1]


def test_merging_merged_files_adds_no_spread(write: ProfileWriter) -> None:
    first, second = ranks(write, 2)
    output = write.folder / "merged.hatchet"
    assert main([str(first), "-o", str(output)]) == 0

    tree = merge_files([output, second]).profile.tree

    assert tree.metrics[2]["time (ns)"] == 3000
    assert tree.metrics[2]["max time (ns)"] == 2000


def test_command_refuses_a_missing_file(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(write.steps()), str(write.folder / "none"), "-j", "2"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_name_of_a_run_stands_for_the_files_of_its_ranks(
    write: ProfileWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    for rank in (0, 2, 10):
        write.file(root(kernel("k", 1000 * (rank + 1))), name=f"run.rank_{rank}.hatchet")
    write.file(root(kernel("k", 5)), name="running.rank_1.hatchet")
    output = write.folder / "merged.hatchet"

    assert main([str(write.folder / "run.hatchet"), "-o", str(output)]) == 0

    kept = json.loads(output.read_text())[0]
    assert [Path(label).name for label in kept["proton_xpu"]["merged"]] == [
        "run.rank_0.hatchet",
        "run.rank_2.hatchet",
        "run.rank_10.hatchet",
    ]
    assert Profile.load(output).column("time/us").values == [15, 15]


def test_one_profile_of_a_run_that_has_ranks_is_not_found(write: ProfileWriter) -> None:
    write.file(root(kernel("k", 1)), name="run.rank_0.hatchet")

    with pytest.raises(FileNotFoundError, match=r"only a file per rank.*proton-xpu merge"):
        Profile.load(write.folder / "run.hatchet")
