"""Dates that fit twice: whether the day or the month comes first, as a person says of one file."""

from typing import Any, get_args

import streamlit as st

from calibcore.data.times import DatesFitTwiceError, DayOrder
from pages.ui import state
from pages.ui.show import plain
from pages.work.job import Job

ORDERS = "date-orders"
"""Key of the session: the key of a model -> the order that was said."""
WORDS: dict[DayOrder, str] = {"day-first": "The day comes first", "month-first": "The month comes first"}


def order(data: state.Loaded) -> DayOrder | None:
    """What was said about the dates of this model, a group of it or a sample; None if nothing was."""
    orders: dict[str, DayOrder] = st.session_state.get(ORDERS, {})
    return orders.get(state.root(data.key))


def asked(job: Job[Any], data: state.Loaded) -> bool:
    """Whether the work cannot go on before that is said; then asked, as two buttons."""
    job.wait_a_moment()
    if not isinstance(job.refused, DatesFitTwiceError):
        return False
    with st.container(gap="small", key="dates-fit-twice"):
        st.info(plain(str(job.refused)), icon=":material/help:")
        with st.container(horizontal=True):
            for choice in get_args(DayOrder):
                st.button(
                    WORDS[choice], key=f"dates-{choice}", on_click=_say, args=(state.root(data.key), choice)
                )
    return True


def alike(data: state.Loaded, before: state.Loaded) -> None:
    """Dates of the next file are written as those of the one before."""
    if (known := order(before)) is not None:
        _say(state.root(data.key), known)


def note(data: state.Loaded) -> None:
    """How dates are read, where a person said so, with the other way as a button."""
    now = order(data)
    if now is None:
        return
    (other,) = (choice for choice in get_args(DayOrder) if choice != now)
    with st.container(horizontal=True, vertical_alignment="center", key="dates-said"):
        st.caption(f"Dates: {WORDS[now][0].lower()}{WORDS[now][1:]}, as you said.")
        st.button(
            WORDS[other],
            key=f"dates-{other}",
            type="tertiary",
            on_click=_say,
            args=(state.root(data.key), other),
        )


def _say(key: str, choice: DayOrder) -> None:
    st.session_state[ORDERS] = {**st.session_state.get(ORDERS, {}), key: choice}
