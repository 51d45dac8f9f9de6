"""The first page of a report, for whoever has to act on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import headline
from calibcore.data.several_labels import Cases
from calibcore.diagram.natural_frequencies import NaturalFrequency, natural_frequencies
from calibcore.questions.plan import Plan
from calibcore.questions.recalibrate import Recalibration
from calibcore.report import front_page
from calibcore.report.plates import Plate
from calibcore.transforms.lenses import cases_seen
from calibcore.wording import in_noun
from calibcore.words.diagram import heading
from calibcore.words.frequencies import natural_frequencies_note, natural_frequency_sentences
from calibcore.words.glossary import glossary
from calibcore.words.reporting import COUNTS_KEPT_BACK
from calibcore.words.verdicts import as_a_whole


@dataclass(frozen=True)
class Front:
    """What the first page says beside the answer and its figure; nothing is markup.

    Attributes
    ----------
    asked : the question, of whom and in which checks
    valid_if : what has to hold for the answer
    has_figure : whether the first plate of the report is the figure that carries the answer
    counted_heading, counted, counted_note : natural frequencies, and how they were picked
    to_do, not_to_conclude : short sentences, the most urgent first
    words : term and its line in the glossary
    """

    asked: str
    valid_if: str
    has_figure: bool
    counted_heading: str
    counted: tuple[str, ...]
    counted_note: str
    to_do: tuple[str, ...]
    not_to_conclude: tuple[str, ...]
    words: tuple[tuple[str, str], ...]


def front_of(
    predictions: Cases,
    assessment: Assessment,
    drawn: Sequence[Plate],
    noun: str,
    recalibration: Recalibration | None,
    plan: Plan | None,
    elsewhere: bool,
    short: Callable[[str], str],
) -> Front:
    """The first page of a survey's report, whose figures are ``drawn``; ``short`` makes names readable.

    elsewhere : whether another part of the report found a problem

    Cost O(n log n).
    """
    overall = as_a_whole(assessment.verdicts)
    diagnoses = assessment.survey.diagnoses
    carrying = headline(diagnoses, assessment.verdicts)
    spec, rejected = carrying.diagnosis.spec, carrying.found
    groups: tuple[NaturalFrequency, ...] = ()
    if carrying.diagnosis.reliability.n_bins:  # else no counts are handed on
        groups = natural_frequencies(
            spec.induced(cases_seen(predictions, spec.lens)),
            spec.binning,
            carrying.diagnosis.reliability,
            rejected,
        )
    words = (
        ("calibrated", glossary("calibrated")),
        ("point", glossary("point")),
        ("chance", glossary("chance")),
        ("check", glossary("check")),
    )
    asked = front_page.asked_sentences(predictions, assessment.verdicts, spec.unit, noun)
    enough = front_page.NOT_PLANNED if plan is None else ""  # else it stands beside the verdict
    to_do = front_page.steps(overall, assessment.mismatch is not None, recalibration, noun, enough, elsewhere)
    return Front(
        asked=short(asked),
        valid_if=short(front_page.valid_if(spec.unit, noun)),
        has_figure=bool(drawn) and drawn[0].title == heading(carrying),
        counted_heading=front_page.counted_heading(noun),
        counted=tuple(map(short, natural_frequency_sentences(groups, spec.lens, noun))),
        counted_note=natural_frequencies_note(groups, spec.interval, rejected, noun)
        if carrying.diagnosis.reliability.n_bins
        else COUNTS_KEPT_BACK,
        to_do=tuple(map(short, to_do)),
        not_to_conclude=tuple(map(short, front_page.not_to_conclude(overall, noun))),
        words=tuple((term, in_noun(line, noun)) for term, line in words),
    )
