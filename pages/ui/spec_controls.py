"""The settings in the side bar: widgets in, DiagnosisSpec out."""

from collections.abc import Callable
from dataclasses import replace

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
    """Draw the controls and keep what they say; a setting that cannot be is said beside it."""
    try:
        lens = _region(p, _lens(p))
        m = lens(p).m
        spec = replace(START, lens=lens, binning=_binning(m, p.n))
    except InputError as error:
        st.error(plain(str(error)))
        spec = st.session_state.get("spec", START)
        st.session_state["spec_problem"] = str(error)
        return
    st.session_state.pop("spec_problem", None)
    with st.expander("Bars and distance"):
        spec = _bars(spec, m)
    with st.expander("Kernel and tests"):
        spec = _tests(_kernel(spec, m))
    st.session_state["spec"] = spec


def current() -> DiagnosisSpec:
    """The settings in use."""
    spec: DiagnosisSpec = st.session_state.get("spec", START)
    return spec


def problem() -> str:
    """Why the settings cannot be used, or an empty string."""
    return str(st.session_state.get("spec_problem", ""))


def _lens(p: Predictions) -> Lens:
    kinds = [kind for kind in LENSES if p.m > 2 or kind in ("top-k", "class")]
    kind = _choice("Look at", kinds, LENSES.get, key="lens", help=glossary("lens"))
    if kind == "class":
        name = st.selectbox("Class", p.class_names, key=f"class-{p.fingerprint[:8]}")
        return ClassLens(name)
    if kind == "top-more":
        k = st.number_input("How many", 2, p.m - 1, 2, key=f"top-k-{p.m}")
        return TopKLens(int(k))
    if kind == "groups":
        half = p.m // 2
        first, second = ",".join(p.class_names[:half]), ",".join(p.class_names[half:])
        words = st.text_area(
            "Groups, one a line",
            f"A = {first}\nB = {second}",
            key=f"groups-{p.fingerprint[:8]}",
            help="Name = classes, separated by commas. Every class in exactly one group.",
        )
        return lens_from_words("groups:" + ";".join(line for line in words.splitlines() if line.strip()))
    return CanonicalLens() if kind == "canonical" else TopKLens(1)


def _region(p: Predictions, lens: Lens) -> Lens:
    if not st.toggle("Only a region of predictions", key="region", help=glossary("region")):
        return lens
    name = st.selectbox("Where the model's probability of", p.class_names, key=f"region-{p.fingerprint[:8]}")
    low, high = st.slider("lies within", 0.0, 1.0, (0.2, 1.0), 0.05, format="percent", key="region-range")
    return RegionLens(lens, name, low, high)


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
    return make(int(st.number_input(label, least, 100_000, default, key=f"bins-{kind}-{default}")))


def _bars(spec: DiagnosisSpec, m: int) -> DiagnosisSpec:
    low, high = st.select_slider(
        "Consistency bars from … to …",
        [0.5, 1, 2.5, 5, 10, 25, 75, 90, 95, 97.5, 99, 99.5],
        (5, 95),
        format_func=lambda level: f"{level:g} %",
        key="interval",
        help=glossary("consistency bar"),
    )
    bars = "exact"
    if m == 2:
        resampled = st.toggle("Bars by redrawing outcomes", key="bars", help="Exact otherwise.")
        bars = "resampled" if resampled else "exact"
    distance = _choice("Distance", list(DISTANCES), DISTANCE_NAMES.get, key="distance")
    if low == high:
        raise InputError("The consistency bars need two different levels.")
    return replace(spec, interval=(low / 100, high / 100), bars=bars, distance=distance)


def _tests(spec: DiagnosisSpec) -> DiagnosisSpec:
    chosen = st.multiselect(
        "Tests", TESTS, ["exact", "distribution-free", "asymptotic"], format_func=TEST_NAMES.get, key="tests",
        help=glossary("exact test"),
    )  # fmt: skip
    resamples = st.number_input("Redraws", 99, 99_999, START.resamples, 100, key="resamples")
    seed = st.number_input("Seed", 0, 2**31, START.seed, key="seed", help=glossary("seed"))
    shuffle = st.toggle("Shuffle the rows", key="shuffle", help=glossary("row order"))
    return replace(
        spec,
        tests=tuple(name for name in TESTS if name in chosen),
        resamples=int(resamples),
        seed=int(seed),
        shuffle=shuffle,
    )


def _kernel(spec: DiagnosisSpec, m: int) -> DiagnosisSpec:
    kind = _choice("Kernel", list(KERNELS), str.capitalize, key="kernel", help=glossary("kernel"))
    metrics = list(METRICS) if m == 2 or kind == "exponential" else ["euclidean"]
    metric = _choice("Metric", metrics, DISTANCE_NAMES.get, key=f"metric-{len(metrics)}")
    rule = _choice(
        "Bandwidth", [*BANDWIDTH_RULES, "number"], RULE_NAMES.get, key="rule", help=glossary("bandwidth")
    )
    number = 0.5
    if rule == "number":
        number = st.number_input("Bandwidth as a number", 0.001, 100.0, 0.5, format="%.3f", key="bandwidth")
    return replace(spec, kernel=KERNELS[kind](number if rule == "number" else rule, metric))


def _choice(
    label: str, options: list[str], name: Callable[[str], str | None], key: str, help: str | None = None
) -> str:
    """A select box over kinds, shown by name; a kind that is not offered any more falls to the first."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    return str(st.selectbox(label, options, format_func=lambda k: name(k) or k, key=key, help=help))
