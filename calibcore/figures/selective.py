"""Selective prediction: how often accepted answers are wrong, over the share of cases that is accepted."""

from collections.abc import Iterable

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.decisions import CHANCE, DELIVERED, INTERVAL, PROMISED, layout_of_curves
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.wording import plural
from calibcore.words.deciding import selective_sentence

HEIGHT = 340


def accepted(found: Decisions) -> list[AtThreshold]:
    """The thresholds from which anything is accepted, the widest coverage last."""
    return [one for one in reversed(found.thresholds) if one.treated.cases]


def coverage_words(noun: str = "case") -> str:
    """What lies left to right."""
    return f"Coverage: {plural(noun)} answered alone, %"


ERRORS = "Wrong among the accepted answers, %"


def highest_error(found: Decisions) -> float:
    """Where the axis of errors ends, in percent."""
    some = accepted(found)
    right = [one.promised_rate for one in some]
    right += [None if one.hit_rate is None else one.hit_rate.value for one in some]
    for one in some[-1:]:  # where few are accepted bands and intervals are wide
        rate, band = one.hit_rate, found.rate_band(one)
        right += [None if rate is None else rate.low, None if band is None else band[0]]
    return 100 * min(1.0, 1.08 * max([0.01, *(1 - rate for rate in right if rate is not None)]))


def selective_figure(
    found: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold whose coverage a line marks."""
    layout = layout_of_curves(HEIGHT, (coverage_words(noun), [-1, 102]), (ERRORS, [0, highest_error(found)]))
    layout["legend"] |= {"y": -0.24}
    if chosen is not None:
        layout["shapes"] = [marks.upright(100 * found.at(chosen).share_treated, style.TEXT[theme])]
    return go.Figure(_traces(found, theme, noun), layout)


def _traces(found: Decisions, theme: str, noun: str) -> list[go.Scatter]:
    some = accepted(found)
    x = [100 * one.share_treated for one in some]
    bands = [found.rate_band(one) or (0.0, 1.0) for one in some]
    rates = [one.hit_rate for one in some if one.hit_rate is not None]

    def wrong(right: Iterable[float]) -> list[float]:
        return [100 * (1 - share) for share in right]

    hover = [marks.wrapped(selective_sentence(found, one, noun)) for one in some]
    promised = wrong(one.promised_rate or 0.0 for one in some)
    return [
        marks.band(x, wrong(high for _, high in bands), wrong(low for low, _ in bands), CHANCE),
        marks.band(
            x, wrong(one.high for one in rates), wrong(one.low for one in rates), INTERVAL,
            marks.INTERVAL_FILL,
        ),
        marks.line(x, promised, PROMISED, style.PREDICTED[theme]),
        marks.line(x, wrong(one.value for one in rates), DELIVERED, style.OBSERVED, hover),
    ]  # fmt: skip
