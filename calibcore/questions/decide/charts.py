"""Net benefit over thresholds, and how often accepted answers are wrong over the share of cases that is
accepted: each delivered and promised, with what chance allows."""

from collections.abc import Iterable
from dataclasses import dataclass

from calibcore.charts.style import wrapped
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.questions.decide.guarantee import Accepted
from calibcore.questions.decide.result import Promise
from calibcore.questions.decide.words import (
    acceptance,
    frequency_sentence,
    label_words,
    selective_sentence,
    threshold_sentence,
    treat_words,
    where_words,
)
from calibcore.wording import percent, plural
from calibcore.words.phrases import exact_percent

DELIVERED, PROMISED, CHANCE, INTERVAL = "delivered", "promised", "if the promise holds", "95 % interval"
ERRORS = "Wrong among the accepted answers, %"
Band = tuple[list[float], list[float]]
"""Lower and upper ends."""


@dataclass(frozen=True)
class Curves:
    """What is drawn over ``x``, on the screen and on paper, in percent.

    across, above : what the axes say
    reach, ends : of the axis across, of the axis upwards
    known, interval : where the interval of what was delivered is known, and its ends
    without : by name what comes of doing the same with all cases
    hovers : of each place what a hand that rests on what was delivered reads
    """

    x: list[float]
    across: str
    above: str
    reach: tuple[float, float]
    ends: tuple[float, float]
    band: Band
    known: list[float]
    interval: Band
    without: dict[str, list[float]]
    promised: list[float]
    delivered: list[float]
    hovers: list[tuple[str, ...]]


def decision_curves(decisions: Decisions, noun: str) -> Curves:
    """Net benefits in 100 cases over thresholds, beside treating all and none."""
    points = decisions.thresholds
    low, high = zip(*map(decisions.band, points), strict=True)
    known = [(point.threshold, point.interval) for point in points if point.interval is not None]
    lows = [point.net_benefit if point.interval is None else point.interval.low for point in points]
    highs = [point.net_benefit if point.interval is None else point.interval.high for point in points]
    everyone, nobody = treat_words(bool(decisions.spec.lens.within.answers))
    x = _percents(point.threshold for point in points)
    room = 1.0 if len(x) == 1 else 0.02 * (x[-1] - x[0])
    return Curves(
        x,
        "Threshold, %",
        label_words(decisions, noun),
        (x[0] - room, x[-1] + room),
        # Treating all falls far below what is of interest.
        (100 * min(0.0, *lows, *low) - 1.0, 1.05 * 100 * max(0.01, *highs, *high)),
        (_percents(low), _percents(high)),
        _percents(threshold for threshold, _ in known),
        (_percents(interval.low for _, interval in known), _percents(interval.high for _, interval in known)),
        {everyone: _percents(point.treat_all for point in points), nobody: [0.0] * len(points)},
        _percents(point.promised for point in points),
        _percents(point.net_benefit for point in points),
        [
            wrapped(threshold_sentence(decisions, point, noun), frequency_sentence(decisions, point, noun))
            for point in points
        ],
    )


def selective_curves(decisions: Decisions, noun: str) -> Curves:
    """Errors among the accepted answers over coverage."""
    accepted = _accepted(decisions)
    x = _percents(point.share_treated for point in accepted)
    bands = [band for point in accepted if (band := decisions.rate_band(point)) is not None]
    rates = [point.hit_rate for point in accepted if point.hit_rate is not None]
    promised = [point.promised_rate for point in accepted if point.promised_rate is not None]
    right = [*promised, *(rate.value for rate in rates)]
    if accepted:  # where few are accepted bands and intervals are wide
        right += [rates[-1].low, bands[-1][0]]

    def wrong(right: Iterable[float]) -> list[float]:
        return _percents(1 - share for share in right)

    return Curves(
        x,
        f"Coverage: {plural(noun)} answered alone, %",
        ERRORS,
        (-1, 102),
        (0, 100 * min(1.0, 1.08 * max([0.01, *(1 - share for share in right)]))),
        (wrong(high for _, high in bands), wrong(low for low, _ in bands)),
        x,
        (wrong(rate.high for rate in rates), wrong(rate.low for rate in rates)),
        {},
        wrong(promised),
        wrong(rate.value for rate in rates),
        [wrapped(selective_sentence(decisions, point, noun)) for point in accepted],
    )


