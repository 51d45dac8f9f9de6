"""Diagnoses at the edge: documents that are none, predictions all alike, outcomes outside a region."""

import numpy as np
import pytest

from calibcore import Diagnosis, DiagnosisSpec, InputError, Predictions, Survey, diagnose
from calibcore.kernels import ExponentialKernel
from calibcore.terminal import diagnosis_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, RegionLens, TopKLens


@pytest.mark.parametrize("text", ["x", "[]", "{}", '{"schema": 99}', '{"schema": 1}'])
def test_what_is_no_diagnosis_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InputError):
        Diagnosis.from_json(text)
    with pytest.raises(InputError):
        Survey.from_json(text)


def test_predictions_all_alike_are_tested_whatever_the_bandwidth() -> None:
    p = Predictions.from_arrays(np.tile([0.7, 0.3], (60, 1)), np.arange(60) % 3 == 0)
    by_rule = diagnose(p, DiagnosisSpec(tests=("exact",), resamples=49))
    by_number = diagnose(p, DiagnosisSpec(kernel=ExponentialKernel(0.2), tests=("exact",), resamples=49))
    assert by_rule.bandwidth.pairs == "same"
    assert by_rule.skce == by_number.skce


def test_impossible_outcomes_outside_a_region_do_not_count() -> None:
    p = Predictions.from_arrays([[1, 0], [0.4, 0.6], [0.6, 0.4], [0.5, 0.5]], [1, 0, 1, 0], ("a", "b"))
    spec = DiagnosisSpec(lens=RegionLens(CanonicalLens(), "a", 0.2, 0.8), tests=(), resamples=9)
    assert diagnose(p, spec).impossible_outcomes == 0
    assert diagnose(p, DiagnosisSpec(tests=(), resamples=9)).impossible_outcomes == 1


def rows(*probs: list[float]) -> list[list[float]]:
    return [list(row) for row in probs]


HALF = rows(*[[0.5, 0.3, 0.2]] * 15, *[[k / 30, 0.5, 0.5 - k / 30] for k in range(15)])
DEGENERATE = {
    "all predictions equal": (rows(*[[0.2, 0.3, 0.5]] * 30), [0, 1, 2] * 10),
    "half of them equal": (HALF, [0, 1, 2] * 10),
    "all labels one class": (HALF, [1] * 30),
    "labels sorted by class": (HALF, sorted([0, 1, 2] * 10)),
    "only zeros and ones": (
        rows(*([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] * 10)),
        [0, 1, 2] * 10,
    ),
    "zeros and ones, all wrong": (
        rows(*([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] * 10)),
        [1, 2, 0] * 10,
    ),
    "one class never seen": (HALF, [0, 1] * 15),
    "fewer cases than a block": (HALF[:7], [0, 1, 2, 0, 1, 2, 0]),
    "two cases": (HALF[14:16], [0, 1]),
    "every bin with one case": ([[k / 30, 1 - k / 30, 0.0] for k in range(3, 30, 3)], [0, 1] * 4 + [1]),
    "rounded to tenths": ([[k / 10, 0.5 - k / 10, 0.5] for k in (0, 1, 2, 3, 4, 5)] * 5, [0, 1, 2] * 10),
}


@pytest.mark.some(16)
@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize(
    "lens", [CanonicalLens(), TopKLens(1), ClassLens("b"), PooledLens()], ids=lambda lens: lens.kind
)
def test_degenerate_data_give_a_whole_diagnosis(case: str, lens: Lens) -> None:
    p = Predictions.from_arrays(*DEGENERATE[case], list("abc"))
    found = diagnose(p, DiagnosisSpec(lens=lens, resamples=19, bootstrap=9))
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()
    text = diagnosis_text(found)
    assert "nan" not in text
    for test in found.tests:
        assert test.result is not None or test.note
    for estimate in found.estimates:
        assert estimate.value is not None or estimate.note
    for level in found.calibration_error.values():
        assert np.isfinite(level)


@pytest.mark.slow
def test_classes_in_the_thousand() -> None:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.full(1_000, 0.05), size=60)
    labels = [int(rng.choice(1_000, p=row / row.sum())) for row in probs]
    found = diagnose(Predictions.from_arrays(probs, labels), DiagnosisSpec(resamples=19))
    assert found.test("exact-skce").result.pvalue >= 0.05
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()
