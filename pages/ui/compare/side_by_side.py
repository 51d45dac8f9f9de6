"""Two models of the same cases, or two lenses, side by side on shared scales."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import DiagnosisSpec, InputError
from calibcore.answers.diagram import arrows_table, bins_table
from calibcore.charts.formats import MOST_ARROWS
from calibcore.data.examples import EXAMPLES
from calibcore.diagnose import gap_for, typical_gap_for
from calibcore.diagram.gap_sizes import Interval
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests import TestResult
from calibcore.painters.screen import pairs
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.painters.screen.tetrahedron import tetrahedron_figure
from calibcore.transforms.lenses import ClassLens, Lens, TopKLens
from calibcore.words.arrows import arrows_drawn, arrows_sentence
from calibcore.words.looking import name_among, sentence_case
from calibcore.words.results import bins_outside
from calibcore.words.sizes import typical_sentence
from calibcore.words.testing import gap_beside_chance, what_compares
from pages.ui import choices, class_order, diagrams, frame, progress, regions, saving, show, state
from pages.ui.show import plain
from pages.ui.simplex import corners
from pages.work import costs, jobs
from pages.work.job import Job

WHAT = {"pair": "models", "beside": "figures"}
"""What a pair of figures shows, by its name."""
Gaps = tuple[tuple[Interval, TestResult], ...]
"""Of each side the typical gap and the ECE."""


@dataclass(frozen=True)
class Side:
    """One of the two: a model and what is looked at of it."""

    data: state.Loaded
    spec: DiagnosisSpec

    @property
    def m(self) -> int:
        """Classes seen."""
        return costs.classes_through(self.spec.lens, self.data.predictions)

    @property
    def diagram(self) -> Reliability:
        """The diagram's numbers."""
        return diagrams.diagram(self.data.predictions, self.spec)


