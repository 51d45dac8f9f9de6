"""The pages as Streamlit's navigation knows them, and links between them."""

import json
from collections.abc import Mapping

import streamlit as st

from pages.server import page_list, sign_in


def pages() -> list[st.Page]:
    """All pages in their order, by their names in one row; the first one is where people arrive. What a
    narrow window has no room for, Streamlit folds into a menu at the row's end."""
    return [_page(page) for page in _known()]


def _known() -> tuple[page_list.Page, ...]:
    """Those for who looks."""
    return (*page_list.pages(), *(page_list.pages_for_admins() if sign_in.is_admin() else ()))


def page(name: str) -> st.Page:
    """The page of that name."""
    return _page(page_list.page(name))


def _page(page: page_list.Page) -> st.Page:
    first = page == page_list.pages()[0]
    return st.Page(
        page.path, title=page.title, url_path=None if first else page.name, default=first, help=page.heading
    )


def arrange() -> None:
    """Groups of pages stand apart in the row, and each page in the menu at its end says what it answers."""
    known = _known()
    rules = [
        f'[data-testid="stTopNav"] > :nth-child({place + 1}) {{ padding-left: 0.75rem }}'
        for place, page in enumerate(known)
        if place and page.group != known[place - 1].group
    ]
    for page in known:
        entry = f'[data-testid="stTopNavDropdownLink"][href$="/{page.name}"]::after'
        rules.append(f'{entry} {{ content: {json.dumps(page.heading)} / "" }}')
    st.html(f"<style>{' '.join(rules)}</style>")


def link(name: str, label: str, icon: str = "", query: Mapping[str, str] | None = None) -> None:
    """A link to a page, with that page's icon if no other is named."""
    icon = icon or page_list.page(name).icon
    st.page_link(page(name), label=label, icon=f":material/{icon}:", query_params=dict(query or {}) or None)
