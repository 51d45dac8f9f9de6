"""What decisions come to: the promise at all thresholds, one threshold in whole cases, the curves."""

from functools import partial
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.figures.decisions import decision_figure, decision_says, selective_figure
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.words import deciding
from calibcore.words.phrases import exact_percent
from pages.ui import enough, frame, progress, saving, show
from pages.ui.decisions import subjects
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies

METHODS = (deciding.METHOD, deciding.BEFOREHAND)


def draw(data: Loaded, spec: DiagnosisSpec) -> None:
    """The decisions through the lens in use; pairs of one case are refused in a sentence."""
    job = studies.decisions(data.predictions, spec, subjects.thresholds(spec)).begun()
    progress.show(
        job, "Looking at every threshold", lambda found: _whole(found, data), height=progress.FIGURE
    )


def _whole(found: Decisions, data: Loaded) -> None:
    with st.container(gap="small", key="decisions"):
        st.markdown(f"## {plain(deciding.headline(found))}")
        if sets := deciding.sets_sentence(found.sets, found.spec.alpha):
            st.markdown(plain(sets))
        frame.caution(data)
    _moved(found, data)
    enough.folded(data)
    show.fold("How decisions are judged", "fold-decisions-methods", partial(show.points, METHODS))


@st.fragment
def _moved(found: Decisions, data: Loaded) -> None:
    """The slider and what it moves; nothing else is drawn anew."""
    answers = bool(found.spec.lens.within.answers)
    one = _chosen(found, answers)
    _sentences(found, one, data.noun, answers)
    st.subheader("Net benefit over the thresholds", help=glossary("net benefit"))
    show.figure(
        decision_figure(found, one.threshold, show.theme(), data.noun),
        key="decision-figure",
        says=decision_says(found),
        reading="decisions",
        rows=partial(_rows, found),
        table_name="The thresholds as a table",
        printed=saving.on_paper("decision_print", found, data.noun),
    )
    if answers and any(each.hit_rate is not None for each in found.thresholds):
        st.subheader("Errors among accepted answers", help=glossary("coverage"))
        show.figure(
            selective_figure(found, one.threshold, show.theme(), data.noun),
            key="selective-figure",
            says=deciding.selective_says(found),
            reading="selective",
            rows=partial(deciding.selective_rows, found),
            table_name="The accepted answers as a table",
            printed=saving.on_paper("selective_print", found, data.noun),
        )


def _chosen(found: Decisions, answers: bool) -> AtThreshold:
    which = subjects.range_of(found.spec)
    key = f"decide-at-{'answers' if answers else 'class'}-{which}"
    if st.session_state.get(key) not in found.grid:
        st.session_state[key] = found.at(subjects.FIRST[which]).threshold
    chosen: float = st.select_slider(
        "Threshold",
        list(found.grid),
        key=key,
        format_func=exact_percent,
        persist_state="session",
        help=glossary("threshold"),
    )
    return found.at(chosen)


def _sentences(found: Decisions, one: AtThreshold, noun: str, answers: bool) -> None:
    """One threshold: in whole cases first, then against its promise and against acting always."""
    with st.container(gap="small", key="at-threshold"):
        st.markdown(f"### {plain(deciding.frequency_sentence(found, one, noun))}")
        st.markdown(plain(deciding.threshold_sentence(found, one, noun)))
        if answers:
            st.markdown(plain(deciding.selective_sentence(found, one, noun)))
        else:
            st.markdown(plain(deciding.treat_all_sentence(one, noun)))
        st.caption(plain(deciding.BEFOREHAND))


def _rows(found: Decisions, exact: bool = False) -> list[dict[str, Any]]:
    return deciding.exact_threshold_rows(found) if exact else list(deciding.threshold_rows(found))
