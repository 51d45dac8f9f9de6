"""What words for a confidence stand for: a number for each, beside what could not be read."""

from dataclasses import replace

import streamlit as st

from calibcore.errors import Remedy
from pages.ui import uploads
from pages.ui.data import read_controls
from pages.ui.show import plain

BESIDE = 4
"""Words in a row."""
MISSING = "read-words-missing"
"""Key of the session: whether a word was left without its number."""


def draw(source: uploads.Source, remedy: Remedy) -> None:
    """A number for each word that ``remedy`` asks about, and the button that reads the file by them."""
    with st.form("words", border=True):
        st.caption(f"{plain(remedy.words)}, from 0 to 100 %: how often such an answer should be right.")
        for start in range(0, len(remedy.each), BESIDE):
            for place, word in zip(st.columns(BESIDE), remedy.each[start : start + BESIDE], strict=False):
                place.number_input(plain(word, 40), 0.0, 100.0, None, 5.0, key=_key(word), format="%g")
        if st.session_state.pop(MISSING, False):
            st.caption("Each of them needs a number.")
        words = "Read it by these numbers"
        st.form_submit_button(words, on_click=_take, args=(source.version, remedy.each))


def _key(word: str) -> str:
    return f"read-word-{word}"


def _take(version: int, words: tuple[str, ...]) -> None:
    """Read the file by what was said, if it is still the one that the form stood below."""
    source = uploads.current()
    numbers = [st.session_state.get(_key(word)) for word in words]
    st.session_state[MISSING] = None in numbers
    if None in numbers or source is None or source.version != version:
        return
    pairs = tuple(f"{word}={number:.10g}%" for word, number in zip(words, numbers, strict=True))
    uploads.keep(replace(source, options=replace(source.options, confidence_words=pairs)))
    read_controls.forget()
