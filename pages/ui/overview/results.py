"""The results of a diagnosis: what it claims and its diagram, the numbers with their promises."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.assessment.verdict_tests import VERDICT_TEST
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.reliability import Reliability
from calibcore.words.looking import name_among, sentence_case
from calibcore.words.phrases import (
    ALONE,
    PROMISES,
    VERDICT_TEST_NAMES,
    expected,
    p_words,
    pvalue_remark,
    seen_noun,
)
from calibcore.words.results import bins_heading, claim_and_outcome
from calibcore.words.sizes import gap_explained
from pages.ui import show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded

HEIGHT = 430
"""Of the figure here, in pixels: with what stands above it no more than a screen of 900."""


def overview(diagram: Reliability, data: Loaded, spec: DiagnosisSpec) -> None:
    """What the model claims through the lens in use and what happened, and the diagram that shows it."""
    with show.above():
        name = name_among(spec.lens, data.predictions.class_names)
        st.markdown(f"**{plain(sentence_case(name))}**", help=glossary("lens"))
    lens = spec.lens
    noun, frequencies = seen_noun(lens, data.noun), frequency_intervals(diagram, lens)
    says = claim_and_outcome(diagram, lens, data.noun)  # as short as what takes its place
    show.diagram(diagram, noun, frequencies, lens, pixels=HEIGHT, says=says)


def bins_outside_metric(place: DeltaGenerator, diagram: Reliability, spec: DiagnosisSpec, noun: str) -> None:
    """Of the bins of the settings, which it names: the diagram of crowded predictions may have its own."""
    place.metric(
        "Bins outside", f"{int(diagram.outside.sum()):,} of {diagram.n_bins:,}", help=glossary("bin")
    )
    bins = plain(bins_heading(diagram, spec.binning, noun))
    place.caption(f"{bins}; if calibrated, {expected(diagram.expected_outside)}")


def gap_and_test(
    diagnosis: Diagnosis,
    left: DeltaGenerator,
    right: DeltaGenerator,
) -> None:
    """How far off the probabilities of the lens are, and the verdict's test of this lens alone."""
    left, right = left.container(gap=None), right.container(gap=None)
    if diagnosis.typical_gap is not None:
        size, interval = gap_explained(diagnosis.typical_gap)
        left.metric("Typical gap", size, help=glossary("typical gap"))
        left.caption(interval)
    test = diagnosis.test(VERDICT_TEST)
    if test is not None and test.result is not None:
        result = test.result
        name = sentence_case(VERDICT_TEST_NAMES[VERDICT_TEST][1])
        right.metric(name, p_words(result.pvalue), help=glossary("omnibus test"))
        remark = ", ".join(filter(None, ("the smallest possible" * result.at_floor, pvalue_remark(result))))
        right.caption("; ".join(filter(None, (remark, PROMISES[result.promise], ALONE))))
