"""What stands first of a verdict: a way, a place and two shares that its own diagram holds."""

import re

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions
from calibcore.assessment.assess import SoFar
from calibcore.assessment.headline import headline
from calibcore.assessment.verdict import decided
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, RegionLens, TopKLens
from calibcore.wording import percent
from calibcore.words.leading import early_parts, leading, of_the_bin
from tests.quick import survey

NAMES = ("melanoma", "nevus", "keratosis")
SPACE = "\N{NO-BREAK SPACE}"


def sharpened(by: float, m: int, n: int = 1500) -> Predictions:
    """Outcomes of softmax(z), predictions of softmax(by·z): above 1 too sure, below too unsure."""
    rng = np.random.default_rng(3)
    z = 1.3 * rng.normal(size=(n, m))
    probs, truth = (e / e.sum(axis=1, keepdims=True) for e in (np.exp(by * z), np.exp(z)))
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    return Predictions.from_arrays(probs, labels, NAMES[:m])


def shifted() -> Predictions:
    """'melanoma' is said twice as often as it happens, whatever else."""
    rng = np.random.default_rng(4)
    truth = rng.dirichlet((1.0, 2.0, 2.0), 2000)
    said = truth * (2.0, 1.0, 1.0)
    labels = (rng.random((2000, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=2)
    return Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), labels, NAMES)


@pytest.mark.parametrize(
    ("p", "lens", "begins"),
    [
        (sharpened(2.0, 3), TopKLens(1), "Too sure: where it says "),
        (sharpened(0.5, 3), TopKLens(1), "Too unsure: where it says "),
        (shifted(), ClassLens("melanoma"), "'melanoma' too high: where it says "),
        (shifted(), CanonicalLens(), "'melanoma' too high: where it says "),
        # On balance right: too high where it is high, too low where it is low.
        (sharpened(2.0, 2), CanonicalLens(), "Too sure: where it says "),
    ],
)
def test_the_way_and_both_shares_are_those_of_a_bin_of_its_diagram(
    p: Predictions, lens: Lens, begins: str
) -> None:
    found = survey(p, DiagnosisSpec(resamples=199), [lens])
    verdicts = decided(found)
    said = leading(found.diagnoses, verdicts)
    assert said is not None
    assert said.sentence.startswith(begins)
    assert said.place is not None
    b, c = said.place
    diagram = headline(found.diagnoses, verdicts).diagnosis.reliability
    assert diagram.counts[b] >= FEWEST
    assert diagram.outside[b]
    gap = diagram.mean_prediction[b, c] - diagram.observed[b, c]
    if "too high" in begins or lens == TopKLens(1):
        assert (gap > 0) == ("unsure" not in begins)
    shares = re.findall(rf"[\d.]+{SPACE}%", said.sentence)
    for share, value in zip(shares, (diagram.mean_prediction[b, c], diagram.observed[b, c]), strict=True):
        assert share == percent(float(value), 0)
    assert f"of {diagram.counts[b]:,} cases" in of_the_bin(diagram, said.place)


def test_without_a_problem_and_of_a_region_nothing_stands_first_but_the_size() -> None:
    calibrated = survey(sharpened(1.0, 3, 300), DiagnosisSpec(resamples=199))
    assert leading(calibrated.diagnoses, decided(calibrated)) is None
    region = RegionLens(TopKLens(1), "nevus", 0.2, 1.0)
    within = survey(sharpened(2.0, 3), DiagnosisSpec(resamples=199), [region])
    assert decided(within)[0].found
    assert leading(within.diagnoses, decided(within)) is None


def test_as_soon_as_tests_decide_the_same_sentence_stands_first_and_the_way_is_said_once() -> None:
    found = survey(sharpened(2.0, 3), DiagnosisSpec(resamples=199))
    so_far = SoFar.of([found], 0.05)
    first, more = early_parts(so_far)
    said = leading(found.diagnoses, decided(found))
    assert said is not None
    assert first == said.sentence
    assert more.startswith("The probabilities are typically ")
    assert "too sure" not in more
