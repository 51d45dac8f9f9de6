"""Which columns make the groups; what is needed where there are none."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.questions.groups.words import NEEDED
from pages.ui import choices, dates, examples, state
from pages.ui.show import glossary, plain

BY = "groups-by"
"""Key of the session: the names of the columns that make groups."""


def offered(data: state.Loaded, spec: DiagnosisSpec) -> list[str]:
    """Columns that may make groups; what was so and what was answered first."""
    columns = data.predictions.metadata
    first = [name for name in (TRUTH, PREDICTED) if data.predictions.confidence_only and name in columns]
    return [name for name in dict.fromkeys([*first, *columns]) if name != spec.unit]


def chosen(data: state.Loaded, spec: DiagnosisSpec) -> list[str]:
    """The columns that were chosen, of those that the predictions have."""
    names = offered(data, spec)
    return [name for name in st.session_state.get(BY, ()) if name in names]


def choose(data: state.Loaded, spec: DiagnosisSpec) -> list[str]:
    """The box of columns, and those that were chosen; none where there are none or none was."""
    names = offered(data, spec)
    if not names:
        with st.container(gap="small", key="groups-none"):
            st.info(plain(NEEDED), icon=":material/help:")
            examples.offer("Look at an example with sites and patients")
        return []
    words, now = choices.worded(names), chosen(data, spec)

    def keep(values: list[str]) -> None:
        elsewhere = [name for name in st.session_state.get(BY, ()) if name not in words]
        st.session_state[BY] = (*elsewhere, *values)

    choices.several(
        "Columns that make groups", words, now, keep, name="groups-columns",
        placeholder="Choose one or several", help=glossary("group"),
    )  # fmt: skip
    if not now:
        st.info(
            "Choose all the columns that you want to look at. The more groups are tested, the stronger the "
            "evidence that each of them needs, so choose before you see results.",
            icon=":material/help:",
        )
    dates.note(data)
    return now
