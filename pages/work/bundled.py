"""The bundled examples, loaded once for everybody: work on them is the same for all."""

import streamlit as st

from calibcore import Predictions
from calibcore.data.examples import EXAMPLES, RUNS, load_example, load_run


@st.cache_resource(max_entries=len(EXAMPLES))
def predictions(key: str) -> Predictions:
    """The predictions of a bundled example."""
    return load_example(key)


@st.cache_resource(max_entries=len(RUNS))
def run(key: str) -> dict[int, Predictions]:
    """The epochs of a bundled training run."""
    return load_run(key)


def is_bundled(p: Predictions) -> bool:
    """Whether these are the predictions of a bundled example: the very ones, and no upload that is alike."""
    return any(p is predictions(example.key) for example in EXAMPLES)
