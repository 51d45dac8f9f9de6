"""The bundled example that has columns beside the predictions: sites, patients, dates."""

from dataclasses import replace

import streamlit as st

from calibcore.transforms.lenses import CanonicalLens
from pages.ui import settings, state

CLINIC = "clinic"


def offer(words: str) -> None:
    """A button that opens it."""
    st.button(words, on_click=use_clinic, icon=":material/local_hospital:", key="open-clinic")


def use_clinic() -> None:
    """Look at the example: all of its two classes, one row of each patient."""
    state.use(CLINIC)
    settings.change(replace(settings.current(), lens=CanonicalLens(), unit="patient"))
