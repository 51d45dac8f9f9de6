"""All classes as small diagrams, those that speak most against calibration first, on demand."""

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.classes import ClassesByEvidence, classes_by_evidence
from calibcore.figures.multiples import class_chosen, multiples_figure
from calibcore.judged import Judged
from calibcore.lenses import ClassLens
from calibcore.words import classes_alt, classes_note, classes_sentence, evidence_rows
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
        job = survey_table.begun(data)
        progress.shown(job, "Looking through every lens", partial(_draw, data, spec))

    show.fold("Every class by itself", "fold-multiples", inside)


def _draw(data: Loaded, spec: DiagnosisSpec, judged: Judged) -> None:
    found = classes_by_evidence(survey_table.tolerated(judged))
    st.markdown(plain(classes_sentence(found)))
    st.caption(plain(classes_note(found, data.noun)), help=show.glossary("adjusted p"))
    frame.caution(data)
    # A click stays chosen in the figure until it has another key.
    opened = st.session_state.setdefault("multiples-opened", 0)
    drawn = _drawn(judged, found, data.noun)
    for row in range(0, len(drawn), 2):
        for column, i in zip(st.columns(2), (row, row + 1), strict=True):
            if i < len(drawn):
                with column:
                    _figure(drawn[i], found, i * SIDE_BY_SIDE, f"multiples-{opened}-{i}")
    saving.button(saving.on_paper("multiples_print", found), "classes", "multiples")
    names = [c.name for c in found.classes]
    now = spec.lens.class_name if isinstance(spec.lens, ClassLens) else None
    choices.one(
        "Look at one class",
        choices.worded(names),
        now if now in names else None,
        lambda name: settings.try_lens(ClassLens(name)),
        name="opened-class",
        placeholder="Click a cross above, or choose here",
    )
    rows = partial(evidence_rows, found)
    show.fold(
        "How to read this", "multiples-reading", lambda: st.markdown(show.text("multiples")), look="compact"
    )
    show.fold(
        "The classes as a table",
        "multiples-table",
        lambda: show.rows_and_csv(rows, "multiples", "classes"),
        look="compact",
    )


def _drawn(judged: Judged, found: ClassesByEvidence, noun: str) -> list[go.Figure]:
    """The figures, kept while they are the same: making them takes longer than all else here."""
    of = (judged, settings.current().tolerance, noun, show.theme())
    kept = st.session_state.get("multiples-drawn")
    if kept is None or kept[0] != of:
        starts = range(0, len(found.classes), SIDE_BY_SIDE)
        kept = of, [multiples_figure(found, i, SIDE_BY_SIDE, noun, show.theme()) for i in starts]
        st.session_state["multiples-drawn"] = kept
    figures: list[go.Figure] = kept[1]
    return figures


def _figure(drawn: go.Figure, found: ClassesByEvidence, first: int, key: str) -> None:
    show.panel(
        drawn,
        key=key,
        alt=classes_alt(found, first, SIDE_BY_SIDE),
        on_select=partial(_clicked, key, tuple(c.name for c in found.classes)),
    )


def _clicked(key: str, names: tuple[str, ...]) -> None:
    place = class_chosen(st.session_state[key].selection.points)
    if place is not None:
        st.session_state["multiples-opened"] += 1
        settings.try_lens(ClassLens(names[place]))
