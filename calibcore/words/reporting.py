"""The sentences that only a report has: its heads, its tables, how to read its figures."""

import datetime

import numpy as np

from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import MOST_CLASSES
from calibcore.assessment.headline import by_evidence
from calibcore.data.several_labels import UNKNOWN, Cases, MultiLabelPredictions
from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.diagram.gap_sizes import ClassFrequencies
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.histogram import histogram
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, in_noun
from calibcore.words.arrows import arrows_judged, net_gap_sentence, stands_out
from calibcore.words.dates import time_words
from calibcore.words.looking import AS_IT_IS
from calibcore.words.phrases import PROMISES, cases_words, classes_words, pvalue
from calibcore.words.tables import Rows
from calibcore.words.testing import redrawn_words
from calibcore.words.texts import paragraph
from calibcore.words.verdict_rows import lens_notes
from calibcore.words.verdicts import promise_words, worst_class


def date_words(date: str) -> str:
    """ "2026-11-21" -> "21 November 2026".

    Raises
    ------
    InputError : no date of the calendar in this form.
    """
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError as error:
        raise InputError(f"The date is {date!r:.30}; expected one as 2026-11-21.") from error
    if day.isoformat() != date:
        raise InputError(f"The date is {date!r:.30}; expected one as 2026-11-21.")
    return time_words(date)


def subtitle(model: str, p: Cases, noun: str) -> str:
    """Model, cases and classes: "densenet121 · 10,000 images · 10 classes"."""
    return " · ".join(filter(None, (model, cases_words(p.n, noun, p.drawn_from), classes_words(p.m, p.kind))))


COUNTS_KEPT_BACK = paragraph("remarks", "counts kept back")


def verdicts_note(assessment: Assessment, noun: str = "case") -> str:
    """Which class is furthest off, and what the columns of the table of lenses mean."""
    worst, adjustment = worst_class(assessment.verdicts), assessment.survey.diagnoses[0].spec.adjustment
    name = "" if worst is None else f"{worst[1]} "
    notes = in_noun(lens_notes(assessment.verdicts), noun)
    return f"{name}{notes} Adjusted p: {promise_words(adjustment, noun)}."


def classes_left_out(assessment: Assessment) -> str:
    """What a table of :data:`~.defaults.MOST_CLASSES` classes leaves out; empty where it has all."""
    if len(assessment.frequencies) <= MOST_CLASSES:
        return ""
    most = f"{MOST_CLASSES} of {len(assessment.frequencies):,} classes: first those that a check found off"
    return f"{most}, then those that happened most. The JSON has all."


def classes_told(assessment: Assessment, most: int) -> list[ClassFrequencies]:
    """So many classes in their order: those that a check found off by the strength of its evidence, and then
    those that happened most."""
    every = assessment.frequencies
    off = sorted((v for v in assessment.verdicts if v.found and v.lens.one_class), key=by_evidence)
    rank = {verdict.lens.one_class: place for place, verdict in enumerate(off)}

    def weight(i: int) -> tuple[int, int]:
        return rank.get(every[i].class_name, len(rank)), -every[i].happened

    return [every[i] for i in sorted(sorted(range(len(every)), key=weight)[:most])]


def prediction_rows(p: Cases) -> Rows:
    """One row a case: the probability of each class and its label, in full precision.

    Where only the confidence is known, that and whether the answer was right. Of several labels the
    probability of each, and whether it is true: empty where that is not known.
    """
    if isinstance(p, MultiLabelPredictions):
        heads = [*(f"p_{name}" for name in p.label_names), *p.label_names]
        true = np.where(p.outcomes == UNKNOWN, None, p.outcomes).tolist()  # type: ignore[call-overload]
        return [
            dict(zip(heads, (*row, *outcomes), strict=True))
            for row, outcomes in zip(p.probs.tolist(), true, strict=True)
        ]
    if p.confidence_only:
        pairs = zip(p.probs[:, 0].tolist(), p.labels.tolist(), strict=True)
        return [{"confidence": sure, "correct": 1 - label} for sure, label in pairs]
    names = [f"p_{name}" for name in p.class_names]
    return [
        dict(zip(names, row, strict=True)) | {"label": p.class_names[label]}
        for row, label in zip(p.probs.tolist(), p.labels.tolist(), strict=True)
    ]


