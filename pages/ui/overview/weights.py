"""Weighted and recalibrated cases: what was claimed, what happened, how far apart; no test."""

import streamlit as st

from calibcore import ECE, DiagnosisSpec, Predictions
from calibcore.assessment.defaults import default_lens
from calibcore.diagram.reliability import Reliability
from calibcore.words.looking import sentence_case, weighted_claim, weighted_sentence
from calibcore.words.phrases import error
from calibcore.words.results import claim_and_outcome
from pages.ui import column_order, diagrams, frame, settings, state
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded


def claim(diagram: Reliability, data: Loaded, spec: DiagnosisSpec) -> str:
    """What the model said on average and what happened, by weight if cases have one."""
    if data.predictions.weights is not None and len(diagram.class_names) == 2:
        return weighted_sentence(spec.lens(data.predictions), spec.lens, data.noun)
    return claim_and_outcome(diagram, spec.lens, data.noun)


def _average_gap(induced: Predictions, spec: DiagnosisSpec) -> float:
    return ECE(spec.binning, spec.distance)(induced)


def looked_through() -> DiagnosisSpec:
    """The settings in use, through the lens that these data begin with: this page looks through no other."""
    return settings.through(default_lens(state.predictions()))


def overview(data: Loaded, spec: DiagnosisSpec) -> None:
    """The answer in a sentence, up to three numbers, and why there are no others."""
    column_order.caution(data)
    induced = spec.lens(data.predictions)
    weighted = data.predictions.weights is not None
    if induced.m == 2:
        diagram = diagrams.diagram(data.predictions, spec)
        st.markdown(f"## {plain(claim(diagram, data, spec))}")
    gap, *rest = (column.container(gap=None) for column in reversed(st.columns(3)))
    if induced.m == 2:
        happened, claimed = rest
        words = weighted_claim(induced, data.noun)
        claimed.metric("The model claimed", words[0])
        claimed.caption("on average, weighted" if weighted else "on average")
        happened.metric(sentence_case(spec.lens.within.comes_true[1]), words[1])
        happened.caption(plain(words[2]))
    gap.metric("Average gap (ECE)", error(_average_gap(induced, spec), spec.distance), help=glossary("ECE"))
    gap.caption("no level by chance")
    frame.no_tests(data)
