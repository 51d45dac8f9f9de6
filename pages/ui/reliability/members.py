"""The reliability diagram with its bins to choose, by mouse or by keyboard, and the cases they hold."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.painters.screen.reliability import bins_chosen
from calibcore.words.diagram import (
    bin_words,
    diagram_sentence,
    member_rows,
    members,
    members_csv,
    members_sentence,
    shown_of,
)
from calibcore.words.phrases import seen_noun
from calibcore.words.results import bins_heading
from pages.ui import choices, diagrams, saving, settings, show
from pages.ui.reliability import views, without_bins
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded

MOST_SHOWN = 50
MOST_OFFERED = 200
"""Bins in the select box, those with most cases."""
OUTCOME = ("Happened", "The answer was", "Through the lens")
"""Heads of columns that say what happened."""
CHART, CHOSEN, CLICKS = "diagram", "chosen-bins", "clicks-on-bins"


@dataclass(frozen=True)
class Places:
    """Where the ``figure`` stands, the ``bar`` of its controls, and the cases of the bins ``chosen`` in it;
    its sentence and the box of bins stand where it is drawn from."""

    figure: DeltaGenerator
    bar: DeltaGenerator
    chosen: DeltaGenerator


def diagram(
    numbers: Reliability, data: Loaded, spec: DiagnosisSpec, spread: Spread | None, claim: str, places: Places
) -> None:
    """Observed minus predicted, or observed against predicted, with a curve; the cases of the chosen bins.

    spec : with the bins of this diagram
    spread : of predictions that crowd, which has an axis to choose
    claim : the sentence above the figure, which is not said again beside it
    """
    view = (data.predictions.fingerprint, spec.to_json())
    if st.session_state.get("chosen-of") != view:
        st.session_state["chosen-of"], st.session_state[CHOSEN] = view, []
    noun, frequencies = seen_noun(spec.lens, data.noun), frequency_intervals(numbers, spec.lens)
    with places.bar:
        look = views.chosen(numbers, frequencies, spread)
    with show.above():
        views.crowded(spread, look, spec, noun)
        curve = diagrams.curve(data.predictions, spec, look.curve) if look.curve else None
    in_full = diagram_sentence(numbers, noun, curve, spec.lens)
    says = in_full.removeprefix(claim).strip() or in_full
    st.markdown(plain(says))
    chosen = _members(numbers, data, spec, noun, places.chosen)
    with places.figure, without_bins.place():
        show.diagram(
            numbers,
            noun,
            frequencies,
            spec.lens,
            CHART,
            classical=look.classical,
            whiskers=look.whiskers,
            curve=curve,
            spread=look.spread,
            on_select=_clicked,
            says=says,
            stage=True,
            chosen=chosen,
        )


def _clicked(key: str) -> None:
    """A click or a frame in the figure of that key chooses its bins in the select box too."""
    settings.done_for_good()
    st.session_state[CHOSEN] = bins_chosen(st.session_state[key].selection.points)
    st.session_state[CLICKS] = st.session_state.get(CLICKS, 0) + 1


def _members(
    numbers: Reliability, data: Loaded, spec: DiagnosisSpec, noun: str, place: DeltaGenerator
) -> list[int]:
    """The box of bins, and the cases of those chosen in it, which are returned."""
    st.caption(f"{plain(bins_heading(numbers, spec.binning, noun))}.", help=glossary("bin"))
    fullest = sorted(range(numbers.n_bins), key=lambda b: -numbers.counts[b])[:MOST_OFFERED]
    offered = sorted({*fullest, *st.session_state.get(CHOSEN, ())})
    chosen = choices.several_remembered(
        "The cases behind a cross",
        choices.worded(offered, lambda b: bin_words(numbers, b, noun), most=160),
        CHOSEN,
        select_all=False,
        placeholder="Click a cross, or choose a bin here",
        help=glossary("members"),
    )
    if chosen:
        # Another key with each click: what comes so is brought into sight, see assets/tab.js.
        with place, st.container(key=f"into-sight-{st.session_state.get(CLICKS, 0)}"):
            table(numbers, data, spec, sorted(chosen))
    return chosen


def table(
    numbers: Reliability, data: Loaded, spec: DiagnosisSpec, bins: list[int], *, narrow: bool = False
) -> None:
    """The cases of these bins: a sentence, the first rows, all of them as CSV. In a ``narrow`` place what
    happened comes first."""
    noun = seen_noun(spec.lens, data.noun)
    st.markdown(plain(members_sentence(numbers, bins, noun, spec.lens)))
    p = data.predictions
    rows = members(p, spec, bins)
    cells = list(member_rows(p, spec, rows[:MOST_SHOWN]))
    heads = list(cells[0])
    first = [head for head in heads if head in OUTCOME] if narrow else []
    order = [*heads[:1], *first, *(head for head in heads[1:] if head not in first)]
    show.frame(cells, **({"column_order": order} if narrow else {}))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(shown_of(len(rows), MOST_SHOWN, noun)))
        st.download_button(
            "These cases as CSV",
            lambda: members_csv(p, spec, bins),
            saving.named("cases", "csv"),
            "text/csv",
            key="members-csv",
            icon=":material/download:",
            on_click="ignore",
        )
