"""The settings in the side bar: widgets in, DiagnosisSpec out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.distances import DISTANCES
from calibcore.kernels import BANDWIDTH_RULES, METRICS
from calibcore.lenses import CanonicalLens, ClassLens, Lens, RegionLens, TopKLens
from calibcore.spec import KERNELS, TESTS, lens_from_words
from pages.ui.show import glossary, plain

START = DiagnosisSpec(lens=TopKLens(1))
"""Where a new session begins: confidence in the top class, the notion that most people mean."""

KEEP = "session"
"""Every control keeps its value while it is not drawn: on another page, under another lens."""

LENSES = {
    "top-k": "Confidence in the top class",
    "top-more": "The most likely classes",
    "class": "One class",
    "canonical": "All classes together",
    "groups": "Groups of classes",
}
BINNINGS: dict[str, tuple[str, str, int, Callable[[int], Binning]]] = {
    "uniform": ("Equally wide", "Bins from 0 to 100 %", 10, UniformBinning),
    "equal-mass": ("Equally many cases", "Number of bins", 15, EqualMassBinning),
    "median-variance": ("Split at the median", "Fewest cases in a bin", 100, MedianVarianceBinning),
    "mean-variance": ("Split at the mean", "Split while a bin holds", 1000, MeanVarianceBinning),
    "simplex": ("Triangles", "Cuts per side", 5, SimplexBinning),
}
DISTANCE_NAMES = {
    "total-variation": "Total variation",
    "squared-euclidean": "Squared Euclidean",
    "euclidean": "Euclidean",
    "cityblock": "City block",
}
RULE_NAMES = {
    "median": "Median distance",
    "median-with-diagonal": "Median, with each case's zero",
    "mean": "Mean distance",
    "number": "A number",
}
TEST_NAMES = {
    "exact": "Exact",
    "distribution-free": "Distribution-free bounds",
    "asymptotic": "Asymptotic",
    "consistency": "Consistency resampling",
}


def draw(p: Predictions) -> None:
    """Draw the controls and keep what they say; a setting that cannot be is said beside it.

    Everything is drawn before anything is refused, so that no control loses its value.
    """
    place_for_problems = st.empty()
    make_lens = _lens(p)
    make_region = _region(p)
    m, problem = p.m, ""
    changes: dict[str, Any] = {}
    try:
        changes["lens"] = make_region(make_lens())
        m = changes["lens"](p).m
    except InputError as error:
        problem = str(error)
    changes["binning"] = _binning(m, p.n)
    with st.expander("Bars and distance"):
        changes |= _bars(m)
    with st.expander("Kernel and tests"):
        changes |= _kernel(m) | _tests()
    if not problem:
        try:
            st.session_state["spec"] = replace(START, **changes)
        except InputError as error:
            problem = str(error)
    st.session_state["spec_problem"] = problem
    if problem:
        place_for_problems.error(plain(problem))


def current() -> DiagnosisSpec:
    """The settings in use."""
    spec: DiagnosisSpec = st.session_state.get("spec", START)
    return spec


def problem() -> str:
    """Why the settings cannot be used, or an empty string."""
    return str(st.session_state.get("spec_problem", ""))


def _lens(p: Predictions) -> Callable[[], Lens]:
    """Draws; returns what makes the lens, which may refuse."""
    half = p.m // 2
    first, second = p.class_names[:half], p.class_names[half:]
    kinds = [kind for kind in LENSES if p.m > 2 or kind in ("top-k", "class")]
    if any(set(name) & set(",;=\n") or name != name.strip() for name in p.class_names):
        kinds = [kind for kind in kinds if kind != "groups"]  # such names cannot be typed in a list
    kind = _choice("Look at", kinds, LENSES.get, key="lens", help=glossary("lens"))
    if kind == "class":
        name = st.selectbox("Class", p.class_names, key=f"class-{p.fingerprint[:8]}", persist_state=KEEP)
        return lambda: ClassLens(name)
    if kind == "top-more":
        k = st.number_input("How many", 2, p.m - 1, 2, key=f"top-k-{p.m}", persist_state=KEEP)
        return lambda: TopKLens(int(k))
    if kind == "groups":
        words = st.text_area(
            "Groups, one a line",
            f"A = {','.join(first)}\nB = {','.join(second)}",
            key=f"groups-{p.fingerprint[:8]}",
            help="Name = classes, separated by commas. Every class in exactly one group.",
            persist_state=KEEP,
        )
        lines = ";".join(line for line in words.splitlines() if line.strip())
        return lambda: lens_from_words(f"groups:{lines}")
    return CanonicalLens if kind == "canonical" else TopKLens


def _region(p: Predictions) -> Callable[[Lens], Lens]:
    """Draws; returns what puts a region around a lens, if one is asked for."""
    if not st.toggle(
        "Only a region of predictions", key="region", help=glossary("region"), persist_state=KEEP
    ):
        return lambda lens: lens
    key = f"region-{p.fingerprint[:8]}"
    name = st.selectbox("Where the model's probability of", p.class_names, key=key, persist_state=KEEP)
    low, high = st.slider(
        "lies within", 0.0, 1.0, (0.2, 1.0), 0.05, format="percent", key="region-range", persist_state=KEEP
    )
    return lambda lens: RegionLens(lens, name, low, high)


def _binning(m: int, n: int) -> Binning:
    kinds = [kind for kind, (_, _, default, make) in BINNINGS.items() if make(default).fits(m)]
    if m > 2:  # equally wide bins over many classes hold a case or two each
        kinds.sort(key=lambda kind: kind != "median-variance")
    kind = _choice(
        "Bins", kinds, lambda k: BINNINGS[k][0], key="binning-two" if m == 2 else "binning-more",
        help=glossary("bin"),
    )  # fmt: skip
    _, label, default, make = BINNINGS[kind]
    if kind == "median-variance":
        default = min(default, max(10, n // 20))
    least = 2 if kind == "mean-variance" else 1
    key = f"bins-{kind}-{default}"
    return make(int(st.number_input(label, least, 100_000, default, key=key, persist_state=KEEP)))


def _bars(m: int) -> dict[str, Any]:
    low, high = st.select_slider(
        "Consistency bars from … to …",
        [0.5, 1, 2.5, 5, 10, 25, 75, 90, 95, 97.5, 99, 99.5],
        (5, 95),
        format_func=lambda level: f"{level:g} %",
        key="interval",
        help=glossary("consistency bar"),
        persist_state=KEEP,
    )
    resampled = m == 2 and st.toggle(
        "Bars by redrawing outcomes", key="bars", help="Exact otherwise.", persist_state=KEEP
    )
    distance = _choice("Distance", list(DISTANCES), DISTANCE_NAMES.get, key="distance")
    return {
        "interval": (low / 100, high / 100),
        "bars": "resampled" if resampled else "exact",
        "distance": distance,
    }


def _tests() -> dict[str, Any]:
    chosen = st.multiselect(
        "Tests",
        TESTS,
        ["exact", "distribution-free", "asymptotic"],
        format_func=TEST_NAMES.get,
        key="tests",
        help=glossary("exact test"),
        persist_state=KEEP,
    )
    start = START.resamples
    resamples = st.number_input("Redraws", 99, 9_999, start, 100, key="resamples", persist_state=KEEP)
    seed = st.number_input(
        "Seed", 0, 2**31, START.seed, key="seed", help=glossary("seed"), persist_state=KEEP
    )
    shuffle = st.toggle("Shuffle the rows", key="shuffle", help=glossary("row order"), persist_state=KEEP)
    return {
        "tests": tuple(name for name in TESTS if name in chosen),
        "resamples": int(resamples),
        "seed": int(seed),
        "shuffle": shuffle,
    }


def _kernel(m: int) -> dict[str, Any]:
    kind = _choice("Kernel", list(KERNELS), str.capitalize, key="kernel", help=glossary("kernel"))
    metrics = list(METRICS) if m == 2 or kind == "exponential" else ["euclidean"]
    metric = _choice("Metric", metrics, DISTANCE_NAMES.get, key=f"metric-{len(metrics)}")
    rule = _choice(
        "Bandwidth", [*BANDWIDTH_RULES, "number"], RULE_NAMES.get, key="rule", help=glossary("bandwidth")
    )
    bandwidth: str | float = rule
    if rule == "number":
        bandwidth = st.number_input(
            "Bandwidth as a number", 0.001, 100.0, 0.5, format="%.3f", key="bandwidth", persist_state=KEEP
        )
    return {"kernel": KERNELS[kind](bandwidth, metric)}


def _choice(
    label: str, options: list[str], name: Callable[[str], str | None], key: str, help: str | None = None
) -> str:
    """A select box over kinds, shown by name; a kind that is not offered any more falls to the first."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    return str(
        st.selectbox(
            label, options, format_func=lambda k: name(k) or k, key=key, help=help, persist_state=KEEP
        )
    )
