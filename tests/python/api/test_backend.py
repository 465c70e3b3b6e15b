"""Choosing a backend, a device and a tracing library."""

import logging
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from support.children import run_for_json, run_python

from proton_xpu import softgpu
from proton_xpu.backend import (
    provide_device,
    provide_pti_library,
    pti_library_of_package,
    select_backend,
)


def with_driver(monkeypatch: pytest.MonkeyPatch, **attributes: Any) -> None:
    runtime = SimpleNamespace(driver=SimpleNamespace(**attributes))
    monkeypatch.setitem(sys.modules, "triton.runtime", cast("ModuleType", runtime))


def driver_of(backend: str) -> SimpleNamespace:
    return SimpleNamespace(get_current_target=lambda: SimpleNamespace(backend=backend))


class Proxy:
    """Stands for Triton 3.3's proxy of a driver that has not been made."""

    def __init__(self) -> None:
        self._obj = None

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("the driver must not be made")


def test_without_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "triton.runtime", raising=False)
    assert select_backend() == "xpupti"


@pytest.mark.parametrize("attribute", ["active", "_active"])
def test_target_decides(attribute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, **{attribute: driver_of("xpu")})
    assert select_backend() == "xpupti"
    with_driver(monkeypatch, **{attribute: driver_of("cuda")})
    with pytest.raises(ValueError, match=r"^No profiler registered for triton backend cuda$"):
        select_backend()


@pytest.mark.parametrize("attributes", [{"active": Proxy()}, {"_active": None, "_default": None}])
def test_no_driver_is_made(attributes: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, **attributes)
    assert select_backend() == "xpupti"


def test_gpu_of_another_vendor_is_found_before_its_driver_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_driver(monkeypatch, _active=None)
    amd = SimpleNamespace(driver=SimpleNamespace(is_active=lambda: True))
    backends = SimpleNamespace(backends={"amd": amd})
    monkeypatch.setitem(sys.modules, "triton.backends", cast("ModuleType", backends))
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    with pytest.raises(ValueError, match=r"^No profiler registered for triton backend hip$"):
        select_backend()


def test_library_of_the_installed_package() -> None:
    library = pti_library_of_package()
    assert library is not None
    assert library.is_file()
    assert library.name.startswith("libpti_view.so")


def test_users_library_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libpti_view.so.1").touch()
    monkeypatch.setenv("TRITON_XPUPTI_LIB_PATH", str(tmp_path))
    monkeypatch.setenv("PROTON_XPU_PTI_LIBRARY", "/the/users/own.so")
    provide_pti_library()
    assert os.environ["PROTON_XPU_PTI_LIBRARY"] == "/the/users/own.so"
    monkeypatch.setenv("PROTON_XPU_PTI_LIBRARY", "")
    provide_pti_library()
    assert os.environ["PROTON_XPU_PTI_LIBRARY"] == str(tmp_path / "libpti_view.so.1")


def test_package_is_used_where_the_users_folder_has_no_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRITON_XPUPTI_LIB_PATH", str(tmp_path))
    monkeypatch.setenv("PROTON_XPU_PTI_LIBRARY", "")
    provide_pti_library()
    assert os.environ["PROTON_XPU_PTI_LIBRARY"] == str(pti_library_of_package())


def test_missing_library_is_said(tmp_path: Path) -> None:
    done = run_python(
        ["-c", "import proton_xpu as proton; proton.start('p')"],
        cwd=tmp_path,
        variables={"PROTON_XPU_DEVICE": "soft", "PROTON_XPU_PTI_LIBRARY": "/no/such/library.so"},
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("RuntimeError: [PROTON] ")
    assert "/no/such/library.so" in last


def test_device_in_use_stays(caplog: pytest.LogCaptureFixture) -> None:
    assert softgpu.is_active()
    with caplog.at_level(logging.DEBUG):
        provide_device()
    assert caplog.messages == []


def test_software_device_that_is_asked_for_too_late_is_said(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROTON_XPU_DEVICE", "soft")
    monkeypatch.setattr(softgpu, "is_active", lambda: False)
    provide_device()
    (message,) = caplog.messages
    assert message.startswith("PROTON_XPU_DEVICE=soft comes too late: ")


LOGGED = """
    import json, logging, sys
    records = []
    class Handler(logging.Handler):
        def emit(self, record):
            records.append([record.levelname, record.getMessage()])
    logging.getLogger("proton_xpu").addHandler(Handler())
    logging.getLogger("proton_xpu").setLevel("INFO")
    import proton_xpu as proton
    for number in range(2):
        proton.start(f"p{number}")
    proton.finalize()
    print(json.dumps(records))
"""


def test_software_device_is_a_warning_unless_asked_for(tmp_path: Path) -> None:
    asked = run_for_json(LOGGED, cwd=tmp_path, variables={"PROTON_XPU_DEVICE": "soft"})
    assert len(asked) == 1
    assert asked[0][0] == "INFO"
    assert asked[0][1].startswith("Using the software device ")
    found = run_for_json(LOGGED, cwd=tmp_path, variables={"PROTON_XPU_DEVICE": "auto"})
    assert len(found) == 1
    assert found[0][0] == ("WARNING" if "software device" in found[0][1] else "INFO")


def test_bad_choice_of_a_device_is_refused(tmp_path: Path) -> None:
    done = run_python(
        ["-c", "import proton_xpu as proton; proton.start('p')"],
        cwd=tmp_path,
        variables={"PROTON_XPU_DEVICE": "nope"},
    )
    assert "ValueError: PROTON_XPU_DEVICE is auto, gpu or soft, not 'nope'" in done.stderr
