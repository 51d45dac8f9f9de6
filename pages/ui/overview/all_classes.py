"""All of many classes in the order of their difference, as the survey looks at a few of them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore.answers.classes import screen_table
from calibcore.sensitivity.class_screen import ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.words.classes import MOST_LISTED, screen_note, screen_sentence
from pages.ui import progress, settings, show
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work import studies

_ROW, _AROUND = 35, 160
"""Pixels of a row of a table, and of what stands around the table."""


def section(data: Loaded, evidence: ClassesByEvidence, choose: Callable[[str], None]) -> None:
    """The table, where the survey leaves classes out; a click on a row chooses its class."""
    if not evidence.left_out:
        return
    total = data.predictions.m
    st.subheader(f"Of all {total:,} classes, those that differ most", help=show.glossary("difference"))
    spec = settings.current()
    study = studies.screened(data.predictions, spec)
    known = study.finished() is not None
    job = study.begun()
    job.wait_a_moment()
    if job.ready and not known:
        st.rerun()  # boxes of classes say which of them differ, and were drawn before this was known
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
    place = show.clicked_row(
        screen_table(screen, evidence).rows(),
        "all-classes",
        "Classes with their difference, which way it goes, and how many were expected and happened.",
        column_config={"Adjusted p": st.column_config.Column(help=show.glossary("adjusted p"))},
    )
    invitation = f"Click a row to open its diagram. {plain(screen_note(screen))}"
    show.below_rows(invitation, partial(screen_table(screen, evidence).rows, exact=True), "all-classes")
    if place is not None:
        choose(screen.names[place])
        st.rerun()
