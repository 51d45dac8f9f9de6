"""The reliability diagram on paper (V19 Fig. 4)."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION, DeviationScale, fullest_bins, scale_of
from calibcore.charts.probability_axis import TITLE, ProbabilityAxis, axis_of
from calibcore.charts.reliability import (
    DISTANCE,
    HAPPENED,
    Shares,
    band_name,
    bar_ends,
    bar_name,
    cross_name,
    cross_sizes,
    curve_ends,
    curve_name,
    drawn_intervals,
    histogram,
    share_of,
    spread_histogram,
    widths,
)
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.numerics.types import Float
from calibcore.painters.paper.marks import (
    FOOT,
    HEAD,
    LEFT,
    RIGHT,
    STRIP,
    Entries,
    draw_key,
    key_height,
    panels,
)
from calibcore.painters.paper.sheets import (
    FILL,
    OUTSIDE,
    WITHIN,
    label_above,
    on_paper,
    panel,
    percents,
    sheet,
)
from calibcore.words.diagram import beyond_words
from calibcore.words.phrases import exact_percent

LINES = 1.2
"""Points: stroke of a curve."""
SQUARE = 80.0
"""Millimetres: side of the classical diagram on a wide sheet, where its deviations stand beside it."""
BETWEEN = 14.0
"""Millimetres from one panel to the one beside it."""
PIXEL = 72 / 96
"""Points."""


@on_paper
def reliability_print(
    diagram: Reliability,
    noun: str = "case",
    classical: bool = False,
    curve: Curve | None = None,
    frequencies: FrequencyIntervals | None = None,
    whiskers: bool = False,
    spread: Spread | None = None,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.painters.screen.reliability.reliability_figure`, ``width`` millimetres wide.

    Crosses outside what chance allows are heavy, the others thin. On a wide sheet the classical diagram has
    its deviations beside it.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    scale = scale_of([diagram], curve)
    if len(diagram.class_names) > 2:
        return _many_classes(diagram, noun, scale, width)
    look = _Look(diagram, noun, curve, spread, scale, axis_of(diagram, spread))
    if classical:
        return _classical(look, drawn_intervals(frequencies, whiskers), width)
    entries = _entries(diagram, noun, curve, scale=scale)
    figure, (above, below) = panels(width, (40.0 if width < 100 else 60.0, STRIP), entries)
    _deviations(above, below, look)
    return figure


@dataclass(frozen=True, eq=False)
class _Look:
    """What is drawn, and on which scales."""

    diagram: Reliability
    noun: str
    curve: Curve | None
    spread: Spread | None
    scale: DeviationScale
    axis: ProbabilityAxis


def _deviations(above: Axes, below: Axes, look: _Look, left: float = 0.0) -> None:
    """Deviations over the axis of probabilities, and the histogram below them."""
    diagram, curve, axis = look.diagram, look.curve, look.axis
    x = axis.place(diagram.mean_prediction[:, 0])
    _bars(above, x, diagram, widths(x, axis.span), outlined=curve is not None, scale=look.scale)
    if curve is not None:
        _curve(above, curve, axis.place(curve.predicted), curve.predicted)
    _crosses(above, x, diagram.deviation, diagram, look.scale)
    above.set_ylim(look.scale.low, look.scale.high)
    shares = histogram(diagram) if look.spread is None else spread_histogram(look.spread, axis)
    shares_of_cases(below, shares, look.noun, left)
    deviation_axes(above, below, axis, left)


def deviation_axes(above: Axes, below: Axes, axis: ProbabilityAxis, left: float = 0.0) -> None:
    """What stands around deviations and the histogram below them."""
    above.axhline(0, color=style.CHANCE, linewidth=0.8, zorder=1.8)
    above.yaxis.set_major_locator(MaxNLocator(6))
    above.tick_params(labelbottom=False)
    label_above(above, DEVIATION, left=left)
    for axes in (above, below):
        axes.set_xlim(axis.ends)
        if axis.log_odds:
            places, words = axis.ticks()
            axes.set_xticks(places, words)
        else:
            axes.set_xticks(np.linspace(0, 1, 6))
    if not axis.log_odds:
        percents(below, "x")
    below.set_xlabel(axis.title)


def _classical(look: _Look, whiskers: FrequencyIntervals | None, width: float) -> Figure:
    """One square of equal scales, the histogram below it on the same axis, deviations beside it."""
    diagram, curve = look.diagram, look.curve
    beside = width > 2 * SQUARE
    entries = _entries(diagram, look.noun, curve, whiskers, look.scale if beside else None)
    side, low = min(SQUARE, width - LEFT - RIGHT), key_height(entries, width) + FOOT
    figure = sheet(width, low + STRIP + HEAD + side + HEAD)
    above = panel(figure, LEFT, low + STRIP + HEAD, side, side)
    below = panel(figure, LEFT, low, side, STRIP)
    x, y = diagram.mean_prediction[:, 0], diagram.observed[:, 0]
    above.plot([0, 100], [0, 100], color=style.CHANCE, linewidth=0.8, zorder=1.8)
    _bars(above, 100 * x, diagram, 100 * widths(x), x, curve is not None)
    if curve is not None:
        _curve(above, curve, 100 * curve.predicted, 0.0)
    if whiskers is not None:
        ends = 100 * np.array([whiskers.low, whiskers.high])
        above.vlines(100 * x, *ends, color=style.OBSERVED, linewidth=WITHIN, zorder=2.8, label="interval")
    _crosses(above, 100 * x, y, diagram)
    label_above(above, HAPPENED)
    shares_of_cases(below, histogram(diagram, 100.0), look.noun)
    ticks = np.linspace(0, 100, 6)
    above.set(ylim=(-2, 102), yticks=ticks)
    for axes in (above, below):
        axes.set(xlim=(-2, 102), xticks=ticks)
        percents(axes, "x", 100.0)
    percents(above, "y", 100.0)
    above.tick_params(labelbottom=False)
    below.set_xlabel(TITLE)
    if beside:
        left, inner = LEFT + side + BETWEEN, width - LEFT - side - BETWEEN - RIGHT
        _deviations(
            panel(figure, left, low + STRIP + HEAD, inner, side),
            panel(figure, left, low, inner, STRIP),
            look,
            left - LEFT,
        )
    draw_key(figure, entries)
    return figure


def _many_classes(diagram: Reliability, noun: str, scale: DeviationScale, width: float) -> Figure:
    fullest, words = fullest_bins(diagram)
    part = diagram.only(fullest)
    high = 45.0 if width < 100 else 60.0
    figure, (axes,) = panels(width, (high,), _entries(part, noun, scale=scale))
    x = np.arange(1.0, len(fullest) + 1)
    _bars(axes, x, part, np.full(len(fullest), 0.55), scale=scale)
    _crosses(axes, x, part.deviation, part, scale)
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.set(xlim=(0.3, len(fullest) + 0.7), ylim=(scale.low, scale.high))
    axes.set_xlabel(words)
    label_above(axes, DISTANCE)
    return figure


def _bars(
    axes: Axes,
    x: Float,
    diagram: Reliability,
    widths: Float,
    base: Float | float = 0.0,
    outlined: bool = False,
    scale: DeviationScale | None = None,
) -> None:
    """The consistency bars on top of ``base``, ``outlined`` beside a band; weighted cases have none."""
    if not diagram.has_bars:
        return
    low, high = bar_ends(diagram, base, scale)
    axes.bar(
        x, high - low, widths, low, color="none" if outlined else FILL, edgecolor=style.CHANCE, linewidth=0.5,
        zorder=2.5, label=bar_name(diagram),
    )  # fmt: skip


def _curve(axes: Axes, curve: Curve, x: Float, base: Float | float) -> None:
    """A line and its band, less ``base``; at one prediction a dot and an upright line."""
    seen, low, high = curve_ends(curve, base)
    single = len(x) == 1
    axes.fill(
        np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]), facecolor=FILL, zorder=1.6,
        edgecolor=style.CHANCE, linewidth=4 if single else 0, label=band_name(curve),
    )  # fmt: skip
    axes.plot(
        x, seen, color=style.OBSERVED, linewidth=LINES, marker="o" if single else "", markersize=3,
        zorder=2.7, label=curve_name(curve),
    )  # fmt: skip


def _crosses(
    axes: Axes, x: Float, y: Float, diagram: Reliability, scale: DeviationScale | None = None
) -> None:
    """Within first, so that those outside lie on top; triangles at the edge for those beyond the scale."""
    sizes = (PIXEL * cross_sizes(diagram) / 2) ** 2
    y = 100 * y
    far = np.zeros(diagram.n_bins, np.bool_) if scale is None else scale.beyond(y)
    places = y if scale is None else scale.placed(y)
    for marker, of_kind in (("x", ~far), ("^", far & (y > 0)), ("v", far & (y < 0))):
        for outside, stroke in ((False, WITHIN), (True, OUTSIDE)):
            chosen = of_kind & (diagram.outside == outside)
            if marker == "x" or chosen.any():
                axes.scatter(
                    x[chosen], places[chosen], s=sizes[chosen] if marker == "x" else 14, marker=marker,
                    linewidths=stroke, edgecolors=style.OBSERVED if marker != "x" else None, zorder=3,
                    facecolors=style.OBSERVED if outside or marker == "x" else "white",
                    label="observed" if marker == "x" else "beyond the scale", clip_on=False,
                )  # fmt: skip


def shares_of_cases(axes: Axes, shares: Shares, noun: str, left: float = 0.0) -> None:
    """A histogram of predictions."""
    axes.bar(
        shares.x, shares.shares, shares.width, color=style.PREDICTED["light"], linewidth=0, label="predicted"
    )
    axes.yaxis.set_major_locator(MaxNLocator(2))
    percents(axes, "y")
    label_above(axes, share_of(noun), left=left)


def _entries(
    diagram: Reliability,
    noun: str,
    curve: Curve | None = None,
    whiskers: FrequencyIntervals | None = None,
    scale: DeviationScale | None = None,
) -> Entries:
    """What the key says, of the marks that are there: bars, heavy and thin crosses, curve, whiskers."""
    entries: Entries = []
    if diagram.has_bars:
        fill = FILL if curve is None else "none"
        entries.append((Patch(facecolor=fill, edgecolor=style.CHANCE, linewidth=0.5), bar_name(diagram)))
    for outside, stroke, size in ((True, OUTSIDE, 4), (False, WITHIN, 3)):
        if (diagram.outside == outside).any():
            entries.append((_mark("x", size, stroke), cross_name(diagram, outside)))
    far = np.flatnonzero(scale.beyond(100 * diagram.deviation) if scale is not None else [])
    if len(far):
        symbol = "^" if diagram.deviation[far[0]] > 0 else "v"
        entries.append((_mark(symbol, 4), beyond_words(diagram, far, noun)))
    if whiskers is not None:
        words = f"{exact_percent(whiskers.level)} interval of the frequency"
        entries.append((_mark("|", 7, WITHIN), words))
    if curve is not None:
        entries.append((Line2D([], [], color=style.OBSERVED, linewidth=LINES), curve_name(curve)))
        entries.append((Patch(facecolor=FILL, linewidth=0), band_name(curve)))
    return entries


def _mark(marker: str, size: float, stroke: float | None = None) -> Line2D:
    return Line2D(
        [], [], linestyle="", marker=marker, color=style.OBSERVED, markersize=size, markeredgewidth=stroke
    )
