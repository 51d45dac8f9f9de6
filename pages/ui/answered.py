"""An answer on a page: its blocks as they come, each with what a page adds to it."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any, assert_never

import streamlit as st

from calibcore.answers.blocks import (
    Badge,
    Beside,
    Block,
    Cases,
    Caution,
    Chart,
    Doubts,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.tables import Table
from calibcore.charts import style
from calibcore.drawing import on_screen
from pages.ui import saving, show
from pages.ui.show import glossary, plain


def draw(blocks: Iterable[Block], level: int = 2) -> None:
    """Blocks below each other; the headline is a heading of that ``level``.

    What a case is stands once on a page, see :func:`pages.ui.frame.caution`.
    """
    for block in blocks:
        match block:
            case Badge():
                badge(block)
            case Headline():
                st.markdown(f"{'#' * level} {plain(block.text)}")
            case Sentences():
                for line in filter(None, block.lines):
                    st.markdown(plain(line))
            case Doubts():
                for line in filter(None, block.lines):
                    st.warning(plain(line))
            case Beside():
                st.markdown(plain(block.text))
            case Caution():
                small_print([block.text])
            case Cases():
                pass
            case Fold():
                if block.blocks:
                    _fold(block.title, partial(draw, block.blocks, level + 1))
            case Table():
                st.subheader(plain(block.title))
                show.rows_and_csv(block.rows, f"{block.name}-rows", block.name)
                small_print(block.notes)
            case Chart():
                chart(block)
            case Methods():
                methods(block)
            case Notes():
                small_print(block.lines)
            case _:
                assert_never(block)


def badge(block: Badge) -> None:
    """In words with an icon."""
    colour = style.VERDICT_BADGE[block.colour]
    st.badge(block.words, icon=f":material/{block.icon}:", color=colour, help=glossary("verdict"))


def small_print(lines: Iterable[str], elsewhere: Collection[str] = ()) -> None:
    """Sentences below each other in small letters, but for those that are said ``elsewhere``: how a file was
    read stands on the Data page."""
    for line in lines:
        if line and line not in elsewhere:
            st.caption(plain(line))


def methods(block: Methods, cautions: Iterable[Caution] = ()) -> None:
    """How it was found out, folded, with what is to be kept in mind."""
    words = (*block.lines, *(caution.text for caution in cautions))
    _fold(block.title, partial(show.points, words))


def _fold(title: str, inside: Callable[[], object]) -> None:
    show.fold(title, f"fold-{title.lower().replace(' ', '-')}", inside)


def chart(block: Chart, **look: Any) -> None:
    """A figure under its title; ``look`` is for :func:`pages.ui.show.figure`, where a page wants another."""
    if block.title:
        st.subheader(plain(block.title), help=glossary(block.term) if block.term else None)
    figure(block, **look)


def folded(block: Chart, title: str) -> None:
    """A figure that is not the first of a page, in a fold: it is made once that is opened."""

    def inside() -> None:
        if block.term:
            st.caption(plain(glossary(block.term)))
        figure(block)

    show.fold(title, f"fold-{block.name}", inside)


def figure(block: Chart, **look: Any) -> None:
    """A chart without its title, where that stands elsewhere."""
    usual: dict[str, Any] = {
        "key": f"{block.name}-figure",
        "says": block.says,
        "reading": block.name,
        "noun": block.called,
        "rows": block.table.rows,
        "table_name": f"The {block.table.rows_are} as a table",
        "table_open": block.table_open,
        "printed": saving.on_paper(block.paper, block.of, **block.options),
    }
    drawn = on_screen(block.screen, block.of, **block.options, **block.marked)(show.theme())
    show.figure(drawn, **(usual | look))
