"""All of many classes in the order of their difference, as the survey looks at a few of them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore.sensitivity.class_screen import ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.words.screened import MOST_LISTED, screen_note, screen_rows, screen_sentence
from pages.ui import progress, settings, show
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work import studies

_ROW, _AROUND = 35, 160
"""Pixels of a row of a table, and of what stands around the table."""
_CLICKS = "all-classes-clicks"


def section(data: Loaded, evidence: ClassesByEvidence, choose: Callable[[str], None]) -> None:
    """The table, where the survey leaves classes out; a click on a row chooses its class."""
    if not evidence.left_out:
        return
    total = data.predictions.m
    st.subheader(f"Of all {total:,} classes, those that differ most", help=show.glossary("difference"))
    job = studies.screened(data.predictions, settings.current())
    progress.show(
        job,
        "Looking at all classes",
        lambda screen: _draw(screen, evidence, choose),
        height=0 if job.ready else _ROW * (1 + MOST_LISTED) + _AROUND,  # there may be fewer rows
    )


def _draw(screen: ClassScreen, evidence: ClassesByEvidence, choose: Callable[[str], None]) -> None:
    st.markdown(plain(screen_sentence(screen)))
    if not screen.names:
        return
    # A table of its own after each click: a selection that stayed would choose the class again.
    key = f"all-classes-{st.session_state.setdefault(_CLICKS, 0)}"
    st.dataframe(
        screen_rows(screen, evidence),
        hide_index=True,
        height="content",
        column_config={"Adjusted p": st.column_config.TextColumn(help=show.glossary("adjusted p"))},
        alt="Classes with their difference, which way it goes, and how many were expected and happened.",
        key=key,
        on_select=partial(_clicked, key, screen.names, choose),
        selection_mode=["single-row", "single-cell"],
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Click a row to open its diagram. {plain(screen_note(screen))}", width="stretch")
        show.csv_button(partial(screen_rows, screen, evidence, exact=True), "all-classes", "all-classes")


def _clicked(key: str, names: tuple[str, ...], choose: Callable[[str], None]) -> None:
    chosen = st.session_state[key].selection
    picked = [*chosen.rows, *(cell[0] for cell in chosen.cells)]
    if picked:
        st.session_state[_CLICKS] += 1
        choose(names[picked[0]])
