"""Net benefit over thresholds, and how often accepted answers are wrong over the share of cases that is
accepted: each delivered and promised, with what chance allows."""

from collections.abc import Iterable
from dataclasses import dataclass

from calibcore.charts.style import wrapped
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.questions.decide.words import (
    frequency_sentence,
    label_words,
    selective_sentence,
    threshold_sentence,
    treat_words,
)
from calibcore.wording import plural

DELIVERED, PROMISED, CHANCE, INTERVAL = "delivered", "promised", "if it keeps its promise", "95 % interval"
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


def decision_curves(found: Decisions, noun: str) -> Curves:
    """Net benefits in 100 cases over thresholds, beside treating all and none."""
    some = found.thresholds
    low, high = zip(*map(found.band, some), strict=True)
    known = [(one.threshold, one.interval) for one in some if one.interval is not None]
    lows = [one.net_benefit if one.interval is None else one.interval.low for one in some]
    highs = [one.net_benefit if one.interval is None else one.interval.high for one in some]
    everyone, nobody = treat_words(bool(found.spec.lens.within.answers))
    x = _percents(one.threshold for one in some)
    room = 1.0 if len(x) == 1 else 0.02 * (x[-1] - x[0])
    return Curves(
        x,
        "Threshold, %",
        label_words(found, noun),
        (x[0] - room, x[-1] + room),
        # Treating all falls far below what is of interest.
        (100 * min(0.0, *lows, *low) - 1.0, 1.05 * 100 * max(0.01, *highs, *high)),
        (_percents(low), _percents(high)),
        _percents(threshold for threshold, _ in known),
        (_percents(one.low for _, one in known), _percents(one.high for _, one in known)),
        {everyone: _percents(one.treat_all for one in some), nobody: [0.0] * len(some)},
        _percents(one.promised for one in some),
        _percents(one.net_benefit for one in some),
        [wrapped(threshold_sentence(found, one, noun), frequency_sentence(found, one, noun)) for one in some],
    )


def selective_curves(found: Decisions, noun: str) -> Curves:
    """Errors among the accepted answers over coverage."""
    some = _accepted(found)
    x = _percents(one.share_treated for one in some)
    bands = [band for one in some if (band := found.rate_band(one)) is not None]
    rates = [one.hit_rate for one in some if one.hit_rate is not None]
    promised = [one.promised_rate for one in some if one.promised_rate is not None]
    right = [*promised, *(rate.value for rate in rates)]
    if some:  # where few are accepted bands and intervals are wide
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
        [wrapped(selective_sentence(found, one, noun)) for one in some],
    )


def _percents(values: Iterable[float]) -> list[float]:
    return [100 * value for value in values]


def _accepted(found: Decisions) -> list[AtThreshold]:
    """The thresholds from which anything is accepted, the widest coverage last."""
    return [one for one in reversed(found.thresholds) if one.treated.cases]
