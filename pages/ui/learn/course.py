"""The lessons one by one, each at an address of its own: the list, one of them, the way on."""

import streamlit as st

from pages.server import page_list
from pages.ui import nav, saving, show, state, tour
from pages.ui.learn import lessons
from pages.ui.learn.lessons import LESSONS, Lesson

PARAMETER = "lesson"
"""In the address: the name of a lesson, or of what follows the lessons."""
OPENED = "lessons-opened"
"""Key of the session: the names of the lessons that were opened."""
MORE = {"p-value": "What a p-value does not say", "glossary": "Every term in one line"}
"""What follows the lessons."""
_TITLES = {lesson.name: lesson.title for lesson in LESSONS} | MORE


def draw(heading: str) -> None:
    """What the address asks for; the list, under ``heading``, where it names nothing."""
    asked = st.query_params.get(PARAMETER, "")
    if asked not in _TITLES:
        _list(heading, asked)
        return
    saving.about("lesson")
    number = list(_TITLES).index(asked)
    if number < len(LESSONS):
        st.session_state[OPENED] = opened() | {asked}
        _lesson(LESSONS[number], number + 1)
    else:
        _rest(asked)
    _ways(number)


def opened() -> frozenset[str]:
    """The names of the lessons that were opened in this session."""
    lessons: frozenset[str] = st.session_state.get(OPENED, frozenset())
    return lessons


def _progress() -> str:
    return f"{len(opened())} of {len(LESSONS)} opened"


def _list(heading: str, asked: str) -> None:
    st.title(heading)
    if asked:
        st.caption(f"There is no lesson '{show.plain(asked, 40)}'. These are all:")
    st.markdown(show.text("learn"))
    st.header("The lessons", anchor=False)
    st.caption(_progress())
    with st.container(key="lessons", gap="xsmall"):
        for number, lesson in enumerate(LESSONS, start=1):
            seen = lesson.name in opened()
            words = f"{number}\\. {lesson.title}{' :gray[· opened]' if seen else ''}"
            icon = "check_circle" if seen else "radio_button_unchecked"
            nav.link("learn", words, icon, {PARAMETER: lesson.name})
    st.header("To look things up", anchor=False)
    with st.container(key="lessons-more", gap="xsmall"):
        for (name, title), icon in zip(MORE.items(), ("casino", "menu_book"), strict=True):
            nav.link("learn", title, icon, {PARAMETER: name})
    tour.offer()


def _lesson(lesson: Lesson, number: int) -> None:
    st.title(lesson.title, help=lesson.help, anchor=False)
    st.caption(f"Lesson {number} of {len(LESSONS)} · {_progress()}")
    lessons.draw(lesson)
    st.header("Try it on your data", anchor=False)
    _try(lesson)


def _try(lesson: Lesson) -> None:
    """The way to the same with the model in use; to an example where there is none."""
    data, of_page = state.in_use(), page_list.page(lesson.page)
    if data is None:
        example = state.find(state.DEFAULT_EXAMPLE)
        assert example is not None
        st.caption(f"No model is in use. {of_page.title} opens with an example: {show.plain(example.title)}.")
        if st.button(lesson.link, icon=f":material/{of_page.icon}:", key="try-example"):
            state.use(example.key)
            st.switch_page(nav.page(lesson.page))
        return
    kind = "an example: " if data.reading is None else ""
    st.caption(f"{of_page.title} opens with {kind}{show.plain(data.title)}.")
    nav.link(lesson.page, lesson.link)


def _rest(name: str) -> None:
    if name == "p-value":
        st.title(MORE[name], help=show.glossary("p-value"), anchor=False)
        st.markdown(show.text("learn-p"))
    else:
        st.title(MORE[name], anchor=False)
        st.markdown(show.glossary_text())


def _ways(number: int) -> None:
    """To the one before, to all, to the next."""
    names = list(_TITLES)
    st.space("small")
    with st.container(horizontal=True, key="lesson-ways"):
        if number > 0:
            _way("Previous", names[number - 1], "arrow_back")
        nav.link("learn", "All lessons", "list")
        if number + 1 < len(names):
            _way("Next", names[number + 1], "arrow_forward")


def _way(words: str, name: str, icon: str) -> None:
    nav.link("learn", f"{words}: {_TITLES[name]}", icon, {PARAMETER: name})
