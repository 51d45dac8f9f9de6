"""The diagram as a stage: the answer, the figure, beside it how it is looked at, and below it what a click
shows."""

from collections.abc import Callable

import streamlit as st

from calibcore import DiagnosisSpec
from pages.ui import show
from pages.ui.overview import verdicts, weights
from pages.ui.reliability import members, views, without_bins
from pages.ui.show import plain
from pages.ui.state import Loaded


def draw(data: Loaded, spec: DiagnosisSpec, below: Callable[[], None] | None = None) -> None:
    """The diagram of the data, with its bins or without.

    below : draws what stands at the end of what is beside the figure
    """
    diagram, drawn, spread = views.diagram_of(data, spec)
    with st.container(key="stage"):
        with st.container(key="stage-answer"):
            claim = weights.claim(diagram, data, spec)
            st.markdown(f"## {plain(claim)}")
        figure, beside = st.columns([5, 3], gap="medium")
    chosen = st.container()
    with beside:
        bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="stage-bar")
        without = without_bins.wanted(diagram, data, spec)
        with show.above():
            (verdicts.line if data.predictions.case_of is None else verdicts.pooled)(data, spec)
        if without:
            without_bins.draw(data, spec, figure)
        else:
            members.diagram(diagram, data, drawn, spread, claim, members.Places(figure, bar, chosen))
        if below is not None:
            below()
