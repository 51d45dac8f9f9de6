"""Wrong ones over the share that is accepted, with the threshold that keeps a promise."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from calibcore.errors import InputError
from calibcore.painters.inline.pieces import LEFT, RIGHT, TOP, hovered, svg, tick, written
from calibcore.questions.decide import Decisions
from calibcore.questions.decide.charts import (
    ALONE,
    DELIVERED,
    TARGET_LINE,
    Place,
    PromiseCurves,
    promise_curves,
)
from calibcore.questions.decide.result import Promise

HEIGHT = 282
_BOTTOM, _MARK = 200, 5.0
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""Between lines of the grid, in percent."""


def promise_svg(decisions: Decisions, sentence: str, noun: str = "case") -> str:
    """As :func:`calibcore.painters.screen.decisions.promise_figure`. ``sentence`` says what it shows.

    Raises
    ------
    InputError : no target was asked for.
    """
    return _drawn(decisions, decisions.ruling_in, sentence, noun)


def rule_out_svg(decisions: Decisions, sentence: str, noun: str = "case") -> str:
    """The same of what is ruled out."""
    return _drawn(decisions, decisions.ruling_out, sentence, noun)


def _drawn(decisions: Decisions, promise: Promise | None, sentence: str, noun: str) -> str:
    if promise is None:
        raise InputError("No target was asked for; there is no promise to draw.")
    curves = promise_curves(decisions, promise, noun)
    step = next((step for step in _STEPS if curves.top / step <= 6), _STEPS[-1])
    digits = 0 if step >= 1 else 1

    def x(percents: float) -> float:
        return LEFT + (RIGHT - LEFT) * percents / 100

    def y(percents: float) -> float:
        return _BOTTOM - (_BOTTOM - TOP) * percents / curves.top

    def line(heights: list[float]) -> list[tuple[float, float]]:
        return _up_to(curves.top, [*zip(curves.x, heights, strict=True)])

    def path(points: list[tuple[float, float]], beyond: str) -> str:
        """``beyond`` is how the pen goes along the upper edge: where it draws, L."""
        pen = ["M", *(beyond if min(a[1], b[1]) >= curves.top else "L" for a, b in pairwise(points))]
        return "".join(f"{how}{x(a):.1f} {y(b):.1f}" for how, (a, b) in zip(pen, points, strict=True))

    wrong, limit = line(curves.wrong), line(curves.limit)
    alone = "h0" if len(wrong) == 1 and wrong[0][1] < curves.top else ""
    asked = y(curves.asked)
    return svg(
        HEIGHT,
        sentence,
        (
            written(LEFT, 13, curves.above, "start"),
            *(tick(y(k * step), f"{k * step:.{digits}f}") for k in range(int(curves.top / step + 1e-9) + 1)),
            *(written(x(percents), _BOTTOM + 14, f"{percents}", "middle") for percents in range(0, 101, 20)),
            written((LEFT + RIGHT) / 2, _BOTTOM + 31, curves.across, "middle"),
            f'<path class="limit" d="{path([*wrong, *reversed(limit)], "L")}Z"/>',
            f'<path class="asked" d="M{LEFT} {asked:.1f}H{RIGHT}"/>',
            written(RIGHT, asked - 4, TARGET_LINE, "end"),
            f'<path class="delivered" d="{path(wrong, "M")}{alone}"/>',
            *_zones(curves, [x(across) for across in curves.x]),
            *_marked(curves, x, y),
        ),
    )


def _up_to(top: float, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The line through ``points``, with those above ``top`` on it, and where it crosses it."""
    cut = []
    for k, (x, y) in enumerate(points):
        if k and (points[k - 1][1] > top) != (y > top):
            before, level = points[k - 1]
            cut.append((before + (x - before) * (top - level) / (y - level), top))
        cut.append((x, min(y, top)))
    return cut


def _zones(curves: PromiseCurves, places: list[float]) -> Iterator[str]:
    """Unseen, around each place: a hand that rests there reads its numbers."""
    edges = [LEFT, *((a + b) / 2 for a, b in pairwise(places)), RIGHT]
    for (left, right), words in zip(pairwise(edges), curves.hovers, strict=True):
        size = f'width="{right - left:.1f}" height="{_BOTTOM - TOP}"'
        yield hovered(f'rect class="zone" x="{left:.1f}" y="{TOP}" {size}', " ".join(words))


def _marked(curves: PromiseCurves, x: Callable[[float], float], y: Callable[[float], float]) -> Iterator[str]:
    """Both thresholds in their places, and below the panel what every mark is."""
    above, below = HEIGHT - 32, HEIGHT - 12
    yield f'<path class="delivered" d="M{LEFT} {above}h16"/>'
    yield written(LEFT + 22, above + 4, DELIVERED, "start")
    yield f'<path class="limit" d="M240 {above - 5}h16v10h-16Z"/>'
    yield written(262, above + 4, ALONE, "start")
    for place, kind, left in ((curves.naive, "naive", 240.0), (curves.shown, "promised", float(LEFT))):
        if place is not None:
            yield _mark(place, kind, x(place.x), y(place.y))
            yield _mark(place, kind, left + 8, below)
            yield written(left + 22, below + 4, place.name, "start")


def _mark(place: Place, kind: str, x: float, y: float) -> str:
    """Round where it is promised; a diamond where it is not."""
    r = _MARK
    round_ = f"a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"
    shape = round_ if kind == "promised" else f"l{r} {-r}l{r} {r}l{-r} {r}Z"
    return hovered(f'path class="{kind}" d="M{x - r:.1f} {y:.1f}{shape}"', " ".join(place.hover))
