"""The button beside a figure: the same figure for print, drawn when a file is asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from calibcore import drawing
from calibcore.charts.formats import FORMATS, WIDTHS
from calibcore.words import letters
from calibcore.words.file_names import file_name
from pages.ui import state

if TYPE_CHECKING:
    from calibcore.painters.paper import Figure

MIME = {"pdf": "application/pdf", "svg": "image/svg+xml", "png": "image/png"}
ALWAYS_THERE = "\u024f"
"""Up to this letter the font of printed figures has all."""
on_paper = drawing.on_paper
COLUMNS = dict(zip(WIDTHS, ("One column of a journal", "Two columns"), strict=True))


ABOUT = "files-about"
"""Key of the session: what files of this page are called after."""


def about(title: str) -> None:
    """What is looked at on this page: files are called after it."""
    st.session_state[ABOUT] = title


def named(what: str, ending: str, date: str = "") -> str:
    """What a file is called that is taken along from this page: "derm-reliability.csv"."""
    return file_name(st.session_state.get(ABOUT, ""), what, ending, date)


def button(printed: "Callable[[float], Figure]", name: str, key: str) -> None:
    """Small, on the right: a file of each format and width. Nothing is drawn before a click.

    printed : millimetres -> the figure, as :func:`on_paper` makes it
    name : of what is drawn, in the names of the files
    """
    names = state.predictions().class_names
    with (
        st.container(horizontal=True, horizontal_alignment="right"),
        st.popover("Save", icon=":material/download:", type="tertiary", key=f"{key}-save"),
    ):
        for width, words in COLUMNS.items():
            st.caption(words)
            with st.container(horizontal=True):
                for format in FORMATS:
                    st.download_button(
                        f"{format.upper()}, {width} mm",
                        partial(file_of, printed, width, format, names),
                        named(f"{name}-{width}mm", format),
                        MIME[format],
                        key=f"{key}-save-{width}-{format}",
                        help="300 dots per inch" if format == "png" else "Sharp at any size",
                        on_click="ignore",
                    )
        st.caption("Type and lines keep their size at these widths, and differences stay in grey.")
        if any(letter > ALWAYS_THERE for text in names for letter in text):
            st.caption(letters.BY_NUMBER)


def file_of(
    printed: "Callable[[float], Figure]", width: float, format: str, names: Sequence[str] = ()
) -> bytes:
    """The figure as a file, drawn now; ``names`` are those of all classes, in their order."""
    from calibcore.painters.paper import saved, stand_ins, standing_in

    with standing_in(stand_ins(names)):
        return saved(printed(width), format)
