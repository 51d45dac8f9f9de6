"""A file with several models: all of them become models that are compared."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from calibcore.errors import SeveralModelsError
from calibcore.io import Reading
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
    models: list[state.Loaded] = []
    for name, reading in readings.items():
        models.append(
            _again(name, reading) or state.add(_number(source, models), name, reading, in_use=False)
        )
    return models


def _again(name: str, reading: Reading) -> state.Loaded | None:
    """The model that was read from such a file before, alone: it is not compared with itself."""
    for key, model in state.models().items():
        called = name == model.title or (model.reading is not None and name == model.reading.options.model)
        if called and model.predictions.fingerprint == reading.predictions.fingerprint:
            state.models().pop(key)  # and so the newest again, which is kept longest
            return state.keep(model, in_use=False)
    return None


def _number(source: uploads.Source, before: Sequence[state.Loaded]) -> int:
    """Of the file for the first of its models, and then of files that never came."""
    if not before:
        return source.number
    turn: int = st.session_state.get(uploads.TURN, 0)
    st.session_state[uploads.TURN] = turn + 1
    return turn
