"""Printed figures as files: sizes, fonts, the same bytes again, many threads, grey, any name of a class."""

import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from calibcore.charts import style
from calibcore.charts.formats import WIDTHS
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import SimplexBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.drawing import on_paper, on_screen
from calibcore.errors import InputError
from calibcore.painters.paper import reliability_print, saved, sheets, simplex_print, tetrahedron_print
from calibcore.painters.paper.triangle import GRID
from tests.painters.printed import NAMES, OF_QUESTIONS, charts_of, three_classes, twice, two_classes


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    before = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


@pytest.mark.some(3)
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_fits_its_column_and_its_file_is_as_it_says(name: str) -> None:
    _fits(twice()[name].paper(width=89), 89)
    wide = twice()[name].paper(width=183)
    svg = saved(wide, "svg")
    _has_its_size_and_needs_no_font(svg)
    _fits(wide, 183, drawn=True)
    with mpl.rc_context(OTHERS):
        assert saved(twice()[name].paper(width=183), "svg") == svg  # the same result, the same file


@pytest.mark.parametrize("result", OF_QUESTIONS, ids=lambda result: result.__name__)
def test_every_chart_of_an_answer_is_drawn_by_what_it_names(result: type) -> None:
    charts = charts_of(result)
    assert charts
    for chart in charts:
        assert on_screen(chart.screen, chart.of, **chart.options)("light").data
        assert on_paper(chart.paper, chart.of, **chart.options)(89).axes


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "name", ["groups side by side", "classical with curve and intervals", "triangle", "null distribution"]
)
def test_a_pdf_has_its_fonts_and_size(name: str) -> None:
    """Letters, numbers and signs of every kind; a figure has no say in how :func:`saved` writes them."""
    _has_its_fonts_and_size(saved(twice()[name].paper(width=89), "pdf"))


OTHERS = {"font.size": 20, "axes.grid": False, "svg.hashsalt": None, "pdf.fonttype": 3}
"""Settings of somebody else's."""


def _fits(figure: Figure, width: int, drawn: bool = False) -> None:
    """The width is exact, type is 6.5 points or more, and all of it lies on the paper."""
    assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width)
    assert figure.get_size_inches()[1] * 25.4 < 170  # with a caption it stays on a page
    with sheets.inked():
        if not drawn:
            figure.draw_without_rendering()
        edge, beyond = figure.bbox, _not_drawn(figure)
        for text in figure.findobj(Text):
            if not (isinstance(text, Text) and text.get_text() and text.get_visible()):
                continue
            box = text.get_window_extent()
            assert text.get_fontsize() >= 6.5, text
            inside = box.x0 >= -0.5 and box.x1 <= edge.x1 + 0.5 and box.y0 >= -0.5 and box.y1 <= edge.y1 + 0.5
            assert inside or text in beyond, text


def _not_drawn(figure: Figure) -> set[Text]:
    """Numbers beyond the ends of an axis are made and not drawn."""
    found = set()
    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            found |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    return found


def _has_its_fonts_and_size(data: bytes) -> None:
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    assert data.count(b"/FontDescriptor") >= 1
    (box,) = re.findall(rb"/MediaBox \[ ?([\d. ]+) ?\]", data)
    points = [float(part) for part in box.split()]
    assert points[2] - points[0] == pytest.approx(89 / 25.4 * 72, abs=0.01)
    assert b"CreationDate" not in data


def _has_its_size_and_needs_no_font(data: bytes) -> None:
    root = ElementTree.fromstring(data)
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(183 / 25.4 * 72, abs=0.01)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "text" not in tags
    assert "image" not in tags
    assert "path" in tags


@pytest.mark.parametrize("width", WIDTHS)
def test_a_png_has_300_dots_an_inch(width: int) -> None:
    image = Image.open(io.BytesIO(saved(reliability_print(two_classes(), width=width), "png")))
    assert image.width == round(width / 25.4 * 300)
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)


@pytest.mark.some(2)
@pytest.mark.parametrize(("name", "format"), [("triangle with all", "pdf"), (NAMES[0], "png")])
def test_the_same_result_is_the_same_file(name: str, format: str) -> None:
    first = saved(twice()[name].paper(), format)
    with mpl.rc_context(OTHERS):
        assert saved(twice()[name].paper(), format) == first


def test_a_figure_saved_twice_is_the_same() -> None:
    figure = simplex_print(three_classes())
    assert saved(figure, "svg") == saved(figure, "svg")


@pytest.mark.slow
def test_many_threads_draw_at_once() -> None:
    names = ["reliability", "triangle", "null distribution", "many classes"] * 2
    alone = [saved(twice()[name].paper(), "svg") for name in names[:4]] * 2
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda name: saved(twice()[name].paper(), "svg"), names))
    assert together == alone


