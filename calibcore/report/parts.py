"""What a report may hold beside the survey, where its author wants it: a part each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibcore.answers import tables
from calibcore.answers.blocks import Answer, Caution, Chart, Methods, Notes, Sentences, every_table
from calibcore.answers.question import Question
from calibcore.data.times import DayOrder
from calibcore.errors import InputError
from calibcore.questions.over_labels import OverLabels
from calibcore.questions.over_labels import question_of as asked_of
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
    name : of its question, its key in the report's document, "comparison" say
    plates : its figures; the first has the headline in its caption
    tables : its tables, in their order; without a figure the headline stands above the first
    methods : a heading and a paragraph each
    heading : what stands above the command
    repeat : the command that gives the same again
    title : what stands above its first figure or table
    against : what it has against the model, in a few words; empty for nothing
    """

    name: str
    document: Mapping[str, Any]
    plates: tuple[Plate, ...]
    tables: tuple[Table, ...]
    methods: tuple[tuple[str, str], ...]
    heading: str
    repeat: Repeat
    title: str
    against: str


def question_of(result: Any) -> Question[Any]:
    """The question whose answer a report holds.

    Raises
    ------
    InputError : no report holds such an answer.
    """
    question = asked_of(result) if isinstance(result, OverLabels) else QUESTIONS.get(type(result))
    if question is None or question.without_cases is None or question.repeat is None:
        raise InputError(f"No report holds an answer of the type {type(result).__name__!r}.")
    return question


def answered(
    result: Any,
    origin: Any,
    noun: str = "case",
    with_rows: bool = False,
    dates: DayOrder | None = None,
    fingerprint: str = "",
) -> Part | None:
    """What a report says of an answer. None where all of it would be about single cases, and no rows are
    wanted.

    origin : how the file was read, of several by name
    dates : how dates were
    fingerprint : of the predictions of the report

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
    answer = question.shared_answer(shown, noun, shared)
    notes = [line for block in answer.each(Notes) for line in block.lines]
    notes += [block.text for block in answer.each(Caution)]
    title = in_noun(question.title, noun)
    resting = [line for block in answer.each(Sentences) for line in block.lines]
    plates = _plates(answer, question.name, title, resting)
    tables = _tables(answer, notes)
    if not plates:
        rows = [{"Answer": line} for line in filter(None, (answer.headline, *resting))]
        tables.insert(0, Table(question.name, title, rows))
    return Part(
        question.name,
        question.document(shown, shared),
        tuple(plates),
        tuple(tables),
        tuple((methods.title, " ".join(methods.lines)) for methods in answer.each(Methods)),
        question.again,
        question.repeat(result, origin, *((dates,) if question.dated else ())),
        title,
        question.against(shared, fingerprint),
    )


def _plates(answer: Answer, name: str, title: str, resting: Sequence[str]) -> list[Plate]:
    """Its figures. The first stands for the answer: its title, and the headline in its caption; those behind
    it have their own, and how to read them where a text says so."""
    plates = []
    for number, chart in enumerate(answer.each(Chart)):
        if number:
            says, reading = sentences(chart.says, chart.caption), caption(chart.name, needed=False)
            plates.append(plate_of(chart, f"{name}-{chart.name}", chart.title, says, reading))
            continue
        named = title if not answer.lens or answer.lens in chart.caption else _through(title, answer.lens)
        says = sentences(answer.headline, chart.caption, *resting)
        plates.append(plate_of(chart, name, named, says, caption(name)))
    return plates


def _through(title: str, lens: str) -> str:
    """The title with the name of the lens; a question ends as one."""
    return f"{title[:-1]}: {lens}?" if title.endswith("?") else f"{title}: {lens}"


def _tables(answer: Answer, notes: Sequence[str]) -> list[Table]:
    """Its tables that hold something; below the first what is to be known of the cases."""
    written = []
    for i, table in enumerate(every_table(answer.blocks)):
        if table.items or table.notes:
            title = f"{table.title}, {answer.lens}" if table.of_lens else table.title
            written.append(tabled(replace(table, title=title), *(() if i else notes)))
    return written
