"""What decisions come to: one threshold in whole cases, the promise at all thresholds, the curves."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Sentences
from calibcore.answers.tables import Table
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.questions.decide import says as decide
from calibcore.questions.decide.ask import first_threshold
from calibcore.words.phrases import exact_percent
from pages.ui import answered, dates, enough, frame, looks, progress, show
from pages.ui.decisions import subjects
from pages.ui.show import glossary
from pages.ui.state import Loaded


def draw(data: Loaded, spec: DiagnosisSpec) -> None:
    """The decisions through the lens in use; pairs of one case are refused in a sentence."""
    job = subjects.asked(data, spec).begun()
    if subjects.groups(data, spec) is not None and dates.asked(job, data):
        return
    progress.show(
        job,
        "Looking at every threshold",
        lambda decisions: _draw_results(decisions, data),
        height=progress.FIGURE,
    )


def _draw_results(decisions: Decisions, data: Loaded) -> None:
    with show.above():
        frame.caution(data)
    _moved(decisions, data)
    enough.folded(data)
    answer = decide.says(decisions, data.noun)
    (methods,) = answer.each(Methods)
    answered.methods(methods, answer.each(Caution))


@st.fragment
def _moved(decisions: Decisions, data: Loaded) -> None:
    """The slider and what it moves; nothing else is drawn anew."""
    of_all = decide.says(decisions, data.noun)
    with st.container(gap="small", key="decisions"):
        place = st.container()
        at_threshold = decide.says_at(decisions, _chosen(decisions), data.noun)
        with place:
            answered.draw(at_threshold.each(Headline))
        answered.draw((*of_all.each(Sentences), *at_threshold.each(Sentences, Caution)))
    answered.draw(decide.groups_table(decisions, data.noun))
    answered.draw((*at_threshold.each(Chart, Table), *decide.promises(decisions, data.noun)))


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
