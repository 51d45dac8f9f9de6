"""What a report may hold beside the survey, where its author wants it: a part each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibcore.answers import QUESTIONS
from calibcore.answers.blocks import Caution, Chart, Methods, Sentences, every_table
from calibcore.answers.question import Question
from calibcore.data.times import DayOrder
from calibcore.drawing import on_paper, on_screen
from calibcore.errors import InputError
from calibcore.io import Reading
from calibcore.questions.compare import Comparison
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.monitor import Monitoring
from calibcore.report.cleaning import named_comparison, named_groups, named_monitoring
from calibcore.report.plates import Plate, plate_of
from calibcore.report.privacy import (
    comparison_without_cases,
    monitoring_without_cases,
)
from calibcore.wording import count, in_noun, sentences
from calibcore.words import comparing, grouping, monitoring, reporting
from calibcore.words.looking import name_in, name_shown_in
from calibcore.words.repeating import (
    Repeat,
    comparison_command,
    groups_command,
    monitoring_command,
)
from calibcore.words.tables import spread

MOST_ROWS = 24
"""Windows of a table that is read."""
UNNUMBERED = "An outcome was given probability 0, and it happened: that alone refutes the model."


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with the same keys, what stands above and below them."""

    name: str
    title: str
    rows: Sequence[Mapping[str, object]]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Part:
    """A question that was asked beside the survey, and what came of it.

    Attributes
    ----------
    document : what was found, with names as they are shown; nothing of single cases unless rows are wanted
    plate : its figure
    tables : its tables, in their order
    methods : heading and paragraph
    heading : what stands above the command
    repeat : the command that gives the same again
    """

    document: Mapping[str, Any]
    plate: Plate
    tables: tuple[Table, ...]
    methods: tuple[str, str]
    heading: str
    repeat: Repeat

    @property
    def name(self) -> str:
        """Its key in the report's document, "comparison" say."""
        return self.plate.name


def compared(comparison: Comparison, origins: Mapping[str, Reading | str], with_rows: bool = False) -> Part:
    """What a report says of a comparison; ``origins`` says by name how the file of each model was read."""
    of = named_comparison(comparison)
    of = of if with_rows else comparison_without_cases(of)
    rows = comparing.model_rows(of)
    plate = plate_of(
        "comparison",
        f"Compared through the same lens: {name_in(of)}",
        (comparing.headline(of), comparing.best_score(of)),
        rows,
        on_screen("forest.comparison_figure", of),
        on_paper("comparison_print", of),
    )
    joined = " ".join((comparing.joined_sentence(of), *of.notes))
    nested, beside = comparing.nested_rows(of), comparing.BETTER_IS_NOT_ALL
    tables = (
        Table("models", "Models compared, by typical gap", rows, joined),
        Table("pairs", "Pair by pair", comparing.pair_rows(of), "Differences are first less second."),
        Table("left-out", "What each model leaves out", nested, beside),
    )
    methods = " ".join((comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD))
    return Part(
        of.to_document(),
        plate,
        tables,
        ("How models were compared", methods),
        reporting.COMPARISON_HEADING,
        comparison_command(comparison, origins),
    )


def grouped_part(
    found: GroupSurvey,
    origin: Reading | str,
    dates: DayOrder | None = None,
    with_rows: bool = False,
    besides: Collection[str] = (),
) -> Part:
    """What a report says of groups; ``origin`` says how the file was read, ``dates`` how dates were, and
    ``besides`` which columns cross with other things in it."""
    shown = named_groups(found if with_rows else found.without_cases(besides))
    rows, lens = grouping.group_rows(shown), name_shown_in(found)
    worst = "" if shown.worst is None else grouping.worst_sentence(shown, shown.worst)
    plate = plate_of(
        "groups",
        f"Groups by their typical gap: {lens}",
        (grouping.headline(shown), grouping.global_sentence(shown), worst),
        rows,
        on_screen("forest.groups_figure", shown),
        on_paper("groups_print", shown),
    )
    below = (
        grouping.withheld_sentence(found),
        "" if with_rows else grouping.kept_back_sentence(shown),
        "" if shown.worst is not None or found.worst is None else grouping.WORST_KEPT_BACK,
        grouping.NOT_IMPLIED,
        *found.notes,
    )
    methods = (*grouping.column_sentences(named_groups(found)), *grouping.methods(found))
    return Part(
        shown.to_document(),
        plate,
        (Table("groups", f"Group by group, {lens}", rows, sentences(*below)),),
        ("How groups were looked at", " ".join(methods)),
        reporting.GROUPS_HEADING,
        groups_command(found, origin, dates),
    )


