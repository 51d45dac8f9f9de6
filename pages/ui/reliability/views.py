"""How the reliability diagram is looked at: which view, which curve. They change no number."""

from dataclasses import dataclass

import streamlit as st

from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.words.diagram import no_intervals
from pages.ui import show

_CURVES = {"none": "None", "isotonic": "Isotonic", "smooth": "Smooth"}


@dataclass(frozen=True)
class Look:
    """``classical``: observed against predicted; ``curve``: "isotonic", "smooth" or empty; ``whiskers``:
    the intervals of the frequencies, in the classical view."""

    classical: bool = False
    curve: str = ""
    whiskers: bool = False


def chosen(diagram: Reliability, frequencies: FrequencyIntervals) -> Look:
    """The controls above the diagram; more than two classes have one view only, weighted cases no curve."""
    if len(diagram.class_names) > 2:
        return Look()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        curve = "none" if not diagram.has_bars else _curve()
        classical = st.toggle(
            "Observed against predicted",
            key="look-classical",
            persist_state="session",
            help="The classical diagram. Off: how far the two are apart, which shows small errors better.",
        )
        whiskers = classical and diagram.has_bars and _whiskers(frequencies)
    return Look(classical, "" if curve == "none" else curve, whiskers)


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
