"""The settings that most people leave alone: levels, hypothesis, blocks, precision, intervals."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, assert_never

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.estimators.skce import PRECISIONS
from calibcore.spec import ADJUSTMENTS, BIN_ADJUSTMENTS
from calibcore.spec.settings import MOST_LOCATIONS
from calibcore.strategies import ClassField, Field, NumberField
from calibcore.transforms.nulls import NULLS
from pages.ui.settings import with_changes
from pages.ui.show import glossary
from pages.work import costs

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
        lambda spec, kind: replace(spec, null=NULLS[kind].usual()),
        options=list(NULLS), say=lambda kind: NULLS[kind].label, help=glossary("hypothesis"),
    )  # fmt: skip
    for field in null.settings:
        _field(control, field, spec, p)


def _field(control: Callable[..., None], field: Field, spec: DiagnosisSpec, p: Predictions) -> None:
    """One number or class of the hypothesis."""
    key, value, kind = f"null-{field.name}", getattr(spec.null, field.name), spec.null.kind

    def changed(spec: DiagnosisSpec, value: Any) -> DiagnosisSpec:
        if spec.null.kind != kind:  # another hypothesis was chosen in the same breath
            return spec
        return replace(spec, null=with_changes(spec.null, **{field.name: value}))

    match field:
        case NumberField():
            control(
                st.slider if field.share else st.number_input, field.label, key, value, changed,
                min_value=field.low, max_value=field.high, step=field.step,
                format="percent" if field.share else "%.3g",
            )  # fmt: skip
        case ClassField():
            names = dict.fromkeys([*field.others, *costs.class_names_through(spec.lens, p), value])
            control(
                st.selectbox, field.label, key, value, changed,
                options=list(names), say=lambda name: field.others.get(name, name),
            )  # fmt: skip
        case _:
            assert_never(field)


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
