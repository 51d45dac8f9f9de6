"""Verdicts as pages show them: chip and sentence of the whole or of one lens, and what stands behind them."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, words
from calibcore.judged import Judged
from calibcore.verdict import Verdict
from calibcore.words import (
    answer_sentence,
    as_a_whole,
    impossible_outcomes,
    not_said,
    whole_parts,
)
from pages.ui import frame, jobs, order, progress, show, survey_table
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded

COLOURS = {"miscalibrated": "red", "consistent": "green", "cannot-tell": "orange"}
"""Colour of a verdict -> the name of the theme's colour that has it."""
MOST_SENTENCES = 10
"""Classes told in a sentence each; the table has all."""


def chip(found: Verdict) -> None:
    """The verdict at a glance, in words with an icon."""
    look = words.chip(found)
    st.badge(
        look.words,
        icon=f":material/{look.icon}:",
        color=COLOURS[look.colour],  # type: ignore[arg-type]
        help=glossary("verdict"),
    )


def answer(job: jobs.Job[Judged], data: Loaded) -> None:
    """The verdict on the whole; until it is there how far the work has come. First what puts it in doubt."""
    order.caution(data)
    progress.shown(job, "Looking through every lens", partial(_whole, data=data))


def _whole(found: Judged, data: Loaded) -> None:
    with st.container(gap="small", key="verdict"):
        found = survey_table.tolerated(found)
        chip(as_a_whole(found.verdicts))
        first, more = whole_parts(found.verdicts, data.noun)
        st.markdown(f"## {plain(first)}")
        if more:
            st.markdown(plain(more))
        frame.repeats(data)
        impossible = max(found.survey.diagnoses, key=lambda d: d.impossible_outcomes)
        if said := impossible_outcomes(impossible, data.noun):
            st.warning(plain(said))
        st.caption(plain(not_said(data.noun)))


def line(data: Loaded, spec: DiagnosisSpec, caution: bool = True) -> None:
    """The verdict on the lens in use, if the survey is there and holds it; nothing is computed for it."""
    found = survey_table.there(data)
    of_lens = next((v for v in found.verdicts if v.lens == spec.lens), None) if found else None
    if of_lens is None:
        return
    with st.container(gap="small", key="verdict-line"):
        chip(of_lens)
        st.markdown(plain(answer_sentence(of_lens, data.noun)))
        if caution:
            frame.caution(data)


def folds(job: jobs.Job[Judged], data: Loaded) -> None:
    """Below the answer, folded: every class in natural frequencies, and what could have been seen."""

    def when_ready(draw: Callable[[Judged], None]) -> None:
        if job.ready:
            draw(survey_table.tolerated(job.future.result()))
        else:
            st.caption(survey_table.WAITS)

    show.fold(
        "Class by class, in natural frequencies",
        "fold-classes",
        lambda: when_ready(lambda found: _classes(found, data)),
    )
    show.fold(
        "What these cases could have shown",
        "fold-detectable",
        lambda: when_ready(lambda found: _detectable(found.verdicts)),
    )


def _classes(found: Judged, data: Loaded) -> None:
    said = (words.frequency_sentence(of_class, data.noun) for of_class in found.frequencies[:MOST_SENTENCES])
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))
    show.rows_and_csv(partial(words.rows_of_frequencies, found.frequencies), "classes", "classes")


def _detectable(found: Sequence[Verdict]) -> None:
    whole = as_a_whole(found)
    st.markdown(plain(words.detectable_sentence(whole)), help=glossary("smallest detectable"))
    show.rows_and_csv(partial(words.rows_of_detectable, whole), "detectable", "smallest-detectable")
