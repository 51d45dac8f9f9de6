"""Recalibration where only the confidence is known: told by the mark, and not by what classes are called."""

from typing import Any

import numpy as np
import pytest

from calibcore import CanonicalLens, Predictions
from calibcore.questions.recalibrate import words
from calibcore.questions.recalibrate.ask import look, recalibrate
from calibcore.questions.recalibrate.maps.map import MAPS
from calibcore.transforms.lenses.cases import RegionLens

R = np.random.default_rng(5)
SURE = R.uniform(0.1, 1, 150)
KNOWN = Predictions.from_confidence(SURE, R.random(150) < SURE**2)
CALLED_SO = Predictions.from_arrays(KNOWN.probs, KNOWN.labels, ["right", "wrong"])


def test_examples_go_by_the_mark() -> None:
    shown = {}
    for p in (KNOWN, CALLED_SO):
        found = recalibrate(p, ["temperature"], folds=3)
        seen = look(p, found, "temperature")
        shown[p.kind] = words.example_rows(seen, found.class_names), [e.before[0] for e in seen.examples]
    rows, sure = shown["confidence"]
    assert all("sure" in str(row["The model says"]) for row in rows)
    assert sure == sorted(sure)  # of low, middle and high confidence
    assert not any("sure" in str(row["The model says"]) for row in shown["probabilities"][0])


@pytest.mark.parametrize("kind", MAPS)
def test_code_says_what_goes_in(kind: str) -> None:
    fitted = MAPS[kind].fit(KNOWN.probs, KNOWN.labels)
    space: dict[str, Any] = {}
    code = fitted.confidence_code()
    exec(code, space)
    assert "P(the answer is right)" in code
    after = space["recalibrate_confidence"](SURE)
    np.testing.assert_allclose(after, fitted(KNOWN.probs)[:, 0], atol=1e-12)


def test_a_class_called_confidence_is_a_class() -> None:
    p = Predictions.from_arrays(KNOWN.probs, KNOWN.labels, ["doubt", "confidence"])
    lens = RegionLens(CanonicalLens(), "confidence", 0.2, 0.6)
    inside = (p.probs[:, 1] >= 0.2) & (p.probs[:, 1] <= 0.6)
    assert lens.rows(p).tolist() == np.flatnonzero(inside).tolist()
    assert "'confidence' was given" in lens.phrase()
    empty = RegionLens(CanonicalLens(), "confidence", 0, 0)
    with pytest.raises(ValueError, match="no case has a probability of 'confidence'"):
        empty(p)
