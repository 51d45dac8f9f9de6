"""The settings that most people leave alone: levels, hypothesis, blocks, precision, intervals."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.estimators.skce import PRECISIONS
from calibcore.spec import ADJUSTMENTS, BIN_ADJUSTMENTS
from calibcore.spec.settings import MOST_LOCATIONS
from calibcore.transforms.nulls import Identity, Mixture, Null, Temperature
from pages.ui.show import glossary
from pages.work import costs

NULLS: dict[str, tuple[str, Null]] = {
    "identity": ("Calibration", Identity()),
    "temperature": ("Calibrated at a temperature", Temperature(1.5)),
    "mixture": ("Calibrated when mixed", Mixture(0.1)),
}
ADJUSTMENT_NAMES = {"holm": "Holm", "benjamini-hochberg": "Benjamini–Hochberg", "step-down": "Step-down"}
PRECISION_NAMES = {"float64": "Double", "float32": "Single, faster"}
BOOTSTRAP = 1_000
"""Samples of an interval, once one is asked for."""


def draw(control: Callable[..., None], spec: DiagnosisSpec, p: Predictions) -> None:
    """The level; the hypothesis; what concerns single estimates and tests; the adjustments."""
    control(
        st.number_input, "Level of the tests", "alpha", spec.alpha,
        lambda spec, value: replace(spec, alpha=float(value)),
        min_value=0.001, max_value=0.5, step=0.01, format="%.3g", help=glossary("level"),
    )  # fmt: skip
    _null(control, spec, p)
    _numbers(control, spec)
    for label, key, names in (
        ("Adjustment over lenses", "adjustment", ADJUSTMENTS),
        ("Adjustment over bins", "bin_adjustment", BIN_ADJUSTMENTS),
    ):
        control(
            st.selectbox, label, key, getattr(spec, key),
            lambda spec, value, key=key: replace(spec, **{key: value}),
            options=list(names), say=ADJUSTMENT_NAMES.get,
        )  # fmt: skip


def _null(control: Callable[..., None], spec: DiagnosisSpec, p: Predictions) -> None:
    null = spec.null
    control(
        st.selectbox, "What the exact tests test", "null", null.kind,
        lambda spec, kind: replace(spec, null=NULLS[kind][1]),
        options=list(NULLS), say=lambda kind: NULLS[kind][0], help=glossary("hypothesis"),
    )  # fmt: skip
    match null:
        case Temperature(temperature=temperature):
            control(
                st.number_input, "Temperature", "null-temperature", temperature,
                lambda spec, value: replace(spec, null=Temperature(float(value))),
                min_value=0.01, max_value=100.0, step=0.1, format="%.3g",
            )  # fmt: skip
        case Mixture(weight=weight, towards=towards):
            control(
                st.slider, "Moved by", "null-weight", weight,
                lambda spec, value: replace(spec, null=replace(spec.null, weight=value)),
                min_value=0.0, max_value=1.0, step=0.05, format="percent",
            )  # fmt: skip
            names = dict.fromkeys(["mean", *costs.class_names_through(spec.lens, p), towards])
            control(
                st.selectbox, "towards", "null-towards", towards,
                lambda spec, value: replace(spec, null=replace(spec.null, towards=value)),
                options=list(names),
                say=lambda name: "the mean prediction" if name == "mean" else name,
            )  # fmt: skip


def _numbers(control: Callable[..., None], spec: DiagnosisSpec) -> None:
    def whole(label: str, key: str, **how: Any) -> None:
        control(
            st.number_input, label, key, getattr(spec, key),
            lambda spec, value: replace(spec, **{key: int(value)}), **how,
        )  # fmt: skip

    whole("Cases in a block", "block_size", min_value=2, max_value=100_000, help=glossary("block"))
    whole(
        "Test locations", "locations", min_value=1, max_value=MOST_LOCATIONS, help=glossary("test locations")
    )
    control(
        st.selectbox, "Precision of kernel sums", "precision", spec.precision,
        lambda spec, name: replace(spec, precision=name),
        options=list(PRECISIONS), say=PRECISION_NAMES.get,
    )  # fmt: skip
    control(
        st.toggle, "Interval of the average gap", "bootstrap-on", spec.bootstrap > 0,
        lambda spec, on: replace(spec, bootstrap=BOOTSTRAP if on else 0),
        help=glossary("bootstrap interval"),
    )  # fmt: skip
    if spec.bootstrap:
        whole("Bootstrap samples", "bootstrap", min_value=2, max_value=100_000, step=100)
