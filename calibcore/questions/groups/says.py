"""The answer about groups: where each of its sentences, its table and its figure stands, and what is told."""

from collections.abc import Callable
from dataclasses import replace

from calibcore.answers.blocks import Answer, Chart, Headline, Methods, Notes, Sentences
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.assessment.verdict import Verdict
from calibcore.data.confidence import TRUTH
from calibcore.data.times import DayOrder
from calibcore.diagram.gap_sizes import Interval
from calibcore.io import Reading
from calibcore.questions.groups import Group, GroupSurvey
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.by_label import BY_LABEL
from calibcore.questions.groups.charts import groups_says
from calibcore.questions.groups.differences import REGION
from calibcore.questions.groups.redrawn import STATISTICS
from calibcore.questions.groups.words import UNKNOWN
from calibcore.wording import count, sentences
from calibcore.words.looking import name_shown_in
from calibcore.words.phrases import p_words
from calibcore.words.repeating import (
    COMPARED,
    Command,
    Repeat,
    as_asked,
)
from calibcore.words.sizes import gap_cell, in_keys, net_gap, smallest_words, typical_digits
from calibcore.words.verdicts import chip_text


def says(survey: GroupSurvey, noun: str = "case", shared: GroupSurvey | None = None) -> Answer:
    """The answer. ``shared``: the same as it is handed on; all is of it but how many groups were not tested,
    and how it was found out."""
    shared, kept_back = shared or survey, ("", "")
    if shared is not survey:
        lost = survey.worst is not None and shared.worst is None
        kept_back = grouping.kept_back_sentence(shared), grouping.WORST_KEPT_BACK if lost else ""
    table = groups_table(shared, grouping.withheld_sentence(survey))
    worst = "" if shared.worst is None else grouping.worst_sentence(shared, shared.worst)
    how = [*grouping.column_sentences(survey), *grouping.methods(survey)]
    return Answer(
        (count(survey.n, noun), count(len(survey.groups), "group")),
        name_shown_in(survey),
        (
            Headline(grouping.headline(shared)),
            Sentences(
                (
                    sentences(*grouping.worst_sentences(shared)),
                    grouping.between_sentence(shared),
                    grouping.global_sentence(shared),
                    worst,
                    grouping.beside_sentence(shared),
                )
            ),
            Chart(
                name="groups",
                title="The typical gap in each group",
                says=groups_says(shared),
                screen="forest.groups_figure",
                paper="groups_print",
                of=shared,
                noun="",
                table=table,
                term="typical gap",
            ),
            table,
            Notes(
                (
                    *kept_back,
                    grouping.NOT_IMPLIED,
                    *(grouping.BY_TRUTH,) * (TRUTH in survey.columns),
                    *survey.notes,
                )
            ),
            Methods("How groups were looked at", tuple(how)),
        ),
    )


def groups_table(survey: GroupSurvey, *notes: str) -> Table[Group]:
    """A row a group, column by column; of small groups nothing but their name."""
    verdicts = [verdict for verdict in map(_verdict, survey.groups) if verdict is not None]
    digits = typical_digits([verdict.typical_gap for verdict in verdicts])

    def net(verdict: Verdict) -> str:
        return net_gap(verdict.lens, verdict.frequencies, digits, unit=False)

    def typical(verdict: Verdict) -> str:
        return gap_cell(verdict.typical_gap, digits, unit=False)

    columns: list[Column[Group]] = [
        Column("Column", "column", lambda group: group.column),
        Column("Group", "value", lambda group: group.value),
        Column("Cases", "n", lambda group: group.n, grouping.cases_words, right=True, unknown=UNKNOWN),
        Column("", "p", lambda group: group.pvalue),
        Column("", "adjusted p", lambda group: group.adjusted),
        Column("Verdict", "verdict", _chip, unknown=grouping.NOT_TESTED),
        Column(grouping.NET_GAP, "", _verdict, net, unknown=UNKNOWN),
        Column(grouping.TYPICAL_GAP, "", _verdict, typical, unknown=UNKNOWN),
        Column("", in_keys("typical gap"), lambda group: _ends(_typical(group))),
    ]
    if any(len(verdict.frequencies) == 1 for verdict in verdicts):
        columns.append(Column("", in_keys("net gap"), lambda group: _ends(_net(group))))
    if any(verdict.detectable for verdict in verdicts):  # it is found where no error was
        columns.append(Column(grouping.SMALLEST, "", _smallest, unknown=UNKNOWN))
    columns.append(Column("Adjusted p", "", _adjusted, right=True, unknown=UNKNOWN))
    columns.append(Column("", "withheld", lambda group: group.withheld))
    return Table("groups", "Group by group", tuple(columns), survey.groups, notes=notes)


