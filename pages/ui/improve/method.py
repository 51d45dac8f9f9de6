"""One way to recalibrate in full: how much better, whether its map is itself off, before and after."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import Recalibration
from calibcore.answers.blocks import Sentences
from calibcore.answers.nouns import sentence_of
from calibcore.painters.screen.recalibration import before_after_figure
from calibcore.questions.recalibrate import Look, Method, Split, words
from calibcore.transforms.lenses import Lens
from calibcore.wording import plural, sentences
from calibcore.words.tables import csv_of
from pages.server import visitors
from pages.server.budget import BUDGET
from pages.ui import answered, choices, frame, nav, progress, saving, show, state
from pages.ui.show import glossary, plain
from pages.work import studies

HALVES = "Random halves"
LONGEST_CODE = 6_000
"""Characters of code that are shown; longer code is a file."""


def draw(recalibration: Recalibration, kind: str, data: state.Loaded, evidence: Sentences) -> None:
    """The figure, the sentences, what a person can take along, the examples.

    evidence : what is known of the best method, which the answer on top is about
    """
    method = recalibration.method(kind)
    assert method is not None, "a method that was tried"
    job = studies.method_in_full(data.predictions, recalibration, kind).begun()
    progress.show(
        job,
        "Fitting",
        partial(_before_after, lens=recalibration.spec.lens, data=data),
        height=progress.FIGURE,
    )
    frame.caution(data)
    if method is words.best(recalibration):
        answered.draw([evidence])
    else:
        st.markdown(plain(sentence_of(words.gain_sentence(method), data.noun)), help=glossary("cross-fitted"))
        st.markdown(plain(sentence_of(words.gap_sentence(recalibration, method), data.noun)))
    if method.note:
        st.caption(plain(f"{method.note[:1].upper()}{method.note[1:]}."))
    if job.ready:
        look = job.future.result()
        st.subheader("Is this map itself off?")
        _believed(recalibration, look, data)
        st.subheader("Take it along")
        _along(recalibration, method, look, data)
        show.fold("Three examples", "fold-improve-examples", partial(_examples, recalibration, look, data))


def _before_after(look: Look, lens: Lens, data: state.Loaded) -> None:
    show.figure(
        before_after_figure(look, data.noun),
        key="before-after",
        says=sentence_of(words.before_after_sentence(look, lens), data.noun),
        reading="improve-before-after",
        noun=data.noun,
        rows=partial(words.before_after_rows, look),
        table_name="The bins as a table",
        printed=saving.on_paper("before_after_print", look),
    )


def _examples(recalibration: Recalibration, look: Look, data: state.Loaded) -> None:
    st.markdown(f"Of low, middle and high confidence, by the map of all {plain(plural(data.noun))}.")
    show.table_and_csv(
        partial(words.example_rows, look, recalibration.class_names, data.noun),
        f"improve-examples-{look.kind}",
    )


def _believed(recalibration: Recalibration, look: Look, data: state.Loaded) -> None:
    """A map fitted to one part of the cases and judged on the other."""
    by = None
    if look.columns:
        by = choices.one_remembered(
            "Cases that fit the map, and those that judge it",
            choices.worded(look.columns, lambda name: f"By the column '{name}'"),
            "improve-split",
            placeholder=HALVES,
        )
    job = studies.split_by(data.predictions, recalibration, look.kind, by).begun()
    progress.show(job, "Judging the map", lambda split: _judged(recalibration, split, data.noun))


def _judged(recalibration: Recalibration, split: Split | None, noun: str) -> None:
    few = words.TOO_FEW_TO_SPLIT
    judged = few if split is None else words.split_sentence(recalibration, split, noun)
    st.markdown(plain(sentence_of(judged, noun)))


def _along(recalibration: Recalibration, method: Method, look: Look, data: state.Loaded) -> None:
    fitted, names = method.map, recalibration.class_names
    of_map = sentences(words.parameters_sentence(recalibration, method), words.MAP_OF_ALL)
    st.markdown(plain(sentence_of(of_map, data.noun)))
    code = {
        "NumPy": fitted.code(),
        "scikit-learn": fitted.scikit_learn_code(names),
        "PyTorch": fitted.torch_code(),
    }
    if data.predictions.confidence_only:  # no classifier has the classes right and wrong
        code = {"NumPy": fitted.confidence_code()}
    with st.container(horizontal=True):
        st.download_button(
            "Map as JSON", lambda: fitted.json_code(names), saving.named(f"map-{method.kind}", "json"),
            "application/json", key=f"map-json-{method.kind}", icon=":material/download:", on_click="ignore",
        )  # fmt: skip
        for name, text in code.items():
            if text:
                st.download_button(
                    name, text, _module(method.kind, name), "text/x-python",
                    key=f"map-{name}-{method.kind}", icon=":material/code:", on_click="ignore",
                )  # fmt: skip
        st.download_button(
            "Recalibrated predictions as CSV",
            lambda: csv_of(words.recalibrated_rows(look.recalibrated)),
            saving.named(f"recalibrated-{look.kind}", "csv"), "text/csv", key=f"recalibrated-{look.kind}-csv",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
        if st.button("Open these as a model", icon=":material/open_in_new:", key=f"open-{look.kind}"):
            _open(look, data)
    st.caption(plain(sentence_of(words.MARKED, data.noun)))
    if short := {name: text for name, text in code.items() if text and len(text) <= LONGEST_CODE}:
        show.fold("The code, to paste", "fold-improve-code", partial(_pasted, short))


def _module(kind: str, library: str) -> str:
    """A module of Python: underscores, as it is to be imported."""
    return f"{kind}_{library}".lower().replace("-", "_") + ".py"


def _pasted(code: dict[str, str]) -> None:
    for tab, text in zip(st.tabs(list(code)), code.values(), strict=True):
        tab.code(text, language="python")


def _open(look: Look, data: state.Loaded) -> None:
    """Keep the recalibrated predictions as a model of their own, which every page knows as such."""
    p = look.recalibrated
    key = f"{data.key}{state.RECALIBRATED}{look.kind}"
    state.keep(
        state.made_of(
            data,
            key=key,
            title=state.free_title(words.recalibrated_title(data.title, look.kind), key),
            predictions=p,
            reading=data.reading and replace(data.reading, predictions=p, notes=p.notes),
            hold=BUDGET.count(visitors.current()[0], p.nbytes),
        )
    )
    st.switch_page(nav.page("overview"))
