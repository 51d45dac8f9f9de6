"""All classes as small diagrams, those that speak most against calibration first, on demand."""

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.assessment.assess import Assessment
from calibcore.figures.multiples import multiples_figure, panel_chosen
from calibcore.sensitivity.each_class import ClassesByEvidence, classes_by_evidence
from calibcore.transforms.lenses import ClassLens
from calibcore.words.classes import classes_alt, classes_note, classes_sentence, evidence_rows
from pages.ui import choices, frame, progress, saving, settings, show
from pages.ui.overview import survey_table
from pages.ui.show import plain
from pages.ui.state import Loaded

SIDE_BY_SIDE = 2
"""Panels in one figure. Two figures stand side by side, one below the other on a phone."""


def section(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold with what the survey says, which begins when it is opened. Two classes, and weighted cases, have
    none: said."""

    def inside() -> None:
        if frame.no_tests(data):
            return
        if data.predictions.m == 2:
            st.markdown("There are two classes, and the diagram of one says all about the other.")
            return
        if not any(isinstance(lens, ClassLens) for lens in survey_table.lenses(data)):
            st.markdown("The survey looks through no single class.")
            return
        job = survey_table.start(data)
        progress.show(job, "Looking through every lens", partial(_draw, data, spec))

    show.fold("Every class by itself", "fold-multiples", inside)


def _draw(data: Loaded, spec: DiagnosisSpec, assessment: Assessment) -> None:
    evidence = classes_by_evidence(survey_table.tolerated(assessment))
    st.markdown(plain(classes_sentence(evidence)))
    st.caption(plain(classes_note(evidence, data.noun)), help=show.glossary("adjusted p"))
    frame.caution(data)
    # A click stays chosen in the figure until it has another key.
    opened = st.session_state.setdefault("multiples-opened", 0)
    figures = _figures(assessment, evidence, data.noun)
    for row in range(0, len(figures), 2):
        for column, i in zip(st.columns(2), (row, row + 1), strict=True):
            if i < len(figures):
                with column:
                    _figure(figures[i], evidence, i * SIDE_BY_SIDE, f"multiples-{opened}-{i}")
    saving.button(saving.on_paper("multiples_print", evidence), "classes", "multiples")
    names = [c.name for c in evidence.classes]
    now = spec.lens.class_name if isinstance(spec.lens, ClassLens) else None
    choices.one(
        "Look at one class",
        choices.worded(names),
        now if now in names else None,
        lambda name: settings.try_lens(ClassLens(name)),
        name="opened-class",
        placeholder="Click a cross above, or choose here",
    )
    rows = partial(evidence_rows, evidence)
    show.fold(
        "How to read this", "multiples-reading", lambda: st.markdown(show.text("multiples")), look="compact"
    )
    show.fold(
        "The classes as a table",
        "multiples-table",
        lambda: show.rows_and_csv(rows, "multiples", "classes"),
        look="compact",
    )


def _figures(assessment: Assessment, evidence: ClassesByEvidence, noun: str) -> list[go.Figure]:
    """The figures, kept while they are the same: making them takes longer than all else here."""
    key = (assessment, settings.current().tolerance, noun, show.theme())
    cached = st.session_state.get("multiples-drawn")
    if cached is None or cached[0] != key:
        starts = range(0, len(evidence.classes), SIDE_BY_SIDE)
        cached = key, [multiples_figure(evidence, i, SIDE_BY_SIDE, noun, show.theme()) for i in starts]
        st.session_state["multiples-drawn"] = cached
    figures: list[go.Figure] = cached[1]
    return figures


def _figure(figure: go.Figure, evidence: ClassesByEvidence, first: int, key: str) -> None:
    show.panel(
        figure,
        key=key,
        alt=classes_alt(evidence, first, SIDE_BY_SIDE),
        on_select=partial(_clicked, key, tuple(c.name for c in evidence.classes)),
    )


def _clicked(key: str, names: tuple[str, ...]) -> None:
    place = panel_chosen(st.session_state[key].selection.points)
    if place is not None:
        st.session_state["multiples-opened"] += 1
        settings.try_lens(ClassLens(names[place]))
