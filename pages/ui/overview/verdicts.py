"""Verdicts as pages show them: chip and sentence of the whole or of one lens, and what stands behind them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import (
    Answer,
    Badge,
    Beside,
    Block,
    Cases,
    Doubts,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.cumulative import cumulative_table
from calibcore.answers.measures import checks_measured
from calibcore.answers.survey import classes_table, detectable_table, strongest_first
from calibcore.assessment.assess import Assessment
from calibcore.assessment.verdict import Verdict
from calibcore.charts.cumulative import cumulative_lines, farthest
from calibcore.painters.screen.cumulative import cumulative_figure
from calibcore.report import front_page
from calibcore.words.frequencies import frequency_sentence
from calibcore.words.looking import outside_survey
from calibcore.words.reporting import classes_told
from calibcore.words.sizes import size_sentence
from calibcore.words.temperature import what_it_is
from calibcore.words.verdicts import (
    answer_sentence,
    as_a_whole,
    detectable_sentence,
)
from pages.ui import answered, column_order, enough, frame, progress, saving, settings, show, surveyed
from pages.ui.overview import survey_table
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies
from pages.work.job import Job

LOOKING = "Working through every check"
ANSWER = 240
"""In pixels: of the verdict in words, held while it is on its way."""
MOST_SENTENCES = 10
"""Classes told in a sentence each; the table has all."""


def chip(verdict: Verdict) -> None:
    """The verdict at a glance."""
    answered.badge(surveys.badge(verdict))


def _answer_of(assessment: Assessment, data: Loaded) -> Answer:
    return surveys.says(survey_table.tolerated(assessment), data.noun)


def answer(job: Job[Assessment], data: Loaded) -> None:
    """The verdict on the whole in words; until it is there how far the work has come."""
    progress.show(job, LOOKING, partial(_answer, data=data), partial(_early, data=data), height=ANSWER)


def _answer(assessment: Assessment, data: Loaded) -> None:
    of_survey = _answer_of(assessment, data)
    resting, *_ = of_survey.each(Sentences)
    (units,) = of_survey.each(Cases)
    _drawn((*of_survey.each(Badge, Headline), resting), "verdict", data, units.text)


def _early(parts: Sequence[Any], data: Loaded) -> None:
    """The answer as soon as what it needs is there; how much could have been seen comes last."""
    so_far = survey_table.so_far(parts, survey_table.hypotheses(data))
    if blocks := surveys.says_early(so_far, data.noun):
        _drawn(blocks, "verdict-so-far", data)


def _drawn(blocks: Sequence[Block], key: str, data: Loaded, of_units: str = "") -> None:
    """``of_units``: what rows of the same units say, where that is known."""
    with st.container(gap="small", key=key):
        answered.draw(blocks)
        frame.cases(data, of_units, button=True)


def shared(job: Job[Assessment], data: Loaded) -> None:
    """The same with what stands beside it, where that is to be handed on. First what puts it in doubt."""
    column_order.caution(data)
    answer(job, data)
    if job.ready:
        of_survey = _answer_of(job.future.result(), data)
        answered.draw(of_survey.each(Doubts, Beside))
        *_, unsaid = of_survey.each(Sentences)
        answered.small_print(unsaid.lines)


def line(data: Loaded, spec: DiagnosisSpec, caution: bool = True) -> None:
    """The survey's verdict on the lens in use, if the survey is there; nothing is computed for it.

    A lens outside the survey has no verdict: that is said, with the way to bring it in.
    """
    membership(data, spec)
    check = surveyed.check_of(data, spec.lens)
    if check is None:
        return
    with st.container(gap="small", key="verdict-line"):
        chip(check.verdict)
        st.markdown(plain(answer_sentence(check.verdict, data.noun)))
        if caution:
            frame.caution(data)


def pooled(data: Loaded, spec: DiagnosisSpec) -> None:
    """How far off all labels together are, and why there is no test of them."""

    def size(diagnosis: Diagnosis) -> None:
        gap = diagnosis.typical_gap
        if gap is not None:
            st.markdown(plain(size_sentence(spec.lens, gap, diagnosis.frequencies)))

    with st.container(gap="small", key="verdict-line"):
        study = studies.diagnosis(data.predictions, replace(spec, tests=()))
        progress.show(study.begun(), "Measuring the gap", size)
        frame.no_tests(data)


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
    """Below the table, folded: what to do, more of each check, what could be seen, and technical notes."""

    def fold(title: str, key: str, draw: Callable[[Assessment], None]) -> None:
        def inside() -> None:
            if job.ready:
                draw(survey_table.tolerated(job.future.result()))
            else:
                st.caption(survey_table.WAITS)

        show.fold(title, key, inside)

    fold("What to do, and what not to conclude", "fold-to-do", partial(_to_do, data=data))
    each = "check" if data.predictions.confidence_only else "class and check"
    fold(f"More of each {each}", "fold-measures", partial(_more, data=data))
    fold("What these cases could have shown", "fold-detectable", partial(_detectable, data=data))
    fold("Technical notes", "fold-notes", partial(_notes, data=data))


def _to_do(assessment: Assessment, data: Loaded) -> None:
    """What to do, what a hurried reader may take from the verdict and should not, and what has to hold for
    any of it: as on the first page of a report."""
    overall = as_a_whole(assessment.verdicts)
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


def _more(assessment: Assessment, data: Loaded) -> None:
    """Every class in natural frequencies, and the other measures of each check."""
    if assessment.frequencies:
        table = classes_table(assessment.frequencies, assessment.survey.diagnoses[0].spec.unit)
        st.markdown(f"**{table.title}**")
        classes = classes_told(assessment, MOST_SENTENCES)
        show.points(frequency_sentence(entry, data.noun) for entry in classes)
        show.rows_and_csv(table.rows, table.name, table.name)
        answered.small_print(table.notes)
    _up_to_each(data)
    measures = checks_measured(strongest_first(assessment.survey.diagnoses, assessment.verdicts))
    st.markdown(f"**{measures.title}**")
    show.points(measures.notes)
    show.rows_and_csv(measures.rows, measures.name, measures.name, data.noun)


def _up_to_each(data: Loaded) -> None:
    """Of classes in order the arrows on lines of cumulative probabilities."""
    lines = cumulative_lines(data.predictions, data.noun)
    if not lines:
        return
    table = cumulative_table(lines)
    st.markdown(f"**{table.title}**")
    show.figure(
        cumulative_figure(lines, data.noun, show.theme()),
        key="cumulative",
        says=farthest(lines),
        reading="cumulative",
        noun=data.noun,
        rows=table.rows,
        printed=saving.on_paper("cumulative_print", lines),
    )


def _detectable(assessment: Assessment, data: Loaded) -> None:
    overall = as_a_whole(assessment.verdicts)
    st.markdown(plain(detectable_sentence(overall)), help=glossary("smallest detectable"))
    table = detectable_table(overall)
    show.rows_and_csv(table.rows, "detectable", table.name)
    if overall.answer != "cannot-tell":  # there it stands beside the answer
        enough.asked(data)


def _notes(assessment: Assessment, data: Loaded) -> None:
    """What is true and not the answer: temperature, outcomes given 0, how verdicts come about."""
    of_survey = _answer_of(assessment, data)
    answered.draw(of_survey.each(Doubts, Beside))
    if assessment.temperature is not None:
        st.caption(plain(what_it_is()))
    answered.small_print(line for notes in of_survey.each(Notes) for line in notes.lines)
    show.points(line for methods in of_survey.each(Methods) for line in methods.lines)
