"""Paper: widths, type and inks of printed figures, and how they become files.

What colours say on the screen is said here by shape, width and hatching too, as
journals are printed in grey. Sizes are millimetres, so that nothing is scaled
afterwards and the type keeps its size.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock
from typing import Any, Literal, ParamSpec

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from calibcore.charts import style
from calibcore.charts.formats import FORMATS, WIDTHS
from calibcore.errors import InputError
from calibcore.painters.paper.letters import FONT, legible
from calibcore.wording import percent

DPI = 300
MM = 1 / 25.4
"""Inches."""
BODY, SMALL = 7.0, 6.5
"""Points: of labels, and of the numbers along axes. No text is smaller."""
LINE = 3.4
"""Millimetres from one line of text to the next."""
TEXT, QUIET = style.TEXT["light"], style.QUIET["light"]
FILL = style.PRINT_FILL
"""Of what chance allows: 35 % of its grey, mixed with the paper, as some printers know no opacity."""
HAIRLINE = 0.5
OUTSIDE, WITHIN = 1.5, 0.7
"""Points: strokes of what lies outside what chance allows, and of what lies within."""

INKS: dict[Any, Any] = {
    "font.family": [FONT],
    "font.size": BODY,
    "axes.labelsize": BODY,
    "legend.fontsize": BODY,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "text.color": TEXT,
    "text.parse_math": False,  # a class may be called "$"
    "axes.labelcolor": TEXT,
    "axes.edgecolor": style.CHANCE,
    "axes.linewidth": HAIRLINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": style.PRINT_GRID,
    "grid.linewidth": HAIRLINE,
    "xtick.color": style.CHANCE,
    "ytick.color": style.CHANCE,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "xtick.major.width": HAIRLINE,
    "ytick.major.width": HAIRLINE,
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "legend.frameon": False,
    "hatch.linewidth": 0.7,
    "pdf.fonttype": 42,  # whole outlines, which journals ask for
    "svg.fonttype": "path",  # legible where the font is not
    "svg.hashsalt": "caliblens",  # names inside are drawn by lot without
}
_METADATA: dict[str, dict[str, None]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}
_LOCK = RLock()
"""matplotlib keeps settings and fonts for the whole process; pages draw from many threads."""


@contextmanager
def inked() -> Iterator[None]:
    """matplotlib with our settings and nobody else's, for one thread at a time."""
    with _LOCK, mpl.rc_context():
        mpl.rcdefaults()
        for name, value in INKS.items():
            mpl.rcParams[name] = value
        yield


P = ParamSpec("P")


def on_paper(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """A figure that is drawn with :func:`inked`."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with inked():
            return draw(*args, **kwargs)

    return drawn


def saved(figure: Figure, format: str) -> bytes:
    """A file of that format, PNG at 300 dots per inch; the same bytes for the same result.

    Raises
    ------
    InputError : a format other than pdf, svg, png.
    """
    if format not in FORMATS:
        raise InputError(f"There is no format {format!r:.20}; expected one of {', '.join(FORMATS)}.")
    file = io.BytesIO()
    with inked():
        figure.savefig(file, format=format, dpi=DPI, metadata=_METADATA[format])
    return file.getvalue()


def grey(png: bytes) -> Any:
    """(rows, columns) of a PNG, from 0, black, to 1, white."""
    from matplotlib.image import imread

    return imread(io.BytesIO(png), format="png")[..., :3].mean(axis=-1)


def sheet(width: float, height: float) -> Figure:
    """An empty figure of so many millimetres.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    if width not in WIDTHS:
        raise InputError(f"The width is {width:g} mm; expected one of {', '.join(map(str, WIDTHS))}.")
    return Figure(figsize=(width * MM, height * MM))


def panel(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at so many millimetres from the lower left corner, of that size."""
    full_width, high = figure.get_size_inches() / MM
    return figure.add_axes((left / full_width, bottom / high, width / full_width, height / high))


def blank(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """A :func:`panel` without axes whose coordinates are its millimetres."""
    axes = panel(figure, left, bottom, width, height)
    axes.set_axis_off()
    axes.set(xlim=(0, width), ylim=(0, height))
    return axes


def label_above(axes: Axes, words: str, bold: bool = False, left: float = 0.0) -> None:
    """The y axis in words, level and above its panel, from ``left``, in millimetres of the paper."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    start = float(axes.get_position().x0) * float(figure.get_size_inches()[0]) * 72 - left * MM * 72
    axes.annotate(
        legible(words), (0, 1), (2 - start, 3), xycoords="axes fraction", textcoords="offset points",
        ha="left", va="bottom", annotation_clip=False, fontweight="bold" if bold else "normal",
    )  # fmt: skip


def percents(axes: Axes, which: Literal["x", "y"], scale: float = 1.0) -> None:
    """Numbers along an axis as percent; ``scale`` is what stands for 100 %."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(lambda value, _: _percent(value / scale))


def _percent(share: float) -> str:
    return percent(share, 0 if abs(100 * share - round(100 * share)) < 1e-6 else 1)
