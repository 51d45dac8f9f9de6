"""Overview of several labels: the verdict on all of them, and the table of labels, each row a check."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Badge, Headline, Methods, Notes, Sentences
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import headline
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.transforms.lenses import LabelLens
from calibcore.words.looking import name_among, sentence_case
from calibcore.words.verdict_rows import UNKNOWN
from calibcore.words.verdicts import as_a_whole, promise_words
from pages.ui import answered, frame, nav, next_steps, progress, show, surveyed
from pages.ui.overview import survey_table, verdicts
from pages.ui.show import glossary, plain
from pages.ui.sidebar import data_choice
from pages.ui.state import Loaded
from pages.work.job import Job

TITLE = "Label by label"
ABOUT = "all labels, a check each"
"""What the page is about, below its title."""
TABLE = 200
"""In pixels: held for the table until its rows are there."""


def overview(labels: MultiLabelPredictions, data: Loaded) -> None:
    """The answer on all labels; below it a row each, then what it rests on."""
    job = surveyed.study_of_labels(labels).begun()
    with st.container(key="answer"):
        progress.show(job, verdicts.LOOKING, partial(_answer, data=data), partial(_early, data=data))
    _label_by_label(job, labels, data)
    show.fold("Technical notes", "fold-notes", partial(_notes, job, data))


def checks(data: Loaded) -> None:
    """The table of labels alone, where all are looked at together; until it is there how far the work is."""
    if data.labels is None:
        return
    job = surveyed.study_of_labels(data.labels).begun()
    if not job.ready:
        progress.show(job, verdicts.LOOKING, lambda _: None)
    _label_by_label(job, data.labels, data)


def _label_by_label(job: Job[Assessment], labels: MultiLabelPredictions, data: Loaded) -> None:
    st.subheader(TITLE, help=glossary("survey"))
    with progress.place("labels", TABLE):
        if job.ready:
            _table(survey_table.tolerated(job.future.result()), data)
        elif job.begin is not None or job.stopped:
            st.caption(survey_table.WAITS)
        elif not job.future.done():
            progress.so_far(job, partial(_so_far, labels=labels))


def _answer(assessment: Assessment, data: Loaded) -> None:
    of_survey = surveys.says(survey_table.tolerated(assessment), data.noun)
    resting, *_ = of_survey.each(Sentences)
    answered.draw((*of_survey.each(Badge, Headline), resting))
    frame.cases(data, button=True)
    _next(survey_table.tolerated(assessment), data)


def _next(assessment: Assessment, data: Loaded) -> None:
    """The next questions: of the label with the strongest evidence where one is off, else of that in use."""
    overall = as_a_whole(assessment.verdicts)
    carrying = headline(assessment.survey.diagnoses, assessment.verdicts)
    label = carrying.verdict.lens.within.of_label if carrying.found else None
    look = None if label is None else partial(data_choice.look_at, data.key, label)
    if overall.answer == "miscalibrated":
        step = next_steps.advised(overall, assessment.mismatch is not None, data)
        next_steps.row("overview", data, look=look, recommended=step)
    else:
        next_steps.row("overview", data, look=look)


def _early(parts: Sequence[Any], data: Loaded) -> None:
    answered.draw(surveys.says_early(survey_table.so_far(parts), data.noun))


def _so_far(parts: Sequence[Any], labels: MultiLabelPredictions) -> None:
    """As many rows as there will be, so that nothing below is moved."""
    so_far = survey_table.so_far(parts)
    rows = survey_table.rows_of(checks_table(so_far.diagnoses, so_far.verdicts, so_far.coming))
    if not rows:
        return
    come = {diagnosis.spec.lens for diagnosis in so_far.diagnoses}
    empty = dict.fromkeys(rows[0], UNKNOWN) | {"Diagram": None, "Verdict": [UNKNOWN]}
    names = labels.label_names
    rest = [lens for lens in map(LabelLens, names) if lens not in come]
    rows += [empty | {"Check": sentence_case(name_among(lens, names))} for lens in rest]
    show.frame(rows, alt=survey_table.ALT, **survey_table.look_of(rows))


def _table(assessment: Assessment, data: Loaded) -> None:
    diagnoses, every = assessment.survey.diagnoses, assessment.verdicts
    table = checks_table(diagnoses, every)
    rows = survey_table.rows_of(table)
    place = show.clicked_row(rows, "labels", survey_table.ALT, **survey_table.look_of(rows))
    if place is not None and (label := table.items[place].lens.within.of_label) is not None:
        data_choice.look_at(data.key, label)
        st.switch_page(nav.page("reliability"))
    exact = partial(table.rows, exact=True)
    promise = promise_words(diagnoses[0].spec.adjustment, data.noun)
    words = f"Click a row to look at that label on every page. The adjusted p-values are {promise}."
    show.below_rows(plain(words), exact, "labels")
    for lens, why in assessment.survey.refused:
        st.caption(f"{plain(lens)}: {plain(why)}")


def _notes(job: Job[Assessment], data: Loaded) -> None:
    if not job.ready:
        st.caption(survey_table.WAITS)
        return
    of_survey = surveys.says(survey_table.tolerated(job.future.result()), data.noun)
    answered.small_print(line for notes in of_survey.each(Notes) for line in notes.lines)
    show.points(line for methods in of_survey.each(Methods) for line in methods.lines)
