"""The pages there are, for the navigation and for links between them."""

from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).parents[1]
TITLES = {
    "overview": "Overview",
    "reliability": "Reliability",
    "simplex": "Simplex",
    "tests": "Tests",
    "share": "Share",
    "data": "Data",
    "learn": "Learn",
}
WITHOUT_A_MODEL = ("data", "learn")
"""Pages that are shown where no model is in use, too."""


def page(name: str) -> st.Page:
    """The page of that name; the first one is where people arrive."""
    first = name == next(iter(TITLES))
    return st.Page(
        _FOLDER / f"{name}.py", title=TITLES[name], url_path=None if first else name, default=first
    )


def pages() -> list[st.Page]:
    """All of them, in order."""
    return [page(name) for name in TITLES]


def link(name: str, label: str, icon: str) -> None:
    """A link to a page."""
    st.page_link(page(name), label=label, icon=f":material/{icon}:")
