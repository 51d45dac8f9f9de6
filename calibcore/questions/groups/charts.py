"""What the charts of groups show: their sizes on one axis, and their diagrams side by side."""

from collections.abc import Sequence

from calibcore.charts.forest import Row, forest_rows
from calibcore.charts.multiples import Panel
from calibcore.questions.groups import GroupDiagram, GroupSurvey
from calibcore.questions.groups.words import by_gap, group_name, group_titles
from calibcore.words.sizes import gap_cell, typical_digits


def groups_rows(survey: GroupSurvey) -> list[Row]:
    """The groups that were tested as rows of a forest, the largest typical gap first."""
    return forest_rows(
        [
            (f"{group.column} {group.value}", "" if group.n is None else f", {group.n:,} cases", verdict)
            for group, verdict in by_gap(survey)
        ]
    )


def groups_says(survey: GroupSurvey) -> str:
    """The figure in words, for who cannot see it; empty where no group was tested."""
    tested = [(group, group.verdict) for group in survey.tested if group.verdict is not None]
    if not tested:
        return ""
    digits = typical_digits([verdict.typical_gap for _, verdict in tested])
    pair = (extreme(tested, key=lambda pair: pair[1].typical_gap.value) for extreme in (min, max))
    ends = [f"{gap_cell(v.typical_gap, digits)} in {group_name(g.column, g.value)}" for g, v in pair]
    if len(tested) == 1:
        return f"One group, with a typical gap of {ends[0]}."
    return f"{len(tested):,} groups, with typical gaps from {ends[0]} to {ends[1]}."


def group_panels(groups: Sequence[GroupDiagram]) -> list[Panel]:
    """A panel a group, in their order."""
    titles = group_titles([shown.group for shown in groups])
    return [
        Panel(group_name(shown.group.column, shown.group.value), below, shown.group.verdict, shown.diagram)
        for shown, below in zip(groups, titles, strict=True)
        if shown.group.verdict is not None
    ]
