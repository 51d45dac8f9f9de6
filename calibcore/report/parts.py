"""What a report may hold beside the survey, where its author wants it: a part each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibcore.answers import tables
from calibcore.answers.blocks import Caution, Chart, Methods, Notes, Sentences, every_table
from calibcore.answers.question import Question
from calibcore.data.times import DayOrder
from calibcore.errors import InputError
from calibcore.questions.registry import QUESTIONS
from calibcore.report.cleaning import one_line, short_name
from calibcore.report.plates import Plate, caption, plate_of
from calibcore.wording import in_noun, sentences
from calibcore.words.repeating import Repeat


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with the same keys, what stands above and below them."""

    name: str
    title: str
    rows: Sequence[Mapping[str, object]]
    note: str = ""


def tabled(table: tables.Table[Any], *more: str) -> Table:
    """A table of an answer as a report has it, with ``more`` behind its notes; empty ones are left out."""
    return Table(table.name, table.title, table.few_rows(), sentences(*table.notes, *more))


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


def question_of(result: Any) -> Question[Any]:
    """The question whose answer a report holds.

    Raises
    ------
    InputError : no report holds such an answer.
    """
    question = QUESTIONS.get(type(result))
    if question is None or question.without_cases is None or question.repeat is None:
        raise InputError(f"No report holds an answer of the type {type(result).__name__!r}.")
    return question


def answered(
    result: Any,
    origin: Any,
    noun: str = "case",
    with_rows: bool = False,
    dates: DayOrder | None = None,
) -> Part | None:
    """What a report says of an answer; ``origin`` says how the file was read, of several by name, ``dates``
    how dates were. None where all of it would be about single cases, and no rows are wanted.

    Raises
    ------
    InputError : an answer that no report holds.
    """
    question = question_of(result)
    assert question.without_cases is not None, "else no report holds it"
    assert question.repeat is not None, "else no report holds it"
    shared = result if with_rows else question.without_cases(result)
    if shared is None:
        return None
    shown = question.named(result, short_name, one_line)
    shared = shown if shared is result else question.named(shared, short_name, one_line)
    answer = question.says(shown, noun, shared)
    (chart,), (methods,) = answer.each(Chart), answer.each(Methods)
    resting = (line for block in answer.each(Sentences) for line in block.lines)
    notes = [line for block in answer.each(Notes) for line in block.lines]
    notes += [block.text for block in answer.each(Caution)]
    title = in_noun(question.title, noun)
    plate = plate_of(
        chart,
        question.name,
        title if answer.lens in chart.caption else f"{title}: {answer.lens}",
        sentences(answer.headline, chart.caption, *resting),
        caption(question.name),
    )
    written = []
    for i, table in enumerate(every_table(answer.blocks)):
        if table.items or table.notes:
            title = f"{table.title}, {answer.lens}" if table.of_lens else table.title
            written.append(tabled(replace(table, title=title), *(() if i else notes)))
    return Part(
        question.document(shown, shared),
        plate,
        tuple(written),
        (methods.title, " ".join(methods.lines)),
        question.again,
        question.repeat(result, origin, *((dates,) if question.dated else ())),
    )