def left_out_words(bins: int, noun: str = "case") -> str:
    """Why bins of one case are missing; empty where there are none."""
    if not bins:
        return ""
    verb = "is" if bins == 1 else "are"
    return f"{count(bins, 'bin')} of one {noun} {verb} not drawn, but counted in all numbers."


def repeat_heading(version: str) -> str:
    """What stands above the command that repeats a report."""
    return f"With Caliblens {version} this command gives the same p-values and verdicts:"


# --- how to read the figures ----------------------------------------------------------


def diagram_caption(diagram: Reliability, beyond: bool, noun: str = "case", lens: Lens = AS_IT_IS) -> str:
    """Of crosses and bars of what ``lens`` shows; ``beyond``: whether some crosses lie beyond the scale."""
    two = len(diagram.class_names) == 2
    size = "the distance between what was predicted and what happened"
    if two:
        more = f"Above 0 {lens.within.comes_true[1]} more often than the model said, below 0 less often"
        size = f"observed minus predicted. {more}"
    parts = [f"Each cross is a bin of cases with similar predictions: {size}."]
    if diagram.has_bars:
        parts.append("Grey bars: where crosses lie by chance if the model is calibrated.")
    if diagram.has_bars and diagram.outside.any():
        parts.append(f"Strong crosses lie {'outside' if two else 'above'}.")
    parts.append("Blue: how the predictions are spread." if two else "The fullest bins come first.")
    if diagram.n_bins > 1:
        parts.append("Larger crosses hold more cases.")
    if beyond:
        parts.append("Triangles at the edge are bins of few cases beyond the scale.")
    return in_noun(" ".join(parts), noun)


def arrows_caption(
    diagram: Reliability, drawn: Reliability, tests: BinPvalues | None, alpha: float, noun: str
) -> str:
    """Of arrows between corners.

    drawn : without bins of one case, which ``tests`` are of
    """
    how = in_noun(
        "Each corner stands for one class. An arrow starts at the mean prediction of a bin of cases, a dot, "
        "and ends at how often each class happened. The wider, the more of the cases it stands for.",
        noun,
    )
    strong = stands_out(drawn, tests, alpha)
    judged = f" {arrows_judged(diagram, tests, alpha)}"
    if drawn.n_bins and not strong.any():
        adjusted = f", adjusted for {diagram.n_bins:,} arrows" if diagram.n_bins > 1 else ""
        judged = f" An arrow would stand out with an exact p of {alpha:g} or less{adjusted}." * (
            tests is not None
        )
    elif not strong.all():
        judged += " The others could be chance."
    return f"{net_gap_sentence(diagram)} {how}{judged}"


def redraws_caption(diagnosis: Diagnosis, test: NamedTest, far: bool, adjusted_for: str, noun: str) -> str:
    """Of the redraws of a test, whose p is not adjusted yet.

    far : whether the axis is broken before what was observed
    adjusted_for : for what p is adjusted where the verdict stands, as :func:`~.verdicts.tested_words`
    """
    result = test.result
    if result is None or result.null_distribution is None:
        return ""
    broken = " Slashes break the axis, as the observed value lies far beyond." if far else ""
    before = f", before adjusting for {adjusted_for}" if adjusted_for else ""
    if not histogram(result).beyond.any():
        share = "no redraw lies beyond the line, and the observed value is counted as one"
    elif result.stopped_early:
        share = "the hatched share, where the test stopped"
    else:
        share = "the hatched share, the observed value counted with it"
    redrawn = in_noun(redrawn_words(diagnosis, result), noun)
    promise = in_noun(PROMISES[result.promise], noun)
    return (
        f"Grey bars count redraws. {redrawn}. The line is the observed value.{broken} "
        f"{pvalue(result)}{before}: {share}. It is {promise}."
    )
