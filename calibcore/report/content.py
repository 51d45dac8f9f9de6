"""What a report says, once: three renderers write down the same object."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from calibcore.answers import blocks
from calibcore.answers.blocks import Badge, Beside, Sentences
from calibcore.answers.measures import checks_measured, scores_table
from calibcore.answers.nouns import rows_said_of
from calibcore.answers.question import Question
from calibcore.answers.survey import checks_table, classes_table, says, strongest_first
from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import MOST_CLASSES
from calibcore.assessment.rerun import binnings_of
from calibcore.data.several_labels import Cases
from calibcore.data.times import DayOrder
from calibcore.errors import InputError
from calibcore.io import Origin
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import Decisions
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.groups.differences import regions_kept_back
from calibcore.questions.monitor import Monitoring
from calibcore.questions.over_labels import OverLabels, mapped
from calibcore.questions.plan import Plan
from calibcore.questions.plan.words import how_many_of
from calibcore.questions.recalibrate import Recalibration
from calibcore.questions.registry import QUESTIONS
from calibcore.report import front_page
from calibcore.report.cleaning import LONGEST_NOUN, LONGEST_SETTINGS, Shortened, one_line
from calibcore.report.front import Front, front_of
from calibcore.report.parts import (
    Part,
    Table,
    answered,
    question_of,
    tabled,
)
from calibcore.report.plates import Plate, plates, whole_of
from calibcore.report.privacy import without_cases, without_counts_of
from calibcore.settings import DiagnosisSpec
from calibcore.wording import in_noun
from calibcore.words import reporting
from calibcore.words.file_names import file_name
from calibcore.words.phrases import sample_sentence
from calibcore.words.readings import mismatch_sentence
from calibcore.words.repeating import IN_PYTHON, Repeat, survey_command
from calibcore.words.reported_methods import methods_parts, references
from calibcore.words.results import impossible_outcomes, narrow_bandwidth
from calibcore.words.tables import csv_of
from calibcore.words.testing import rows_doubt
from calibcore.words.verdict_rows import refused_lines
from calibcore.words.verdicts import of_labels


@dataclass(frozen=True, eq=False)
class Report:
    """A report: plain text everywhere, nothing is markup.

    Attributes
    ----------
    date, date_words : "2026-11-21" and as a person reads it
    badge : the verdict on the whole
    answer, more : the answer in a sentence, and what it rests on
    front : what else the first page says
    cautions : what has to be known before anything is believed
    plates, tables : the figures and the tables, in their order
    methods : heading and paragraph
    temperature : which one would explain what happened; empty in reports of surveys without it
    parts : on other models of the same cases, recalibration, groups, time, decisions and how many cases would
        tell, where the author wants them
    predictions : one row a case as CSV, where the author wants it in the report; else None
    repeat : the command that gives the same p-values and verdicts
    settings : every setting as it was used, as JSON
    judged, spec : what all of it was made of, without bins of one case unless rows are wanted
    """

    title: str
    model: str
    date: str
    date_words: str
    noun: str
    subtitle: str
    badge: Badge
    answer: str
    more: str
    front: Front
    temperature: str
    not_said: str
    cautions: tuple[str, ...]
    plates: tuple[Plate, ...]
    tables: tuple[Table, ...]
    refused: tuple[str, ...]
    methods: tuple[tuple[str, str], ...]
    references: tuple[str, ...]
    repeat: Repeat
    settings: str
    class_counts: Mapping[str, int]
    assessment: Assessment
    spec: DiagnosisSpec
    predictions: str | None = None
    parts: tuple[Part, ...] = ()

    @property
    def table_first(self) -> bool:
        """Whether the first table stands before the figures: that of several labels says what they are of."""
        return of_labels(self.assessment.verdicts)

    @property
    def n(self) -> int:
        """Cases."""
        return self.assessment.survey.diagnoses[0].n

    def file_name(self, what: str, ending: str) -> str:
        """What a file of it is called: "derm-report-2026-11-26.json"."""
        return file_name(self.model or self.title, what, ending, self.date)

    @property
    def fingerprint(self) -> str:
        """Of the predictions, all of it."""
        return self.assessment.survey.diagnoses[0].fingerprint

    @property
    def version(self) -> str:
        """What the survey was made with."""
        return self.assessment.survey.diagnoses[0].version


def report_of(
    predictions: Cases,
    assessment: Assessment,
    spec: DiagnosisSpec,
    *,
    title: str,
    date: str,
    noun: str = "case",
    model: str = "",
    caution: str = "",
    with_rows: bool = False,
    origin: Origin = IN_PYTHON,
    origins: Mapping[str, Origin] = MappingProxyType({}),
    answers: Sequence[Any] = (),
    dates: DayOrder | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report of a judged survey of these predictions; the same input gives the same report.

    date : as 2026-11-21; never taken from the clock
    model : what the model is called
    caution : what has to stand beside every p-value, that cases repeat, say
    with_rows : every case's probabilities and label go into HTML and JSON, and into the PDF as an attachment
    origin : how a file was read, or what the data are in words, for the command that repeats the report
    origins : by name how the file of each model of a comparison was read
    answers : what questions found of these predictions, one of each at most; a plan also says how many such
        cases would tell, where without it the report says what plans. Evidence in time has these
        predictions last
    dates : whether the day or the month came first for groups and evidence in time, where dates fitted both

    Cost: as the exact test of the bins of three or four classes.

    Raises
    ------
    InputError : a date in another form; weighted predictions; other predictions than were surveyed; answers
        of other predictions, of one question twice, or that no report holds.
    """
    date_in_words = reporting.date_words(date)
    if assessment.survey.diagnoses[0].fingerprint != predictions.fingerprint:
        raise InputError("The survey was made of other predictions.")
    unit = assessment.survey.diagnoses[0].spec.unit
    held = _by_question(predictions, answers)
    asked = [result.spec.lens for result in held.values()]
    surveyed = [diagnosis.spec.lens for diagnosis in assessment.survey.diagnoses]
    back = frozenset() if with_rows else regions_kept_back(predictions, [*surveyed, *asked], unit)
    assessment = without_counts_of(assessment, back)
    shared = {
        q: q.without_counts(result) if result.spec.lens in back else result for q, result in held.items()
    }
    held = {question: result for question, result in shared.items() if result is not None}
    plan = next((result for result in held.values() if isinstance(result, Plan)), None)
    recalibration = next((result for result in held.values() if isinstance(result, Recalibration)), None)
    short = Shortened(predictions.class_names)
    title, model, noun = one_line(title), one_line(model), one_line(noun, LONGEST_NOUN)
    answer = says(assessment, noun, "" if plan is None else how_many_of(assessment.verdicts, plan, noun))
    (badge,), (resting, unsaid) = answer.each(Badge), answer.each(Sentences)
    (beside,), (units,) = answer.each(Beside), answer.each(blocks.Cases)
    diagnoses = assessment.survey.diagnoses
    settings = diagnoses[0].spec
    two, many = binnings_of(diagnoses)
    used = replace(settings, lens=spec.lens, binning=two or many or settings.binning)
    # What the survey used holds; of what it has no use for and of its redraws, what was asked for.
    spec = replace(used, tests=spec.tests, estimates=spec.estimates, resamples=spec.resamples)
    impossible = max(diagnoses, key=lambda d: d.impossible_outcomes)
    wrong = mismatch_sentence(assessment.mismatch, noun) if assessment.mismatch else ""
    open_to_all = without_cases(assessment)
    parts: list[Part] = []
    for question, result in held.items():
        read = origins if question.several else origin
        part = answered(
            _beside(result, held, with_rows), read, noun, with_rows, dates, predictions.fingerprint
        )
        parts += [] if part is None else [part]
    elsewhere = front_page.elsewhere_sentence([(part.title, part.against) for part in parts])
    cautions = (
        wrong,
        elsewhere,
        sample_sentence(predictions.n, noun, predictions.drawn_from),
        units.text,
        caution,
        impossible_outcomes(impossible, noun),
        rows_doubt(whole_of(assessment)),
        narrow_bandwidth(whole_of(assessment)),
    )
    classes = reporting.classes_told(open_to_all, MOST_CLASSES)
    tables = [
        tabled(checks_table(diagnoses, assessment.verdicts), reporting.verdicts_note(assessment, noun)),
        tabled(classes_table(classes, settings.unit, shares=True), reporting.classes_left_out(assessment)),
        tabled(checks_measured(strongest_first(diagnoses, assessment.verdicts), noun)),
        tabled(replace(scores_table(diagnoses[0]), notes=())),  # their title says it
    ]
    repeat = survey_command(assessment, predictions, origin)
    drawn = plates(predictions, assessment, noun, progress)
    *methods, last = methods_parts(assessment, model, noun)
    for part in parts:
        drawn += [replace(plate, reading=in_noun(plate.reading, noun)) for plate in part.plates]
        tables += part.tables
        methods += part.methods
    return Report(
        title=title,
        model=model,
        date=date,
        date_words=date_in_words,
        noun=noun,
        subtitle=short(reporting.subtitle("" if model == title else model, predictions, noun)),
        badge=badge,
        answer=short(answer.headline),
        more=short(" ".join(resting.lines)),
        front=front_of(predictions, assessment, drawn, noun, recalibration, plan, bool(elsewhere), short),
        temperature=beside.text,
        not_said=short(" ".join(unsaid.lines)),
        cautions=tuple(short(words) for words in cautions if words),
        plates=tuple(
            replace(
                plate,
                title=short(plate.title),
                says=short(plate.says),
                reading=short(plate.reading),
                rows=short.rows(rows_said_of(plate.rows, noun)),
            )
            for plate in drawn
        ),
        tables=tuple(
            replace(table, rows=short.rows(rows_said_of(table.rows, noun)), note=short(table.note))
            for table in tables
            if table.rows
        ),
        refused=tuple(map(short, refused_lines(assessment.survey.refused))),
        methods=tuple((head, short(words)) for head, words in (*methods, last)),
        references=tuple(references(diagnoses[0].spec)),
        repeat=repeat if plan is not None else repeat.noted(how_many_of(assessment.verdicts, None, noun)),
        settings=one_line(used.to_json(), LONGEST_SETTINGS),
        class_counts=dict(zip(predictions.class_names, predictions.class_counts.tolist(), strict=True)),
        assessment=assessment if with_rows else open_to_all,
        spec=spec,
        predictions=csv_of(reporting.prediction_rows(predictions)) if with_rows else None,
        parts=tuple(parts),
    )


