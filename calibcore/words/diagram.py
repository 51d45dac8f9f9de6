"""The reliability diagram in words: its clearest bin, curve and intervals, the cases of bins, its axis, and
the check whose diagram carries the answer."""

from collections.abc import Iterator, Sequence

import numpy as np

from calibcore.assessment.headline import Headline
from calibcore.data.predictions import Predictions
from calibcore.data.units import rows_looked_at
from calibcore.diagnose import Diagnosis
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import rows_of_bins
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Place, Reliability, clearest
from calibcore.diagram.spread import Spread, spread_binning
from calibcore.numerics.types import Int
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, percent, plural, sentences
from calibcore.words.looking import AS_IT_IS, name_of, sentence_case
from calibcore.words.phrases import WEIGHTED, exact_percent, number, points, seen_noun, top_bins
from calibcore.words.results import bins_outside, claim_and_outcome
from calibcore.words.sizes import size_sentence
from calibcore.words.tables import Row, Rows, csv_of
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import refuted_sentence

MOST_ROWS = 21
"""Points of a curve in the table that people read; the CSV has all."""
_OF_PAIRS = paragraph("remarks", "no intervals of pairs")
_WITHHELD = {
    "classes": paragraph("remarks", "no intervals of many classes"),
    "weights": paragraph("remarks", "no intervals of weighted cases"),
    "cross-fitted": paragraph("remarks", "no intervals of recalibrated cases"),
    "pairs": _OF_PAIRS,
    "labels": _OF_PAIRS,
}


def diagram_sentence(
    diagram: Reliability, noun: str = "case", curve: Curve | None = None, lens: Lens = AS_IT_IS
) -> str:
    """What the diagram shows in this case: bins outside, the clearest of them, and the curve if any; ``lens``
    is what it was made through."""
    of_curve = "" if curve is None else curve_sentence(curve, noun)
    return sentences(bins_outside(diagram), clearest_bin(diagram, noun, lens), of_curve)


def clearest_bin(diagram: Reliability, noun: str = "case", lens: Lens = AS_IT_IS) -> str:
    """The bin outside its bar that chance explains least, see :func:`.clearest`; empty where none is."""
    place = clearest(diagram)
    if place is None:
        return ""
    b = place.bin
    if len(diagram.class_names) == 2:
        mean = percent(float(diagram.mean_prediction[b, 0]))
        average = "" if diagram.lowest[b] == diagram.highest[b] else " on average"
        before = f"Clearest where the model says {mean}{average}: {lens.within.comes_true[0]}"
        return hits_in_bin(diagram, place, before, noun)
    return (
        f"Clearest where {top_bins(diagram.mean_prediction[b].tolist(), diagram.class_names)} was "
        f"predicted: what happened is {points(float(diagram.deviation[b]))} away "
        f"({count(int(diagram.counts[b]), noun)}). If calibrated, at most {points(float(diagram.high[b]))}."
    )


def hits_in_bin(diagram: Reliability, place: Place, before: str, noun: str) -> str:
    """``before`` a bin's share and counts: "… 22.1 % of the time (45 of 204 cases). If
    calibrated, 29.0 % to 41.2 %.".

    What chance allows is known of two classes only.
    """
    b, c = place
    cases, seen = int(diagram.counts[b]), float(diagram.observed[b, c])
    sentence = f"{before} {percent(seen)} of the time ({round(cases * seen):,} of {count(cases, noun)})."
    return sentence if len(diagram.class_names) > 2 else f"{sentence} If calibrated, {_chance(diagram, b)}."


def _chance(diagram: Reliability, b: int) -> str:
    """Where a bin's share lies by chance, of two classes: "29.0 % to 41.2 %"."""
    ends = (float(diagram.mean_prediction[b, 0] + end[b]) for end in (diagram.low, diagram.high))
    return " to ".join(map(percent, ends))


