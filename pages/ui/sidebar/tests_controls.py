"""The controls of the tests and of the numbers that they rest on."""

from dataclasses import replace
from typing import Any, assert_never

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.estimators.skce import PRECISIONS
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.settings import ESTIMATES
from calibcore.settings.spec import ADJUSTMENTS, BIN_ADJUSTMENTS, MOST_LOCATIONS
from calibcore.strategies import ClassField, Field, NumberField
from calibcore.transforms.nulls import NULLS
from pages.ui.settings import with_changes
from pages.ui.show import glossary
from pages.ui.sidebar.control import control
from pages.work import costs

STOP_AT = 10
"""As extreme redraws after which a test may stop: usual (Besag & Clifford 1991)."""
BOOTSTRAP = 1_000
"""Samples of an interval, once one is asked for."""
_ADJUSTMENT_NAMES = {"holm": "Holm", "benjamini-hochberg": "Benjamini–Hochberg", "step-down": "Step-down"}
_PRECISION_NAMES = {"float64": "Double", "float32": "Single, faster"}


def tests(spec: DiagnosisSpec, _p: Predictions) -> None:
    """The families of tests."""
    control(
        st.multiselect, "Tests", "tests", list(spec.tests),
        lambda spec, chosen: replace(spec, tests=tuple(name for name in FAMILIES if name in chosen)),
        options=list(FAMILIES), say=lambda kind: FAMILIES[kind].label, help=glossary("exact test"),
    )  # fmt: skip


def level(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Below which a p-value speaks against calibration."""
    control(
        st.number_input, "Level of the tests", "alpha", spec.alpha,
        lambda spec, value: replace(spec, alpha=float(value)),
        min_value=0.001, max_value=0.5, step=0.01, format="%.3g", help=glossary("level"),
    )  # fmt: skip


def redraws(spec: DiagnosisSpec, _p: Predictions) -> None:
    """How many sets of outcomes a test draws."""
    control(
        st.number_input, "Redraws", "resamples", spec.resamples,
        lambda spec, value: replace(spec, resamples=int(value)),
        min_value=99, max_value=9_999, step=100,
    )  # fmt: skip


def stopping(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Whether an exact test may stop early, and when."""
    control(
        st.toggle, "Stop exact tests early", "stop-at", spec.stop_at is not None,
        lambda spec, on: replace(spec, stop_at=STOP_AT if on else None), help=glossary("early stopping"),
    )  # fmt: skip
    if spec.stop_at is not None:
        _integer(spec, "Redraws as extreme", "stop_at", min_value=1, max_value=10_000, step=1)


def estimates(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Whether the other estimates are made, too."""
    control(
        st.toggle, "Other estimates", "estimates", bool(spec.estimates),
        lambda spec, on: replace(spec, estimates=ESTIMATES if on else ()), help=glossary("other estimates"),
    )  # fmt: skip


def seed(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Of all randomness."""
    _integer(spec, "Seed", "seed", min_value=0, max_value=2**31, step=1, help=glossary("seed"))


def shuffling(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Whether rows are shuffled before what depends on their order."""
    control(
        st.toggle, "Shuffle the rows", "shuffle", spec.shuffle,
        lambda spec, on: replace(spec, shuffle=on), help=glossary("row order"),
    )  # fmt: skip


def null(spec: DiagnosisSpec, p: Predictions) -> None:
    """The hypothesis, and its numbers."""
    used = spec.null
    control(
        st.selectbox, "What the exact tests test", "null", used.kind,
        lambda spec, kind: replace(spec, null=NULLS[kind].usual()),
        options=list(NULLS), say=lambda kind: NULLS[kind].label, help=glossary("hypothesis"),
    )  # fmt: skip
    for field in used.settings:
        _field(field, spec, p)


def _field(field: Field, spec: DiagnosisSpec, p: Predictions) -> None:
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
            names = dict.fromkeys([*field.words, *costs.class_names_through(spec.lens, p), value])
            control(
                st.selectbox, field.label, key, value, changed,
                options=list(names), say=lambda name: field.words.get(name, name),
            )  # fmt: skip
        case _:
            assert_never(field)


def blocks(spec: DiagnosisSpec, _p: Predictions) -> None:
    """How many cases the block estimator takes together."""
    _integer(
        spec, "Cases in a block", "block_size", min_value=2, max_value=100_000, help=glossary("block")
    )  # fmt: skip


def locations(spec: DiagnosisSpec, _p: Predictions) -> None:
    """At how many places the test of mean embeddings looks."""
    _integer(
        spec, "Test locations", "locations", min_value=1, max_value=MOST_LOCATIONS,
        help=glossary("test locations"),
    )  # fmt: skip


def precision(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Of the sums over pairs of cases."""
    control(
        st.selectbox, "Precision of kernel sums", "precision", spec.precision,
        lambda spec, name: replace(spec, precision=name),
        options=list(PRECISIONS), say=_PRECISION_NAMES.get,
    )  # fmt: skip


def bootstrap(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Whether the average gap has an interval, and of how many samples."""
    control(
        st.toggle, "Interval of the average gap", "bootstrap-on", spec.bootstrap > 0,
        lambda spec, on: replace(spec, bootstrap=BOOTSTRAP if on else 0),
        help=glossary("bootstrap interval"),
    )  # fmt: skip
    if spec.bootstrap:
        _integer(spec, "Bootstrap samples", "bootstrap", min_value=2, max_value=100_000, step=100)


def adjustment(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Of p-values for the number of lenses, models or groups."""
    _adjusted(spec, "Adjustment over checks", "adjustment", ADJUSTMENTS)


def bin_adjustment(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Of p-values for the number of bins."""
    _adjusted(spec, "Adjustment over bins", "bin_adjustment", BIN_ADJUSTMENTS)


def _adjusted(spec: DiagnosisSpec, label: str, name: str, options: tuple[str, ...]) -> None:
    control(
        st.selectbox, label, name, getattr(spec, name),
        lambda spec, value: with_changes(spec, **{name: value}),
        options=list(options), say=_ADJUSTMENT_NAMES.get,
    )  # fmt: skip


def _integer(spec: DiagnosisSpec, label: str, name: str, **how: Any) -> None:
    """A whole number of the settings, by its name there."""
    control(
        st.number_input, label, name, getattr(spec, name),
        lambda spec, value: with_changes(spec, **{name: int(value)}), **how,
    )  # fmt: skip
