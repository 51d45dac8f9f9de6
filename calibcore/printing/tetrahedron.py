"""The tetrahedron of four classes on paper: the screen's view, in parallel projection."""

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.figures import style
from calibcore.figures.arrows import arrow_keys, arrows_of
from calibcore.figures.tetrahedron import CORNERS, NARROW, WHOLE, WIDE, camera, projected
from calibcore.figures.triangle import shares_at_corners
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float
from calibcore.printing.arrows import KEYS, draw_arrows, keys
from calibcore.printing.letters import legible
from calibcore.printing.paper import BODY, on_paper, panel, sheet

MARGIN, BESIDE = 9.0, 14.0
"""Millimetres above and below, and beside the drawing, for the names of the corners."""
LENGTH = 100.0
"""Millimetres of an edge that lies in the paper, at most."""


@on_paper
def tetrahedron_print(
    diagram: Reliability,
    noun: str = "case",
    least: int = 1,
    without: int | None = None,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    chosen: Outline | None = None,
    zoom: Zoom = WHOLE,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.figures.tetrahedron.tetrahedron_figure`, ``width`` millimetres wide.

    Arrows that stand out are filled, the others hollow; near ones lie above far ones. Edges
    behind the body are dashed. Lengths are true in the plane of the paper.

    Raises
    ------
    InputError : another number of classes than four, a width other than those of columns.
    """
    arrows = arrows_of(diagram, CORNERS, least, tests, alpha, zoom)
    nearer = np.argsort((arrows.tail + arrows.tip) @ eye_and_plane(without)[0], kind="stable")
    arrows = arrows.only(nearer)
    corners, hidden = flat(CORNERS, without), _hidden(without)
    low, high = corners.min(axis=0), corners.max(axis=0)
    length = min(LENGTH, (width - 2 * BESIDE) / float(high[0] - low[0]))
    extent = length * (high - low)
    figure = sheet(width, KEYS + 2 * MARGIN + float(extent[1]))
    left = (width - float(extent[0])) / 2 - BESIDE
    axes = panel(figure, left, KEYS, float(extent[0]) + 2 * BESIDE, float(extent[1]) + 2 * MARGIN)
    axes.set_axis_off()
    beside, beyond = BESIDE / length, MARGIN / length
    axes.set(
        xlim=(low[0] - beside, high[0] + beside), ylim=(low[1] - beyond, high[1] + beyond), aspect="equal"
    )
    for pair, behind in hidden.items():
        ends = corners[list(pair)]
        axes.plot(
            *ends.T, color=style.QUIET["light"], linewidth=0.8, linestyle=(0, (3, 2)) if behind else "-"
        )
    if chosen is not None:
        frame = flat(projected(chosen.vertices, zoom), without)[chosen.edges]
        axes.add_collection(LineCollection(list(frame), colors=style.CHANCE, linewidths=1), autolim=False)
    tail, tip = flat(arrows.tail, without), flat(arrows.tip, without)
    draw_arrows(axes, arrows, tail, tip - tail)
    for i, (name, share) in enumerate(zip(diagram.class_names, shares_at_corners(zoom), strict=True)):
        _name(axes, name, share, corners[i], corners[i] - corners.mean(axis=0), WIDE if i == 3 else NARROW)
    keys(figure, noun, arrows, arrow_keys(diagram, tests, alpha))
    return figure


def _name(axes: Axes, name: str, share: str, place: Float, outward: Float, width: int) -> None:
    """Away from the middle; a corner that is seen near it has its name between its edges."""
    far = float(np.linalg.norm(outward))
    x, y = 4 * outward / far if far > 0.3 else np.array([3.0, 4.0])
    aside = abs(x) > 1.5
    words = "\n".join(style.corner_lines(legible(name), width))
    words = f"{words} {share}".rstrip()
    text = axes.annotate(
        words, (place[0], place[1]), (x, y), textcoords="offset points",
        fontsize=BODY, fontweight="bold", linespacing=1.1, annotation_clip=False,
        ha=("left" if x > 0 else "right") if aside else "center",
        va="center" if abs(y) < 1.5 else "bottom" if y > 0 else "top",
    )  # fmt: skip
    text.set_path_effects([withStroke(linewidth=1.5, foreground="white")])
    over = _over(text)
    if over:  # back onto the sheet, below or above its corner
        text.xyann = (x - over, 4 if y > 0 else -4)
        text.set_verticalalignment("bottom" if y > 0 else "top")


def _over(annotation: Annotation) -> float:
    """How far words reach over the right edge of the sheet, in points; over the left one below 0."""
    figure = annotation.get_figure(root=True)
    assert figure is not None
    box, right = annotation.get_window_extent(), figure.bbox.width
    edge = figure.dpi / 25.4  # a millimetre
    return float(max(0.0, box.x1 - right + edge) + min(0.0, box.x0 - edge)) * 72 / figure.dpi


def eye_and_plane(without: int | None) -> tuple[Float, Float]:
    """The direction (3,) towards the eye of :func:`camera`; right and up (2, 3) in the paper before it."""
    seen = camera(without)
    eye, up, center = (np.array([seen[name][axis] for axis in "xyz"]) for name in ("eye", "up", "center"))
    eye = (eye - center) / np.linalg.norm(eye - center)
    right = np.cross(up, eye)
    right /= np.linalg.norm(right)
    return eye, np.array([right, np.cross(eye, right)])


def flat(places: Float, without: int | None) -> Float:
    """(…, 3) points of the tetrahedron -> (…, 2) points of the paper."""
    return np.asarray(places @ eye_and_plane(without)[1].T)


def _hidden(without: int | None) -> dict[tuple[int, int], bool]:
    """Each edge, and whether both faces that meet in it look away from the eye."""
    eye = eye_and_plane(without)[0]
    away = -CORNERS @ eye <= 1e-9  # the face without that corner looks against it
    return {
        (i, j): bool(away[[k for k in range(4) if k not in (i, j)]].all())
        for i, j in combinations(range(4), 2)
    }
