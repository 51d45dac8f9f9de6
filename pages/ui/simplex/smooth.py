"""Arrows without bins on the triangle, in place of those of bins."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec
from calibcore.answers.without_bins import places_table
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters.screen.simplex import smooth_figure
from calibcore.words import smooth
from pages.ui import frame, progress, saving, show, state
from pages.ui.reliability import without_bins
from pages.ui.show import glossary, plain
from pages.ui.simplex import parts
from pages.work import studies

WHAT, HEIGHT = "Redrawing outcomes for the arrows", 790


def place() -> DeltaGenerator:
    """Where the figure stands, with bins and without."""
    return progress.place_at_once(WHAT)


def wanted(data: state.Loaded) -> bool:
    """The switch; cases that nothing is tested of have no arrows without bins."""
    return without_bins.switched(data, "triangle", "arrows without bins")


def draw(data: state.Loaded, spec: DiagnosisSpec, figure: DeltaGenerator) -> None:
    """The arrows in the place of their ``figure`` once they are there; here what decides which are strong."""
    job = studies.arrows_without_bins(data.predictions, spec).begun()
    words = show.above()
    with figure:
        progress.show(job, WHAT, lambda arrows: _draw(arrows, data, words), height=HEIGHT)


def _draw(arrows: SmoothArrows, data: state.Loaded, words: DeltaGenerator) -> None:
    with words:
        st.markdown(plain(smooth.sentence(arrows)), help=glossary("arrows without bins"))
        frame.caution(data)
        zoom = parts.choose(arrows.predicted, arrows.observed, arrows.class_names)
        parts.say(zoom, arrows.predicted, arrows.class_names)
        st.caption(plain(smooth.method(arrows)))
    show.above()  # as above the arrows of bins: the figure is in the place of theirs at once
    show.figure(
        show.staged_of_three(smooth_figure(arrows, data.noun, show.theme(), zoom)),
        key="triangle-smooth",
        says=smooth.sentence(arrows),
        sentence_above=False,
        reading="simplex-smooth",
        noun=data.noun,
        rows=places_table(arrows).rows,
        table_name="The places as a table",
        height="stretch",
        printed=saving.on_paper("smooth_print", arrows, data.noun, zoom),
    )