ALONE = "upper limit, each place alone"
TARGET_LINE = "asked for"
FAR = 6
"""So many times the wrong ones that a target allows are far above it: a choice."""


@dataclass(frozen=True)
class Place:
    """A threshold in the figure of a promise, in percent, and what it is called."""

    x: float
    y: float
    name: str
    hover: tuple[str, ...]


@dataclass(frozen=True)
class PromiseCurves:
    """Wrong ones over the share of cases that is accepted, in percent.

    limit : above the wrong ones, as high as they may be in truth
    asked : no more are to be wrong
    shown : the threshold that keeps the promise; None where none does
    naive : the lowest threshold at which the target was reached here, which promises nothing
    """

    x: list[float]
    wrong: list[float]
    limit: list[float]
    across: str
    above: str
    asked: float
    top: float
    shown: Place | None
    naive: Place | None
    hovers: list[tuple[str, ...]]


def promise_curves(decisions: Decisions, promise: Promise, noun: str) -> PromiseCurves:
    """Wrong ones among the accepted cases, of each number that may be accepted; see :class:`.Guarantee`."""
    words, elsewhere = acceptance(decisions, promise), where_words(decisions, noun)
    places, asked = promise.places, 1 - promise.target

    def hover(place: Accepted) -> tuple[str, ...]:
        share, error = percent(promise.share_of(place)), percent(promise.error_of(place))
        here = f"{place.wrong:,} of {place.accepted:,} {words.wrong}"
        if elsewhere:
            these = f"about {error} of these {words.wrong}"
            return wrapped(f"{elsewhere}: {share} {words.accepted}, and {these}. Here {here}.")
        return wrapped(f"{share} of the {plural(noun)} {words.accepted}: {here}, {error}.")

    def marked(place: Accepted | None, name: str) -> Place | None:
        if place is None:
            return None
        x, y = 100 * promise.share_of(place), 100 * promise.error_of(place)
        return Place(x, y, name, wrapped(name) + hover(place))

    naive = None if promise.naive_counts == promise.shown else promise.naive_counts
    from_on = "" if promise.threshold is None else exact_percent(promise.threshold)
    at_naive = "" if promise.naive is None else exact_percent(promise.naive)
    return PromiseCurves(
        _percents(map(promise.share_of, places)),
        _percents(map(promise.error_of, places)),
        _percents(map(promise.limit_of, places)),
        f"Coverage{' there' if elsewhere else ''}: {plural(noun)} {words.accepted}, %",
        f"{words.wrong_among}, %",
        100 * asked,
        100 * _top(asked, [promise.error_of(place) for place in places]),
        marked(promise.shown, f"promised: {words.begins} {from_on}"),
        marked(naive, f"promises nothing: {words.begins} {at_naive}"),
        [hover(place) for place in places],
    )


def _top(asked: float, errors: list[float]) -> float:
    """The end of the axis: what is far above the target is not of interest, unless most of the line is."""
    within = sum(error <= FAR * asked for error in errors)
    most = FAR * asked if 2 * within >= len(errors) else 1.0
    return min(1.0, most, 1.15 * max([3 * asked, *errors]))


def _percents(values: Iterable[float]) -> list[float]:
    return [100 * value for value in values]


def _accepted(decisions: Decisions) -> list[AtThreshold]:
    """The thresholds from which anything is accepted, the widest coverage last."""
    return [point for point in reversed(decisions.thresholds) if point.treated.cases]
