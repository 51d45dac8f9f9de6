"""Verdicts as pages show them: chip and sentence of the whole or of one lens, and what stands behind them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Answer, Beside, Doubts, Headline, Sentences
from calibcore.answers.measures import checks_measured
from calibcore.answers.survey import classes_table, detectable_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import as_surveyed
from calibcore.assessment.verdict import Verdict
from calibcore.report import front_page
from calibcore.words.frequencies import frequency_sentence
from calibcore.words.looking import outside_survey
from calibcore.words.reporting import classes_told
from calibcore.words.temperature import what_it_is
from calibcore.words.verdicts import (
    answer_parts,
    answer_sentence,
    as_a_whole,
    detectable_sentence,
)
from pages.ui import answered, column_order, enough, frame, progress, settings, show, surveyed
from pages.ui.overview import survey_table
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work.job import Job

LOOKING = "Working through every check"
SENTENCE = 150
"""In pixels: of the verdict in words on a phone."""
MOST_SENTENCES = 10
"""Classes told in a sentence each; the table has all."""


def chip(verdict: Verdict) -> None:
    """The verdict at a glance."""
    answered.badge(surveys.badge(verdict))


def _answer_of(assessment: Assessment, data: Loaded) -> Answer:
    return surveys.says(survey_table.tolerated(assessment), data.noun)


def answer(job: Job[Assessment], data: Loaded) -> None:
    """The verdict on the whole; until it is there how far the work has come. First what puts it in doubt."""

    def results(assessment: Assessment) -> None:
        assessment = survey_table.tolerated(assessment)
        chip(as_a_whole(assessment.verdicts))
        _draw_overall(assessment, data)
        rests_on(assessment, data)
        temperature(assessment, data)
        *_, unsaid = _answer_of(assessment, data).each(Sentences)
        answered.small_print(unsaid.lines)

    column_order.caution(data)
    progress.show(job, LOOKING, results, partial(_early, data=data))


def sentence(job: Job[Assessment], data: Loaded) -> None:
    """The verdict on the whole in words, where its chip stands elsewhere; until it is there as above."""
    early = partial(_early_sentence, data=data)
    progress.show(job, LOOKING, partial(_draw_overall, data=data), early, height=SENTENCE)


def _early_sentence(parts: Sequence[Any], data: Loaded) -> None:
    """The answer in a sentence as soon as what it needs is there: no taller than what takes its place."""
    assessment = survey_table.so_far(parts)
    if assessment.whole:
        with st.container(gap="small", key="verdict-so-far"):
            st.markdown(f"## {plain(answer_parts(as_a_whole(assessment.whole), data.noun)[0])}")
            frame.cases(data)


def _early(parts: Sequence[Any], data: Loaded) -> None:
    """The answer as soon as what it needs is there; how much could have been seen comes last."""
    assessment = survey_table.so_far(parts)
    if assessment.whole:
        with st.container(gap="small", key="verdict-so-far"):
            chip(as_a_whole(assessment.whole))
            first, more = answer_parts(as_a_whole(assessment.whole), data.noun)
            st.markdown(f"## {plain(first)}")
            if more:
                st.markdown(plain(more))
            frame.cases(data)


def _draw_overall(assessment: Assessment, data: Loaded) -> None:
    of_survey = _answer_of(assessment, data)
    with st.container(gap="small", key="verdict"):
        answered.draw(of_survey.each(Headline))
        frame.cases(data, button=True)
        answered.draw(of_survey.each(Doubts))


def rests_on(assessment: Assessment, data: Loaded) -> None:
    """What the verdict on the whole rests on, and how many checks found a problem."""
    resting, *_ = _answer_of(assessment, data).each(Sentences)
    if any(resting.lines):
        with st.container(key="verdict-rests-on"):
            answered.draw([resting])


def to_do(overall: Verdict, assessment: Assessment, data: Loaded) -> None:
    """What to do, what a hurried reader may take from the verdict and should not, and what has to hold for
    any of it: as on the first page of a report."""
    with st.container(key="to-do"):
        do, not_to = st.columns(2, gap="large")
        with do:
            st.markdown(f"**{front_page.TO_DO}**")
            mixed_up = assessment.mismatch is not None
            show.points(front_page.steps(overall, mixed_up, None, data.noun))
        with not_to:
            st.markdown(f"**{front_page.NOT_TO_CONCLUDE}**")
            show.points(front_page.not_to_conclude(overall, data.noun))
        unit = assessment.survey.diagnoses[0].spec.unit
        st.markdown(plain(front_page.valid_if(unit, data.noun)))


def temperature(assessment: Assessment, data: Loaded) -> None:
    """Whether the model is too sure or too unsure, below the figure."""
    (beside,) = _answer_of(assessment, data).each(Beside)
    if beside.text:
        with st.container(key="temperature"):
            answered.draw([beside])
            st.caption(plain(what_it_is()))


def line(data: Loaded, spec: DiagnosisSpec, caution: bool = True) -> None:
    """The survey's verdict on the lens in use, if the survey is there; nothing is computed for it.

    A lens outside the survey has no verdict: that is said, with the way to bring it in.
    """
    membership(data, spec)
    assessment = surveyed.result(data)
    lens = as_surveyed(spec.lens, data.predictions)
    of_lens = next((v for v in assessment.verdicts if v.lens == lens), None) if assessment else None
    if of_lens is None:
        return
    with st.container(gap="small", key="verdict-line"):
        chip(of_lens)
        st.markdown(plain(answer_sentence(of_lens, data.noun)))
        if caution:
            frame.caution(data)


def membership(data: Loaded, spec: DiagnosisSpec) -> None:
    """Where the lens in use is not in the survey a button that brings it in; where it was brought in, one
    that takes it out."""
    if data.predictions.untested:
        return
    if not settings.in_family(spec.lens):
        with st.container(horizontal=True, vertical_alignment="center", key="outside-survey"):
            st.markdown(plain(outside_survey(spec.lens)), help=glossary("exploratory"), width="stretch")
            st.button("Add this lens to the survey", on_click=settings.add_to_family, args=(spec.lens,))
    elif settings.was_added(spec.lens):
        with st.container(horizontal=True, vertical_alignment="center", key="added-to-survey"):
            st.caption("You added this lens to the survey.", width="stretch")
            st.button("Take it out again", on_click=settings.take_from_family, args=(spec.lens,))


def folds(job: Job[Assessment], data: Loaded) -> None:
    """Below the answer, folded: other measures, every class in natural frequencies, what could be seen."""

    def when_ready(draw: Callable[[Assessment], None]) -> None:
        if job.ready:
            draw(survey_table.tolerated(job.future.result()))
        else:
            st.caption(survey_table.WAITS)

    show.fold("More measures", "fold-measures", lambda: when_ready(_measures))
    show.fold(
        "Class by class, in natural frequencies",
        "fold-classes",
        lambda: when_ready(lambda assessment: _classes(assessment, data)),
    )
    show.fold(
        "What these cases could have shown",
        "fold-detectable",
        lambda: when_ready(lambda assessment: _detectable(assessment.verdicts)),
    )
    overall = None if not job.ready else as_a_whole(survey_table.tolerated(job.future.result()).verdicts)
    if overall is None or overall.answer != "cannot-tell":  # there it stands beside the answer
        enough.folded(data)


def _measures(assessment: Assessment) -> None:
    table = checks_measured(assessment.survey.diagnoses)
    show.points(table.notes)
    show.rows_and_csv(table.rows, table.name, table.name)


def _classes(assessment: Assessment, data: Loaded) -> None:
    classes = classes_told(assessment, MOST_SENTENCES)
    show.points(frequency_sentence(entry, data.noun) for entry in classes)
    table = classes_table(assessment.frequencies, assessment.survey.diagnoses[0].spec.unit)
    show.rows_and_csv(table.rows, table.name, table.name)
    answered.small_print(table.notes)


def _detectable(verdicts: Sequence[Verdict]) -> None:
    overall = as_a_whole(verdicts)
    st.markdown(plain(detectable_sentence(overall)), help=glossary("smallest detectable"))
    table = detectable_table(overall)
    show.rows_and_csv(table.rows, "detectable", table.name)
