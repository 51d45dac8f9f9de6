"""Three or four classes at once: the arrows, how many of them, and the cases behind one."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec
from calibcore.answers.diagram import arrows_table
from calibcore.charts.formats import MOST_ARROWS
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline, consistency_outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.painters.screen import simplex, tetrahedron
from calibcore.wording import plural
from calibcore.words.arrows import (
    arrow_label,
    arrows_answer,
    arrows_drawn,
    arrows_judged,
    cloud_sentence,
    corners_sentence,
    net_gap_sentence,
    outline_sentence,
    too_many_arrows,
)
from calibcore.words.results import bins_heading
from pages.ui import choices, diagrams, frame, looks, progress, saving, settings, show, state
from pages.ui.reliability import members
from pages.ui.show import plain
from pages.ui.simplex import parts, smooth
from pages.work.job import Job

MOST_TO_CHOOSE = 500
_LINE, _CHIPS = 27, 36
"""Pixels of the answer, of which a second line may come, and of a row of chips."""


def draw(
    diagram: Reliability,
    spec: DiagnosisSpec,
    data: state.Loaded,
    chips: Callable[[], None],
    first: Callable[[], None],
    below: Callable[[], None],
) -> None:
    """The answer, the figure, and beside it what it is drawn with and the cases of a chosen arrow.

    chips, first, below : draw what stands above the figure, and at both ends of what is beside it
    """
    three = len(diagram.class_names) == 3
    with st.container(key="stage"):
        # Both come after the figure's place, and would push it down.
        with st.container(key="stage-answer"):
            answer = show.held(_LINE)
        corners_to_choose = show.held(_CHIPS) if data.predictions.m > 3 else show.above()
        figure, beside = st.columns([5, 3], gap="medium")
    corners = plain(corners_sentence(diagram, data.noun))
    with beside:
        bar = st.container(horizontal=True, vertical_alignment="center", gap="small", key="stage-bar")
        with bar:
            without = three and smooth.wanted(data)
            replay = st.container(key="replay", width="content")
        with show.above():
            first()
        replay.button(
            "Replay",
            icon=":material/replay:",
            type="tertiary",
            help="The arrows grow from what the model said to what happened.",
        )
        if without:
            _head(corners, answer, corners_to_choose, chips)
            smooth.draw(data, spec, figure)
        else:
            tests, begin = diagrams.bin_tests(data.predictions, spec, diagram)
            strongest, second = arrows_answer(diagram, tests, spec.alpha, data.noun)
            _head(plain(strongest), answer, corners_to_choose, chips)
            _draw(diagram, spec, data, tests, begin, second, figure, bar, corners)
        below()


def _head(
    words: str, answer: DeltaGenerator, corners_to_choose: DeltaGenerator, chips: Callable[[], None]
) -> None:
    """The answer, and once it is there what is below it, which it would move."""
    answer.markdown(f"## {words}")
    with corners_to_choose.container():
        chips()


def _draw(
    diagram: Reliability,
    spec: DiagnosisSpec,
    data: state.Loaded,
    tests: BinPvalues | None,
    begin: Callable[[], Job[BinPvalues | None]] | None,
    second: str,
    figure: DeltaGenerator,
    bar: DeltaGenerator,
    corners: str,
) -> None:
    """The arrows of bins, within what stands beside their ``figure`` under the ``bar`` of its controls."""
    three = len(diagram.class_names) == 3
    with figure:
        place = smooth.place()
    with place:
        show.above()  # as without bins, so that the figure stays where it is
    says = f"{second} {net_gap_sentence(diagram)}"
    st.markdown(plain(says))
    head = show.above()
    _strong(diagram, tests, begin is not None, spec, data)
    waiting = st.container()
    look = f"{data.predictions.fingerprint[:12]}-{hash(spec.to_json())}"
    _members(diagram, spec, data, look)
    with bar.popover("Arrows", icon=":material/tune:"):
        least = _least(diagram, data)
        cloud = state.isolines(data.predictions, spec) if three and _wants_cloud() else ()
        outlines = three and _wants_outlines()
    st.markdown(corners)
    if cloud:
        st.caption(plain(cloud_sentence(cloud, data.noun)))
    st.caption(
        f"{plain(bins_heading(diagram, spec.binning, data.noun))}. "
        f"{plain(arrows_drawn(diagram, least, MOST_ARROWS[len(diagram.class_names)], data.noun))}",
        help=show.glossary("bin"),
    )
    bins = diagram.fullest(least, MOST_ARROWS[len(diagram.class_names)])
    if len(bins):
        tail, tip = diagram.mean_prediction[bins], diagram.observed[bins]
        with head:
            zoom = parts.choose(tail, tip, diagram.class_names)
            parts.say(zoom, tail, diagram.class_names)
            without = None if three else _side(diagram.class_names)
        with place:
            if three:
                _triangle(diagram, tests, spec, data, least, look, cloud, outlines, zoom, says)
            else:
                _tetrahedron(diagram, tests, spec, data, least, look, zoom, without, says)
    if begin is not None:
        with waiting:
            progress.show(begin(), "Testing arrow by arrow", lambda _: st.rerun())


def _strong(
    diagram: Reliability, tests: BinPvalues | None, come: bool, spec: DiagnosisSpec, data: state.Loaded
) -> None:
    """In words what decides which arrows are strong: their own p-values, where some are there or ``come``."""
    if sentence := arrows_judged(diagram, tests, spec.alpha):
        st.caption(plain(sentence), help=show.glossary("adjusted p of an arrow"))
    if tests is not None:
        frame.caution(data)
    elif not come and diagram.has_bars:
        st.caption(plain(too_many_arrows(diagram)))


def _least(diagram: Reliability, data: state.Loaded) -> int:
    return int(
        looks.drawn(
            st.number_input,
            f"Draw arrows of bins with at least so many {plain(plural(data.noun))}",
            min_value=1,
            value=diagram.fewest_worth_showing,
            key=f"fewest-{data.key}",
            start=diagram.fewest_worth_showing,
            help="An arrow of few cases is long by chance. Those left out still count in the sentences "
            "above and stand in the table.",
            width=360,
        )
    )


def _wants_cloud() -> bool:
    return looks.toggle(
        "Where predictions are densest",
        "triangle-cloud",
        on=True,
        help="Two shades of blue: the darker holds half of the cases, both together nine in ten.",
    )


def _wants_outlines() -> bool:
    return looks.toggle("Edges of the bins", "triangle-bins", help="In place of the grid.")


def _chosen(diagram: Reliability, look: str) -> int | None:
    """The arrow chosen by a click or in the box below."""
    b: int | None = st.session_state.get(f"members-{look}")
    return b if b is not None and b < diagram.n_bins else None


def _outline(diagram: Reliability, b: int | None) -> Outline | None:
    if b is None or not diagram.high[b] > 0:  # weighted cases have no bars, sure predictions no region
        return None
    return consistency_outline(diagram.mean_prediction[b], float(diagram.high[b]))


def _triangle(
    diagram: Reliability,
    tests: BinPvalues | None,
    spec: DiagnosisSpec,
    data: state.Loaded,
    least: int,
    look: str,
    cloud: tuple[Isoline, ...],
    wants_outlines: bool,
    zoom: Zoom,
    says: str,
) -> None:
    cells = state.cells(data.predictions, spec) if wants_outlines else []
    chosen = _outline(diagram, _chosen(diagram, look))
    figure = simplex.simplex_figure(
        diagram, data.noun, show.theme(), spec.binning, least, tests, spec.alpha, cells, cloud, chosen, zoom
    )
    key = f"triangle-{look}"

    show.figure(
        show.staged_of_three(figure),
        key=key,
        says=says,
        sentence_above=False,
        reading="simplex",
        noun=data.noun,
        rows=arrows_table(diagram, tests, spec.alpha).rows,
        table_name="The arrows as a table",
        on_select=_picked(key, look),
        selection_mode=("points",),
        printed=saving.on_paper(
            "simplex_print",
            diagram,
            data.noun,
            spec.binning,
            least,
            tests,
            spec.alpha,
            cells,
            cloud,
            chosen,
            zoom,
        ),
        height="stretch",
    )


def _picked(key: str, look: str) -> Callable[[], None]:
    """A click on an arrow chooses its members below."""

    def choose() -> None:
        settings.done_for_good()
        points: list[Any] = st.session_state[key].selection.points
        st.session_state[f"members-{look}"] = int(points[0]["customdata"][1]) if points else None

    return choose


def _tetrahedron(
    diagram: Reliability,
    tests: BinPvalues | None,
    spec: DiagnosisSpec,
    data: state.Loaded,
    least: int,
    look: str,
    zoom: Zoom,
    without: int | None,
    says: str,
) -> None:
    chosen = _outline(diagram, _chosen(diagram, look))
    _clicked(diagram, look)
    figure = tetrahedron.tetrahedron_figure(
        diagram, data.noun, show.theme(), least, without, tests, spec.alpha, chosen, zoom
    )
    show.figure(
        show.staged_of_three(figure),
        key="tetrahedron",
        says=says,
        sentence_above=False,
        reading="simplex-four",
        noun=data.noun,
        rows=arrows_table(diagram, tests, spec.alpha).rows,
        table_name="The arrows as a table",
        height="stretch",
        printed=saving.on_paper(
            "tetrahedron_print", diagram, data.noun, least, without, tests, spec.alpha, chosen, zoom
        ),
    )


def _clicked(diagram: Reliability, look: str) -> None:
    """What a click on an arrow writes its number into, with that of the click; a person never sees it.

    Streamlit selects nothing in three dimensions, so the script of a tab (assets/tab.js) does.
    """
    key = f"clicked-{look}"

    def choose() -> None:
        number = str(st.session_state[key]).partition(".")[0]
        if number.isascii() and number.isdigit() and len(number) < 10 and int(number) < diagram.n_bins:
            settings.done_for_good()
            st.session_state[f"members-{look}"] = int(number)

    with st.container(key="clicked-arrow"):
        st.text_input("The arrow that was clicked", key=key, max_chars=30, on_change=choose)


def _side(names: tuple[str, ...]) -> int | None:
    """The corner opposite the side that is looked at; None while the tetrahedron turns."""
    corners = choices.worded(range(len(names)), names.__getitem__)
    without: int | None = looks.drawn(
        st.pills,
        "Look straight at the side without",
        list(corners),
        format_func=lambda c: plain(corners[c]),
        key=choices.key_of("tetrahedron-without", corners),
        start=None,
        stays=False,
    )
    if without is None:
        with st.container(key="turning"):  # hidden where motion is unwanted
            st.caption("The figure turns slowly until you touch it or press a key. Drag to turn it yourself.")
    return without


def _members(diagram: Reliability, spec: DiagnosisSpec, data: state.Loaded, look: str) -> None:
    key = f"members-{look}"
    offered = sorted(diagram.fullest(1, MOST_TO_CHOOSE).tolist(), key=lambda b: -diagram.counts[b])
    chosen = _chosen(diagram, look)
    if chosen is not None and chosen not in offered:
        offered.append(chosen)
    b = choices.one_remembered(
        f"The {plain(plural(data.noun))} of an arrow",
        choices.worded(offered, lambda b: arrow_label(diagram, b, data.noun), most=160),
        key,
        placeholder="Click an arrow, or choose one here",
    )
    if b is None:
        return
    st.markdown(plain(outline_sentence(diagram, b, data.noun)))
    members.table(diagram, data, spec, [b], narrow=True)
