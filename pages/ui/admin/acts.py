"""What the page Admin does, and says of it: only for who has the claim at that moment."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from calibcore.store import StoreError
from pages.server import sign_in
from pages.ui.show import plain

SAID = "admin-said"
"""The key of a session: the last act, whether it was done, and what came of it."""
_log = logging.getLogger("caliblens")


def act(name: str, what: Callable[[], str]) -> None:
    """Do it where who asks may, and keep what it says; what the store cannot do is said, too."""
    if not sign_in.is_admin():
        message = "Nothing was done: your sign-in does not have the claim for this any more."
        st.session_state[SAID] = (name, False, message)
        return
    try:
        st.session_state[SAID] = (name, True, what())
    except StoreError as error:
        _log.exception("The page Admin could not do something.")
        st.session_state[SAID] = (name, False, f"Nothing was done: {error}")


def show_outcome(name: str) -> None:
    """What came of the last act, if it was this: once, where its button was."""
    if st.session_state.get(SAID, ("",))[0] != name:
        return
    _, done, message = st.session_state.pop(SAID)
    if done:
        st.info(plain(message))
    else:
        st.warning(plain(message), icon=":material/warning:")


def day(seconds: int) -> str:
    """The day of a moment, UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def megabytes(size: int) -> str:
    """Bytes as people read them."""
    return f"{size / 1e6:,.1f} MB"
