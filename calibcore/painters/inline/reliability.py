"""The reliability diagram as an SVG of a few kilobytes: no library, no script, colours by a style sheet.

For where the figure of plotly, 5 MB with its library, would stand in every output of a notebook.
"""

from functools import partial
from html import escape
from math import ceil, floor

import numpy as np

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION, fullest_bins, scale_of
from calibcore.charts.probability_axis import TITLE
from calibcore.charts.reliability import histogram
from calibcore.diagram.reliability import HISTOGRAM_BINS, Reliability
from calibcore.painters.inline.pieces import LEFT, RIGHT, TOP, hovered, svg, tick, written
from calibcore.wording import count, percent
from calibcore.words.phrases import points, top_bins

HEIGHT = 300
_BOTTOM = 212
"""Of the panel of deviations; the histogram of predictions stands below it."""
_BELOW, _FLOOR = 222, 262
ABOVE = (DEVIATION, "Distance from predicted to observed, points")
_CROSS = 4.5
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)


def reliability_svg(diagram: Reliability, sentence: str, noun: str = "case") -> str:
    """Two classes: deviation against prediction, and how predictions are spread. More: total variation by
    bin, the fullest first. ``sentence`` is what it shows in words."""
    two = len(diagram.class_names) == 2
    fullest, order = fullest_bins(diagram)
    bins = np.arange(diagram.n_bins) if two else fullest
    scale = scale_of([diagram.only(bins)])
    step = next((s for s in _STEPS if scale.span / s <= 6), 50.0)
    low, high = floor(scale.low / step) * step if two else 0.0, ceil(scale.high / step) * step
    steps, digits = (round(low / step), round(high / step) + 1), 0 if step >= 1 else 1
    beyond = scale.beyond(100 * diagram.deviation)
    places = scale.placed(100 * diagram.deviation) / 100

    def x(b: int, place: int) -> float:
        share = float(diagram.mean_prediction[b, 0]) if two else (place + 0.5) / len(bins)
        return LEFT + (RIGHT - LEFT) * share

    def y(deviation: float) -> float:
        return _BOTTOM - (_BOTTOM - TOP) * (100 * deviation - low) / (high - low)

    half = _half_width(np.array([x(int(b), i) for i, b in enumerate(bins)]))
    above = ABOVE[0 if two else 1]
    parts = [
        written(LEFT, 13, above, "start"),
        *_key(diagram),
        *(tick(y(k * step / 100), f"{k * step:.{digits}f}") for k in range(*steps)),
        f'<path class="zero" d="M{LEFT} {y(0):.1f}H{RIGHT}"/>',
    ]
    for place, b in enumerate(map(int, bins)):
        position = x(b, place)
        if diagram.has_bars:
            top, bottom = y(float(diagram.high[b])), y(float(diagram.low[b]))
            top, bottom = max(top, TOP), min(bottom, _BOTTOM)
            size = f'width="{2 * half:.1f}" height="{max(bottom - top, 2.0):.1f}"'
            parts.append(f'<rect class="chance" x="{position - half:.1f}" y="{top:.1f}" {size}/>')
        mark = partial(_triangle, bool(diagram.deviation[b] > 0)) if beyond[b] else _cross
        parts.append(mark(position, y(float(places[b])), bool(diagram.outside[b]), _hover(diagram, b, noun)))
    parts += _histogram(diagram, noun) if two else [written(LEFT, _FLOOR - 30, order, "start")]
    return svg(HEIGHT if two else HEIGHT - 50, sentence, parts)


