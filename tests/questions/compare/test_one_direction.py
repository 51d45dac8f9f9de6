"""No p tells two predictions of the same cases apart against the typical gaps that stand beside it."""

import dataclasses
import importlib
import json
import pkgutil
import typing

import numpy as np
import pytest

import calibcore
from calibcore import DiagnosisSpec, Predictions, TrainingRun, compare, terminal, track_training
from calibcore.diagnose.parts import typical_gap_for
from calibcore.errors import InputError
from calibcore.notebook import VIEWS
from calibcore.questions.compare import words as comparing
from calibcore.questions.compare.gap_differences import (
    OTHER_WAY,
    BinnedResiduals,
    GapDifference,
    gap_difference,
)
from calibcore.questions.training import words as training_words

SPEC = DiagnosisSpec(resamples=199)


def waves_and_shift(n: int = 1_000) -> tuple[Predictions, Predictions]:
    """Of three classes: one is off in 12 waves along a class, which parts of the simplex average out and
    typical gaps do not; the other is off by 10 points everywhere."""
    rng = np.random.default_rng(2)
    waves = rng.dirichlet([2.0] * 3, n)
    edge = np.minimum(1, np.minimum(waves[:, 0], waves[:, 1]) / 0.2)
    d = 0.2 * np.sin(24 * np.pi * waves[:, 0]) * edge
    truth = np.clip(waves + np.column_stack([d, -d, 0 * d]), 0, None)
    truth /= truth.sum(axis=1, keepdims=True)
    labels = np.minimum((rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1), 2)
    shift = np.clip(truth + np.array([0.1, -0.1, 0.0]), 1e-3, None)
    shift /= shift.sum(axis=1, keepdims=True)
    return Predictions.from_arrays(waves, labels), Predictions.from_arrays(shift, labels)


@pytest.fixture(scope="module")
def run() -> TrainingRun:
    waves, shift = waves_and_shift()
    return track_training({1: waves, 2: shift, 3: shift, 7: waves}, SPEC, reference="last")


def test_the_case_is_one() -> None:
    a, b = waves_and_shift()
    typical = [typical_gap_for(p, SPEC.for_classes(3)).value for p in (a, b)]
    gap = gap_difference(BinnedResiduals.of(a), BinnedResiduals.of(b))
    assert typical[0] > typical[1] + 0.02
    assert gap.difference < 0
    assert gap.pvalue < 0.01


@pytest.mark.slow
def test_models_and_epochs_are_not_told_apart_against_their_typical_gaps(run: TrainingRun) -> None:
    waves, shift = waves_and_shift()
    found = compare({"waves": waves, "shift": shift}, SPEC)
    (pair,) = found.pairs
    assert (pair.gap, pair.adjusted, pair.gap_withheld) == (None, None, OTHER_WAY)
    assert f"is not tested: {OTHER_WAY}. Their typical gaps are" in comparing.pair_sentence(found, pair)
    one, two, three, seven = run.epochs
    for epoch in (two, three):
        assert (epoch.gap_difference, epoch.gap_adjusted, epoch.gap_withheld) == (None, None, OTHER_WAY)
    assert one.gap_difference is not None
    assert (one.gap_adjusted, one.gap_withheld) == (1.0, "")
    assert (seven.gap_difference, seven.gap_withheld) == (None, None)
    sentence = training_words.reference_sentence(run)
    assert sentence == (
        "No epoch can be told apart from epoch 7 by its typical gap. "
        f"Whether epochs 2 to 3 are better or worse calibrated than epoch 7 is not tested: {OTHER_WAY}."
    )
    assert OTHER_WAY in " ".join(terminal.answer_text(run).split())
    assert OTHER_WAY in VIEWS[TrainingRun].html(run)


@pytest.mark.slow
def test_documents_say_why_and_earlier_ones_are_read(run: TrainingRun) -> None:
    document = json.loads(run.to_json())
    assert [one["withheld"] for one in document["epochs"]] == ["", OTHER_WAY, OTHER_WAY, None]
    assert TrainingRun.from_document(document).to_json() == run.to_json()
    for one in document["epochs"]:
        del one["withheld"]
    assert [one.gap_withheld for one in TrainingRun.from_document(document).epochs] == [None] * 4


def test_epochs_of_few_cases_or_small_bins_say_why_they_are_not_compared() -> None:
    def sentence(n: int, first: np.ndarray) -> str:
        rng = np.random.default_rng(n)
        labels = rng.integers(2, size=n)
        epochs = {t: Predictions.from_arrays(np.column_stack([x, 1 - x]), labels)
                  for t, x in ((1, first), (2, rng.random(n)))}  # fmt: skip
        return training_words.reference_sentence(track_training(epochs, SPEC, reference="last"))

    asked = "Whether epoch 1 is better or worse calibrated than epoch 2 is not tested: "
    assert sentence(40, np.linspace(0.1, 0.9, 40)) == f"{asked}40 cases are too few: expected 50 or more."
    few = np.where(np.arange(100) < 4, 0.1, 0.9)
    assert sentence(100, few) == f"{asked}a bin of that epoch has fewer than 10 cases."


def test_whatever_holds_such_a_p_says_why_it_may_be_missing() -> None:
    """Every result with a difference of squared gaps has a field for it; a new one is found here."""
    holders = set()
    for module in pkgutil.walk_packages(calibcore.__path__, "calibcore."):
        if module.name.split(".")[1] not in ("questions", "assessment", "sensitivity"):
            continue
        try:
            found = vars(importlib.import_module(module.name))
        except InputError:  # an extra that is not installed
            continue
        for kind in found.values():
            if isinstance(kind, type) and dataclasses.is_dataclass(kind):
                hints = typing.get_type_hints(kind)
                if any(GapDifference in (of, *typing.get_args(of)) for of in hints.values()):
                    holders.add(kind)
    assert {kind.__name__ for kind in holders} >= {"Pair", "Epoch"}
    for kind in holders:
        assert "gap_withheld" in {f.name for f in dataclasses.fields(kind)}, kind
