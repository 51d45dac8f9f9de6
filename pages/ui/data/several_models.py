"""A file with several models: all of them become models that are compared."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from calibcore.errors import SeveralModelsError
from pages.ui import state, uploads
from pages.ui.data.file_reading import models_in
from pages.ui.show import plain

COMPARE = "Compare all"


def fit(problem: SeveralModelsError) -> bool:
    """Whether a session holds so many models as the file does; said where it does not."""
    if len(problem.models) <= state.MOST_MODELS:
        return True
    st.caption(
        f"The app holds up to {state.MOST_MODELS} models, and the file has {len(problem.models)}. The "
        "command line compares up to 50."
    )
    return False


def take_all(source: uploads.Source, problem: SeveralModelsError) -> Sequence[state.Loaded]:
    """Read every model of a file; none is in use yet.

    Raises
    ------
    InputError : one of them cannot be read.
    """
    options = replace(source.options, model_column=problem.model_column or source.options.model_column)
    with st.spinner(f"Reading {plain(source.title, 80)} …"):
        readings = models_in(replace(source, options=options)).readings
    first, *rest = readings.items()
    models = [state.add(source.number, *first, in_use=False)]
    for name, reading in rest:
        turn = st.session_state.get(uploads.TURN, 0)
        st.session_state[uploads.TURN] = turn + 1
        models.append(state.add(turn, name, reading, in_use=False))
    return models
