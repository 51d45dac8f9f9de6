"""How things are shown: escaped user text, the glossary, a figure with its words and its table."""

import re
from collections.abc import Callable
from functools import cache

import streamlit as st

from calibcore.figures.reliability import reliability_figure
from calibcore.figures.simplex import simplex_figure
from calibcore.figures.style import CONFIG, SELECTABLE
from calibcore.limits import asset_path
from calibcore.reliability import Reliability
from calibcore.words import arrows_sentence, bins_outside, reliability_rows

MOST_CHARACTERS = 1_000
SHORT = 12
"""A cell of so many characters is not wrapped."""


def plain(text: str, most: int = MOST_CHARACTERS) -> str:
    """Text from outside as Markdown that shows it literally: every punctuation mark is escaped."""
    one_line = re.sub(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]+", " ", text)
    if len(one_line) > most:
        one_line = one_line[: most - 1] + "…"
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", one_line)


@cache
def _glossary() -> dict[str, str]:
    """Term -> its one line, out of assets/texts/glossary.md ("**term**: line")."""
    text = asset_path("texts", "glossary.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\*\*(.+?)\*\*: (.+)$", text, flags=re.MULTILINE))


def glossary(term: str) -> str:
    """The one line about a term of art; a missing term is a mistake of ours and raises."""
    return _glossary()[term]


def glossary_text() -> str:
    """The whole glossary, in the order of the alphabet, as a list."""
    terms = sorted(_glossary().items(), key=lambda pair: pair[0].lower())
    return "\n".join(f"- **{term}**: {line}" for term, line in terms)


def text(name: str) -> str:
    """One of the texts that users read, as Markdown."""
    return asset_path("texts", f"{name}.md").read_text(encoding="utf-8")


def theme() -> str:
    """ "light" or "dark", as the browser shows it."""
    return st.context.theme.type or "light"


def table(rows: list[dict[str, str]]) -> None:
    """A small table that wraps instead of scrolling; the first of two lines in a cell is strong."""
    st.table([{head: _cell(text) for head, text in row.items()} for row in rows], border="horizontal")


def _cell(text: str) -> str:
    first, _, below = text.partition("\n")
    if below:
        return f"**{plain(first)}**  \n{plain(below)}"
    return plain(first.replace(" ", "\N{NO-BREAK SPACE}") if len(first) <= SHORT else first)


def diagram(
    found: Reliability,
    noun: str,
    key: str = "diagram",
    classical: bool = False,
    on_select: Callable[[], None] | None = None,
) -> None:
    """The reliability diagram, its sentence as alternative text, its table one click away.

    With ``on_select`` crosses can be clicked, or framed with the tool for that above the figure.
    """
    st.plotly_chart(
        reliability_figure(found, noun, theme(), classical),
        config=SELECTABLE if on_select else CONFIG,
        alt=bins_outside(found),
        key=key,
        on_select=on_select or "ignore",
        selection_mode=("points", "box"),
    )
    with st.expander("How to read this", key=f"{key}-reading"):
        st.markdown(text(_reading(found, classical)))
    with st.expander("The bins as a table", key=f"{key}-bins"):
        st.dataframe(reliability_rows(found), hide_index=True)


def _reading(found: Reliability, classical: bool) -> str:
    if len(found.class_names) > 2:
        return "reliability-many"
    return "reliability-classical" if classical else "reliability"


def triangle(found: Reliability, noun: str, key: str = "triangle") -> None:
    """The triangle of three classes, its sentence as alternative text, its table one click away."""
    st.plotly_chart(simplex_figure(found, noun, theme()), config=CONFIG, alt=arrows_sentence(found), key=key)
    with st.expander("How to read this", key=f"{key}-reading"):
        st.markdown(text("simplex"))
    with st.expander("The arrows as a table", key=f"{key}-arrows"):
        st.dataframe(reliability_rows(found), hide_index=True)
