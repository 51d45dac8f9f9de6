"""What stands on every page: its title, what is looked at, a first word to newcomers, a word of caution."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec, InputError
from calibcore.data.several_labels import Cases
from calibcore.data.units import units_of
from calibcore.wording import count
from calibcore.words.looking import data_words, looked_at, name_among
from calibcore.words.looking import no_tests as no_tests_sentence
from calibcore.words.phrases import one_row_sentence, sample_sentence
from pages.ui import column_order, nav, settings, state, tour
from pages.ui.show import plain
from pages.work import costs

UNIT_LABEL = "Rows that belong together"
"""What the side bar calls the column of units."""


def heading(
    title: str,
    looked_through: DiagnosisSpec | None = None,
    about: str = "",
    cases: Cases | None = None,
) -> None:
    """The title, and under it one quiet line: model, cases, classes, and what is looked at.

    looked_through : where a page looks through another lens than the one in use
    about : what the page is about in place of that, where it looks through several
    cases : those that it is of, where they are not the predictions in use: all labels of which these are one
    """
    data = state.loaded()
    line = f"{loaded_words(data, cases)} · {about or looks_at(data, looked_through or settings.current())}"
    with quiet(title):
        if data.whole is None:
            st.caption(plain(line), help=plain(data.description) or None)
        else:
            of_group(line, data, data.whole)


def loaded_words(data: state.Loaded, cases: Cases | None = None) -> str:
    """What is loaded, of several labels how many there are: "chests.csv · 3,000 cases · 14 labels"."""
    return data_words(
        data.title,
        cases or _all_labels(data) or data.predictions,
        data.noun,
        None if data.whole is None else data.whole.n,
        None if data.labels is None else data.labels.k,
    )


def quiet(title: str) -> DeltaGenerator:
    """Where the title of a page stands, for the line under it: small, as the answer is the largest thing."""
    place = st.container(key="quiet-title")
    place.title(title)
    return place


def _all_labels(data: state.Loaded) -> Cases | None:
    """The labels, where all of them are looked at together."""
    return data.labels if data.predictions.case_of is not None else None


def looks_at(data: state.Loaded, spec: DiagnosisSpec) -> str:
    """What ``spec`` looks at in these data, "the class 'ill', 10 equal-width bins"."""
    p = data.predictions
    name = name_among(spec.lens, p.class_names)
    return looked_at(spec, name, costs.classes_through(spec.lens, p), data.noun)


def of_group(line: str, data: state.Loaded, parent: state.Whole) -> None:
    """A quiet line, that these are a group of cases, and the way back to all of them."""
    with st.container(horizontal=True, vertical_alignment="center", key="group-in-use"):
        st.caption(f":material/filter_alt: {plain(line)}", help=plain(data.description) or None)
        if state.find(parent.key) is not None:
            words = f"Back to all {count(parent.n, data.noun)}"
            st.button(
                plain(words), on_click=state.use, args=(parent.key,), type="tertiary", key="back-to-whole"
            )


def welcome() -> None:
    """Where to start, once in a session, only beside an example and not on the tour."""
    if st.session_state.get("welcomed") or state.loaded().uploaded or tour.is_on():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown("New here? An example: what a model said, and what happened.")
        tour.offer()
        nav.link("data", "Use your own predictions")
        st.button("Got it", type="tertiary", on_click=_welcomed)


def _welcomed() -> None:
    st.session_state["welcomed"] = True


def nothing_in_use(name: str) -> None:
    """Said where what was in use is not there any more, with the ways out; ``name`` is the page's."""
    st.info(f"{plain(state.why_nothing())} No model is in use: choose one.", icon=":material/help:")
    with st.container(horizontal=True, vertical_alignment="center", key="nothing-in-use"):
        ways = [(model.key, f"Look at '{plain(model.title, 60)}'") for model in state.models().values()]
        for key, words in [*ways, (state.DEFAULT_EXAMPLE, "Look at an example")]:
            st.button(words, key=f"instead-{key}", on_click=state.use, args=(key,))
        if name != "data":
            nav.link("data", "Load a file")


def no_tests(data: state.Loaded, *, folded: bool = False) -> bool:
    """Whether cases are weighted or recalibrated, and then said: nothing can be tested. Where that is not
    ``folded``, with the ways on."""
    p = data.predictions
    if not p.untested:
        return False
    st.info(plain(no_tests_sentence(p, data.noun)), icon=":material/balance:")
    if not folded:
        ways_on(data)
    return True


def ways_on(data: state.Loaded, *, alone: bool = False) -> None:
    """From cases that nothing can be tested of: to those that they were made from, and to the page where
    columns are read otherwise; to others where this stands ``alone``, as a row of next steps has that."""
    before = state.find(data.key.partition(state.RECALIBRATED)[0]) if data.predictions.cross_fitted else None
    with st.container(horizontal=True, vertical_alignment="center", key="ways-on"):
        if before is not None and before.key != data.key:
            words = f"Back to '{plain(before.title, 60)}'"
            st.button(words, key="before-recalibration", on_click=state.use, args=(before.key,))
        if _all_labels(data) is not None:
            nav.link("overview", "See the p of each label")
            return
        if not data.predictions.cross_fitted:
            nav.link("data", "Read the weights as counts")
        elif alone:
            nav.link("data", "Load other cases")


def caution(data: state.Loaded, of_units: str = "") -> None:
    """Stands beside every p-value and verdict: whether data are probably wrong, a sample, or repeat.

    ``of_units`` says which row of each unit is looked at, where that is none drawn at random.
    """
    column_order.warn(data)
    cases(data, of_units)


def cases(data: state.Loaded, of_units: str = "", *, button: bool = False) -> None:
    """Said where cases are a sample, and where they repeat, with a ``button`` that looks at one row of each;
    nothing otherwise."""
    p = data.predictions
    if of_sample := sample_sentence(p.n, data.noun, p.drawn_from):
        st.caption(f":material/casino: {plain(of_sample)}")
    unit = settings.current().unit
    if unit is not None:
        drawn = one_row_sentence(len(units_of(p, unit)[1]), unit, settings.current().seed)
        st.caption(plain(of_units or drawn))
    elif data.warning:
        column = data.group_column
        repeats = column is not None and data.groups < p.n
        way = f" To look at one row of each, choose it in the side bar, '{UNIT_LABEL}'."
        st.warning(plain(f"{data.warning}{way if repeats and not button else ''}"), icon=":material/warning:")
        if repeats and button:
            words = plain(f"Look at one row of each {column}", 80)
            st.button(words, key="one-row-of-each", on_click=_one_row_of_each, args=(column,))


def _one_row_of_each(column: str) -> None:
    with suppress(InputError):  # other data may be chosen in the same breath
        settings.change(replace(settings.current(), unit=column))
