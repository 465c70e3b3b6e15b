from pathlib import Path
from typing import Any

import pytest
from support.children import REPOSITORY, run_for_json

_TESTS = REPOSITORY / "tests" / "python"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    code = """
        import json, os, sys
        from proton_xpu import softgpu
        softgpu.activate()
        import dpctl
        import numpy as np
        import triton
        from proton_xpu.softgpu import array, triton_driver
        from proton_xpu.softgpu.triton_driver import Features
        from softgpu.kernels.elementwise import add_kernel
        os.environ["LIBRARY_PATH"] = "/users/own"
        facts = {}
        driver = triton_driver.install()
        facts["library path"] = os.environ["LIBRARY_PATH"].split(":")[0]
        properties = driver.get_current_target().arch
        facts["features"] = [driver.features.dpas, driver.features.block_io,
                             list(driver.features.sub_group_sizes)]
        facts["architecture"] = properties["architecture"]
        x = array.from_numpy(np.ones(256, np.float32))
        out = array.zeros(256)
        tuned = triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})],
                                key=["n"])(add_kernel)
        tuned[lambda meta: (triton.cdiv(256, meta["BLOCK"]),)](x, x, out, 256)
        facts["tuned"] = [out.numpy().tolist() == [2.0] * 256, tuned.best_config.kwargs["BLOCK"]]

        plain = triton_driver.install(
            dpctl.SyclQueue("level_zero:gpu"), features=Features(sub_group_sizes=(32,)))
        target = plain.get_current_target().arch
        facts["told"] = [target["has_subgroup_matrix_multiply_accumulate"],
                         target["sub_group_sizes"], plain.queue.is_in_order]
        facts["torch"] = "torch" in sys.modules
        print(json.dumps(facts))
    """
    result: dict[str, Any] = run_for_json(code, path=[_TESTS, REPOSITORY])
    return result


def test_a_max_1550_has_all_features(facts: dict[str, Any]) -> None:
    assert facts["features"] == [True, True, [16, 32]]
    assert facts["architecture"] == 0x030F000700


def test_features_and_queue_can_be_told(facts: dict[str, Any]) -> None:
    assert facts["told"] == [False, [32], False]


def test_the_autotuner_works(facts: dict[str, Any]) -> None:
    right, block = facts["tuned"]
    assert right is True
    assert block in (64, 128)


def test_torch_is_not_imported_and_the_users_settings_stay(facts: dict[str, Any]) -> None:
    assert facts["torch"] is False
    assert facts["library path"] == "/users/own"


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((12, 60), [True, True]),
        ((20, 1), [True, True]),
        ((20, 4), [True, True]),
        ((12, 55), [True, False]),
        ((12, 74), [True, False]),
        ((12, 70), [False, False]),
        ((0, 0), [False, False]),
    ],
)
def test_features_follow_the_architecture(version: tuple[int, int], expected: list[bool]) -> None:
    from proton_xpu.softgpu.triton_driver import Features

    major, minor = version
    features = Features.of(major << 22 | minor << 14 | 7, [32, 16])
    assert [features.dpas, features.block_io] == expected
    assert features.sub_group_sizes == (16, 32)


def test_launchers_find_a_library_without_a_link_name(tmp_path: Path) -> None:
    """As where only the loader is installed; headers are where ZE_PATH says."""
    code = """
        import json, os, sys
        from pathlib import Path
        from proton_xpu.softgpu import launcher_build, loader
        real = loader.find()
        copy = Path(sys.argv[1]) / "lib" / "libze_loader.so.1"
        copy.parent.mkdir()
        copy.write_bytes(real.read_bytes())
        os.environ["PROTON_XPU_LEVEL_ZERO_LOADER"] = str(copy)
        launcher_build.prepare()
        [folder] = os.environ["LIBRARY_PATH"].split(":")
        link = Path(folder) / "libze_loader.so"
        print(json.dumps([link.resolve() == copy.resolve(), os.environ["ZE_PATH"]]))
    """
    found = run_for_json(
        code,
        tmp_path,
        path=[REPOSITORY],
        variables={
            "ZE_PATH": "/where/headers/are",
            "LIBRARY_PATH": None,
            "XDG_CACHE_HOME": str(tmp_path),
        },
    )
    assert found == [True, "/where/headers/are"]