def monitored_part(
    found: Monitoring,
    origin: Reading | str,
    noun: str = "case",
    dates: DayOrder | None = None,
    with_rows: bool = False,
) -> Part:
    """What a report says of the evidence in time; ``origin`` says how the file was read, ``dates`` how dates
    were."""
    shown = named_monitoring(found if with_rows else monitoring_without_cases(found))
    document, head = shown.to_document(), monitoring.headline(shown, noun)
    if shown.stopped is not None and not with_rows:
        document["data"]["n"] = document["stopped"] = None
        head = UNNUMBERED
    every_row = monitoring.window_rows(shown)
    rows = spread(every_row, MOST_ROWS)
    plate = plate_of(
        "monitoring",
        f"Evidence against calibration in time: {name_shown_in(shown)}",
        (head, *monitoring.more(shown, noun)),
        rows,
        on_screen("evidence.evidence_figure", shown, noun=noun),
        on_paper("evidence_print", shown, noun),
    )
    windows = len(shown.windows.kept)
    left_out = f"The table has {len(rows):,} of {windows:,} windows; the JSON has all."
    below = (
        monitoring.windows_sentence(shown, noun),
        left_out if len(rows) < windows else "",
        monitoring.order_sentence(shown),
        monitoring.unit_sentence(shown),
        *shown.notes,
    )
    title = f"Observed minus predicted in windows of {count(shown.windows.size, noun)}"
    return Part(
        document,
        plate,
        (Table("windows", title, rows, sentences(*below)),) if rows else (),
        ("How the model was watched in time", f"{monitoring.METHOD} {monitoring.ORDER}"),
        reporting.MONITORING_HEADING,
        monitoring_command(found, origin, dates),
    )


def question_of(found: Any) -> Question[Any]:
    """The question whose answer a report holds.

    Raises
    ------
    InputError : no report holds such an answer.
    """
    question = QUESTIONS.get(type(found))
    if question is None or question.without_cases is None or question.repeat is None:
        raise InputError(f"No report holds an answer of the type {type(found).__name__!r}.")
    return question


def answered(found: Any, origin: Reading | str, noun: str = "case", with_rows: bool = False) -> Part | None:
    """What a report says of an answer; ``origin`` says how the file was read. None where all of it would be
    about single cases, and no rows are wanted.

    Raises
    ------
    InputError : an answer that no report holds.
    """
    question = question_of(found)
    assert question.without_cases is not None, "else no report holds it"
    assert question.repeat is not None, "else no report holds it"
    told = found if with_rows else question.without_cases(found)
    if told is None:
        return None
    answer = question.says(found, noun, told)
    (chart,), (methods,) = answer.each(Chart), answer.each(Methods)
    resting = (line for block in answer.each(Sentences) for line in block.lines)
    notes = [block.text for block in answer.each(Caution)]
    plate = plate_of(
        question.name,
        in_noun(question.title, noun),
        (answer.headline, chart.caption, *resting),
        chart.table.few_rows(),
        on_screen(chart.screen, chart.of, **chart.options),
        on_paper(chart.paper, chart.of, **chart.options),
    )
    tables = []
    for i, table in enumerate(every_table(answer.blocks)):
        title = f"{table.title}, {answer.lens}" if table.of_lens else table.title
        below = sentences(*table.notes, *(() if i else notes))
        tables.append(Table(table.name, title, table.few_rows(), below))
    return Part(
        question.document(found, told),
        plate,
        tuple(tables),
        (methods.title, " ".join(methods.lines)),
        question.again,
        question.repeat(found, origin),
    )
