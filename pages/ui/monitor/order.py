"""What orders the cases in time: a column of dates or numbers, or the rows as they stand."""

import streamlit as st

from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.times import may_be_dates
from calibcore.questions.monitor.words import NEEDED
from pages.ui import choices, dates, examples, state
from pages.ui.show import glossary, plain

TIME = "monitor-time"
"""Key of the session: the column that orders the cases, :data:`ROWS`, or nothing."""
ROWS = "\0"
"""No name of a column: the order of the rows."""


def chosen(data: state.Loaded) -> str | None:
    """The column or :data:`ROWS`: what was chosen, else the only column of dates; None where neither is."""
    columns = data.predictions.metadata
    choice: str | None = st.session_state.get(TIME)
    if choice is not None and (choice == ROWS or choice in columns):
        return choice
    of_dates = [name for name, values in columns.items() if may_be_dates(values)]
    return of_dates[0] if len(of_dates) == 1 else None


def column(data: state.Loaded) -> str | None:
    """The column that orders the cases; None for the order of the rows."""
    choice = chosen(data)
    return None if choice == ROWS else choice


def take(time: str | None) -> None:
    """Order the cases by a column, or as the rows stand, from the next run on."""
    st.session_state[TIME] = ROWS if time is None else time


def choose(data: state.Loaded) -> bool:
    """The box of columns; what is needed where nothing is chosen. Whether anything is."""
    p, now = data.predictions, chosen(data)
    columns = [name for name in p.metadata if not (p.confidence_only and name in (PREDICTED, TRUTH))]
    if not columns and now is None:
        with st.container(gap="small", key="monitor-none"):
            st.info(plain(NEEDED), icon=":material/help:")
            with st.container(horizontal=True):
                as_they_stand = "The rows stand in the order in which they happened"
                st.button(as_they_stand, on_click=take, args=(None,), key="rows-in-order")
                examples.offer("Look at an example with dates")
        return False
    words = choices.worded([*columns, ROWS], lambda name: "The order of the rows" if name == ROWS else name)
    with choices.bar("monitor-order-bar"):
        choices.choose_one(
            "What orders the cases", words, now, lambda name: take(None if name == ROWS else name),
            name="monitor-order", placeholder="Choose a column of dates or numbers", help=glossary("order"),
        )  # fmt: skip
    dates.note(data)
    if now is None:
        st.info("Choose what says in which order the cases happened.", icon=":material/help:")
    return now is not None
