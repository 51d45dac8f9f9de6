"""Live toy examples: what can be chosen, and what it shows."""

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.binning import UniformBinning
from calibcore.examples import load_example
from calibcore.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.words import arrows_sentence, claim_and_outcome
from pages.ui import show, state


@st.cache_resource(max_entries=1)
def _table_1() -> Predictions:
    return load_example("v19-table-1")


def believed_and_yet_wrong() -> None:
    """V19 Table 1: calibrated in confidence and in every class, and yet not calibrated."""
    st.header("Right through every keyhole, and yet wrong")
    st.markdown(show.text("learn-table-1"))
    p = _table_1()
    choices: dict[str, Lens] = {
        "Confidence": TopKLens(1),
        **{f"Class {name}": ClassLens(name) for name in p.class_names},
        "All three": CanonicalLens(),
    }
    chosen = st.segmented_control(
        "Look through", list(choices), default="Confidence", key="lesson-lens", required=True
    )
    lens = choices[chosen or "Confidence"]
    found = state.diagram(p, DiagnosisSpec(lens=lens, binning=UniformBinning(10)))
    if isinstance(lens, CanonicalLens):
        st.markdown(f"#### {show.plain(arrows_sentence(found))}")
        show.triangle(found, "case", key="lesson-triangle")
    else:
        st.markdown(f"#### {show.plain(claim_and_outcome(found, lens))}")
        show.diagram(found, "case", key="lesson-diagram")
