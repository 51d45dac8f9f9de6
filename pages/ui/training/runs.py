"""The training run that is looked at: a bundled one, until a person adds one."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.data.examples import RUNS
from calibcore.io.epochs import packed
from calibcore.wording import count, plural
from calibcore.words.looking import looked_at, name_among
from calibcore.words.phrases import classes_words
from pages.server import visitors
from pages.server.budget import BUDGET, Hold
from pages.ui import frame, saving, settings, show, state, uploads
from pages.ui.data.file_reading import read_epochs
from pages.ui.show import plain
from pages.work import bundled, costs

RUN, WAITING, PROBLEM, WIDGET = "run", "run-waiting", "run-problem", "run-files"
"""Keys of the session: the run that was added, its files until they are read, why they could not be, and
the widget's."""


@dataclass(frozen=True, eq=False)
class Run:
    """A run: its epochs by number, what it is called; what was read from files counts as ``hold``."""

    title: str
    description: str
    noun: str
    epochs: Mapping[int, Predictions]
    bundled: bool
    hold: Hold | None = None

    @property
    def first(self) -> Predictions:
        """The predictions of the first epoch."""
        return next(iter(self.epochs.values()))


def current() -> Run:
    """The run that was added, else the bundled one."""
    own: Run | None = st.session_state.get(RUN)
    if own is not None:
        return own
    example = RUNS[0]
    return Run(example.title, example.description, example.noun, bundled.run(example.key), bundled=True)


def heading(title: str, run: Run, spec: DiagnosisSpec) -> None:
    """The title, and under it what is looked at; a lens that does not fit the run is said."""
    saving.about(run.title)
    p = run.first
    m = costs.classes_through(spec.lens, p)
    parts = (
        f"Example: {run.title}" if run.bundled else run.title,
        count(len(run.epochs), "epoch"),
        count(p.n, run.noun),
        classes_words(p.m, p.kind),
        looked_at(spec, name_among(spec.lens, p.class_names), m, run.noun),
    )
    frame.quiet(title).caption(plain(" · ".join(parts)), help=plain(run.description) or None)
    if spec.lens != settings.current().lens:
        st.caption("The lens in use does not fit this run, which is looked at by its confidence.")


def not_of_group(data: state.Loaded | None) -> None:
    """Said where one group of a model's cases is looked at on the other pages: a run has cases of its own."""
    if data is not None and data.whole is not None:
        st.caption(
            f":material/filter_alt: '{plain(data.title, 80)}' is in use on the other pages. A training run "
            f"has {plain(plural(data.noun))} of its own, and all of them are looked at here."
        )


def choose() -> None:
    """The place to drop the files of a run at, what they look like, and the way back to the example."""
    own = st.session_state.get(RUN) is not None
    came = uploads.several(
        "Drop the files of one training run here", WIDGET, "All its files at once.", large=not own
    )
    if came is not None:
        st.session_state.pop(PROBLEM, None)
        st.session_state[WAITING] = tuple(came)
        st.rerun()
    problems()
    show.fold(
        "What the files look like",
        "fold-run-files",
        lambda: st.markdown(show.text("training-run")),
        look="compact",
    )
    if own:
        st.button("Remove this run", icon=":material/delete:", on_click=_remove, type="tertiary")


def _remove() -> None:
    st.session_state.pop(RUN, None)


def read_waiting() -> None:
    """Read what was added; the run before stays where it cannot be read."""
    waiting: tuple[uploads.Source, ...] = st.session_state.get(WAITING, ())
    if not waiting:
        return
    name = waiting[0].name if len(waiting) == 1 else f"{len(waiting)} files"
    try:
        with st.spinner(f"Reading {plain(name, 80)} …"):
            data = (
                waiting[0].data or b""
                if len(waiting) == 1
                else packed([(source.name, source.data or b"") for source in waiting])
            )
            epochs = read_epochs(data, name)
        size = sum(p.nbytes for p in epochs.predictions.values())
        held = BUDGET.count(visitors.current()[0], size)
        st.session_state[RUN] = Run(name, "", "case", epochs.predictions, bundled=False, hold=held)
    except InputError as error:
        st.session_state[PROBLEM] = f"{name}: {error}"
    st.session_state.pop(WAITING)  # not before: what a click broke off is read again
    st.rerun()


def problems() -> None:
    """Why files were not taken, or could not be read, and what is shown instead."""
    reasons = [st.session_state.get(key) for key in (uploads.refused_key(WIDGET), PROBLEM)]
    for why in filter(None, reasons):
        st.error(plain(why))
    if any(reasons):
        st.caption(f"They are not used. Shown below is still: {plain(current().title, 80)}.")
