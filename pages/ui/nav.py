"""The pages as Streamlit's navigation knows them, and links between them."""

import streamlit as st

from pages.server import page_list


def pages() -> list[st.Page]:
    """All of them, in order; the first one is where people arrive."""
    return [_page(one, first=number == 0) for number, one in enumerate(page_list.pages())]


def page(name: str) -> st.Page:
    """The page of that name."""
    one = page_list.page(name)
    return _page(one, first=one == page_list.pages()[0])


def _page(one: page_list.Page, first: bool) -> st.Page:
    return st.Page(one.path, title=one.title, url_path=None if first else one.name, default=first)


def link(name: str, label: str, icon: str = "") -> None:
    """A link to a page, with that page's icon if no other is named."""
    st.page_link(page(name), label=label, icon=f":material/{icon or page_list.page(name).icon}:")