def _by_question(predictions: Cases, answers: Sequence[Any]) -> dict[Question[Any], Any]:
    """Question -> what it found of these predictions.

    Raises
    ------
    InputError : found in other predictions, one question twice, or one whose answer no report holds.
    """
    held: dict[Question[Any], Any] = {}
    for result in answers:
        question = question_of(result)
        if question.made_of(result) not in (None, predictions.fingerprint):
            raise InputError(f"{question.what} of other predictions.")
        if question.name in {other.name for other in held}:
            raise InputError(f"Two answers are about {question.name!r}; a report holds one.")
        held[question] = result
    return dict(sorted(held.items(), key=lambda pair: pair[0].place))


def _beside(result: Any, held: Mapping[Question[Any], Any], with_rows: bool) -> Any:
    """What may be told of it beside the others, whose groups and windows in time cross with its groups."""
    beside = {question.name for question in held}
    if with_rows:
        return result
    change = partial(_beside_others, beside)
    return mapped(change, result) if isinstance(result, OverLabels) else change(result)


def _beside_others(beside: Set[str], result: Any) -> Any:
    in_time = QUESTIONS[Monitoring].name in beside
    if isinstance(result, Decisions) and (in_time or QUESTIONS[GroupSurvey].name in beside):
        return replace(result, by_group=None)
    if isinstance(result, GroupSurvey) and in_time:
        return result.beside([name for name, kind in result.columns.items() if kind == "months"])
    return result
