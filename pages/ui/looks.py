"""Widgets that change how a page looks, or what it asks, and no setting: Undo takes back what a person did.

Each widget of a page that keeps a value is drawn here, in :mod:`pages.ui.choices`, or in
:mod:`pages.ui.sidebar.control`: so there is none that Undo does not know.
"""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import settings


def drawn(
    widget: Callable[..., Any],
    label: str,
    *arguments: Any,
    key: str,
    start: object,
    stays: bool = True,
    **how: Any,
) -> Any:
    """A ``widget`` of Streamlit with its own arguments, which shows ``start`` at first.

    stays : whether it is as it was left when a page is opened again
    """
    if stays:
        how["persist_state"] = "session"
    before = st.session_state.get(key, start)
    return widget(label, *arguments, key=key, on_change=settings.looked, args=(key, before), **how)


def toggle(
    label: str, key: str, *, on: bool = False, help: str | None = None, disabled: bool = False
) -> bool:
    """A switch, off at first unless it is ``on``."""
    return bool(drawn(st.toggle, label, value=on, key=key, start=on, help=help, disabled=disabled))


def ticked(label: str, key: str) -> bool:
    """A box to tick, empty until then and when the page is opened again."""
    return bool(drawn(st.checkbox, label, key=key, start=False, stays=False))


def typed(place: DeltaGenerator, label: str, key: str, **how: Any) -> str:
    """What a person types at a ``place``, empty when the page is opened again."""
    return str(drawn(place.text_input, label, key=key, start="", stays=False, **how))


def one_of(
    label: str, options: Sequence[str], key: str, *, say: Callable[[str], str], help: str | None = None
) -> str:
    """One of some options beside each other, the first at first."""
    chosen: str = drawn(
        st.segmented_control, label, list(options), default=options[0], required=True, format_func=say,
        key=key, start=options[0], help=help,
    )  # fmt: skip
    return chosen
