"""pytest plugin: profiles of tests, one file each, for `proton-xpu regress`.

    def test_softmax(proton_bench):
        with proton_bench("softmax"):
            softmax[grid](x, y)

    @pytest.mark.proton(max_regression="5%")
    def test_matmul(): ...

A package of its own, so that a run of pytest that does not use it imports nothing of proton_xpu.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proton_xpu.report.regress.bench import ProtonBench

_MARKER = "proton"
_FIXTURE = "_proton_profile"
_OPTION = "proton_output"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that says where profiles go."""
    parser.getgroup("proton_xpu", "kernel profiles").addoption(
        "--proton-output",
        metavar="FOLDER",
        dest=_OPTION,
        default=".proton",
        help="where tests that use proton_bench or the marker proton put profiles (%(default)s)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line(
        "markers",
        "proton(max_regression=None, hook='triton', context='shadow', data='tree'):"
        " profile the kernels of the whole test; max_regression, such as '5%', is the limit that"
        " proton-xpu regress holds them to",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives marked tests the fixture that profiles them; other tests stay as they are."""
    for item in items:
        if item.get_closest_marker(_MARKER) is not None and isinstance(item, pytest.Function):
            item.fixturenames.insert(0, _FIXTURE)


@pytest.fixture
def proton_bench(request: pytest.FixtureRequest) -> "Iterator[ProtonBench]":
    """A function of a name that makes a context: the kernels launched inside are profiled.

    Its keywords are those of `ProtonBench`, `max_regression="5%"` among them. Blocks of one name
    add up. Each name has a file of its own, which is written when the test ends.
    """
    from proton_xpu.report.regress.bench import ProtonBench

    folder = request.config.rootpath / request.config.getoption(_OPTION)
    bench = ProtonBench(folder, request.node.nodeid)
    yield bench
    bench.finish()


@pytest.fixture
def proton_xpu(proton_bench: "ProtonBench") -> "ProtonBench":
    """The same as `proton_bench`."""
    return proton_bench


@pytest.fixture(name=_FIXTURE)
def _profile_of_the_test(
    request: pytest.FixtureRequest, proton_bench: "ProtonBench"
) -> "Iterator[None]":
    marker = request.node.get_closest_marker(_MARKER)
    if marker.args:
        pytest.fail("the marker proton takes keywords only: proton(max_regression='5%')")
    with proton_bench("", **marker.kwargs):
        yield
