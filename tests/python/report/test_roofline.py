import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.browser import browser_page
from support.profiles import Node, ProfileWriter, kernel, node, root

from proton_xpu.cli.roofline import main
from proton_xpu.report import NoMatchError, Profile
from proton_xpu.report.hatchet_layout import read_layout
from proton_xpu.report.roofline import roofline
from proton_xpu.report.roofline_plot import draw

# 64 Xe-cores at 1 GHz: 262.144 Tflop/s at 16 bits; 1 TB/s.
DEVICE = {"arch": "pvc", "num_sms": 64, "clock_rate": 1_000_000, "peak_bps": 1e12}


def profile(*kernels: Node, facts: object = None) -> Profile:
    document = read_layout([root(*kernels), {"XPU": {"0": facts or DEVICE}}], "p")
    return Profile(document.tree, document.devices)


def test_memory_bound_kernel() -> None:
    data = roofline(profile(kernel("add", 1000, flops16=1e6, bytes=500_000)))

    (point,) = data.points
    assert (point.name, point.device, point.width, point.bound) == ("add", "XPU 0", 16, "memory")
    assert point.intensity == pytest.approx(2)
    assert point.rate == pytest.approx(1e12)
    assert point.attainable == pytest.approx(2e12)
    assert point.efficiency == pytest.approx(0.5)
    assert data.notes == []


def test_compute_bound_kernel() -> None:
    (point,) = roofline(profile(kernel("gemm", 1000, flops16=1e8, bytes=100))).points

    assert point.bound == "compute"
    assert point.attainable == pytest.approx(262.144e12)


def test_launches_of_one_name_are_added_and_the_longest_come_first() -> None:
    data = roofline(
        profile(
            node("a", kernel("k", 100, flops16=1.0, bytes=1)),
            node("b", kernel("k", 200, flops16=1.0, bytes=3)),
            kernel("long", 900, flops32=5.0, flops16=1.0, bytes=1),
        )
    )

    assert [(p.name, p.width, p.flops, p.bytes) for p in data.points] == [
        ("long", 32, 6.0, 1),
        ("k", 16, 2.0, 4),
    ]
    assert data.points[1].seconds == pytest.approx(300e-9)


def test_kernels_without_work_are_counted() -> None:
    data = roofline(profile(kernel("k", 1, flops16=1.0, bytes=1), kernel("other", 1)))

    assert data.notes == ["1 kernels without flops or bytes are not shown"]


def test_unknown_device_has_points_but_no_ceiling() -> None:
    data = roofline(profile(kernel("k", 1, flops16=1.0, bytes=1), facts={"arch": "new"}))

    assert data.points[0].attainable is None
    assert data.points[0].efficiency is None
    assert data.notes == ["the ceilings of device XPU 0 (new) are not known"]


def test_profile_without_work_says_how_to_give_some() -> None:
    with pytest.raises(NoMatchError, match=r"no kernel has flops8.*launch metadata"):
        roofline(profile(kernel("k", 1)))


HOSTILE = "$\\frac{</script>&\n\x1b\U0001f4a5" + "x" * 10_000


@pytest.fixture
def source(write: ProfileWriter) -> str:
    kernels = [
        kernel(HOSTILE, 1000, flops16=1e8, bytes=100),
        kernel("add", 1000, flops16=1e6, bytes=500_000),
    ]
    return str(write.file(root(*kernels), {"XPU": {"0": DEVICE}}))


def test_png(write: ProfileWriter, source: str) -> None:
    output = write.folder / "r.png"

    assert main([source, str(output)]) == 0

    assert output.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_svg_is_well_formed_and_undated(write: ProfileWriter, source: str) -> None:
    output = write.folder / "r.svg"

    assert main([source, str(output)]) == 0

    assert ET.fromstring(output.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert "dc:date" not in output.read_text()


def test_html_has_a_table_of_kernels(write: ProfileWriter, source: str) -> None:
    output = write.folder / "r.html"

    assert main([source, str(output)]) == 0

    page = output.read_text()
    cells = re.findall(r"<td>(.*?)</td>", page)
    assert cells[0].startswith("$\\frac{&lt;/script&gt;&amp;\\n\\x1b")
    assert cells[1:4] == ["XPU 0", "16", "0.001"]
    assert cells[9:] == [
        "add",
        "XPU 0",
        "16",
        "0.001",
        "2.000",
        "1.000",
        "2.000",
        "50.000",
        "memory",
    ]
    assert "<script" not in page
    tips = re.findall(r"<span>(.*?)</span>", page, flags=re.DOTALL)
    assert tips[0].startswith("kernel: $\\frac{&lt;/script&gt;&amp;\\n\\x1b")
    assert len(tips[0]) < 500


TIP = "getComputedStyle(document.querySelectorAll('.point span')[{}]).display"


def test_points_of_the_page_show_their_numbers_to_mouse_and_keyboard(
    write: ProfileWriter, source: str, tmp_path: Path
) -> None:
    output = write.folder / "r.html"
    assert main([source, str(output)]) == 0

    with browser_page(tmp_path) as page:
        page.open(output)
        assert [page.evaluate(TIP.format(index)) for index in (0, 1)] == ["none", "none"]
        page.press("Tab", "Tab")
        assert [page.evaluate(TIP.format(index)) for index in (0, 1)] == ["none", "block"]
        assert page.evaluate("document.activeElement.innerText").splitlines()[:5] == [
            "kernel: add",
            "device: XPU 0",
            "width/bit: 16",
            "time/ms: 0.001",
            "flop/byte: 2.000",
        ]
        x, y = page.evaluate(
            "((box) => [box.x + 8, box.y + 8])"
            "(document.querySelectorAll('.point')[0].getBoundingClientRect())"
        )
        page.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        assert page.evaluate(TIP.format(0)) == "block"
        assert page.evaluate("document.activeElement.getBoundingClientRect().width") == 16
        assert page.requests == [output.as_uri()]
        assert page.errors == []


def test_points_of_the_page_lie_on_those_of_the_drawing(source: str) -> None:
    data = roofline(Profile.load(source))
    page = draw(data, "html", "t").decode()

    svg = page[page.index("<svg") : page.index("</svg>")]
    circles = svg[svg.index('id="PathCollection_1"') : svg.index('id="matplotlib.axis_1"')]
    # A circle begins at its lowest point.
    lowest = re.findall(r'd="M ([\d.]+) ([\d.]+)', circles)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    marks = re.findall(r'class="point[ \w]*" style="left:([\d.]+)%;top:([\d.]+)%"', page)
    assert size
    assert len(marks) == len(lowest) == 2
    for mark, point in zip(marks, lowest, strict=True):
        left = float(mark[0]) / 100 * float(size[1])
        top = float(mark[1]) / 100 * float(size[2])
        assert left == pytest.approx(float(point[0]), abs=1)
        assert float(point[1]) - 9 < top < float(point[1])


def test_other_suffix_is_refused(
    write: ProfileWriter, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([source, str(write.folder / "r.doc")]) == 2
    assert "drawn as png, svg, html, not as doc" in capsys.readouterr().err
