"""How the reliability diagram is looked at: which view, which curve. They change no number."""

from dataclasses import dataclass

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.words.diagram import AXES, EVEN, LOG_ODDS, crowded_sentence, no_intervals
from pages.ui import diagrams, looks, show, state
from pages.ui.show import plain
from pages.ui.state import Loaded

CLASSICAL = "classical"
VIEWS = {diagrams.DEVIATION: "Observed minus predicted", CLASSICAL: "Observed against predicted"}
_CURVES = {"none": "None", "isotonic": "Isotonic", "smooth": "Smooth"}


@dataclass(frozen=True)
class Look:
    """``classical``: observed against predicted; ``curve``: "isotonic", "smooth" or empty; ``whiskers``:
    the intervals of the frequencies, in the classical view; ``spread``: that of the predictions on an axis
    in log-odds."""

    classical: bool = False
    curve: str = ""
    whiskers: bool = False
    spread: Spread | None = None


def diagram_of(data: Loaded, spec: DiagnosisSpec) -> tuple[Reliability, DiagnosisSpec, Spread | None]:
    """The diagram of the data with the bins that it is looked at in, the settings with these, and how far
    the predictions spread."""
    spread = state.spread(data.predictions, spec)
    drawn = diagrams.binned(spec, spread)
    return diagrams.diagram(data.predictions, drawn), drawn, spread


def chosen(
    diagram: Reliability,
    frequencies: FrequencyIntervals,
    spread: Spread | None,
) -> Look:
    """The controls above the diagram; more than two classes have one view only, weighted cases no curve.

    Where predictions crowd (``spread``) deviations start in log-odds.
    """
    if len(diagram.class_names) > 2:
        return Look()
    axis = EVEN
    classical = _view() == CLASSICAL
    curve = "none" if not diagram.has_bars else _curve()
    whiskers = classical and diagram.has_bars and _whiskers(frequencies)
    if spread is not None and not classical:
        axis = _axis()
    return Look(classical, "" if curve == "none" else curve, whiskers, spread if axis == LOG_ODDS else None)


def crowded(spread: Spread | None, look: Look, spec: DiagnosisSpec, noun: str) -> None:
    """Said where predictions crowd, and the way back."""
    if spread is not None and not look.classical:
        axis = EVEN if look.spread is None else LOG_ODDS
        st.caption(plain(crowded_sentence(spread, axis, spec.binning, noun)))


def _view() -> str:
    help = "How far the two are apart, which shows small errors; or the classical diagram."
    return looks.one_of("Diagram", list(VIEWS), diagrams.VIEW, say=VIEWS.__getitem__, help=help)


def _axis() -> str:
    return looks.one_of(
        "Axis", list(AXES), diagrams.AXIS, say=AXES.__getitem__, help=show.glossary("log-odds")
    )


def _curve() -> str:
    help = show.glossary("curve")
    return looks.one_of("Curve", list(_CURVES), "look-curve", say=_CURVES.__getitem__, help=help)


def _whiskers(frequencies: FrequencyIntervals) -> bool:
    refused = no_intervals(frequencies)
    help = refused or show.glossary("interval of a frequency")
    wanted = looks.toggle("Intervals of the frequencies", "look-whiskers", help=help, disabled=bool(refused))
    return wanted and not refused
