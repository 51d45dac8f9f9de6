"""Spiegelhalter's z: closed forms, its law under calibration, and when it is not defined."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests import SpiegelhalterTest
from calibcore.transforms.redraws import redrawn_labels
from tests.made import binary


def test_two_cases_by_hand() -> None:
    """0.2 misses, 0.8 hits: −0.12 twice, variance 2·0.36·0.16: z = −1/√2."""
    found = SpiegelhalterTest()(binary([0.2, 0.8], [0, 1]))
    assert found.statistic == pytest.approx(-1 / math.sqrt(2), rel=1e-14)
    assert found.pvalue == pytest.approx(2 * norm.cdf(-1 / math.sqrt(2)), rel=1e-14)
    assert (found.promise, found.method) == ("asymptotic", "normal approximation, two-sided")
    assert found.null_distribution is None


def test_both_sides_count_and_either_class_may_be_the_first() -> None:
    modest = SpiegelhalterTest()(binary([0.3] * 50 + [0.7] * 50, [0] * 50 + [1] * 50))
    sure = SpiegelhalterTest()(binary([0.1] * 50 + [0.9] * 50, [0, 1] * 50))
    assert modest.statistic < 0 < sure.statistic
    assert max(modest.pvalue, sure.pvalue) < 1e-4
    p = binary([0.15, 0.4, 0.8, 0.95], [0, 1, 0, 1])
    turned = Predictions.from_arrays(p.probs[:, ::-1], 1 - p.labels)
    assert SpiegelhalterTest()(turned).statistic == pytest.approx(SpiegelhalterTest()(p).statistic, rel=1e-13)


def test_law_under_calibration() -> None:
    """4,000 label sets drawn from 400 predictions: mean 0, variance 1, one in twenty rejected."""
    rng = np.random.default_rng(0)
    p = binary(rng.beta(2, 3, size=400), np.zeros(400))
    labels = np.concatenate(list(redrawn_labels(p, 4000, rng)))
    found = [SpiegelhalterTest()(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    z = np.array([r.statistic for r in found])
    assert abs(z.mean()) < 4 / math.sqrt(4000)
    assert z.std() == pytest.approx(1, abs=4 / math.sqrt(2 * 4000))
    assert np.mean([r.pvalue <= 0.05 for r in found]) == pytest.approx(
        0.05, abs=4 * math.sqrt(0.05 * 0.95 / 4000)
    )


def test_rows_that_miss_the_sum_by_rounding_are_read_as_shares() -> None:
    p = Predictions.from_arrays(np.array([[0.2, 0.8], [0.7, 0.3]]) * (1 + 9e-6), [1, 0])
    exact = SpiegelhalterTest()(binary([0.2, 0.7], [0, 1]))
    assert SpiegelhalterTest()(p).statistic == pytest.approx(exact.statistic, rel=1e-12)


def test_no_variance() -> None:
    """0, ½ and 1 alone: z = 0 if the certain ones came true, otherwise not defined."""
    right = SpiegelhalterTest()(binary([0.0, 1.0, 0.5], [0, 1, 0]))
    assert (right.statistic, right.pvalue) == (0, 1)
    wrong = SpiegelhalterTest()(binary([0.0, 1.0, 0.5], [0, 0, 0]))
    assert math.isnan(wrong.statistic)
    assert math.isnan(wrong.pvalue)
    tiny = Predictions.from_arrays(np.array([[0.5, 0.5], [1.0, 0.0]]) * (1 + 9e-6), [1, 0])
    assert SpiegelhalterTest()(tiny).pvalue == 1
