"""The diagrams of the groups on shared scales, on demand."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore.painters.screen.multiples import group_multiples_figure, panel_chosen
from calibcore.questions.groups import Group, GroupDiagram, GroupSurvey
from calibcore.questions.groups import words as grouping
from pages.ui import dates, progress, saving, show, state
from pages.ui.show import plain
from pages.work import studies

SIDE_BY_SIDE = 2
"""Panels in one figure. Two figures stand side by side, one below the other on a phone."""


def section(survey: GroupSurvey, data: state.Loaded, opens: Callable[[Group], None]) -> None:
    """A fold with a diagram a group, drawn when it is opened; ``opens`` is told whose cross was clicked."""
    show.fold(
        "The groups' diagrams side by side", "fold-group-diagrams", partial(_inside, survey, data, opens)
    )


def _inside(survey: GroupSurvey, data: state.Loaded, opens: Callable[[Group], None]) -> None:
    job = studies.diagrams_of_groups(data.predictions, survey, dates.order(data)).begun()
    progress.show(
        job, "Drawing the groups", lambda drawn: _draw(survey, drawn, data, opens), height=progress.FIGURE
    )


def _draw(
    survey: GroupSurvey, drawn: tuple[GroupDiagram, ...], data: state.Loaded, opens: Callable[[Group], None]
) -> None:
    groups = [diagram.group for diagram in drawn]
    st.markdown(plain(grouping.diagrams_sentence(survey, groups)))
    for row in range(0, len(drawn), 2 * SIDE_BY_SIDE):
        for column, first in zip(st.columns(2), (row, row + SIDE_BY_SIDE), strict=True):
            if first < len(drawn):
                key = f"group-diagrams-{first}"
                with column:
                    figure = group_multiples_figure(drawn, first, SIDE_BY_SIDE, data.noun, show.theme())
                    show.panel(
                        show.dressed(figure, chosen=True),
                        key=key,
                        alt=grouping.diagrams_alt(groups, first, SIDE_BY_SIDE),
                        on_select=partial(_clicked, key, groups, opens),
                    )
    saving.button(saving.on_paper("group_multiples_print", drawn), "groups", "group-diagrams")
    show.fold(
        "How to read this",
        "group-diagrams-reading",
        lambda: st.markdown(show.reading_of("group-diagrams", data.noun)),
        look="compact",
    )


def _clicked(key: str, groups: list[Group], opens: Callable[[Group], None]) -> None:
    place = panel_chosen(st.session_state[key].selection.points)
    if place is not None:
        opens(groups[place])
