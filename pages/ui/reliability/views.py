"""How the reliability diagram is looked at: which view, which curve. They change no number."""

from dataclasses import dataclass

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.diagnose.parts import spread_bins
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.words.diagram import AXES, EVEN, LOG_ODDS, crowded_sentence, no_intervals
from pages.ui import diagrams, show, state
from pages.ui.show import plain
from pages.ui.state import Loaded

_CURVES = {"none": "None", "isotonic": "Isotonic", "smooth": "Smooth"}
_AXIS = "look-axis"


@dataclass(frozen=True)
class Look:
    """``classical``: observed against predicted; ``curve``: "isotonic", "smooth" or empty; ``whiskers``:
    the intervals of the frequencies, in the classical view; ``spread``: that of the predictions on an axis
    in log-odds."""

    classical: bool = False
    curve: str = ""
    whiskers: bool = False
    spread: Spread | None = None


def binned(spec: DiagnosisSpec, spread: Spread | None) -> DiagnosisSpec:
    """The settings with the bins of the diagram: its own on an axis in log-odds, unless some were chosen."""
    in_log_odds = spread is not None and st.session_state.get(_AXIS, LOG_ODDS) == LOG_ODDS
    return spread_bins(spec, spread) if spread is not None and in_log_odds else spec


def diagram_of(data: Loaded, spec: DiagnosisSpec) -> tuple[Reliability, DiagnosisSpec, Spread | None]:
    """The diagram of the data with the bins that it is looked at in, the settings with these, and how far
    the predictions spread."""
    spread = state.spread(data.predictions, spec)
    drawn = binned(spec, spread)
    return diagrams.diagram(data.predictions, drawn), drawn, spread


def chosen(
    diagram: Reliability,
    frequencies: FrequencyIntervals,
    spec: DiagnosisSpec,
    spread: Spread | None,
    noun: str,
) -> Look:
    """The controls above the diagram; more than two classes have one view only, weighted cases no curve.

    Where predictions crowd (``spread``) it starts in log-odds, and says why and how to come back.
    """
    if len(diagram.class_names) > 2:
        return Look()
    axis = EVEN
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        curve = "none" if not diagram.has_bars else _curve()
        classical = st.toggle(
            "Observed against predicted",
            key="look-classical",
            persist_state="session",
            help="The classical diagram. Off: how far the two are apart, which shows small errors better.",
        )
        whiskers = classical and diagram.has_bars and _whiskers(frequencies)
        if spread is not None:
            axis = _axis()
    if spread is not None:
        st.caption(plain(crowded_sentence(spread, axis, spec.binning, noun)))
    in_log_odds = spread if axis == LOG_ODDS else None
    return Look(classical, "" if curve == "none" else curve, whiskers, in_log_odds)


def _axis() -> str:
    return st.segmented_control(
        "Axis",
        list(AXES),
        default=LOG_ODDS,
        required=True,
        format_func=AXES.__getitem__,
        key=_AXIS,
        persist_state="session",
        help=show.glossary("log-odds"),
    )


def _curve() -> str:
    return st.segmented_control(
        "Curve",
        list(_CURVES),
        default="none",
        required=True,
        format_func=_CURVES.__getitem__,
        key="look-curve",
        persist_state="session",
        help=show.glossary("curve"),
    )


def _whiskers(frequencies: FrequencyIntervals) -> bool:
    refused = no_intervals(frequencies)
    wanted = st.toggle(
        "Intervals of the frequencies",
        key="look-whiskers",
        persist_state="session",
        disabled=bool(refused),
        help=refused or show.glossary("interval of a frequency"),
    )
    return wanted and not refused
