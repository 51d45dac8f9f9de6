"""A tour of one minute: a sentence on each page that has one, and the way to the next. It holds nobody: every
other way stays open, and nothing of the session is changed."""

import streamlit as st

from pages.server import page_list
from pages.ui import nav

LAST = "tour"
"""Key of the session: the page of the tour that was seen last; nothing where no tour is on."""
WORDS = "Take the tour, one minute"


def steps() -> tuple[page_list.Page, ...]:
    """The pages that the tour goes to, in their order."""
    return tuple(page for page in page_list.pages() if page.tour)


def is_on() -> bool:
    """Whether somebody takes the tour."""
    return LAST in st.session_state


def offer() -> None:
    """The button that begins it, where none is on."""
    first = steps()[0]
    if not is_on() and st.button(WORDS, icon=":material/tour:", key="take-tour"):
        st.session_state[LAST] = first.name
        st.switch_page(nav.page(first.name))


def _leave() -> None:
    st.session_state.pop(LAST, None)


def guide(page: page_list.Page) -> None:
    """What the tour says on a page, and the ways on and out; elsewhere the way back."""
    if not is_on():
        return
    stops = steps()
    with st.container(horizontal=True, vertical_alignment="center", key="tour"):
        if page not in stops:
            last = page_list.page(st.session_state[LAST])
            st.caption("The tour waits.")
            nav.link(last.name, f"Back to {last.title}", "tour")
        else:
            st.session_state[LAST] = page.name
            number = stops.index(page) + 1
            st.markdown(f"**Tour, {number} of {len(stops)}.** {page.tour}")
            if number < len(stops):
                nav.link(stops[number].name, f"Next: {stops[number].title}", "arrow_forward")
            else:
                nav.link("data", "Use your own predictions")
        st.button("End the tour" if page == stops[-1] else "Leave", on_click=_leave, type="tertiary")
