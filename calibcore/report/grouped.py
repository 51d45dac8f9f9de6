"""The part of a report that looks at groups of cases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from calibcore.data.times import DayOrder
from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.groups import Group, GroupSurvey
from calibcore.questions.groups.run import FEWEST
from calibcore.report.cleaning import LONGEST_NAME, one_line
from calibcore.report.parts import Part
from calibcore.report.plates import Plate, plate_of
from calibcore.words import grouping
from calibcore.words.looking import name_shown_in
from calibcore.words.repeating import groups_command
from calibcore.words.reporting import GROUPS_HEADING

METHODS_HEAD = "How groups were looked at"


def grouped_part(
    found: GroupSurvey, origin: Reading | str, dates: DayOrder | None = None, with_rows: bool = False
) -> Part:
    """What a report says of groups; ``origin`` says how the file was read, ``dates`` how dates were."""
    shown = _named(found if with_rows else without_cases(found))
    rows = grouping.group_rows(shown)
    below = (grouping.withheld_sentence(found), grouping.NOT_IMPLIED, *found.notes)
    words = (*grouping.column_sentences(_named(found)), *grouping.methods(found))
    return Part(
        "groups",
        shown.to_document(),
        _plate(shown, rows),
        (("groups", f"Group by group, {name_shown_in(found)}", rows, " ".join(filter(None, below))),),
        (METHODS_HEAD, " ".join(words)),
        GROUPS_HEADING,
        groups_command(found, origin, dates),
    )


def without_cases(found: GroupSurvey) -> GroupSurvey:
    """Without groups of fewer than 20 cases, and without what tells one case by a difference.

    What is said of all cases and of the shown groups of a column leaves what is true of the rest. Where the
    rest is one case the column has no net gaps. Nor have groups, or the worst set, of one case more or less
    than those of other columns or all. Tests, typical gaps and verdicts stay what they are.
    """
    shown = [group for group in found.groups if group.n >= FEWEST]
    hidden = Counter[str]()
    for group in found.groups:
        hidden[group.column] += group.n if group.n < FEWEST else 0
    bare = tuple(
        _without_net_gap(group)
        if hidden[group.column] == 1 or _one_apart(group.n, group.column, shown, found.n)
        else group
        for group in shown
    )
    worst = found.worst
    if worst is not None and _one_apart(worst.n, "", shown, found.n):
        worst = None
    return replace(found, groups=bare, worst=worst)


def _one_apart(n: int, column: str, shown: Sequence[Group], of_all: int) -> bool:
    """Whether a set of so many cases has one more or less than a group of another column, or than all."""
    others = {group.n for group in shown if group.column != column} | {of_all}
    return not others.isdisjoint((n - 1, n + 1))


def _without_net_gap(group: Group) -> Group:
    return replace(group, verdict=group.verdict and replace(group.verdict, frequencies=()))


def _named(found: GroupSurvey) -> GroupSurvey:
    """With names that a report can show: one line each, not too long."""

    def short(name: str) -> str:
        return one_line(name, LONGEST_NAME)

    groups = tuple(replace(g, column=short(g.column), value=short(g.value)) for g in found.groups)
    columns = {short(name): kind for name, kind in found.columns.items()}
    worst = found.worst
    if worst is not None:
        where = tuple(
            (short(name), tuple(map(short, values)), inside) for name, values, inside in worst.where
        )
        worst = replace(worst, where=where)
    return replace(
        found, groups=groups, columns=columns, worst=worst, notes=tuple(map(one_line, found.notes))
    )


def _plate(shown: GroupSurvey, rows: Sequence[dict[str, str]]) -> Plate:
    sentences = [grouping.headline(shown), grouping.global_sentence(shown)]
    if shown.worst is not None:
        sentences.append(grouping.worst_sentence(shown, shown.worst))
    return plate_of(
        "groups",
        f"Groups by their typical gap: {name_shown_in(shown)}",
        sentences,
        rows,
        on_screen("forest.groups_figure", shown),
        on_paper("groups_print", shown),
    )
