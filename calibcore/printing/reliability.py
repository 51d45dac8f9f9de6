"""The reliability diagram on paper (V19 Fig. 4)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import HISTOGRAM_BINS, Reliability
from calibcore.figures import style
from calibcore.figures.reliability import MOST_BINS_SHOWN
from calibcore.figures.reliability_curve import band_name
from calibcore.figures.reliability_marks import bar_name, widths
from calibcore.numerics.types import Float
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, STRIP, Entries, draw_key, key_height
from calibcore.printing.paper import FILL, OUTSIDE, WITHIN, label_above, on_paper, panel, percents, sheet
from calibcore.wording import plural
from calibcore.words.phrases import exact_percent

LINES = 1.2
"""Points: stroke of a curve."""
SQUARE = 92.0
"""Side of the classical diagram at most; on a wide sheet its key stands beside it."""


@on_paper
def reliability_print(
    diagram: Reliability,
    noun: str = "case",
    classical: bool = False,
    curve: Curve | None = None,
    frequencies: FrequencyIntervals | None = None,
    whiskers: bool = False,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.figures.reliability.reliability_figure`, ``width`` millimetres wide.

    Crosses outside what chance allows are heavy, the others thin.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    if len(diagram.class_names) > 2:
        return _many_classes(diagram, width)
    if not classical:
        return _two_classes(diagram, noun, curve, width)
    frequency_bars = (
        frequencies if whiskers and frequencies is not None and not frequencies.withheld else None
    )
    return _classical(diagram, noun, curve, frequency_bars, width)


def _two_classes(diagram: Reliability, noun: str, curve: Curve | None, width: float) -> Figure:
    entries = _entries(diagram, curve)
    key = key_height(entries, width)
    low, high = key + FOOT, 40.0 if width < 100 else 60.0
    figure = sheet(width, low + STRIP + HEAD + high + HEAD)
    inner = width - LEFT - RIGHT
    above = panel(figure, LEFT, low + STRIP + HEAD, inner, high)
    below = panel(figure, LEFT, low, inner, STRIP)
    x = diagram.mean_prediction[:, 0]
    above.axhline(0, color=style.CHANCE, linewidth=0.8, zorder=1.8)
    _bars(above, x, diagram, widths(x), outlined=curve is not None)
    if curve is not None:
        _curve(above, curve, curve.predicted, curve.predicted)
    _crosses(above, x, diagram.deviation, diagram)
    above.use_sticky_edges = False  # or a bar would stand on the axis
    above.yaxis.set_major_locator(MaxNLocator(6))
    above.tick_params(labelbottom=False)
    label_above(above, "Happened more often than the model said, points")
    _histogram(below, diagram, noun)
    for axes in (above, below):
        axes.set(xlim=(-0.02, 1.02), xticks=np.linspace(0, 1, 6))
    percents(below, "x")
    below.set_xlabel("Probability the model gave")
    draw_key(figure, entries, (LEFT, key))
    return figure


def _classical(
    diagram: Reliability,
    noun: str,
    curve: Curve | None,
    whiskers: FrequencyIntervals | None,
    width: float,
) -> Figure:
    """One square of equal scales, the histogram below it on the same axis."""
    entries = _entries(diagram, curve, whiskers)
    beside = width > SQUARE + 60
    key = 0.0 if beside else key_height(entries, width)
    side, low = min(SQUARE, width - LEFT - RIGHT), key + FOOT
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
    label_above(above, "How often it happened")
    _histogram(below, diagram, noun, 100.0)
    ticks = np.linspace(0, 100, 6)
    above.set(ylim=(-2, 102), yticks=ticks)
    for axes in (above, below):
        axes.set(xlim=(-2, 102), xticks=ticks)
        percents(axes, "x", 100.0)
    percents(above, "y", 100.0)
    above.tick_params(labelbottom=False)
    below.set_xlabel("Probability the model gave")
    draw_key(figure, entries, (LEFT + side + 3, low + STRIP + HEAD + side) if beside else (LEFT, key), beside)
    return figure


def _many_classes(diagram: Reliability, width: float) -> Figure:
    fullest = np.argsort(-diagram.counts, kind="stable")[:MOST_BINS_SHOWN]
    part = diagram.only(fullest)
    entries = _entries(part)
    key = key_height(entries, width)
    high = 45.0 if width < 100 else 60.0
    figure = sheet(width, key + FOOT + high + HEAD)
    axes = panel(figure, LEFT, key + FOOT, width - LEFT - RIGHT, high)
    x = np.arange(1.0, len(fullest) + 1)
    _bars(axes, x, part, np.full(len(fullest), 0.55))
    _crosses(axes, x, part.deviation, part)
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.set(xlim=(0.3, len(fullest) + 0.7))
    axes.set_ylim(bottom=0)
    few = f" ({len(fullest)} of {diagram.n_bins:,})" if len(fullest) < diagram.n_bins else ""
    axes.set_xlabel(f"Bins, those with most cases first{few}")
    label_above(axes, "Distance between predicted and observed in the bin, points")
    draw_key(figure, entries, (LEFT, key))
    return figure


def _bars(
    axes: Axes,
    x: Float,
    diagram: Reliability,
    widths: Float,
    base: Float | float = 0.0,
    outlined: bool = False,
) -> None:
    """The consistency bars on top of ``base``, ``outlined`` beside a band; weighted cases have none."""
    if not diagram.has_bars:
        return
    low, high = 100 * (base + diagram.low), 100 * (base + diagram.high)
    axes.bar(
        x, high - low, widths, low, color="none" if outlined else FILL, edgecolor=style.CHANCE, linewidth=0.5,
        zorder=2.5, label=bar_name(diagram),
    )  # fmt: skip


def _curve(axes: Axes, curve: Curve, x: Float, base: Float | float) -> None:
    """A line and its band, less ``base``; at one prediction a dot and an upright line."""
    seen, low, high = (100 * (ends - base) for ends in (curve.observed, curve.low, curve.high))
    one = len(x) == 1
    axes.fill(
        np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]), facecolor=FILL, zorder=1.6,
        edgecolor=style.CHANCE, linewidth=4 if one else 0, label=band_name(curve),
    )  # fmt: skip
    axes.plot(
        x, seen, color=style.OBSERVED, linewidth=LINES, marker="o" if one else "", markersize=3, zorder=2.7,
        label=_curve_name(curve),
    )  # fmt: skip


def _curve_name(curve: Curve) -> str:
    return f"{curve.kind} curve"


def _crosses(axes: Axes, x: Float, y: Float, diagram: Reliability) -> None:
    """Within first, so that those outside lie on top."""
    for outside, size, stroke in ((False, 9, WITHIN), (True, 16, OUTSIDE)):
        chosen = diagram.outside == outside
        axes.scatter(
            x[chosen], 100 * y[chosen], s=size, marker="x", linewidths=stroke, color=style.OBSERVED, zorder=3,
            label="observed", clip_on=False,
        )  # fmt: skip


def _histogram(axes: Axes, diagram: Reliability, noun: str, scale: float = 1.0) -> None:
    middles = (np.arange(HISTOGRAM_BINS) + 0.5) / HISTOGRAM_BINS
    axes.bar(
        scale * middles,
        diagram.histogram / max(1, diagram.histogram.sum()),
        scale / HISTOGRAM_BINS,
        color=style.PREDICTED["light"],
        linewidth=0,
        label="predicted",
    )
    axes.yaxis.set_major_locator(MaxNLocator(2))
    percents(axes, "y")
    label_above(axes, f"Share of {plural(noun)}")


def _entries(
    diagram: Reliability, curve: Curve | None = None, whiskers: FrequencyIntervals | None = None
) -> Entries:
    """What the key says, of the marks that are there: bars, heavy and thin crosses, curve, whiskers."""
    entries: Entries = []
    if not diagram.has_bars:
        entries.append((_cross(WITHIN, 3), "observed"))
    else:
        fill = FILL if curve is None else "none"
        entries.append((Patch(facecolor=fill, edgecolor=style.CHANCE, linewidth=0.5), bar_name(diagram)))
        if diagram.outside.any():
            where = "above" if len(diagram.class_names) > 2 else "outside"
            entries.append((_cross(OUTSIDE, 4), f"observed, {where} what chance allows"))
        if not diagram.outside.all():
            entries.append((_cross(WITHIN, 3), "observed, within what chance allows"))
    if whiskers is not None:
        upright = Line2D([], [], linestyle="", marker="|", markersize=7, color=style.OBSERVED)
        upright.set_markeredgewidth(WITHIN)
        entries.append((upright, f"{exact_percent(whiskers.level)} interval of the frequency"))
    if curve is not None:
        entries.append((Line2D([], [], color=style.OBSERVED, linewidth=LINES), _curve_name(curve)))
        entries.append((Patch(facecolor=FILL, linewidth=0), band_name(curve)))
    return entries


def _cross(stroke: float, size: float) -> Line2D:
    return Line2D(
        [], [], linestyle="", marker="x", color=style.OBSERVED, markersize=size, markeredgewidth=stroke
    )
