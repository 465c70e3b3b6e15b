import json
from pathlib import Path
from typing import Any

import pytest
from support.children import REPOSITORY, run_code, run_for_json, run_python

_SOFT = {"PROTON_XPU_DEVICE": "soft"}


def _json(code: str, *arguments: str | Path, **variables: str | None) -> Any:
    return run_for_json(code, *arguments, path=[REPOSITORY], variables=variables)


def test_the_package_imports_nothing_heavy() -> None:
    code = """
        import json, sys
        import proton_xpu.softgpu
        heavy = {"numpy", "dpctl", "triton", "torch"}
        print(json.dumps(sorted(heavy & set(sys.modules))))
    """
    assert _json(code) == []


def test_sycl_sees_the_device_that_was_activated_and_its_name_says_what_it_is() -> None:
    code = """
        import json, os
        import dpctl  # loads SYCL, but does not start it
        from proton_xpu import softgpu
        device = softgpu.activate()
        [found] = dpctl.get_devices(backend="level_zero")
        print(json.dumps([device.kind, device.name, str(device), found.name, softgpu.is_active()]))
    """
    kind, name, text, found, active = _json(code)
    assert kind == "soft"
    assert "software" in name
    assert text == f"Using the software device {name}: asked for."
    assert found == name
    assert active is True


def test_a_second_activation_changes_the_clock_but_not_the_profile(tmp_path: Path) -> None:
    profile = json.loads(
        (REPOSITORY / "proton_xpu/softgpu/profiles/max1550.json").read_text(encoding="utf-8")
    )
    other = tmp_path / "other.json"
    other.write_text(json.dumps(profile | {"name": "Another (software)"}), encoding="utf-8")
    code = """
        import json, sys
        from proton_xpu import softgpu
        first = softgpu.activate()
        again = softgpu.activate(clock="scripted")
        try:
            softgpu.activate(sys.argv[1])
        except RuntimeError as error:
            message = str(error)
        print(json.dumps([first == again, message]))
    """
    same, message = _json(code, other)
    assert same is True
    assert message == (
        "the software device is active with profile 'max1550'; another profile needs a new process"
    )
    code = """
        import json, sys
        from proton_xpu import softgpu
        softgpu.activate(sys.argv[1])
        import dpctl
        print(json.dumps(dpctl.get_devices(backend="level_zero")[0].name))
    """
    assert _json(code, other) == "Another (software)"


def test_children_inherit_the_device() -> None:
    code = """
        import subprocess, sys
        from proton_xpu import softgpu
        softgpu.activate()
        program = "import ctypes, os\\n" \\
            "ctypes.CDLL(os.environ['PROTON_XPU_LEVEL_ZERO_LOADER'], mode=ctypes.RTLD_GLOBAL)\\n" \\
            "import dpctl, json; print(json.dumps(len(dpctl.get_devices(backend='level_zero'))))"
        subprocess.run([sys.executable, "-c", program], check=True)
    """
    assert _json(code) == 1


def test_it_is_too_late_once_sycl_has_started() -> None:
    code = """
        import json
        import dpctl
        dpctl.get_devices()
        from proton_xpu import softgpu
        try:
            softgpu.activate()
        except RuntimeError as error:
            print(json.dumps(str(error)))
    """
    message = _json(code)
    assert message.startswith(
        "the software device must be activated before SYCL or Level Zero start, but "
    )
    assert "call proton_xpu.softgpu.activate() before the first use of dpctl" in message


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("PROTON_XPU_OPENCL_RUNTIME", "/missing/libintelocl.so", "which is not there; set it to"),
        ("PROTON_XPU_LEVEL_ZERO_LOADER", "/missing/loader", "which is not there; set it to"),
        ("PROTON_XPU_SOFTGPU_PROFILE", "/missing.json", "no device profile '/missing.json'"),
    ],
)
def test_what_is_missing_is_named(variable: str, value: str, expected: str) -> None:
    code = """
        from proton_xpu import softgpu
        softgpu.activate()
    """
    done = run_python(
        ["-c", "from proton_xpu import softgpu; softgpu.activate()"],
        path=[REPOSITORY],
        variables={variable: value},
    )
    assert done.returncode == 1, code
    assert expected in done.stderr.splitlines()[-1]


def test_the_variable_chooses_the_software_device() -> None:
    code = """
        import json
        from proton_xpu import softgpu
        device = softgpu.activate_if_needed()
        print(json.dumps([device.kind, device.reason, softgpu.is_active()]))
    """
    assert _json(code, **_SOFT) == ["soft", "PROTON_XPU_DEVICE=soft", True]


def test_auto_asks_a_helper_and_leaves_this_process_alone() -> None:
    """The helper's Level Zero is given a driver that offers a GPU: the software one, by a link."""
    code = """
        import json, os, sys, tempfile
        from pathlib import Path
        from proton_xpu import softgpu
        from proton_xpu.softgpu import control, loader
        with tempfile.TemporaryDirectory() as folder:
            driver = Path(folder) / "libze_other.so"
            driver.symlink_to(control.driver_path())
            none = softgpu.select()
            os.environ["ZE_ENABLE_ALT_DRIVERS"] = str(driver)
            os.environ["PROTON_XPU_SOFTGPU_PROFILE"] = str(
                control.driver_path().parent / "profiles" / "max1550.json")
            some = softgpu.select()
        print(json.dumps([none.kind, some.kind, some.name, str(some), softgpu.is_active(),
                          len(loader.mapped_files("libze_"))]))
    """
    none, some, name, text, active, mapped = _json(
        code, PROTON_XPU_DEVICE=None, ZE_ENABLE_ALT_DRIVERS=None
    )
    assert (none, some) == ("soft", "gpu")
    assert text == f"Using the GPU {name}: first of 1 that Level Zero offers."
    assert (active, mapped) == (False, 0)


def test_a_gpu_that_is_wanted_but_not_there_is_an_error() -> None:
    done = run_python(
        ["-c", "from proton_xpu import softgpu; softgpu.select()"],
        path=[REPOSITORY],
        variables={"PROTON_XPU_DEVICE": "gpu", "ZE_ENABLE_ALT_DRIVERS": None},
    )
    assert done.returncode == 1
    assert "PROTON_XPU_DEVICE is gpu, but there is no Level Zero GPU" in done.stderr


def test_another_word_is_an_error() -> None:
    done = run_python(
        ["-c", "from proton_xpu import softgpu; softgpu.select()"],
        path=[REPOSITORY],
        variables={"PROTON_XPU_DEVICE": "cpu"},
    )
    assert "ValueError: PROTON_XPU_DEVICE is auto, gpu or soft, not 'cpu'" in done.stderr


def test_a_forked_child_ends_cleanly() -> None:
    code = """
        import os, sys, warnings
        warnings.simplefilter("ignore")
        from proton_xpu import softgpu
        softgpu.activate()
        import dpctl
        queue = dpctl.SyclQueue("level_zero")
        child = os.fork()
        if child == 0:
            sys.exit(7)
        _, status = os.waitpid(child, 0)
        queue.wait()
        print(os.waitstatus_to_exitcode(status))
    """
    assert run_code(code, path=[REPOSITORY]) == "7\n"
