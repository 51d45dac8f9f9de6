"""The pages as Streamlit's navigation knows them, and links between them."""

import json
from collections.abc import Mapping

import streamlit as st

from pages.server import page_list


def pages() -> dict[str, list[st.Page]]:
    """Menu -> its pages, in order; those without a menu stand in the row, under no name. The first one is
    where people arrive."""
    menus = page_list.menus()
    row = [page for page in page_list.pages() if page.group not in menus]
    return {group: [_page(page) for page in members] for group, members in {"": row, **menus}.items()}


def page(name: str) -> st.Page:
    """The page of that name."""
    return _page(page_list.page(name))


def _page(page: page_list.Page) -> st.Page:
    first = page == page_list.pages()[0]
    return st.Page(
        page.path, title=page.title, url_path=None if first else page.name, default=first, help=page.heading
    )


def arrange(current: page_list.Page) -> None:
    """The row in the order of places, as Streamlit puts all menus behind it. The menu of the page is marked,
    groups stand apart, and each page in a menu says what it answers."""
    menus, known = page_list.menus(), page_list.pages()
    entries = [[page] for page in known if page.group not in menus] + [
        list(pages) for pages in menus.values()
    ]
    in_order = sorted(entries, key=lambda members: known.index(members[0]))
    rules, before = [], known[0].group
    for rank, members in enumerate(in_order):
        group = members[0].group
        item = f'[data-testid="stTopNav"] > :nth-child({entries.index(members) + 1})'
        rules.append(f"{item} {{ order: {rank} !important }}")
        if group != before:
            rules.append(f"{item} {{ padding-left: 0.75rem }}")
        if group in menus and group == current.group:
            rules.append(f"{item} button {{ background-color: var(--page-here); font-weight: 600 }}")
        before = group
    for page in (page for members in menus.values() for page in members):
        entry = f'[data-testid="stTopNavDropdownLink"][href$="/{page.name}"]::after'
        rules.append(f'{entry} {{ content: {json.dumps(page.heading)} / "" }}')
    st.html(f"<style>{' '.join(rules)}</style>")


def link(name: str, label: str, icon: str = "", query: Mapping[str, str] | None = None) -> None:
    """A link to a page, with that page's icon if no other is named."""
    icon = icon or page_list.page(name).icon
    st.page_link(page(name), label=label, icon=f":material/{icon}:", query_params=dict(query or {}) or None)
