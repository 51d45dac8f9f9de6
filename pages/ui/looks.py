"""Switches that change how a page looks, and no setting: they stay as left, and Undo takes them back."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.ui import settings


def toggle(label: str, key: str, *, help: str | None = None, disabled: bool = False) -> bool:
    """A switch, off at first."""
    return st.toggle(
        label, key=key, help=help, disabled=disabled, persist_state="session",
        on_change=settings.looked, args=(key, st.session_state.get(key, False)),
    )  # fmt: skip


def one_of(
    label: str, options: Sequence[str], key: str, *, say: Callable[[str], str], help: str | None = None
) -> str:
    """One of some options beside each other, the first at first."""
    return st.segmented_control(
        label, list(options), default=options[0], required=True, format_func=say, key=key, help=help,
        persist_state="session", on_change=settings.looked,
        args=(key, st.session_state.get(key, options[0])),
    )  # fmt: skip
