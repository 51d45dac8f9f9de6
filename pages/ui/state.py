"""What a session holds: the predictions in use, and cached calls into calibcore.

Caches are per session, bounded, and keyed by the predictions' fingerprint and
the settings as JSON; predictions are passed with a leading underscore, which
keeps Streamlit from sampling them.
"""

from dataclasses import dataclass, replace
from typing import cast

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.diagnose import reliability_for
from calibcore.examples import EXAMPLES, load_example
from calibcore.io import Reading
from calibcore.reliability import Reliability

DEFAULT_EXAMPLE = "digits-forest"
UPLOADED = "uploaded"


@dataclass(frozen=True)
class Loaded:
    """Predictions with what people call them. ``reading`` says how a file was read."""

    title: str
    description: str
    noun: str
    predictions: Predictions
    reading: Reading | None = None


@st.cache_resource(max_entries=len(EXAMPLES))
def _example(key: str) -> Loaded:
    example = next(e for e in EXAMPLES if e.key == key)
    return Loaded(example.title, example.description, example.noun, load_example(key))


def draw_choice_of_data() -> None:
    """The select box of bundled examples and, once there is one, the uploaded file."""
    keys = [e.key for e in EXAMPLES]
    if UPLOADED in st.session_state:
        keys = [UPLOADED, *keys]
    chosen = st.session_state.pop("choose", None) or st.session_state.get("data", DEFAULT_EXAMPLE)
    st.session_state["data"] = chosen if chosen in keys else DEFAULT_EXAMPLE
    st.selectbox(
        "Predictions",
        keys,
        format_func=lambda key: st.session_state[UPLOADED].title if key == UPLOADED else _example(key).title,
        key="data",
        help="Bundled examples: real models, and toy populations whose answer is known.",
    )


def loaded() -> Loaded:
    """The data in use."""
    key = st.session_state.get("data", DEFAULT_EXAMPLE)
    return cast(Loaded, st.session_state[UPLOADED]) if key == UPLOADED else _example(key)


def predictions() -> Predictions:
    """The predictions in use."""
    return loaded().predictions


def use_upload(title: str, noun: str, reading: Reading) -> None:
    """Make a file that was read the data in use, from the next run on."""
    st.session_state[UPLOADED] = Loaded(title, "", noun, reading.predictions, reading)
    st.session_state["choose"] = UPLOADED


def rename_cases(noun: str) -> None:
    """What one case of the uploaded file is called."""
    if UPLOADED in st.session_state:
        st.session_state[UPLOADED] = replace(st.session_state[UPLOADED], noun=noun)


def diagram(p: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The reliability diagram's numbers, cached for this session."""
    return _diagram(p, p.fingerprint, spec.to_json())


@st.cache_data(max_entries=32, scope="session", show_spinner=False)
def _diagram(_p: Predictions, fingerprint: str, spec_json: str) -> Reliability:  # noqa: ARG001 (the key)
    return reliability_for(_p, DiagnosisSpec.from_json(spec_json))