def beyond_words(diagram: Reliability, bins: Int, noun: str = "case") -> str:
    """What the key says of triangles: how far away the cross of a bin beyond the scale is, and its cases."""
    cases = count(int(diagram.counts[bins].sum()), noun)
    far = diagram.deviation[bins]
    if len(bins) == 1:
        return f"beyond the scale: {points(float(far[0]))} ({cases})"
    ends = " to ".join(number(100 * end) for end in (float(far.min()), float(far.max())))
    return f"beyond the scale: {count(len(bins), 'bin')} with {cases}, {ends} points"


def curve_sentence(curve: Curve, noun: str = "case") -> str:
    """For how many cases a curve leaves its band, and for how many chance alone would take it out."""
    share, often = percent(curve.share_outside, 0), exact_percent(1 - curve.interval[1])
    chance = ""
    if curve.most_outside:
        expected, most = percent(curve.expected_outside, 0), percent(curve.most_outside, 0)
        chance = f"for {expected} on average, and for more than {most} "
    return (
        f"The {curve.kind} curve is outside its band at the predictions of {share} of {plural(noun)}. "
        f"A calibrated model's curve would be outside {chance}at most {often} of the time."
    )


def curve_rows(curve: Curve, exact: bool = False) -> Rows:
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


def interval_words(frequencies: FrequencyIntervals, b: int) -> str:
    """Of a bin: "90 % interval of the frequency: 66.1 % to 75.9 %"; empty where there is none."""
    if frequencies.withheld:
        return ""
    low, high = percent(float(frequencies.low[b])), percent(float(frequencies.high[b]))
    return f"{exact_percent(frequencies.level)} interval of the frequency: {low} to {high}"


def no_intervals(frequencies: FrequencyIntervals) -> str:
    """Why there are no intervals of the frequencies; empty where there are."""
    return _WITHHELD.get(frequencies.withheld, "")


# --- the cases of bins ----------------------------------------------------------------


MOST_COLUMNS = 4
"""Classes that have a column each in the table of members; more are told in words."""


def members(predictions: Predictions, spec: DiagnosisSpec, bins: Sequence[int]) -> Int:
    """Rows of what the lens shows, from 0 and rising, in these entries of its reliability diagram."""
    return rows_of_bins(spec.induced(predictions), spec.binning, bins)


