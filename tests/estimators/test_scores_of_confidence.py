"""Scores where only a confidence is known, by their definitions: docs/statistics/confidence-only.md."""

from math import log, sqrt

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.estimators.scores import with_standard_errors


def test_scores_are_those_of_right_and_wrong() -> None:
    rng = np.random.default_rng(8)
    sure = rng.uniform(0.05, 0.99, 40)
    right = rng.random(40) < sure
    means, _ = with_standard_errors(Predictions.from_confidence(sure, right))
    pairs = [(float(c), int(r)) for c, r in zip(sure, right, strict=True)]
    mean = {
        "accuracy": sum(r for _, r in pairs) / 40,
        "brier": sum(2 * (c - r) ** 2 for c, r in pairs) / 40,
        "log_loss": sum(-log(c if r else 1 - c) for c, r in pairs) / 40,
        "spherical": sum((c if r else 1 - c) / sqrt(c**2 + (1 - c) ** 2) for c, r in pairs) / 40,
    }
    assert means == pytest.approx(mean, rel=1e-12)
