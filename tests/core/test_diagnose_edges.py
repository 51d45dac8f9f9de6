"""Diagnoses at the edge: documents that are none, predictions all alike, outcomes outside a region."""

import numpy as np
import pytest

from calibcore import Diagnosis, DiagnosisSpec, InputError, Predictions, Survey, diagnose
from calibcore.kernels import ExponentialKernel
from calibcore.lenses import CanonicalLens, RegionLens


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