def _half_width(places: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Half of a bar: a little narrower than the closest neighbours."""
    gap = float(np.diff(np.sort(places)).min()) if len(places) > 1 else 20.0
    return min(7.0, max(2.0, 0.4 * gap))


def _key(diagram: Reliability) -> list[str]:
    """What the marks are; weighted cases have no bars."""
    observed = [_cross(462, 9, True, "observed"), written(472, 13, "observed", "start")]
    bar = '<rect class="chance" x="540" y="3" width="7" height="12"/>'
    return observed if not diagram.has_bars else [*observed, bar, written(552, 13, "if calibrated", "start")]


def _cross(x: float, y: float, outside: bool, hover: str) -> str:
    r = _CROSS
    arms = f"M{x - r:.1f} {y - r:.1f}l{2 * r} {2 * r}M{x - r:.1f} {y + r:.1f}l{2 * r} {-2 * r}"
    return _path(arms, outside, hover)


def _triangle(up: bool, x: float, y: float, outside: bool, hover: str) -> str:
    """At the edge, of a bin of few cases beyond the scale."""
    r = _CROSS if up else -_CROSS
    corners = f"M{x - r:.1f} {y + r:.1f}h{2 * r}L{x:.1f} {y - r:.1f}Z"
    return _path(corners, outside, f"Beyond the scale. {hover}")


def _path(d: str, outside: bool, hover: str) -> str:
    name = "cross outside" if outside else "cross"
    return hovered(f'path class="{name}" d="{d}"', hover)


def _hover(diagram: Reliability, b: int, noun: str) -> str:
    cases, mean, seen = count(int(diagram.counts[b]), noun), diagram.mean_prediction[b], diagram.observed[b]
    if len(diagram.class_names) == 2:
        return f"Predicted {percent(mean[0])}, observed {percent(seen[0])} ({cases})"
    predicted, happened = (top_bins(ends.tolist(), diagram.class_names) for ends in (mean, seen))
    return f"Predicted: {predicted}. Observed: {happened}. {cases}, deviation {points(diagram.deviation[b])}"


def _histogram(diagram: Reliability, noun: str) -> list[str]:
    """How the first-class predictions are spread, with the axis of probabilities below."""
    width, most = (RIGHT - LEFT) / HISTOGRAM_BINS, max(1, int(diagram.histogram.max()))
    parts = []
    for i, (cases, words) in enumerate(
        zip(diagram.histogram.tolist(), histogram(diagram).words, strict=True)
    ):
        if cases:
            tall = max(0.7, (_FLOOR - _BELOW) * cases / most)
            sentence = f"{words}: {count(cases, noun)}"
            parts.append(
                f'<rect class="predicted" x="{LEFT + i * width:.1f}" y="{_FLOOR - tall:.1f}" '
                f'width="{width:.1f}" height="{tall:.1f}"><title>{escape(sentence)}</title></rect>'
            )
    for percents in range(0, 101, 20):
        position = LEFT + (RIGHT - LEFT) * percents / 100
        parts.append(written(position, _FLOOR + 14, f"{percents}\N{NO-BREAK SPACE}%", "middle"))
    return [*parts, written((LEFT + RIGHT) / 2, _FLOOR + 31, TITLE, "middle")]


# --- in a cell of a table -------------------------------------------------------------


SMALL_WIDTH, SMALL_HEIGHT = 104, 40
_MARK = 3.2


def reliability_sketch(diagram: Reliability, span: tuple[float, float]) -> str:
    """The same without words, so small that it stands in a cell: what chance allows in grey, what happened
    as points, those outside in full. It carries its colours, as no style sheet reaches it.

    span : the lowest and highest deviation of all sketches in the column, in points
    """
    two = len(diagram.class_names) == 2
    fullest, _ = fullest_bins(diagram)
    bins = np.arange(diagram.n_bins) if two else fullest
    low, high = min(span[0], 0.0), max(span[1], 0.0)

    def y(deviation: float) -> float:
        share = (100 * deviation - low) / max(high - low, 1e-9)
        return SMALL_HEIGHT - _MARK - (SMALL_HEIGHT - 2 * _MARK) * min(1.0, max(0.0, share))

    room = SMALL_WIDTH - 4 * _MARK
    parts = [f'<path d="M0 {y(0):.1f}H{SMALL_WIDTH}" stroke="{style.CHANCE}" stroke-width="1"/>']
    for place, b in enumerate(map(int, bins)):
        share = float(diagram.mean_prediction[b, 0]) if two else (place + 0.5) / len(bins)
        x = 2 * _MARK + room * share
        if diagram.has_bars:
            top, bottom = y(float(diagram.high[b])), y(float(diagram.low[b] if two else 0.0))
            parts.append(
                f'<rect x="{x - _MARK:.1f}" y="{top:.1f}" width="{2 * _MARK}" '
                f'height="{max(bottom - top, 1.5):.1f}" fill="{style.CHANCE}" fill-opacity="0.5"/>'
            )
        opacity = "1" if diagram.outside[b] or not diagram.has_bars else f"{style.WITHIN}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y(float(diagram.deviation[b])):.1f}" r="{_MARK}" '
            f'fill="{style.OBSERVED}" fill-opacity="{opacity}"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SMALL_WIDTH}" height="{SMALL_HEIGHT}" '
        f'viewBox="0 0 {SMALL_WIDTH} {SMALL_HEIGHT}">{"".join(parts)}</svg>'
    )
