"""The package itself: what it has, and how little its import costs."""

from support.children import run_code, run_for_json

import proton_xpu

UPSTREAM_NAMES = {
    "DEFAULT_PROFILE_NAME",
    "activate",
    "context",
    "cpu_timed_scope",
    "data",
    "deactivate",
    "enter_scope",
    "enter_state",
    "exit_scope",
    "exit_state",
    "finalize",
    "metadata_state",
    "mode",
    "profile",
    "scope",
    "specs",
    "start",
    "state",
}

HEAVY_MODULES = [
    "ctypes",
    "dpctl",
    "importlib.metadata",
    "json",
    "logging",
    "numpy",
    "pandas",
    "subprocess",
    "torch",
    "triton",
]


def test_names() -> None:
    assert set(proton_xpu.__all__) >= UPSTREAM_NAMES
    assert all(hasattr(proton_xpu, name) for name in proton_xpu.__all__)


def test_build_info() -> None:
    assert set(proton_xpu.build_info()) >= {"version", "compiler"}


def test_import_brings_nothing_heavy() -> None:
    assert (
        run_for_json(
            """
            import sys
            before = set(sys.modules)
            import proton_xpu
            loaded = set(sys.modules) - before
            import json
            print(json.dumps(sorted(loaded & set(sys.argv[1:]))))
            """,
            *HEAVY_MODULES,
        )
        == []
    )


def test_import_loads_no_intel_library() -> None:
    assert (
        run_code(
            """
            import proton_xpu
            for line in open("/proc/self/maps"):
                if any(name in line for name in ("libze_", "libpti", "libsycl", "libur_")):
                    print(line)
            """
        )
        == ""
    )


def test_profiles_can_be_read_where_the_native_module_is_missing() -> None:
    outcome = run_for_json(
        """
        import json, sys
        sys.modules["proton_xpu._native"] = None
        import proton_xpu
        from proton_xpu import specs
        import proton_xpu.report
        outcome = []
        for name in ("start", "no_such_name"):
            try:
                getattr(proton_xpu, name)
            except (ImportError, AttributeError) as error:
                outcome.append([type(error).__name__, str(error)])
        print(json.dumps(outcome))
        """
    )
    assert outcome[0][0] == "ImportError"
    assert outcome[0][1].startswith("proton_xpu.start needs the package's native module, which")
    assert outcome[0][1].endswith("Build and install the package to record profiles.")
    assert outcome[1] == [
        "AttributeError",
        "module 'proton_xpu' has no attribute 'no_such_name'",
    ]
