"""The diagram of two classes without bins: a curve with a band that holds for all of it at once."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec
from calibcore.answers.without_bins import places_table
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters.screen.smooth_curve import smooth_curve_figure
from calibcore.words import smooth
from pages.ui import frame, looks, progress, saving, show, state
from pages.ui.show import glossary, plain
from pages.work import studies

WHAT = "Redrawing outcomes for the curve"


def place() -> DeltaGenerator:
    """Where the diagram stands, with bins and without."""
    return progress.place_at_once(WHAT)


def wanted(diagram: Reliability, data: state.Loaded, spec: DiagnosisSpec) -> bool:
    """The switch; more than two classes have arrows on another page, and what is not tested has no band."""
    two = len(diagram.class_names) == 2 and not spec.lens.pairs
    return two and switched(data, "diagram", "curve without bins")


def switched(data: state.Loaded, key: str, term: str) -> bool:
    """The switch of a figure; of cases that nothing is tested of no outcomes are redrawn."""
    return not data.predictions.untested and looks.toggle(
        "Without bins", f"{key}-without-bins", help=glossary(term)
    )


def draw(data: state.Loaded, spec: DiagnosisSpec, figure: DeltaGenerator) -> None:
    """The curve in the place of its ``figure`` once it is there; here what it says."""
    job = studies.arrows_without_bins(data.predictions, spec).begun()
    words = show.above()
    with figure:
        progress.show(job, WHAT, partial(_draw, data=data, spec=spec, words=words), height=progress.FIGURE)


def _draw(arrows: SmoothArrows, data: state.Loaded, spec: DiagnosisSpec, words: DeltaGenerator) -> None:
    says = smooth.sentence(arrows, spec.lens)
    with words:
        st.subheader("A curve without bins", help=glossary("curve without bins"))
        st.markdown(plain(says))
        st.caption(plain(smooth.method(arrows)))
        frame.caution(data)
        if arrows.reach >= smooth.WIDE:
            st.caption(plain(smooth.NARROWER))
    show.figure(
        show.staged(smooth_curve_figure(arrows, data.noun, show.theme())),
        key="curve-without-bins",
        says=says,
        sentence_above=False,
        height="stretch",
        reading="smooth-curve",
        noun=data.noun,
        rows=places_table(arrows).rows,
        table_name="The curve as a table",
        printed=saving.on_paper("smooth_curve_print", arrows, data.noun),
    )
