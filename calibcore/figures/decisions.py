"""Net benefit over thresholds, and how often accepted answers are wrong over the share of cases that is
accepted: each delivered and promised, with what chance allows."""

from collections.abc import Iterable
from dataclasses import dataclass

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.wording import plural
from calibcore.words.deciding import (
    frequency_sentence,
    label_words,
    selective_sentence,
    threshold_sentence,
    treat_words,
)

HEIGHT, SELECTIVE_HEIGHT = 380, 340
DELIVERED, PROMISED, CHANCE, INTERVAL = "delivered", "promised", "if it keeps its promise", "95 % interval"
ERRORS = "Wrong among the accepted answers, %"
Band = tuple[list[float], list[float]]
"""Lower and upper ends."""


@dataclass(frozen=True)
class Curves:
    """What is drawn over ``x``, on the screen and on paper, in percent.

    across, above : what the axes say
    ends : of the axis upwards
    known, interval : where the interval of what was delivered is known, and its ends
    without : by name what comes of doing the same with all cases
    """

    x: list[float]
    across: str
    above: str
    ends: tuple[float, float]
    band: Band
    known: list[float]
    interval: Band
    without: dict[str, list[float]]
    promised: list[float]
    delivered: list[float]


def decision_curves(found: Decisions, noun: str) -> Curves:
    """Net benefits in 100 cases over thresholds, beside treating all and none."""
    some = found.thresholds
    low, high = zip(*map(found.band, some), strict=True)
    known = [(one.threshold, one.interval) for one in some if one.interval is not None]
    lows = [one.net_benefit if one.interval is None else one.interval.low for one in some]
    highs = [one.net_benefit if one.interval is None else one.interval.high for one in some]
    everyone, nobody = treat_words(bool(found.spec.lens.within.answers))
    return Curves(
        _percents(one.threshold for one in some),
        "Threshold, %",
        label_words(found, noun),
        # Treating all falls far below what is of interest.
        (100 * min(0.0, *lows, *low) - 1.0, 1.05 * 100 * max(0.01, *highs, *high)),
        (_percents(low), _percents(high)),
        _percents(threshold for threshold, _ in known),
        (_percents(one.low for _, one in known), _percents(one.high for _, one in known)),
        {everyone: _percents(one.treat_all for one in some), nobody: [0.0] * len(some)},
        _percents(one.promised for one in some),
        _percents(one.net_benefit for one in some),
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
        (0, 100 * min(1.0, 1.08 * max([0.01, *(1 - share for share in right)]))),
        (wrong(high for _, high in bands), wrong(low for low, _ in bands)),
        x,
        (wrong(rate.high for rate in rates), wrong(rate.low for rate in rates)),
        {},
        wrong(promised),
        wrong(rate.value for rate in rates),
    )


def _percents(values: Iterable[float]) -> list[float]:
    return [100 * value for value in values]


def _accepted(found: Decisions) -> list[AtThreshold]:
    """The thresholds from which anything is accepted, the widest coverage last."""
    return [one for one in reversed(found.thresholds) if one.treated.cases]


def decision_figure(
    found: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold that a line marks."""
    curves = decision_curves(found, noun)
    hovers = [
        marks.wrapped(threshold_sentence(found, one, noun), frequency_sentence(found, one, noun))
        for one in found.thresholds
    ]
    first, last = curves.x[0], curves.x[-1]
    room = 1.0 if len(curves.x) == 1 else 0.02 * (last - first)
    line = None if chosen is None else 100 * chosen
    return _figure(curves, hovers, (first - room, last + room), line, HEIGHT, -0.2, theme)


def selective_figure(
    found: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold whose coverage a line marks."""
    hovers = [marks.wrapped(selective_sentence(found, one, noun)) for one in _accepted(found)]
    line = None if chosen is None else 100 * found.at(chosen).share_treated
    curves = selective_curves(found, noun)
    return _figure(curves, hovers, (-1, 102), line, SELECTIVE_HEIGHT, -0.24, theme)


def _figure(
    curves: Curves,
    hovers: list[str],
    reach: tuple[float, float],
    line: float | None,
    height: int,
    key: float,
    theme: str,
) -> go.Figure:
    """The curves from end to end of ``reach``; an upright ``line``, and the ``key`` so far below."""
    across, above = map(style.escaped, (curves.across, curves.above))
    layout = style.layout(height, t=34, b=40)
    layout["legend"] |= {"y": key}
    layout["xaxis"] = style.AXIS | style.titled(across) | {"range": reach}
    layout["yaxis"] = style.AXIS | {"range": curves.ends, "fixedrange": True}
    layout["annotations"] = [style.axis_label(f"<b>{above}</b>", 1.0)]
    if line is not None:
        layout["shapes"] = [marks.upright(line, style.TEXT[theme])]
    traces = [
        marks.band(curves.x, *curves.band, CHANCE),
        marks.band(curves.known, *curves.interval, INTERVAL, marks.INTERVAL_FILL),
        *(
            marks.line(curves.x, y, name, style.CHANCE, dash=dash)
            for (name, y), dash in zip(curves.without.items(), ("dash", "dot"), strict=False)
        ),
        marks.line(curves.x, curves.promised, PROMISED, style.PREDICTED[theme]),
        marks.line(curves.x, curves.delivered, DELIVERED, style.OBSERVED, hovers),
    ]
    return go.Figure(traces, layout)
