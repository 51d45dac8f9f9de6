"""The controls of the kernel."""

from dataclasses import replace

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.kernels import BANDWIDTH_RULES, KERNELS, METRICS, with_kind
from pages.ui.settings import with_changes
from pages.ui.show import glossary
from pages.ui.sidebar.bin_controls import distance_label
from pages.ui.sidebar.control import control

NUMBER = "number"
"""A bandwidth by no rule."""


def _rule(name: str) -> str:
    return "A number" if name == NUMBER else BANDWIDTH_RULES[name].label


def kernel(spec: DiagnosisSpec, _p: Predictions) -> None:
    """The kernel and its metric."""
    used = spec.kernel
    control(
        st.selectbox, "Kernel", "kernel", used.kind,
        lambda spec, kind: replace(spec, kernel=with_kind(spec.kernel, KERNELS[kind])),
        options=list(KERNELS), say=lambda kind: kind.replace("-", " ").capitalize(), help=glossary("kernel"),
    )  # fmt: skip
    control(
        st.selectbox, "Metric", "metric", used.metric,
        lambda spec, metric: replace(spec, kernel=with_changes(spec.kernel, metric=metric)),
        options=list(METRICS), say=distance_label,
    )  # fmt: skip


def bandwidth(spec: DiagnosisSpec, _p: Predictions) -> None:
    """How far the kernel reaches: by a rule, or as a number."""
    used = spec.kernel
    given = not isinstance(used.bandwidth, str)

    def by_rule(spec: DiagnosisSpec, rule: str) -> DiagnosisSpec:
        return replace(spec, kernel=with_changes(spec.kernel, bandwidth=0.5 if rule == NUMBER else rule))

    control(
        st.selectbox, "Bandwidth", "rule", NUMBER if given else used.bandwidth, by_rule,
        options=[*BANDWIDTH_RULES, NUMBER], say=_rule, help=glossary("bandwidth"),
    )  # fmt: skip
    if given:
        control(
            st.number_input, "Bandwidth as a number", "bandwidth", float(used.bandwidth),
            lambda spec, value: replace(spec, kernel=with_changes(spec.kernel, bandwidth=float(value))),
            min_value=0.001, max_value=100.0, format="%.3f",
        )  # fmt: skip
