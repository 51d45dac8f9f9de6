"""What stands first of a verdict: a way, a place and two shares that its own diagram holds."""

import math
import re

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from calibcore import DiagnosisSpec, Predictions
from calibcore.answers.blocks import Doubts
from calibcore.answers.survey import says, says_so_far
from calibcore.assessment.assess import SoFar, assess
from calibcore.assessment.headline import headline
from calibcore.assessment.verdict import decided
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.frequency_intervals import clopper_pearson
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.diagram.reliability import places_by_evidence, reliability
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, RegionLens, TopKLens, order_decides
from calibcore.words.leading import early_parts, interval_of, leading, number_of, of_the_bin
from tests.quick import survey

NAMES = ("melanoma", "nevus", "keratosis")


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


@pytest.mark.parametrize("names", [("no", "yes"), ("yes", "no")])
def test_the_order_of_the_columns_does_not_say_which_way_tied_answers_lean(names: tuple[str, str]) -> None:
    labels = [names[i % 10 < 3] if names[0] == "no" else names[i % 10 >= 3] for i in range(300)]
    p = Predictions.from_arrays(np.full((300, 2), 0.5), labels, names)
    both = survey(p, DiagnosisSpec(resamples=199))
    verdicts = decided(both)
    said = leading(both.diagnoses, verdicts)
    assert said is not None
    assert said.sentence.startswith(
        "'yes' too high, clearest where it says 50\N{NO-BREAK SPACE}%: it happens in"
    )
    text = survey_text(assess(p, both)).partition("More measures")[0]
    assert "In 300 of 300 cases the likeliest classes are tied; which one counts as the answer" in text
    assert "too sure" not in text
    assert "too unsure" not in text
    untold = says_so_far(both, SoFar.of([both], both.diagnoses[0].spec.tolerance), "survey.verdicts")
    assert untold.each(Doubts) == says(assess(p, both)).each(Doubts)
    alone = survey(p, DiagnosisSpec(resamples=199), [TopKLens(1)])
    only = leading(alone.diagnoses, decided(alone))
    assert only is not None
    assert only.sentence.startswith("The confidence is off. Which way may be the order of the columns")


