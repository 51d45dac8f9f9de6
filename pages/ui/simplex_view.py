"""Three or four classes at once: the arrows, how many of them, and the cases behind one."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.figures import simplex, tetrahedron
from calibcore.reliability import Reliability
from calibcore.words import (
    arrow_label,
    arrows_drawn,
    arrows_sentence,
    bins_heading,
    corners_sentence,
    plural,
    reliability_rows,
)
from pages.ui import members, show, state
from pages.ui.show import plain

if TYPE_CHECKING:
    from calibcore.figures.printing import Figure

MOST_TO_CHOOSE = 500


def shown(found: Reliability, spec: DiagnosisSpec, data: state.Loaded) -> None:
    """The answer, the figure with its words and its table, and the members of an arrow."""
    three = len(found.class_names) == 3
    st.markdown(f"#### {plain(corners_sentence(found, data.noun))}")
    st.subheader(plain(bins_heading(found, spec.binning)), help=show.glossary("bin"))
    place = st.container()
    least = _least(found, data)
    most = simplex.MOST_ARROWS if three else tetrahedron.MOST_ARROWS
    st.caption(plain(arrows_drawn(found, least, most, data.noun)))
    look = f"{data.predictions.fingerprint[:12]}-{hash(spec.to_json())}"
    if len(found.fullest(least)):
        with place:
            if three:
                _triangle(found, spec, data, least, look)
            else:
                _tetrahedron(found, data, least)
    _members(found, spec, data, look)


def _least(found: Reliability, data: state.Loaded) -> int:
    return int(
        st.number_input(
            f"Draw arrows of bins with at least so many {plain(plural(data.noun))}",
            min_value=1,
            value=found.fewest_worth_showing,
            key=f"fewest-{data.key}",
            persist_state="session",
            help="An arrow of few cases is long by chance. Those left out still count in the sentences "
            "above and stand in the table.",
            width=360,
        )
    )


def _triangle(found: Reliability, spec: DiagnosisSpec, data: state.Loaded, least: int, look: str) -> None:
    figure = simplex.simplex_figure(found, data.noun, show.theme(), spec.binning, least)
    key = f"triangle-{look}"

    def printed(width: float) -> "Figure":
        from calibcore.figures.printing import simplex_print

        return simplex_print(found, data.noun, spec.binning, least, width)

    show.figure(
        figure,
        key=key,
        says=arrows_sentence(found),
        reading="simplex",
        rows=partial(reliability_rows, found),
        table_name="The arrows as a table",
        on_select=_picked(key, look),
        selection_mode=("points",),
        printed=printed,
    )


def _picked(key: str, look: str) -> Callable[[], None]:
    """A click on an arrow chooses its members below."""

    def choose() -> None:
        points: list[Any] = st.session_state[key].selection.points
        st.session_state[f"members-{look}"] = int(points[0]["customdata"][1]) if points else None

    return choose


def _tetrahedron(found: Reliability, data: state.Loaded, least: int) -> None:
    names = found.class_names
    without = st.pills(
        "Look straight at the side without",
        list(range(len(names))),
        format_func=lambda c: plain(names[c]),
        key="tetrahedron-without",
    )
    figure = tetrahedron.tetrahedron_figure(found, data.noun, show.theme(), least, without)

    def printed(width: float) -> "Figure":
        from calibcore.figures.printing import tetrahedron_print

        return tetrahedron_print(found, data.noun, least, without, width)

    show.figure(
        figure,
        key="tetrahedron",
        says=arrows_sentence(found),
        reading="simplex-four",
        rows=partial(reliability_rows, found),
        table_name="The arrows as a table",
        table_open=True,
        printed=printed,
    )


def _members(found: Reliability, spec: DiagnosisSpec, data: state.Loaded, look: str) -> None:
    key = f"members-{look}"
    choices = sorted(found.fullest(1, MOST_TO_CHOOSE).tolist(), key=lambda b: -found.counts[b])
    chosen = st.session_state.get(key)
    if chosen is not None and chosen not in choices:
        choices.append(chosen)
    b = st.selectbox(
        f"The {plain(plural(data.noun))} of an arrow",
        choices,
        index=None,
        format_func=lambda b: arrow_label(found, b, data.noun),
        key=key,
        placeholder="Click an arrow, or choose one here",
    )
    if b is None:
        return
    members.table(found, data, spec, [b])