def member_rows(
    predictions: Predictions, spec: DiagnosisSpec, rows: Int, exact: bool = False
) -> Iterator[Row]:
    """Row by row of ``rows``, see :func:`members`: row number in the file from 1, what the lens saw, what
    happened, the other columns. ``exact`` gives probabilities as numbers, of every class."""
    looked_at = spec.independent(predictions)
    induced = spec.lens(looked_at)
    source = rows_looked_at(predictions, spec.unit, spec.seed)[spec.lens.rows(looked_at)]
    names, top = induced.class_names, bool(spec.lens.within.top)
    columns = names[:1] if len(names) == 2 and not exact else names
    own = names == predictions.class_names
    for row in rows.tolist():
        case = int(source[row // (induced.n // induced.cases.n)])
        p, happened = induced.probs[row].tolist(), predictions.class_names[predictions.labels[case]]
        cells: Row = {"Row": case + 1}
        if exact:
            cells |= {f"predicted {name}": value for name, value in zip(names, p, strict=True)}
        elif len(columns) > MOST_COLUMNS:
            cells["Predicted"] = top_bins(p, names)
        else:
            cells |= {_column(name, top): percent(p[k]) for k, name in enumerate(columns)}
        if top and not predictions.confidence_only:
            cells["Top class"] = predictions.class_names[int(predictions.probs[case].argmax())]
        cells["The answer was" if predictions.confidence_only else "Happened"] = happened
        if not own and not predictions.confidence_only:
            cells["Through the lens"] = names[induced.labels[row]]
        for name, column in predictions.metadata.items():
            cells[name if name not in cells else f"{name} (column)"] = column[case : case + 1].tolist()[0]
        yield cells


def _column(name: str, top: bool) -> str:
    if not top:
        return f"Predicted {name}"
    return "Confidence" if name == "hit" else f"Predicted, {name}"


def members_csv(predictions: Predictions, spec: DiagnosisSpec, bins: Sequence[int]) -> str:
    """All members of these bins as a CSV in full precision; no cell of it is a formula to a spreadsheet."""
    return csv_of(list(member_rows(predictions, spec, members(predictions, spec, bins), exact=True)))


def bin_words(diagram: Reliability, b: int, noun: str) -> str:
    """A bin in a list: "80.1 % to 89.9 % · 204 images · outside"."""
    if len(diagram.class_names) == 2:
        what = predicted_range(diagram, [b])
    else:
        what = top_bins(diagram.mean_prediction[b].tolist(), diagram.class_names)
    outside = " · outside" if diagram.outside[b] else ""
    return f"{what} · {count(int(diagram.counts[b]), noun)}{outside}"


def predicted_range(diagram: Reliability, bins: Sequence[int]) -> str:
    """The first-class predictions of the bins: "80.1 % to 89.9 %"."""
    low, high = float(diagram.lowest[bins].min()), float(diagram.highest[bins].max())
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"


def members_sentence(
    diagram: Reliability, bins: Sequence[int], noun: str = "case", lens: Lens = AS_IT_IS
) -> str:
    """What was predicted for the cases of these bins, what happened, and what chance allows in one bin."""
    shown = diagram.only(np.array(bins))
    n = int(shown.counts.sum())
    cases = count(n, noun) if len(bins) == 1 else f"{count(len(bins), 'bin')} of {count(n, noun)} together"
    if len(diagram.class_names) > 2:
        text, seen = (
            top_bins((shown.counts @ table / n).tolist(), diagram.class_names)
            for table in (shown.mean_prediction, shown.observed)
        )
        apart = f", {points(float(shown.deviation[0]))} apart" if len(bins) == 1 else ""
        return f"{cases}. Predicted on average {text}; happened {seen}{apart}."
    mean = percent(float(shown.counts @ shown.mean_prediction[:, 0]) / n)
    happens, happened = lens.within.comes_true
    if not diagram.has_bars:
        seen = percent(float(shown.counts @ shown.observed[:, 0]) / n)
        text = f"The model said {predicted_range(diagram, bins)}, {mean} on average"
        return f"{cases}. {text}; {happened} {seen}{WEIGHTED[diagram.bars]}."
    hits = round(float(shown.counts @ shown.observed[:, 0]))
    sentence = (
        f"When the model says {predicted_range(diagram, bins)}, {mean} on average, "
        f"{happens} {percent(hits / n)} of the time ({hits:,} of {count(n, noun)})."
    )
    if len(bins) > 1:
        return sentence
    return f"{sentence} Were the model calibrated, we would expect {_chance(shown, 0)}."


def shown_of(n: int, most: int, noun: str = "case") -> str:
    """What a table shows: "All 12 images." or "The first 50 of 204 images; the CSV has all."."""
    if n <= most:
        return f"All {count(n, noun)}." if n > 1 else f"The one {noun}."
    return f"The first {most:,} of {n:,} {plural(noun)}, in the order of the file; the CSV has all."


# --- the axis -------------------------------------------------------------------------


LOG_ODDS, EVEN = "log-odds", "even"
AXES = {LOG_ODDS: "Log-odds", EVEN: "Even"}
"""What the axis of a diagram can be, and what the control calls it."""


def crowded_sentence(spread: Spread, axis: str, binning: Binning, noun: str = "case") -> str:
    """What the diagram starts with and why; the way to the other ``axis``. ``binning`` is the diagram's."""
    crowd = _crowd(spread, noun)
    if axis == EVEN:
        return f"{crowd}; '{AXES[LOG_ODDS]}' spreads them out."
    start = f"{crowd}, so this diagram starts on a log-odds axis"
    if binning != spread_binning(spread):
        return f"{start}; '{AXES[EVEN]}' brings back the axis from 0 to 100\N{NO-BREAK SPACE}%."
    usual, kind = DiagnosisSpec().binning.phrase(2, noun), "bins split at the median"
    if spread.rare:
        kind = "equally uncertain bins. Each expects as many of the less likely outcomes"
    return f"{start} with {kind}. '{AXES[EVEN]}' brings back the {usual} that checks use."


def crowded_elsewhere(spread: Spread, noun: str) -> str:
    """Said below a figure of a check, which has the usual bins: where such predictions are spread out."""
    where = "On the page Reliability they are spread out on a log-odds axis, in other bins."
    return f"{_crowd(spread, noun)}. {where}"


def _crowd(spread: Spread, noun: str) -> str:
    """ "90 % of patients lie between 90 and 100 %"."""
    low, high = 10 * spread.tenth, 10 * spread.tenth + 10
    return f"{percent(spread.share, 0)} of {plural(noun)} lie between {low} and {high}\N{NO-BREAK SPACE}%"


# --- the check whose diagram carries the answer ---------------------------------------


NO_PROBLEM = "No check found a problem."
RESTS_ON = paragraph("remarks", "checks and bars")
"""Said beside crosses outside their bars where no check found a problem."""


def heading(headline: Headline) -> str:
    """ "Strongest evidence: 'malignant'", "Main check: confidence in the answer"."""
    name = name_of(headline.diagnosis).removeprefix("the class ")
    return f"{'Strongest evidence' if headline.found else 'Main check'}: {name}"


def reason(headline: Headline, noun: str = "case", shown: Reliability | None = None) -> str:
    """Why it is this check, in the numbers of its figure: "Where the model gives 'malignant' 35.2 % on
    average, it happens 22.1 % of the time (45 of 204 cases). If calibrated, 29.0 % to 41.2 %.".

    shown : what the figure draws of the diagram, if not all of it
    """
    diagnosis, verdict = headline.diagnosis, headline.verdict
    if not headline.found:
        return f"{NO_PROBLEM} {_claim(diagnosis, noun)}"
    diagram, lens = shown or diagnosis.reliability, diagnosis.spec.lens
    place = clearest(diagram)
    refuted = "" if verdict.refuted is None else refuted_sentence(verdict.refuted, lens)
    if place is None:
        return sentences(_claim(diagnosis, noun), refuted)
    return sentences(_of_bin(diagram, lens, place, seen_noun(lens, noun)), refuted)


def by_chance(headline: Headline) -> str:
    """Where no check found a problem and still crosses lie outside: what either rests on, how many do so by
    chance, and whether they speak against the model by themselves; else empty."""
    diagram = headline.diagnosis.reliability
    if headline.found or not diagram.has_bars or not diagram.outside.any():
        return ""
    return f"{RESTS_ON} {bins_outside(diagram)}"


def reason_by_arrows(headline: Headline, arrows: str, noun: str = "case") -> str:
    """The same where the figure is of arrows: what its strongest arrow says, ``arrows``, is the reason; where
    no check found a problem, that comes first; that outcomes were called impossible, second."""
    if not headline.found:
        return f"{reason(headline, noun)} {arrows}"
    verdict = headline.verdict
    return sentences(
        arrows, "" if verdict.refuted is None else refuted_sentence(verdict.refuted, verdict.lens)
    )


def _claim(diagnosis: Diagnosis, noun: str) -> str:
    """What the model says on average and what happens; of more classes how far off it is."""
    if len(diagnosis.reliability.class_names) == 2 or diagnosis.typical_gap is None:
        return claim_and_outcome(diagnosis.reliability, diagnosis.spec.lens, noun)
    return size_sentence(diagnosis.spec.lens, diagnosis.typical_gap, diagnosis.frequencies)


def _of_bin(diagram: Reliability, lens: Lens, place: Place, noun: str) -> str:
    two, (b, c) = len(diagram.class_names) == 2, place
    where, lens = lens.region, lens.within
    claim = lens.where_sentence(percent(float(diagram.mean_prediction[b, c])), diagram.class_names[c])
    claim = f"where {where} and {claim}" if where else f"where {claim}"
    sentence = sentence_case(claim if two else f"among similar predictions, {claim}")
    return hits_in_bin(diagram, place, sentence, noun)
