"""What words for a confidence stand for: a number for each, beside what could not be read."""

from dataclasses import replace

import streamlit as st

from calibcore.errors import Remedy
from pages.ui import uploads
from pages.ui.data import read_controls
from pages.ui.show import plain

BESIDE = 4
"""Words in a row."""
AMISS = "read-words-amiss"
"""Key of the session: what is wrong with the numbers, in a sentence."""
MISSING = "Each of them needs a number."
FRACTIONS = "All of them are 1 % or less. Per cent is expected: 95, not 0.95."


def draw(source: uploads.Source, remedy: Remedy) -> None:
    """A number for each word that ``remedy`` asks about, and the button that reads the file by them."""
    with st.form("words", border=True):
        st.caption(f"{plain(remedy.words)}, from 0 to 100 %: how often such an answer should be right.")
        for start in range(0, len(remedy.each), BESIDE):
            for place, word in zip(st.columns(BESIDE), remedy.each[start : start + BESIDE], strict=False):
                place.number_input(
                    f"{plain(word, 40)}, %", 0.0, 100.0, None, 5.0, key=_key(word), format="%g"
                )
        if amiss := st.session_state.pop(AMISS, ""):
            st.caption(f":orange[{amiss}]")
        words = "Read it by these numbers"
        st.form_submit_button(words, on_click=_take, args=(source.version, remedy.each))


def _key(word: str) -> str:
    return f"read-word-{word}"


def _take(version: int, words: tuple[str, ...]) -> None:
    """Read the file by what was said, if it is still the one that the form stood below."""
    source = uploads.current()
    numbers = [st.session_state.get(_key(word)) for word in words]
    given = [number for number in numbers if number is not None]
    amiss = MISSING if len(given) < len(words) else FRACTIONS if max(given) <= 1 else ""
    st.session_state[AMISS] = amiss
    if amiss or source is None or source.version != version:
        return
    pairs = tuple(f"{word}={number:.10g}%" for word, number in zip(words, given, strict=True))
    uploads.keep(replace(source, options=replace(source.options, confidence_words=pairs)))
    read_controls.forget()
