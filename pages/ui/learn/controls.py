"""What can be moved in each lesson; nothing of it is a setting of the session."""

import streamlit as st

from calibcore import lessons
from calibcore.lessons import findings
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.words.phrases import exact_percent

SETS = 20
STRETCHES = {"not at all": 1.0, "a little": 1.5, "clearly": 2.0, "very": 3.0}
LENSES: dict[str, Lens] = {
    "Confidence": TopKLens(1),
    **{f"Class {name}": ClassLens(name) for name in "123"},
    "All three": CanonicalLens(),
}
MODELS = {"Calibrated": "M1", "Blind to one class": "M2", "Guessing": "M3"}


def overconfidence() -> float:
    choice = st.select_slider(
        "How overconfident is the forecaster?", list(STRETCHES), value="clearly", key="lesson-promise"
    )
    return STRETCHES[choice]


def lens() -> str:
    return st.pills(
        "Look through", list(LENSES), default="Confidence", key="lesson-lens", required=True, wrap=True
    )


def size() -> int:
    return st.select_slider("Cases", lessons.SIZES, value=250, format_func="{:,}".format, key="lesson-chance")


def bins() -> int:
    return st.select_slider("Bins", lessons.BINS, value=10, key="lesson-compare")


def threshold() -> float:
    return st.select_slider(
        "Treat from", lessons.THRESHOLDS, value=0.2, format_func=exact_percent, key="lesson-threshold"
    )


def sureness() -> float:
    return st.select_slider(
        "The model says that it is this sure",
        lessons.SAID,
        value=0.9,
        format_func=exact_percent,
        key="lesson-sure",
    )


def border() -> float:
    return st.select_slider(
        "Above grade 2 is too high by (log-odds)", lessons.BORDERS, value=0.8, key="lesson-grades"
    )


def together() -> float:
    return st.select_slider(
        "How strongly findings go together (correlation)", findings.ALIKE, value=0.6, key="lesson-findings"
    )


def outcomes() -> int:
    return st.slider("Set of outcomes", 1, lessons.OUTCOME_SETS, 1, key="lesson-bars")


def model() -> str:
    choice = st.pills(
        "The model is", list(MODELS), default="Calibrated", key="lesson-neighbours", required=True, wrap=True
    )
    return MODELS[choice]


def sets() -> int:
    tried: int = st.session_state.setdefault("lesson-sets", 0)
    st.button(
        f"Try {SETS} more" if tried else f"Try {SETS} data sets",
        key="lesson-exact",
        on_click=_more_sets,
        disabled=tried >= lessons.MOST_TRIALS,
        icon=":material/casino:",
    )
    return tried


def _more_sets() -> None:
    st.session_state["lesson-sets"] = min(lessons.MOST_TRIALS, st.session_state["lesson-sets"] + SETS)
