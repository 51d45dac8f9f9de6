"""The reliability diagram in words: which bin is clearest, its curve, the intervals of its frequencies."""

import numpy as np

from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Place, Reliability, clearest
from calibcore.numerics.types import Int
from calibcore.wording import count, percent, plural
from calibcore.words.phrases import exact_percent, points, top_bins
from calibcore.words.results import bins_outside, reliability_rows

MOST_ROWS = 21
"""Points of a curve in the table that people read; the CSV has all."""
_WITHHELD = {
    "classes": "Frequencies of three or more classes have no single interval each.",
    "weights": "Weighted cases have no exact intervals of the frequencies.",
    "cross-fitted": "Recalibrated cases have no exact intervals of the frequencies.",
    "pairs": "Pairs of one case are not independent: no exact intervals of the frequencies.",
}


def diagram_sentence(diagram: Reliability, noun: str = "case", curve: Curve | None = None) -> str:
    """What the diagram shows in this case: bins outside, the clearest of them, and the curve if any."""
    parts = [bins_outside(diagram), clearest_bin(diagram, noun)]
    if curve is not None:
        parts.append(curve_sentence(curve, noun))
    return " ".join(part for part in parts if part)


def clearest_bin(diagram: Reliability, noun: str = "case") -> str:
    """The bin outside its bar that chance explains least, see :func:`.clearest`; empty where none is."""
    place = clearest(diagram)
    if place is None:
        return ""
    b = place.bin
    if len(diagram.class_names) == 2:
        mean = percent(float(diagram.mean_prediction[b, 0]))
        average = "" if diagram.lowest[b] == diagram.highest[b] else " on average"
        return hits_in_bin(diagram, place, f"Clearest where the model says {mean}{average}: it happens", noun)
    return (
        f"Clearest where {top_bins(diagram.mean_prediction[b].tolist(), diagram.class_names)} was "
        f"predicted: what happened is {points(float(diagram.deviation[b]))} away "
        f"({count(int(diagram.counts[b]), noun)}). If calibrated, at most {points(float(diagram.high[b]))}."
    )


def hits_in_bin(diagram: Reliability, place: Place, before: str, noun: str = "case") -> str:
    """``before`` a bin's share and counts: "… 22.1 % of the time (45 of 204 cases). If
    calibrated, 29.0 % to 41.2 %.".

    What chance allows is known of two classes only.
    """
    b, c = place
    cases, seen = int(diagram.counts[b]), float(diagram.observed[b, c])
    sentence = f"{before} {percent(seen)} of the time ({round(cases * seen):,} of {count(cases, noun)})."
    if len(diagram.class_names) > 2:
        return sentence
    low, high = (
        percent(float(diagram.mean_prediction[b, 0] + end[b])) for end in (diagram.low, diagram.high)
    )
    return f"{sentence} If calibrated, {low} to {high}."


def beyond_words(diagram: Reliability, bins: Int, noun: str = "case") -> str:
    """What the key says of triangles: how far away the cross of a bin beyond the scale is, and its cases."""
    cases = count(int(diagram.counts[bins].sum()), noun)
    far = diagram.deviation[bins]
    if len(bins) == 1:
        return f"beyond the scale: {points(float(far[0]))} ({cases})"
    ends = " to ".join(f"{100 * end:.1f}".replace("-", "−") for end in (float(far.min()), float(far.max())))
    return f"beyond the scale: {count(len(bins), 'bin')} with {cases}, {ends} points"


def curve_sentence(curve: Curve, noun: str = "case") -> str:
    """For how many cases a curve leaves its band, and for how many chance alone would take it out."""
    share, chance = percent(curve.share_outside, 0), percent(curve.expected_outside, 0)
    sentence = f"The {curve.kind} curve is outside its band at the predictions of {share} of {plural(noun)}."
    if curve.most_outside == 0:
        often = exact_percent(1 - curve.interval[1])
        return f"{sentence} A calibrated model's curve would be outside at most {often} of the time."
    return (
        f"{sentence} A calibrated model's curve would be outside for {chance} on average, and for more than "
        f"{percent(curve.most_outside, 0)} at most {exact_percent(1 - curve.interval[1])} of the time."
    )


def curve_rows(curve: Curve, exact: bool = False) -> list[dict[str, object]]:
    """A curve point by point, 21 at most, spread evenly over the cases; ``exact`` gives all in full."""
    if exact:
        columns = (curve.predicted, curve.observed, curve.low, curve.high, curve.outside, curve.counts)
        names = ("predicted", "observed", "if calibrated, low", "if calibrated, high", "outside", "cases")
        return [
            dict(zip(names, row, strict=True)) for row in zip(*(c.tolist() for c in columns), strict=True)
        ]
    upto = np.cumsum(curve.counts)
    places = np.unique(np.searchsorted(upto, np.linspace(1, upto[-1], MOST_ROWS)))
    return [
        {
            "Predicted": percent(float(curve.predicted[i])),
            f"Observed ({curve.kind})": _percent(float(curve.observed[i])),
            "If calibrated": f"{_percent(float(curve.low[i]))} to {_percent(float(curve.high[i]))}",
            "Outside": "yes" if curve.outside[i] else "",
        }
        for i in places
    ]


def _percent(value: float) -> str:
    """A smooth curve may leave 0..1 a little."""
    return percent(value).replace("-", "−")


def diagram_rows(
    diagram: Reliability, frequencies: FrequencyIntervals, exact: bool = False
) -> list[dict[str, object]]:
    """:func:`reliability_rows` with the exact interval of each bin's frequency, where there is one."""
    rows = reliability_rows(diagram, exact)
    if frequencies.withheld:
        return rows
    name = f"Interval of observed ({exact_percent(frequencies.level)})"
    for row, low, high in zip(rows, frequencies.low.tolist(), frequencies.high.tolist(), strict=True):
        if exact:
            row |= {"observed, low": low, "observed, high": high}
        else:
            row |= {name: f"{percent(low)} to {percent(high)}"}
    return rows


def interval_words(frequencies: FrequencyIntervals, b: int) -> str:
    """Of a bin: "90 % interval of the frequency: 66.1 % to 75.9 %"; empty where there is none."""
    if frequencies.withheld:
        return ""
    low, high = percent(float(frequencies.low[b])), percent(float(frequencies.high[b]))
    return f"{exact_percent(frequencies.level)} interval of the frequency: {low} to {high}"


def no_intervals(frequencies: FrequencyIntervals) -> str:
    """Why there are no intervals of the frequencies; empty where there are."""
    return _WITHHELD.get(frequencies.withheld, "")
