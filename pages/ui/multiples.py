"""All classes as small diagrams, those that speak most against calibration first, on demand."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.classes import ClassesByEvidence, classes_by_evidence
from calibcore.figures.multiples import class_chosen, multiples_figure
from calibcore.figures.style import CONFIG
from calibcore.lenses import ClassLens
from calibcore.words import classes_alt, classes_note, classes_sentence, evidence_rows
from pages.ui import frame, jobs, patience, progress, settings, show
from pages.ui.show import plain
from pages.ui.state import Loaded

SIDE_BY_SIDE = 2
"""Panels in one figure. Two figures stand side by side, one below the other on a phone."""
OPENED = "opened-class"


def section(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold; its work begins when it is opened. Two classes, and weighted cases, have none: said."""
    fold = st.expander("Every class by itself", key="fold-multiples", on_change="rerun")
    if not fold.open:
        return
    with fold:
        if frame.no_tests(data):
            return
        if data.predictions.m == 2:
            st.markdown("There are two classes, and the diagram of one says all about the other.")
            return
        progress.shown(_job(data), "Looking at every class", partial(_draw, data, spec))


def _job(data: Loaded) -> jobs.Job[ClassesByEvidence]:
    p, start = data.predictions, DiagnosisSpec()
    asked, _ = settings.surveyed(())
    only = replace(asked, kernel=start.kernel)
    key = (p.fingerprint, only.to_json())
    return jobs.started(
        "classes",
        key,
        lambda job: classes_by_evidence(p, only, job.report),
        patience.seconds_of_classes(p.n, p.m),
    )


def _draw(data: Loaded, spec: DiagnosisSpec, found: ClassesByEvidence) -> None:
    st.markdown(plain(classes_sentence(found)))
    st.caption(plain(classes_note(found)), help=show.glossary("adjusted p"))
    frame.caution(data)
    # A click stays chosen in the figure until it has another key.
    opened = st.session_state.setdefault("multiples-opened", 0)
    for row in range(0, len(found.classes), 2 * SIDE_BY_SIDE):
        for column, first in zip(st.columns(2), (row, row + SIDE_BY_SIDE), strict=True):
            if first < len(found.classes):
                with column:
                    _figure(data, found, first, f"multiples-{opened}-{first}")
    names = [c.name for c in found.classes]
    now = spec.lens.class_name if isinstance(spec.lens, ClassLens) else None
    st.selectbox(
        "Look at one class",
        names,
        index=names.index(now) if now in names else None,
        key=OPENED,
        placeholder="Click a cross above, or choose here",
        on_change=_chosen,
    )
    with st.expander("How to read this", key="multiples-reading"):
        st.markdown(show.text("multiples"))
    with st.expander("The classes as a table", key="multiples-table"):
        show.rows_and_csv(partial(evidence_rows, found), "multiples", "classes")


def _figure(data: Loaded, found: ClassesByEvidence, first: int, key: str) -> None:
    st.plotly_chart(
        multiples_figure(found, first, SIDE_BY_SIDE, data.noun, show.theme()),
        config=CONFIG | {"displayModeBar": False},
        alt=classes_alt(found.classes[first : first + SIDE_BY_SIDE], found.distance),
        key=key,
        on_select=partial(_clicked, key, tuple(c.name for c in found.classes)),
        selection_mode="points",
    )


def _clicked(key: str, names: tuple[str, ...]) -> None:
    place = class_chosen(st.session_state[key].selection.points)
    if place is not None:
        st.session_state["multiples-opened"] += 1
        settings.set_lens(ClassLens(names[place]))


def _chosen() -> None:
    if st.session_state[OPENED] is not None:
        settings.set_lens(ClassLens(st.session_state[OPENED]))
