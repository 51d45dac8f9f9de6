"""A tour of one minute: a sentence on each page that has one, a ring around what it is about, and the way on.

It is of an example of three classes, and holds nobody: every other way stays open. At its end the session
is as it was.
"""

import streamlit as st

from pages.server import page_list
from pages.ui import nav, state

LAST = "tour"
"""Key of the session: the page of the tour that was seen last; nothing where no tour is on."""
BEFORE = "tour-before"
"""Key of the session: what was in use before the tour."""
EXAMPLE = "wine"
"""Of three classes, so that every page has something to show."""
WORDS = "Take the tour, one minute"


RING = "; ".join(
    (
        "position: relative",
        "z-index: 30",
        "border-radius: 0.5rem",
        "outline: 3px solid var(--tour-ring)",
        "outline-offset: 6px",
        "box-shadow: 0 0 0 6px var(--tour-ground), 0 0 0 200vmax var(--tour-dim)",
    )
)
"""How it is drawn: colours are in the style sheet."""


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
        data = state.in_use()
        st.session_state[BEFORE] = "" if data is None else data.key
        state.use(EXAMPLE)
        st.switch_page(nav.page(first.name))


def _leave() -> None:
    """Back to what was in use, unless something else was chosen meanwhile or it is gone."""
    st.session_state.pop(LAST, None)
    before, data = st.session_state.pop(BEFORE, ""), state.in_use()
    if before and data is not None and data.key == EXAMPLE and state.find(before) is not None:
        state.use(before)


def _point_at(key: str) -> None:
    """A ring around what has that key; all else of the page is dimmed, and can be clicked all the same."""
    st.html(f"<style>.st-key-{key} {{ {RING} }}</style>")


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
            _point_at(page.tour_at)
            if number < len(stops):
                nav.link(stops[number].name, f"Next: {stops[number].title}", "arrow_forward")
            else:
                nav.link("data", "Use your own predictions")
        st.button("End the tour" if page == stops[-1] else "Leave", on_click=_leave, type="tertiary")
