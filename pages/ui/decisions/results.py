"""What decisions come to: one threshold in whole cases, the promise at all thresholds, the curves."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Sentences
from calibcore.answers.tables import Table
from calibcore.data.outside_text import shown
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.questions.decide import says as decide
from calibcore.questions.decide.ask import first_threshold
from calibcore.words.phrases import exact_percent
from pages.ui import answered, dates, enough, frame, looks, progress, show
from pages.ui.decisions import subjects
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work.job import Job


def draw(data: Loaded, spec: DiagnosisSpec) -> None:
    """The decisions through the lens in use; pairs of one case are refused in a sentence."""
    progress.show(
        _job(data, spec),
        "Looking at every threshold",
        lambda decisions: _draw_results(decisions, data),
        height=progress.FIGURE,
    )


def _job(data: Loaded, spec: DiagnosisSpec) -> Job[Decisions]:
    """What is asked; where its groups cannot be told, that is said and the same asked without them."""
    column = subjects.groups(data, spec)
    job = subjects.asked(data, spec, column).begun()
    if column is None:
        return job
    job.wait_a_moment()
    why = _no_groups(job)
    if not why:
        return job
    with show.above():
        if not dates.asked(job, data):
            st.info(plain(f"Groups of '{column}': {why}"), icon=":material/help:")
    return subjects.asked(data, spec, None).begun()


def _no_groups(job: Job[Decisions]) -> str:
    """Why the groups that were asked for say nothing; empty where they do, or it is not known yet."""
    if job.refused is not None:
        return str(job.refused)
    by_group = job.future.result().by_group if job.ready else None
    if by_group is not None and len(by_group.groups) == 1:
        return f"all cases are in one, {shown(by_group.groups[0].value)}. What holds for all holds there."
    return ""


def _draw_results(decisions: Decisions, data: Loaded) -> None:
    _moved(decisions, data)
    enough.folded(data)
    answer = decide.QUESTION.answer(decisions, data.noun)
    (methods,) = answer.each(Methods)
    answered.methods(methods, answer.each(Caution))


@st.fragment
def _moved(decisions: Decisions, data: Loaded) -> None:
    """The slider and what it moves; nothing else is drawn anew."""
    of_all = decide.QUESTION.answer(decisions, data.noun)
    with st.container(key="stage"):
        with st.container(key="decisions"):
            head = st.container(key="stage-answer")
            figure, beside = st.columns([5, 3], gap="medium")
        with beside:
            at_threshold = decide.says_at(decisions, _chosen(decisions), data.noun)
            answered.draw(of_all.each(Sentences))
            subjects.offer_rarer(decisions)
            answered.draw(at_threshold.each(Sentences))
            benefit, *further = at_threshold.each(Chart)
            st.markdown(plain(benefit.says), help=glossary(benefit.term))
            frame.caution(data)
        with head:
            answered.draw(at_threshold.each(Headline))
        with figure:
            answered.figure(benefit, sentence_above=False)
    answered.draw(decide.groups_table(decisions, data.noun))
    answered.draw(at_threshold.each(Table))
    for chart in further:
        answered.folded(chart, chart.title)
    for chart in decide.promises(decisions, data.noun):
        answered.folded(chart, f"{chart.title}, and what is asked for")


def _chosen(decisions: Decisions) -> AtThreshold:
    which = subjects.range_of(decisions.spec)
    key = f"decide-at-{'answers' if decisions.spec.lens.within.answers else 'class'}-{which}"
    if st.session_state.get(key) not in decisions.grid:
        st.session_state[key] = first_threshold(decisions).threshold
    chosen: float = looks.drawn(
        st.select_slider,
        "Threshold",
        list(decisions.grid),
        key=key,
        start=None,
        format_func=exact_percent,
        help=glossary("threshold"),
    )
    return decisions.at(chosen)