def table_handed_on(survey: GroupSurvey) -> Table[Group]:
    """:func:`groups_table` as it is handed on, each group with why its counts are kept back, if they are.

    A file is handed on as a document is, see :meth:`.GroupSurvey.without_cases`.
    """
    shared = survey.without_cases()
    why, table = shared.kept_back or {}, groups_table(shared)
    reason: Column[Group] = Column("", "counts", lambda group: why.get(group.column, ""))
    return replace(table, columns=(*table.columns, reason)) if why else table


def _verdict(group: Group) -> Verdict | None:
    return None if group.adjusted is None else group.verdict


def _chip(group: Group) -> str | None:
    verdict = _verdict(group)
    return None if verdict is None else chip_text(verdict)


def _typical(group: Group) -> Interval | None:
    verdict = _verdict(group)
    return None if verdict is None else verdict.typical_gap


def _net(group: Group) -> Interval | None:
    verdict = _verdict(group)
    return None if verdict is None or len(verdict.frequencies) != 1 else verdict.frequencies[0].gap


def _ends(interval: Interval | None) -> tuple[float | None, ...]:
    return (None, None, None) if interval is None else (interval.value, interval.low, interval.high)


def _smallest(group: Group) -> str | None:
    verdict = _verdict(group)
    return smallest_words(verdict) if verdict is not None and verdict.detectable else None


def _adjusted(group: Group) -> str | None:
    if _verdict(group) is None or group.adjusted is None:
        return None
    return p_words(group.adjusted, group.at_floor, short=True)


def _named(survey: GroupSurvey, name: Callable[[str], str], line: Callable[[str], str]) -> GroupSurvey:
    worst = survey.worst
    if worst is not None:
        parts = [(name(column), tuple(map(name, values)), inside) for column, values, inside in worst.where]
        worst = replace(worst, where=tuple(parts))
    return replace(
        survey,
        groups=tuple(replace(g, column=name(g.column), value=name(g.value)) for g in survey.groups),
        columns={name(column): kind for column, kind in survey.columns.items()},
        kept_back=survey.kept_back and {name(column): why for column, why in survey.kept_back.items()},
        worst=worst,
        between=survey.between and tuple(replace(b, column=name(b.column)) for b in survey.between),
        notes=tuple(map(line, survey.notes)),
    )


def _without_counts(survey: GroupSurvey) -> GroupSurvey:
    """Where groups together are a region of which no counts are told."""
    return replace(survey, kept_back=dict.fromkeys(survey.columns, REGION), worst=None, between=())


def groups_command(survey: GroupSurvey, origin: Reading | str, dates: DayOrder | None) -> Repeat:
    """The command that looks at the same groups again; ``dates`` says how dates that fit twice were read."""
    command = Command("groups", origin)
    for column in survey.columns:
        command.column("--by", column)
    if survey.worst is not None:
        command.words.append("--worst")
    if survey.statistic != STATISTICS[0]:
        command.flag("--statistic", survey.statistic)
    if dates is not None:
        command.flag("--dates", dates)
    return command.repeat(as_asked(survey.spec), COMPARED)


QUESTION = Question(
    name="groups",
    result=GroupSurvey,
    title="Groups by their typical gap",
    help="whether the model is calibrated in every group of cases",
    says=says,
    without_cases=GroupSurvey.without_cases,
    repeat=groups_command,
    again="And this one says the same of groups:",
    named=_named,
    in_notebooks=GroupSurvey.without_counts,
    place=30,
    what="The groups are",
    dated=True,
    without_counts=_without_counts,
    against=grouping.against,
    by_label=BY_LABEL,
)