@pytest.mark.parametrize(
    ("format", "width", "said"),
    [("tiff", 89, "no format 'tiff'"), ("pdf", 100, "100 mm; expected one of 89, 183")],
)
def test_other_formats_and_widths_are_refused(format: str, width: float, said: str) -> None:
    with pytest.raises(InputError, match=said):
        saved(reliability_print(two_classes(), width=width), format)


def luminance(color: object) -> float:
    """As the WCAG define it."""
    share = np.array(to_rgb(color))  # type: ignore[arg-type]
    linear = np.where(share <= 0.03928, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: object, other: object) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_in_grey_every_mark_stands_out_from_what_lies_below_it() -> None:
    for mark in (style.OBSERVED, style.PREDICTED["light"]):
        for below in ("white", sheets.FILL):
            assert contrast(mark, below) > 2.5
    assert contrast(sheets.FILL, "white") > 1.3
    assert contrast(style.CHANCE, sheets.FILL) > 1.8  # its outline
    assert contrast(sheets.QUIET, "white") > 4.5
    for outline in (style.OBSERVED, sheets.QUIET):  # of an arrow beside the grid
        assert contrast(outline, GRID) > 1.8


def test_a_grey_copy_shows_filled_and_hollow_arrows_apart() -> None:
    """Inside a filled arrow there is ink, inside a hollow one paper, whatever its colour."""
    figure = simplex_print(three_classes(), width=183)
    grey = np.asarray(Image.open(io.BytesIO(saved(figure, "png"))).convert("L"))
    axes = figure.axes[0]
    groups = [a for a in axes.get_children() if type(a).__name__ == "Quiver"]
    step = np.concatenate([np.column_stack([group.U, group.V]) for group in groups])
    middles = np.concatenate([group.get_offsets() for group in groups]) + 0.5 * step
    length = np.hypot(*step.T)
    filled = np.concatenate(
        [np.full(group.N, (group.get_facecolors()[0, :3] != 1).any()) for group in groups]
    )
    places = axes.transData.transform(middles) * 300 / figure.dpi
    inks = np.array([grey[len(grey) - 1 - round(y), round(x)] for x, y in places])
    long_ = length > 0.1
    assert (inks[filled & long_] < 170).all()
    assert np.median(inks[~filled & long_]) > 240


NAMES_OF_CLASSES = (
    "$\\frac{1}{0}$", "a$b", "<b>&amp;</b>", "שלום עולם", "مرحبا", "猫と犬", "😀", "x\n\ty\u202e", "\ud800",
    "a very long name of a class that would never fit beside a corner", "हिन्दी", "%d {0} \\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, len(NAMES_OF_CLASSES), 4))
def test_any_name_of_a_class_is_drawn_without_a_warning(start: int) -> None:
    names = NAMES_OF_CLASSES[start : start + 4]
    assert saved(simplex_print(_toy(names[1:]), names[0]), "pdf")
    assert saved(tetrahedron_print(_toy(names), names[0]), "svg")


@pytest.mark.parametrize("without", [None, 0, 1, 2, 3])
def test_long_names_of_corners_stay_on_the_paper(without: int | None) -> None:
    names = ("Pneumonia (community acquired)", "Pulmonary embolism", "Heart failure, acute", "M" * 40)
    figure = tetrahedron_print(_toy(names), without=without)
    with sheets.inked():
        figure.draw_without_rendering()
        corners = [text for text in figure.findobj(Text) if text.get_fontweight() == "bold"]
        assert len(corners) == 4
        for box in (text.get_window_extent() for text in corners):
            assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1


def _toy(names: tuple[str, ...]) -> Reliability:
    m = len(names)
    probs = np.random.default_rng(0).dirichlet(np.ones(m), 30)
    renamed = Predictions.from_arrays(probs, np.arange(30) % m, [f"class {i}" for i in range(m)])
    found = reliability(renamed, SimplexBinning(3) if m == 3 else UniformBinning(2), n_resamples=9)
    object.__setattr__(found, "class_names", names)  # whatever the readers let through
    return found


def test_a_letter_that_the_font_lacks_is_a_box_and_the_rest_stays() -> None:
    assert sheets.legible("猫 cat") == "□ cat"
    assert sheets.legible("a\n\tb") == "a b"
    assert sheets.legible("naïve Ω → ½ שלום") == "naïve Ω → ½ שלום"


def test_a_weighted_diagram_has_crosses_alone() -> None:
    p = Predictions.from_arrays(
        np.tile([0.3, 0.7], (8, 1)), [0, 1] * 4, ("a", "b"), weights=np.arange(1.0, 9.0)
    )
    figure: Figure = reliability_print(reliability(p, UniformBinning(5)))
    words = [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]
    assert "observed" in words
    assert not any("calibrated" in said for said in words)