def test_what_happened_at_a_rounded_0_is_said_before_verdicts_are_asked_for() -> None:
    rng = np.random.default_rng(5)
    truth = rng.dirichlet((0.3, 1.0, 2.0), 1500)
    labels = (rng.random((1500, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=2)
    said = np.round(truth, 2)
    said[:, 2] = 1 - said[:, 0] - said[:, 1]
    labels[np.flatnonzero(said[:, 0] == 0)[0]] = 0
    p = Predictions.from_arrays(np.round(said, 2), labels, NAMES)
    both = survey(p, DiagnosisSpec(resamples=199))
    untold = says_so_far(both, SoFar.of([both], both.diagnoses[0].spec.tolerance), "survey.verdicts")
    (doubts,) = untold.each(Doubts)
    assert any("something happened that was given probability 0" in line for line in doubts.lines)
    assert untold.each(Doubts) == says(assess(p, both)).each(Doubts)


@pytest.mark.parametrize("chance", [0.1, 0.2, 0.35, 0.5])
@pytest.mark.parametrize("n", [20, 100, 1000])
def test_so_few_ties_cannot_turn_a_clear_direction(n: int, chance: float) -> None:
    """Another order of the columns moves as many hits as there are ties, at most, all one way."""
    ties = math.isqrt(n)
    assert not order_decides(ties, n)
    assert order_decides(ties + 1, n)
    hits = np.arange(n + 1)
    low, high = clopper_pearson(hits, np.full(n + 1, n), (0.025, 0.975))
    moved = np.minimum(hits + ties, n)
    too_sure, too_unsure_then = chance > high, chance < low[moved]
    assert n == 20 or too_sure.any()
    assert not (too_sure & too_unsure_then).any()


def test_an_error_of_an_event_rarer_than_the_tolerance_is_not_slight() -> None:
    labels = ["ill" if i % 40 == 0 else "healthy" for i in range(2000)]
    p = Predictions.from_arrays(np.tile([0.999, 0.001], (2000, 1)), labels, ["healthy", "ill"])
    found = survey(p, DiagnosisSpec(resamples=199))
    verdicts = decided(found)
    said = leading(found.diagnoses, verdicts)
    assert said is not None
    assert verdicts[0].small
    assert "lightly" not in said.sentence


def test_few_ties_do_not_keep_the_direction_back() -> None:
    """A bin that ties may decide is not told, another is."""
    rng = np.random.default_rng(5)
    x = np.concatenate([np.full(60, 0.5), rng.uniform(0.8, 0.99, 4000)])
    y = (rng.random(4060) > np.where(x == 0.5, 1.0, x - 0.15)).astype(int)
    p = Predictions.from_arrays(np.column_stack([x, 1 - x]), y, ["a", "b"])
    found = survey(p, DiagnosisSpec(resamples=199), [TopKLens(1)])
    said = leading(found.diagnoses, decided(found))
    assert said is not None
    assert said.place is not None
    assert said.sentence.startswith("Too sure, clearest where it says ")
    assert found.diagnoses[0].reliability.lowest[said.place.bin] > 0.5


@pytest.mark.parametrize(
    ("p", "lens", "begins"),
    [
        (sharpened(2.0, 3), TopKLens(1), "Too sure, clearest where it says "),
        (sharpened(0.5, 3), TopKLens(1), "Too unsure, clearest where it says "),
        (shifted(), ClassLens("melanoma"), "'melanoma' too high, clearest where it says "),
        # On balance right: too high where it is high, too low where it is low.
        (sharpened(2.0, 2), CanonicalLens(), "Too sure, clearest where it says "),
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
    predicted, observed = float(diagram.mean_prediction[b, c]), float(diagram.observed[b, c])
    said_, low, high = (float(n) for n in re.findall(r"\d+(?:\.\d+)?", said.sentence.partition("says ")[2]))
    assert said_ == pytest.approx(100 * predicted, abs=0.51)
    assert not low <= 100 * predicted <= high
    assert low <= 100 * observed <= high
    # As wide as is due where it was chosen among all bins and classes of all checks.
    number = sum(
        int((d.reliability.counts >= FEWEST).sum()) * (1 if len(d.reliability.class_names) == 2 else 3)
        for d in found.diagnoses
    )
    hits = round(diagram.counts[b] * observed)
    exact = binomtest(hits, int(diagram.counts[b])).proportion_ci(1 - 0.05 / number, method="exact")
    assert (low, high) == (math.floor(100 * exact.low), math.ceil(100 * exact.high))
    assert f"of {diagram.counts[b]:,} cases" in of_the_bin(diagram, said.place)


@pytest.mark.slow
def test_where_no_bin_is_sure_it_is_told_of_all_cases_on_average_with_an_interval() -> None:
    """Of all classes together bins are many and small."""
    found = survey(shifted(), DiagnosisSpec(resamples=199), [CanonicalLens()])
    said = leading(found.diagnoses, decided(found))
    assert said is not None
    assert said.place is None
    of_class = found.diagnoses[0].frequencies[0]
    numbers = [float(n) for n in re.findall(r"\d+", said.sentence)]
    assert said.sentence.startswith("'melanoma' too high: it says ")
    assert numbers[0] == round(100 * of_class.said)
    assert numbers[1] < 100 * of_class.happened < numbers[2] < numbers[0]
    gap = of_class.gap
    assert numbers[1] <= 100 * (of_class.said - gap.high)
    assert numbers[2] >= 100 * (of_class.said - gap.low)


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
    assert more.startswith("All probabilities together are typically ")
    assert "too sure" not in more


def test_one_label_of_several_has_a_sentence_of_its_own_and_several_are_counted() -> None:
    rng = np.random.default_rng(6)
    true = rng.random((1500, 2))
    said = np.column_stack([0.4 + 0.6 * true[:, 0], true[:, 1]])
    cases = MultiLabelPredictions.from_arrays(
        said, (rng.random((1500, 2)) < true).astype(int), ["edema", "mass"]
    )
    both = survey(cases, DiagnosisSpec(resamples=199))
    assert leading(both.diagnoses, decided(both)) is None
    one = survey(cases.label("edema"), DiagnosisSpec(resamples=199))
    told = leading(one.diagnoses, decided(one))
    assert told is not None
    assert told.sentence.startswith("'edema' too high, clearest where it says ")
    assert ": it happens in " in told.sentence


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_of_a_bin_that_was_chosen_holds_although_what_was_observed_there_overstates(
    seed: int,
) -> None:
    """Too sure by a little in few cases: the share in the chosen bin lies farther off than is true."""
    rng = np.random.default_rng(seed)
    observed_gaps, true_gaps, wrong, told, files = [], [], 0, 0, 40
    for _ in range(files):
        z = np.abs(rng.normal(1.5, 1.2, 800))
        said, true = 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-z / 1.4))
        p = Predictions.from_arrays(np.column_stack([said, 1 - said]), (rng.random(800) > true).astype(int))
        diagram = reliability(p, UniformBinning(10))
        place = next(iter(places_by_evidence(diagram)), None)
        if place is None or diagram.counts[place.bin] < FEWEST:
            continue
        inside = (said >= diagram.lowest[place.bin]) & (said <= diagram.highest[place.bin])
        low, high = interval_of(diagram, place, number_of(diagram))
        predicted, truth = said[inside].mean(), true[inside].mean()
        told += 1
        wrong += not low <= truth <= high
        observed_gaps.append(abs(predicted - diagram.observed[place.bin, 0]))
        true_gaps.append(abs(predicted - truth))
    assert told >= files // 2
    assert wrong <= binom.ppf(0.9999, told, 0.05)
    assert np.mean(observed_gaps) > np.mean(true_gaps)
