"""What `caliblens app FILE …` or `calibcore.show` was given: every tab begins with it, as if uploaded."""

from pathlib import Path

import streamlit as st

from calibcore import limits
from calibcore.limits import SERVER
from pages.server import handed, visitors
from pages.server.budget import BUDGET, Full
from pages.ui import state, uploads
from pages.ui.data import reading

HERE = ("localhost", "127.0.0.1", "::1")
WAITING = "files-at-start"
"""Key of the session: the files that are not read yet."""


def load() -> bool:
    """Read the files, in their order, until one of them asks for something: the rest wait for the answer.

    The first is in use. Returns whether there is now something to say about a file, which the Data page does.
    """
    if WAITING not in st.session_state:
        _take_handed()
    waiting: tuple[Path, ...] = st.session_state.setdefault(WAITING, _given())
    if not waiting or reading.asks():
        return False
    in_use, first, refused = st.session_state.get(state.IN_USE), "", []
    while waiting and not reading.asks():
        source, why = _source(waiting[0])
        if source is not None and reading.begin(source):
            first = first or state.loaded().key
        refused += [why] if why else []
        # Not before: a file whose reading a click broke off is read again.
        st.session_state[WAITING] = waiting = waiting[1:]
    if first:
        state.use(in_use if in_use in state.models() else first)
    if refused:
        uploads.refuse(" ".join(refused))
    return bool(refused) or reading.asks()


def _take_handed() -> None:
    """What was made in Python, the first of it in use."""
    models = handed.models() if _for_its_owner() else ()
    loaded = [state.add_handed(number, title, p) for number, (title, p) in enumerate(models)]
    if loaded:
        state.use(loaded[0].key)


def _given() -> tuple[Path, ...]:
    """None where anybody else can reach this server: they are its owner's files."""
    return limits.files_at_start() if _for_its_owner() else ()


def _for_its_owner() -> bool:
    return st.get_option("server.address") in HERE and not SERVER.signs_in


def _source(path: Path) -> tuple[uploads.Source | None, str]:
    """The file as if it came by the upload widget, or why it could not be taken."""
    try:
        hold = BUDGET.take(visitors.current()[0], path.stat().st_size)
        return uploads.came(path.name, path.read_bytes(), hold), ""
    except OSError as error:
        return None, f"{path.name} cannot be opened: {(error.strerror or 'an error').lower()}."
    except Full as full:
        return None, f"{path.name} was not taken. {full}"
