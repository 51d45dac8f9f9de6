"""The reliability diagram with its bins to choose, by mouse or by keyboard, and the cases they hold."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.figures.reliability import bins_chosen
from calibcore.reliability import Reliability
from calibcore.words import bin_words, member_rows, members, members_csv, members_sentence, shown_of
from pages.ui import show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded

MOST_SHOWN = 50
MOST_OFFERED = 200
"""Bins in the select box, those with most cases."""
CHART, CHOSEN = "diagram", "chosen-bins"


def diagram(found: Reliability, data: Loaded, spec: DiagnosisSpec) -> None:
    """Deviation, or observed against predicted on a switch; below it the members of the chosen bins."""
    of = (data.predictions.fingerprint, spec.to_json())
    if st.session_state.get("chosen-of") != of or CHOSEN not in st.session_state:  # or after another page
        st.session_state["chosen-of"], st.session_state[CHOSEN] = of, []
    classical = len(found.class_names) == 2 and st.toggle(
        "Observed against predicted",
        key="look-classical",
        persist_state="session",
        help="The classical diagram. Off: how far the two are apart, which shows small errors better.",
    )
    show.diagram(found, data.noun, CHART, classical, _clicked)
    _members(found, data, spec)


def _clicked() -> None:
    """A click or a frame in the figure chooses its bins in the select box too."""
    st.session_state[CHOSEN] = bins_chosen(st.session_state[CHART].selection.points)


def _members(found: Reliability, data: Loaded, spec: DiagnosisSpec) -> None:
    st.subheader("The cases behind a cross", help=glossary("members"))
    before: list[int] = st.session_state[CHOSEN]
    fullest = sorted(range(found.n_bins), key=lambda b: -found.counts[b])[:MOST_OFFERED]
    names = {b: bin_words(found, b, data.noun) for b in sorted({*fullest, *before})}
    chosen = st.multiselect(
        "Bins chosen",
        list(names),
        default=before,
        format_func=names.get,
        key=CHOSEN,
        select_all=False,
        placeholder="Click a cross above, or choose here",
    )
    if not chosen:
        return
    table(found, data, spec, sorted(chosen))


def table(found: Reliability, data: Loaded, spec: DiagnosisSpec, bins: list[int]) -> None:
    """The cases of these bins: a sentence, the first rows, all of them as CSV."""
    st.markdown(plain(members_sentence(found, bins, data.noun)))
    p = data.predictions
    rows = members(p, spec, bins)
    st.dataframe(list(member_rows(p, spec, rows[:MOST_SHOWN])), hide_index=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(shown_of(len(rows), MOST_SHOWN, data.noun)))
        st.download_button(
            "These cases as CSV",
            lambda: members_csv(p, spec, bins),
            "cases.csv",
            "text/csv",
            key="members-csv",
            icon=":material/download:",
        )
