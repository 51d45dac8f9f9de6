"""The cases of one or several bins: in a sentence, as rows of a table, as a CSV."""

from collections.abc import Iterator, Sequence

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.units import one_row_a_unit, rows_looked_at
from calibcore.diagram.bins import rows_of_bins
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.types import Int
from calibcore.spec import DiagnosisSpec
from calibcore.wording import count, percent, plural
from calibcore.words.phrases import WEIGHTED, points, top_bins
from calibcore.words.tables import csv_of

MOST_COLUMNS = 4
"""Classes that have a column each in the table of members; more are told in words."""


def members(predictions: Predictions, spec: DiagnosisSpec, bins: Sequence[int]) -> Int:
    """Rows of what the lens shows, from 0 and rising, in these entries of its reliability diagram."""
    return rows_of_bins(spec.lens(_looked_at(predictions, spec)), spec.binning, bins)


def _looked_at(predictions: Predictions, spec: DiagnosisSpec) -> Predictions:
    return one_row_a_unit(predictions, spec.unit, spec.seed)


def member_rows(
    predictions: Predictions, spec: DiagnosisSpec, rows: Int, exact: bool = False
) -> Iterator[dict[str, object]]:
    """Row by row of ``rows``, see :func:`members`: row number in the file from 1, what the lens saw, what
    happened, the other columns. ``exact`` gives probabilities as numbers, of every class."""
    looked_at = _looked_at(predictions, spec)
    induced = spec.lens(looked_at)
    source = rows_looked_at(predictions, spec.unit, spec.seed)[spec.lens.rows(looked_at)]
    names, top = induced.class_names, bool(spec.lens.within.top)
    columns = names[:1] if len(names) == 2 and not exact else names
    own = names == predictions.class_names
    for row in rows.tolist():
        case = int(source[row // (induced.n // induced.cases.n)])
        p, happened = induced.probs[row].tolist(), predictions.class_names[predictions.labels[case]]
        cells: dict[str, object] = {"Row": case + 1}
        if exact:
            cells |= {f"predicted {name}": value for name, value in zip(names, p, strict=True)}
        elif len(columns) > MOST_COLUMNS:
            cells["Predicted"] = top_bins(p, names)
        else:
            cells |= {_column(name, top): percent(p[k]) for k, name in enumerate(columns)}
        if top:
            cells["Top class"] = predictions.class_names[int(predictions.probs[case].argmax())]
        cells["Happened"] = happened
        if not own:
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


def bin_words(diagram: Reliability, b: int, noun: str = "case") -> str:
    """A bin in a list: "80.1 % to 89.9 % · 204 images · outside"."""
    if len(diagram.class_names) == 2:
        what = predicted_range(diagram, [b])
    else:
        what = top_bins(diagram.mean_prediction[b].tolist(), diagram.class_names)
    return " · ".join(
        [what, count(int(diagram.counts[b]), noun), *(["outside"] if diagram.outside[b] else [])]
    )


def predicted_range(diagram: Reliability, bins: Sequence[int]) -> str:
    """The first-class predictions of the bins: "80.1 % to 89.9 %"."""
    low, high = float(diagram.lowest[bins].min()), float(diagram.highest[bins].max())
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"


def members_sentence(diagram: Reliability, bins: Sequence[int], noun: str = "case") -> str:
    """What was predicted for the cases of these bins, what happened, and what chance allows in one bin."""
    some = diagram.only(np.array(bins))
    n = int(some.counts.sum())
    cases = count(n, noun) if len(bins) == 1 else f"{count(len(bins), 'bin')} of {count(n, noun)} together"
    if len(diagram.class_names) > 2:
        text, seen = (
            top_bins((some.counts @ table / n).tolist(), diagram.class_names)
            for table in (some.mean_prediction, some.observed)
        )
        apart = f", {points(float(some.deviation[0]))} apart" if len(bins) == 1 else ""
        return f"{cases}. Predicted on average {text}; happened {seen}{apart}."
    mean = percent(float(some.counts @ some.mean_prediction[:, 0]) / n)
    if not diagram.has_bars:
        seen = percent(float(some.counts @ some.observed[:, 0]) / n)
        text = f"The model said {predicted_range(diagram, bins)}, {mean} on average"
        return f"{cases}. {text}; it happened {seen}{WEIGHTED[diagram.bars]}."
    hits = round(float(some.counts @ some.observed[:, 0]))
    sentence = (
        f"When the model says {predicted_range(diagram, bins)}, {mean} on average, "
        f"it happens {percent(hits / n)} of the time ({hits:,} of {count(n, noun)})."
    )
    if len(bins) > 1:
        return sentence
    low, high = (percent(float(some.mean_prediction[0, 0] + end[0])) for end in (some.low, some.high))
    return f"{sentence} Were the model calibrated, we would expect {low} to {high}."


def shown_of(n: int, most: int, noun: str = "case") -> str:
    """What a table shows: "All 12 images." or "The first 50 of 204 images; the CSV has all."."""
    if n <= most:
        return f"All {count(n, noun)}." if n > 1 else f"The one {noun}."
    return f"The first {most:,} of {n:,} {plural(noun)}, in the order of the file; the CSV has all."
