"""The figures of a report, each with its caption and its table; drawn when a report is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibcore.answers.blocks import Chart
from calibcore.answers.classes import evidence_table
from calibcore.answers.cumulative import cumulative_table
from calibcore.answers.diagram import arrows_table, diagram_chart
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import Headline, headline
from calibcore.assessment.verdict import Verdict
from calibcore.assessment.verdict_tests import verdict_test_name
from calibcore.charts.cumulative import CumulativeLine, cumulative_lines, farthest
from calibcore.charts.deviation_scale import scale_of
from calibcore.charts.formats import MOST_ARROWS, WIDTHS
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.diagnose import Diagnosis, bin_pvalues_for
from calibcore.diagnose.parts import spread_for
from calibcore.diagnose.without_cases import diagram_without_cases, shared_bins
from calibcore.diagram.bars import corner_shifts
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.diagram.reliability import Reliability, clearest
from calibcore.drawing import on_paper, on_screen
from calibcore.hypothesis_tests.histogram import far_out, histogram
from calibcore.limits import asset_path
from calibcore.numerics.progress import Progress
from calibcore.report.privacy import classes_without_cases
from calibcore.sensitivity.each_class import ClassesByEvidence, classes_by_evidence
from calibcore.transforms.lenses import cases_seen
from calibcore.wording import in_noun, sentences
from calibcore.words.arrows import arrows_drawn, arrows_sentence, how_many
from calibcore.words.classes import classes_note, classes_sentence
from calibcore.words.diagram import (
    by_chance,
    clearest_bin,
    crowded_elsewhere,
    heading,
    reason,
    reason_by_arrows,
)
from calibcore.words.looking import name_of
from calibcore.words.reporting import arrows_caption, diagram_caption, left_out_words, redraws_caption
from calibcore.words.results import bins_outside
from calibcore.words.testing import rows_of_redraws, sentence_of_test
from calibcore.words.verdicts import as_a_whole, of_labels, tested_words

ONE, TWO = WIDTHS
SIDE_BY_SIDE = 2
"""Panels of small multiples in one figure on the screen."""


@dataclass(frozen=True, eq=False)
class Plate:
    """One figure of a report.

    Attributes
    ----------
    says : what it shows in this case; its alternative text too
    reading : how to read it
    rows : its numbers as a person reads them
    figures : each theme -> a figure for the screen, side by side where there is room
    printed : width in mm -> the figure on paper
    width : mm on paper
    """

    name: str
    title: str
    says: str
    reading: str
    rows: Sequence[Mapping[str, object]]
    figures: Sequence[Callable[[str], Any]]
    printed: Callable[[float], Any]
    width: int = ONE


def plate_of(chart: Chart, name: str, title: str, says: str, reading: str, width: int = TWO) -> Plate:
    """A chart of an answer, by default as wide as the paper."""
    return Plate(
        name,
        title,
        says,
        reading,
        chart.table.few_rows(),
        [on_screen(chart.screen, chart.of, **chart.options)],
        on_paper(chart.paper, chart.of, **chart.options),
        width,
    )


def caption(name: str, *, needed: bool = True) -> str:
    """How to read a figure of that name, as it stands below it; empty for one that may have no such text."""
    path = asset_path("texts", f"caption-{name}.md")
    return path.read_text(encoding="utf-8").strip() if needed or path.is_file() else ""


def plates(
    predictions: Cases, assessment: Assessment, noun: str, progress: Progress | None = None
) -> list[Plate]:
    """The figure that carries the answer, those of the first lens and of all classes at once for three or
    four, the redraws, each class.

    Bins of one case are not drawn: they would be that case's own numbers.

    Cost: as the exact test of the bins of three or four classes.
    """
    diagnoses = assessment.survey.diagnoses
    carrying = headline(diagnoses, assessment.verdicts)
    of_whole = whole_of(assessment)
    pages = [_headline(predictions, carrying, noun, progress)]
    tested = assessment.survey.hypotheses
    adjusted_for = tested_words(len(diagnoses), tested) if tested > 1 else ""
    of_all = as_a_whole(assessment.verdicts)
    one_by_one = of_labels(assessment.verdicts)  # the first of several labels is no other than the rest
    if diagnoses[0] is not carrying.diagnosis and not one_by_one:
        pages.append(_diagram(predictions, diagnoses[0], noun))
    if of_whole is not diagnoses[0] and of_whole is not carrying.diagnosis and not one_by_one:
        m = len(of_whole.reliability.class_names)
        if m in (3, 4) and isinstance(predictions, Predictions):
            pages.append(_corners(predictions, of_whole, of_all, noun, progress))
        elif m == 2:
            pages.append(_diagram(predictions, of_whole, noun))
    pages.append(_redraws(of_whole, adjusted_for, noun))
    if any(verdict.lens.one_class is not None for verdict in assessment.verdicts):
        pages.append(_classes(classes_by_evidence(assessment), noun))
    if isinstance(predictions, Predictions) and (lines := cumulative_lines(predictions, noun)):
        pages.append(_cumulative(lines, noun))
    return [plate for plate in pages if plate.rows]


def _headline(predictions: Cases, headline: Headline, noun: str, progress: Progress | None) -> Plate:
    """The figure of the check with the strongest evidence, named, with its reason before what it shows."""
    diagnosis = headline.diagnosis
    if isinstance(predictions, Predictions) and diagnosis.spec.lens.whole and diagnosis.m in (3, 4):
        plate = _corners(predictions, diagnosis, headline.verdict, noun, progress)
        return replace(plate, title=heading(headline), says=reason_by_arrows(headline, plate.says, noun))
    shown = diagram_without_cases(diagnosis.reliability)
    why = "" if _counted_beside(headline, shown) else reason(headline, noun, shown)
    says = sentences(why, by_chance(headline) or bins_outside(diagnosis.reliability))
    return replace(_diagram(predictions, diagnosis, noun), title=heading(headline), says=says)


def _counted_beside(headline: Headline, shown: Reliability) -> bool:
    """Whether the bin that would be the reason stands beside the figure as a natural frequency."""
    place = clearest(shown)
    if place is None or not headline.found or headline.verdict.refuted is not None:
        return False
    return len(shown.class_names) == 2 and int(shown.counts[place.bin]) >= FEWEST


def whole_of(assessment: Assessment) -> Diagnosis:
    """The diagnosis of the verdict that stands for all."""
    lens = as_a_whole(assessment.verdicts).lens
    return next(d for d in assessment.survey.diagnoses if d.spec.lens == lens)


def _diagram(predictions: Cases, diagnosis: Diagnosis, noun: str) -> Plate:
    diagram = diagram_without_cases(diagnosis.reliability)
    beyond = diagram.n_bins > 0 and bool(scale_of([diagram]).beyond(100 * diagram.deviation).any())
    left_out = left_out_words(diagnosis.reliability.n_bins - diagram.n_bins, noun)
    seen = cases_seen(predictions, diagnosis.spec.lens)
    spread = spread_for(seen, diagnosis.spec)
    crowded = "" if spread is None else crowded_elsewhere(spread, noun)
    says = sentences(bins_outside(diagnosis.reliability), clearest_bin(diagram, noun, diagnosis.spec.lens))
    chart = diagram_chart(diagram, f"Reliability: {name_of(diagnosis)}", says, noun=noun)
    reading = sentences(diagram_caption(diagram, beyond, noun, diagnosis.spec.lens), left_out, crowded)
    return plate_of(
        chart, f"reliability-{diagnosis.spec.lens.phrase()}", chart.title, chart.says, reading, ONE
    )


def _corners(
    predictions: Predictions, diagnosis: Diagnosis, verdict: Verdict, noun: str, progress: Progress | None
) -> Plate:
    spec = diagnosis.spec
    induced = spec.induced(predictions)
    full = replace(diagnosis.reliability, shifts_by_chance=corner_shifts(induced))
    diagram, shared = diagram_without_cases(full), shared_bins(full)
    of_all = bin_pvalues_for(predictions, spec, full.n_bins, progress)
    tests = of_all and replace(of_all, pvalue=of_all.pvalue[shared], adjusted=of_all.adjusted[shared])
    least = full.fewest_worth_showing
    m = len(diagram.class_names)
    how: dict[str, Any] = {"least": least, "tests": tests, "alpha": spec.alpha}
    if m == 3:
        how |= {"binning": spec.binning}
        figure = on_screen("simplex.simplex_figure", diagram, noun, **how)
        printed = on_paper("simplex_print", diagram, noun, **how)
    else:
        figure = on_screen("tetrahedron.tetrahedron_figure", diagram, noun, **how)
        # The sides would take the page of its words; `figure` draws them.
        printed = on_paper("tetrahedron_print", diagram, noun, **how, sides=False)
    many = how_many(full, of_all, spec.alpha) if len(shared) < full.n_bins else ""
    rejected = verdict.found and verdict.refuted is None
    drawing = arrows_drawn(full, least, MOST_ARROWS[m], noun)
    return Plate(
        "simplex",
        "All classes at once",
        arrows_sentence(diagram, tests, spec.alpha, noun, many, rejected),
        f"{arrows_caption(full, diagram, tests, spec.alpha, noun)} {drawing}",
        arrows_table(diagram, tests, spec.alpha).rows(),
        [figure],
        printed,
    )


def _redraws(diagnosis: Diagnosis, adjusted_for: str, noun: str) -> Plate:
    test = diagnosis.test(verdict_test_name(diagnosis))
    assert test is not None
    assert test.result is not None
    bars = histogram(test.result)
    far = far_out(bars.edges, bars.observed)
    return Plate(
        "null-distribution",
        f"The exact test: {name_of(diagnosis)}",
        sentence_of_test(diagnosis, test.name),
        redraws_caption(diagnosis, test, far, adjusted_for, noun),
        rows_of_redraws(test, diagnosis.spec.distance),
        [on_screen("null_distribution.null_figure", test, diagnosis.spec.distance)],
        on_paper("null_print", test, diagnosis.spec.distance),
    )


def _cumulative(lines: Sequence[CumulativeLine], noun: str) -> Plate:
    return Plate(
        "cumulative",
        "Up to each class",
        farthest(lines),
        in_noun(caption("cumulative"), noun),
        cumulative_table(lines).rows(),
        [on_screen("cumulative.cumulative_figure", lines, noun)],
        on_paper("cumulative_print", lines),
        TWO,
    )


def _classes(classes: ClassesByEvidence, noun: str) -> Plate:
    bare = classes_without_cases(classes)
    starts = range(0, len(bare.classes), SIDE_BY_SIDE)
    name, title = "classes", "Each class against all others"
    if classes.noun == "label":
        name, title = "labels", "Each label by itself"
    return Plate(
        "classes",
        title,
        classes_sentence(classes),
        f"{in_noun(caption(name), noun)} {classes_note(classes, noun)}",
        evidence_table(classes).rows() if bare.classes else (),
        [on_screen("multiples.multiples_figure", bare, start, SIDE_BY_SIDE, noun) for start in starts],
        on_paper("multiples_print", bare),
        TWO,
    )
