"""All classes as small diagrams, those that speak most against calibration first."""

from collections.abc import Callable
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.answers.classes import evidence_table
from calibcore.assessment.assess import Assessment
from calibcore.painters.screen.multiples import multiples_figure, panel_chosen
from calibcore.sensitivity.each_class import ClassesByEvidence, classes_by_evidence
from calibcore.transforms.lenses import ClassLens
from calibcore.words.classes import classes_alt, classes_note, classes_sentence
from pages.ui import choices, class_order, frame, progress, saving, settings, show
from pages.ui.overview import all_classes, survey_table, verdicts
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work.job import Job

SIDE_BY_SIDE = 2
"""Panels in one figure. Two figures stand side by side, one below the other on a phone."""
MANY = 10
"""Of so many classes one is found by its name, too."""
OPENED = "class-opened"
"""Key of the session: a class was chosen in the run before, and its diagram is to be opened."""


def by_name(job: Job[Assessment], data: Loaded) -> None:
    """Below the table of checks: of many classes any by its name, and where the survey leaves some out all of
    them in the order of their difference."""
    if st.session_state.pop(OPENED, False):
        survey_table.open_lens(settings.current().lens)
    if not any(isinstance(lens, ClassLens) for lens in survey_table.lenses(data)):
        return
    if data.predictions.m >= MANY:
        _search(_open, None)
    if job.ready:
        evidence = classes_by_evidence(survey_table.tolerated(job.future.result()))
        if evidence.left_out:
            st.caption(plain(classes_note(evidence, data.noun)), help=show.glossary("adjusted p"))
        all_classes.section(data, evidence, _open)


def fold(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold with the same, which begins the survey when it is opened. Two classes, and weighted cases, have
    none: said. No fold where only the confidence is known."""
    if data.predictions.confidence_only:
        return

    def inside() -> None:
        if frame.no_tests(data, folded=True):
            return
        if data.predictions.m == 2:
            st.markdown("There are two classes, and the diagram of one says all about the other.")
            return
        if not any(isinstance(lens, ClassLens) for lens in survey_table.lenses(data)):
            st.markdown("The survey looks through no single class.")
            return
        job = survey_table.start(data)
        now = spec.lens.class_name if isinstance(spec.lens, ClassLens) else None
        progress.show(
            job,
            verdicts.LOOKING,
            lambda assessment: _draw(data, assessment, _look, now),
        )

    show.fold("Every class by itself", "fold-multiples", inside)


def _look(name: str) -> None:
    settings.try_lens(ClassLens(name))


def _open(name: str) -> None:
    """As a callback, which cannot leave a page: the run after it does."""
    _look(name)
    st.session_state[OPENED] = True


def _draw(
    data: Loaded,
    assessment: Assessment,
    choose: Callable[[str], None],
    now: str | None = None,
) -> None:
    evidence = classes_by_evidence(survey_table.tolerated(assessment))
    st.markdown(plain(classes_sentence(evidence)))
    # A click stays chosen in the figure until it has another key.
    opened = st.session_state.setdefault("multiples-opened", 0)
    figures = _figures(assessment, evidence, data.noun)
    for row in range(0, len(figures), 2):
        for column, i in zip(st.columns(2), (row, row + 1), strict=True):
            if i < len(figures):
                with column:
                    _figure(figures[i], evidence, i * SIDE_BY_SIDE, f"multiples-{opened}-{i}", choose)
    _search(choose, now)
    st.caption(plain(classes_note(evidence, data.noun)), help=show.glossary("adjusted p"))
    frame.caution(data)
    saving.button(saving.on_paper("multiples_print", evidence), "classes", "multiples")
    rows = evidence_table(evidence).rows
    show.fold(
        "How to read this",
        "multiples-reading",
        lambda: st.markdown(show.reading_of("multiples", data.noun)),
        look="compact",
    )
    show.fold(
        "The classes as a table",
        "multiples-table",
        lambda: show.rows_and_csv(rows, "multiples", "classes", data.noun),
        look="compact",
    )
    all_classes.section(data, evidence, choose)


def _search(choose: Callable[[str], None], now: str | None) -> None:
    """Any class there is, by its name; the box is searched as one types."""
    names = class_order.worded()
    choices.choose_one(
        "Look at one class",
        choices.worded(names, names.__getitem__),
        now if now in names else None,
        choose,
        name="opened-class",
        placeholder="Find a class by its name",
        width=420,
    )


def _figures(assessment: Assessment, evidence: ClassesByEvidence, noun: str) -> list[go.Figure]:
    """The figures, kept while they are the same: making them takes longer than all else here."""
    theme = show.theme()
    key = (assessment, settings.current().tolerance, noun, theme, show.by_touch())
    cached = st.session_state.get("multiples-drawn")
    if cached is None or cached[0] != key:
        starts = range(0, len(evidence.classes), SIDE_BY_SIDE)
        figures = [multiples_figure(evidence, i, SIDE_BY_SIDE, noun, theme) for i in starts]
        cached = key, [show.dressed(figure, chosen=True) for figure in figures]
        st.session_state["multiples-drawn"] = cached
    drawn: list[go.Figure] = cached[1]
    return drawn


def _figure(
    figure: go.Figure, evidence: ClassesByEvidence, first: int, key: str, choose: Callable[[str], None]
) -> None:
    show.panel(
        figure,
        key=key,
        alt=classes_alt(evidence, first, SIDE_BY_SIDE),
        on_select=partial(_clicked, key, tuple(c.name for c in evidence.classes), choose),
    )


def _clicked(key: str, names: tuple[str, ...], choose: Callable[[str], None]) -> None:
    place = panel_chosen(st.session_state[key].selection.points)
    if place is not None:
        st.session_state["multiples-opened"] += 1
        choose(names[place])
