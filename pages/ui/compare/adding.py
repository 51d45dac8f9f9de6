"""More models, added where they are compared: several files at once, each read as on the Data page."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from calibcore import InputError
from calibcore.errors import NoLabelsError, SeveralModelsError
from calibcore.io import ReadOptions
from calibcore.wording import count
from pages.ui import nav, state, uploads
from pages.ui.data import borrowing, reading, several_models
from pages.ui.data.file_reading import read
from pages.ui.show import glossary, plain

WAITING, UNREAD, WIDGET, ADDED = "compare-waiting", "compare-unread", "compare-files", "compare-added"
"""Keys of the session: files that are not read yet, those that could not be, the widget's; the keys of the
models that came last."""


@dataclass(frozen=True, eq=False)
class Unread:
    """A file that could not be read: why, whether only its labels are missing, and how many rows it has."""

    source: uploads.Source
    why: str
    without_labels: bool
    several: SeveralModelsError | None = None
    rows: int | None = None


def draw(data: state.Loaded, large: bool) -> None:
    """The place to drop models at, and why files were not taken."""
    came = uploads.several(
        "Drop the files of other models here", WIDGET, f"Several at once. {glossary('file')}", large=large
    )
    if came is not None:
        st.session_state[WAITING] = (*_waiting(), *came)
        st.rerun()
    if why := st.session_state.get(uploads.refused_key(WIDGET)):
        st.error(plain(why))
    if not data.uploaded:
        st.caption("Models of your own cases take the place of this example.")


def not_used(rest: Mapping[str, str]) -> Mapping[str, str]:
    """Said of the models that were dropped here last and cannot be compared; the others that cannot.

    rest : key of a model -> why it is not compared
    """
    dropped = [words for key, words in rest.items() if key in st.session_state.get(ADDED, ())]
    if dropped:
        st.warning("\n".join(f"- {plain(words)}" for words in dropped), icon=":material/help:")
    return {key: words for key, words in rest.items() if words not in dropped}


def _waiting() -> tuple[uploads.Source, ...]:
    waiting: tuple[uploads.Source, ...] = st.session_state.get(WAITING, ())
    return waiting


def unread() -> tuple[Unread, ...]:
    """The files that could not be read, until they are answered or dismissed."""
    files: tuple[Unread, ...] = st.session_state.get(UNREAD, ())
    return files


def read_waiting(data: state.Loaded) -> None:
    """Read what was added, one file after the other. The model in use stays, but for an example."""
    added = []
    waiting = _waiting()
    if not waiting:
        return
    while waiting:
        model = _read(waiting[0], None)
        added += [model] if model is not None else []
        # Not before: a file whose reading a click broke off is read again.
        st.session_state[WAITING] = waiting = waiting[1:]
    st.session_state[ADDED] = frozenset(model.key for model in added)
    if not data.uploaded and added:
        state.use(added[0].key)
    st.rerun()


def _read(source: uploads.Source, lender: state.Loaded | None) -> state.Loaded | None:
    """Read one file and keep it as a model; None, and why is kept, where it cannot be read."""
    try:
        with st.spinner(f"Reading {plain(source.title, 80)} …"):
            predictions = (
                borrowing.read_with(source, source.options, lender)
                if lender
                else read(source.data or b"", name=source.name, options=ReadOptions())
            )
    except InputError as error:
        st.session_state[UNREAD] = (
            *unread(),
            Unread(
                source,
                str(error),
                isinstance(error, NoLabelsError),
                error if isinstance(error, SeveralModelsError) else None,
                error.rows,
            ),
        )
        return None
    return state.add(source.number, source.name, predictions, in_use=False)


def unread_files(data: state.Loaded) -> None:
    """Each file that could not be read: why, and the ways on."""
    for file in unread():
        with st.container(gap="small", key=f"unread-{file.source.number}"):
            box = st.info if file.without_labels or file.several else st.error
            box(f"{plain(file.source.title, 80)}: {plain(file.why)}")
            with st.container(horizontal=True):
                if file.without_labels:
                    _lending(file, data)
                if file.several is not None and several_models.fit(file.several):
                    _all_models(file, file.several, data)
                if st.button(
                    "Answer on the Data page",
                    key=f"answer-{file.source.number}",
                    icon=":material/upload:",
                ):
                    _dismiss(file.source.number)
                    reading.take_over(file.source)
                    st.switch_page(nav.page("data"))
                st.button(
                    "Leave this file out",
                    key=f"dismiss-{file.source.number}",
                    on_click=_dismiss,
                    args=(file.source.number,),
                )


def _lending(file: Unread, data: state.Loaded) -> None:
    """The labels of the model in use for a file without any, if a person says so; of all its cases."""
    data = (None if data.whole is None else state.find(data.whole.key)) or data
    if not borrowing.may_lend(data, file.rows):
        return
    cases = plain(count(data.predictions.n, data.noun))
    words = f"The same {cases} in the same order: use the labels of '{plain(data.title, 60)}'"
    if st.button(words, key=f"lend-{file.source.number}"):
        _dismiss(file.source.number)
        _read(file.source, data)
        st.rerun()


def _all_models(file: Unread, several: SeveralModelsError, data: state.Loaded) -> None:
    """All models of a file beside the one in use."""
    if st.button(several_models.COMPARE, key=f"all-{file.source.number}", icon=":material/compare_arrows:"):
        _dismiss(file.source.number)
        try:
            added = several_models.take_all(file.source, several)
        except InputError as error:
            st.session_state[UNREAD] = (*unread(), Unread(file.source, str(error), False))
        else:
            if not data.uploaded:
                state.use(added[0].key)
        st.rerun()


def _dismiss(number: int) -> None:
    st.session_state[UNREAD] = tuple(file for file in unread() if file.source.number != number)