def of_lenses(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """A choice of another lens of as many classes, and the model through both."""
    _beside(data, spec, "Two lenses side by side", _other_lenses(Side(data, spec)), "Another lens")


def of_models_and_lenses(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """The same, with models of the same cases too: for weighted cases, which are not compared."""
    side = Side(data, spec)
    sides = _other_models(side) | _other_lenses(side)
    _beside(data, spec, "Side by side", sides, "Another model of the same cases, or another lens")


def both(side: Side, other: Side, name: str) -> None:
    """Both on shared scales: triangles or tetrahedra of three or four classes, else the diagrams.

    ``name`` tells two such pairs on one page apart.
    """
    (_arrows if side.m in (3, 4) else _diagrams)(side, other, name)
    same = other.data is side.data
    st.markdown(plain(what_compares(same, side.data.predictions.n, side.data.noun)))


def _beside(
    data: state.Loaded, spec: DiagnosisSpec, title: str, sides: dict[str | Lens, Side], what: str
) -> None:
    if not sides:
        return
    st.subheader(title, help=show.glossary("lens") if what == "Another lens" else None)
    chosen = choices.one_remembered(
        "Beside it",
        choices.worded(sides, lambda key: _called(sides[key], data), most=160),
        f"beside-{data.key}-{costs.classes_through(spec.lens, data.predictions)}",
        placeholder=what,
    )
    if chosen is not None:
        both(Side(data, spec), sides[chosen], "beside")


def _other_models(side: Side) -> dict[str | Lens, Side]:
    """Models of the same cases through the same lens, by their keys."""
    data, spec = side.data, side.spec
    keys = [*state.models(), *(e.key for e in EXAMPLES if not data.uploaded)]
    sides: dict[str | Lens, Side] = {}
    for key in keys:
        other = state.find(key)
        if key != data.key and other is not None and other.same_cases(data):
            beside = Side(other, spec)
            if _fits(beside, side.m):
                sides[key] = beside
    return sides


def _other_lenses(side: Side) -> dict[str | Lens, Side]:
    """The same model through other lenses of as many classes."""
    data, spec = side.data, side.spec
    return {
        lens: Side(data, regions.inside(spec, lens))
        for lens in _lenses(side)
        if lens != regions.parts(spec.lens)[0]
    }


def _called(beside: Side, data: state.Loaded) -> str:
    if beside.data is not data:
        return f"Model: {beside.data.title}"
    return f"Lens: {_name(beside, regions.parts(beside.spec.lens)[0])}"


def _name(side: Side, lens: Lens) -> str:
    return name_among(lens, side.data.predictions.class_names)


def _fits(side: Side, m: int) -> bool:
    try:
        return side.m == m
    except InputError:  # a region that holds none of its predictions
        return False


def _lenses(side: Side) -> list[Lens]:
    if side.m == 2:
        return [TopKLens(1), *(ClassLens(name) for name in class_order.remarks())]
    return [offer.lens for offer in corners.offers(side.data) if offer.corners == side.m]


def _titles(side: Side, other: Side) -> tuple[str, str]:
    """What tells the two apart."""
    if side.data is other.data:
        first, second = (sentence_case(_name(side, side.spec.lens)) for side in (side, other))
        return first, second
    return side.data.title, other.data.title


def _diagrams(side: Side, other: Side, name: str) -> None:
    pair = side.diagram, other.diagram
    figures = pairs.reliability_figures(pair, (side.data.noun, other.data.noun), show.theme())
    places = st.columns(2)
    for place, figure, diagram, title, key in zip(
        places, figures, pair, _titles(side, other), ("left", "right"), strict=True
    ):
        with place:
            st.markdown(f"**{plain(title)}**")
            show.figure(
                figure,
                key=f"{name}-{key}",
                says=bins_outside(diagram),
                reading=None,
                noun=side.data.noun,
                rows=bins_table(diagram).rows,
                table_name="The bins as a table",
            )
    _gaps(side, other, places, name)


def _arrows(first: Side, other: Side, name: str) -> None:
    pair = first.diagram, other.diagram
    three = first.m == 3
    places = st.columns(2)
    for place, side, diagram, title, key in zip(
        places, (first, other), pair, _titles(first, other), ("left", "right"), strict=True
    ):
        tests, begin = diagrams.bin_tests(side.data.predictions, side.spec, diagram, f"bins-{name}-{key}")
        noun, alpha = side.data.noun, side.spec.alpha
        least = int(st.session_state.get(f"fewest-{first.data.key}", diagram.fewest_worth_showing))
        if three:
            figure = simplex_figure(diagram, noun, show.theme(), side.spec.binning, least, tests, alpha)
            printed = saving.on_paper("simplex_print", diagram, noun, side.spec.binning, least, tests, alpha)
        else:
            figure = tetrahedron_figure(diagram, noun, show.theme(), least, tests=tests, alpha=alpha)
            printed = saving.on_paper("tetrahedron_print", diagram, noun, least, tests=tests, alpha=alpha)
        with place:
            st.markdown(f"**{plain(title)}**")
            waiting = st.container()
            show.figure(
                figure,
                key=f"{'triangle' if three else 'tetrahedron'}-{name}-{key}",
                says=arrows_sentence(diagram, tests, alpha, noun),
                reading=None,
                noun=noun,
                rows=arrows_table(diagram, tests, alpha).rows,
                table_name="The arrows as a table",
                height="stretch",
                printed=printed,
            )
            st.caption(plain(arrows_drawn(diagram, least, MOST_ARROWS[len(diagram.class_names)], noun)))
        if begin is not None:
            with waiting:
                progress.show(begin(), f"Testing the arrows on the {key}", lambda _: st.rerun())
    _gaps(first, other, places, name)


def _gaps(first: Side, other: Side, places: Sequence[DeltaGenerator], name: str) -> None:
    """Under each figure its typical gap, and its average gap beside its own level by chance."""
    if any(side.data.predictions.untested for side in (first, other)):
        return
    key = tuple(
        text
        for side in (first, other)
        for text in (side.data.predictions.fingerprint, state.gap_settings(side.spec).to_json())
    )

    def work(job: Job[Gaps]) -> Gaps:
        return tuple(
            (
                typical_gap_for(side.data.predictions, side.spec),
                gap_for(side.data.predictions, side.spec, job.report),
            )
            for side in (first, other)
        )

    m, spec = max(3, first.m), first.spec
    expected = costs.Estimate(first.data.predictions.n, lambda n: 2 * costs.seconds_of_diagram(n, m, spec))
    job = jobs.start(f"gaps-{name}", key, work, expected)

    def draw(gaps: Gaps) -> None:
        for place, (typical, gap), side in zip(places, gaps, (first, other), strict=True):
            place.markdown(plain(typical_sentence(side.spec.lens, typical)))
            place.caption(plain(gap_beside_chance(gap, side.spec.distance)))
        frame.caution(first.data)

    progress.show(job, f"Redrawing the gaps of the two {WHAT[name]}", draw)
