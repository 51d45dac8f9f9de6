"""Which check stands first, which of its bins is clearest, and both in words with its figure's numbers."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from calibcore import survey
from calibcore.assessment.headline import Headline, headline
from calibcore.assessment.impossible import Impossible
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import Verdict, decided
from calibcore.data.predictions import Predictions
from calibcore.diagnose import diagnose
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.gap_sizes import Interval
from calibcore.diagram.reliability import Place, clearest, p_of_bins, reliability
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    Lens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
)
from calibcore.wording import percent
from calibcore.words.diagram import RESTS_ON, by_chance, clearest_bin, heading, reason, reason_by_arrows
from calibcore.words.verdicts import refuted_sentence
from tests.made import binary

# --- the clearest bin -------------------------------------------------------------------


def tail(n: int, p: Fraction, hits: int) -> Fraction:
    """The chance of so many hits or more, or so many or fewer, on the side on which they lie: literally."""
    side = range(hits, n + 1) if hits > n * p else range(hits + 1)
    return sum((comb(n, k) * p**k * (1 - p) ** (n - k) for k in side), Fraction(0))


def test_a_full_bin_that_is_little_off_is_clearer_than_a_few_cases_that_are_far_off() -> None:
    few, full = (2, Fraction(99, 100), 0), (1000, Fraction(1, 2), 400)
    p = binary([0.99] * 2 + [0.5] * 1000, [0] * 2 + [1] * 400 + [0] * 600)
    found = reliability(p, UniformBinning(10))
    assert found.outside.all()
    assert abs(found.deviation[1]) > 9 * abs(found.deviation[0])
    assert tail(*full) < tail(*few)
    assert clearest(found) == Place(0, 0)
    assert (
        "50.0\N{NO-BREAK SPACE}%: it happens 40.0\N{NO-BREAK SPACE}% of the time (400 of 1,000"
        in clearest_bin(found)
    )


def test_the_clearest_is_the_least_likely_bin_outside_on_either_side() -> None:
    rng = np.random.default_rng(3)
    seen = set()
    for seed in range(40):
        n, x = rng.integers(5, 60, 4), np.array([5, 25, 60, 85])
        hits = rng.binomial(n, rng.random(4))
        p = binary(
            np.repeat(x / 100, n), np.concatenate([np.arange(k) < h for k, h in zip(n, hits, strict=True)])
        )
        found = reliability(p, UniformBinning(10))
        among = np.flatnonzero(found.outside)
        tails = [tail(int(n[b]), Fraction(int(x[b]), 100), int(hits[b])) for b in among]
        expected = Place(int(among[int(np.argmin([float(t) for t in tails]))]), 0) if len(among) else None
        assert clearest(found) == expected, seed
        seen.add(None if expected is None else found.deviation[expected.bin] > 0)
    assert {True, False} <= seen


def test_of_more_classes_the_class_is_named_and_tails_below_all_numbers_are_told_apart() -> None:
    off = Predictions.from_arrays(
        [[0.6, 0.3, 0.1]] * 300 + [[0.2, 0.1, 0.7]] * 300,
        [0] * 180 + [1] * 90 + [2] * 30 + [0] * 60 + [1] * 130 + [2] * 110,
        ["cat", "dog", "fox"],
    )
    found = reliability(off, UniformBinning(3), n_resamples=199)
    bin_, name = clearest(found) or (-1, -1)
    assert (float(found.mean_prediction[bin_, 2]), name) == (pytest.approx(0.7), 1)
    many = binary([0.5] * 20_000 + [0.8] * 20_000, [0] * 40_000)
    assert clearest(reliability(many, UniformBinning(10))) == Place(1, 0)  # both tails are 0 as numbers


def test_where_nothing_is_outside_or_nothing_is_known_of_chance_no_bin_is_clearest() -> None:
    assert clearest(reliability(binary([0.5] * 4, [1, 1, 0, 0]), UniformBinning(10))) is None
    weighted = Predictions.from_arrays([[0.9, 0.1]] * 3, [1] * 3, weights=[1, 2, 3])
    assert clearest(reliability(weighted, UniformBinning(2))) is None


# --- which check stands first ------------------------------------------------------------


@pytest.fixture(scope="module")
def pets() -> Survey:
    """400 × 3 calibrated cases: confidence, all together, cat, dog, fox."""
    rng = np.random.default_rng(8)
    probs = rng.dirichlet(np.full(3, 2.0), size=400)
    labels = (rng.random((400, 1)) >= np.cumsum(probs, axis=1)[:, :-1]).sum(axis=1)
    return survey(Predictions.from_arrays(probs, labels, ["cat", "dog", "fox"]))


def _with(pets: Survey, **found: tuple[float, float]) -> tuple[Verdict, ...]:
    """The verdicts where some checks found a problem: their adjusted p, and their typical gap."""
    names = ("sure", "whole", "cat", "dog", "fox")
    return tuple(
        replace(
            verdict,
            answer="miscalibrated" if name in found else "cannot-tell",
            adjusted=found.get(name, (0.4, 0.0))[0],
            typical_gap=Interval(
                0.1 * found.get(name, (0.4, 0.0))[1], 0.0, 0.1 * found.get(name, (0, 0))[1] + 0.1
            ),
        )
        for name, verdict in zip(names, decided(pets), strict=True)
    )


@pytest.mark.parametrize(
    ("found", "first"),
    [
        ({}, TopKLens(1)),
        ({"dog": (0.03, 0.1), "fox": (0.01, 0.1)}, ClassLens("fox")),
        ({"whole": (0.005, 0.1), "fox": (0.01, 0.9)}, CanonicalLens()),
        ({"whole": (0.005, 3.0), "fox": (0.005, 0.1)}, ClassLens("fox")),
        ({"cat": (0.005, 0.2), "dog": (0.005, 0.8), "fox": (0.005, 0.1)}, ClassLens("dog")),
    ],
)
def test_the_smallest_adjusted_p_stands_first(pets: Survey, found: dict, first: Lens) -> None:
    of = headline(pets.diagnoses, _with(pets, **found))
    assert of.verdict.lens == of.diagnosis.spec.lens == first
    assert of.found == bool(found)


def test_a_verdict_that_others_brought_about_does_not_stand_first(pets: Survey) -> None:
    verdicts = list(_with(pets, whole=(0.001, 3.0), dog=(0.03, 0.1)))
    verdicts[1] = replace(verdicts[1], by_lenses=("class:dog",))
    assert headline(pets.diagnoses, verdicts).verdict.lens == ClassLens("dog")


def test_an_outcome_that_was_called_impossible_is_the_strongest_evidence(pets: Survey) -> None:
    verdicts = list(_with(pets, whole=(0.2, 3.0), dog=(0.01, 0.1)))
    verdicts[1] = replace(verdicts[1], refuted=Impossible(2, 0.1, 3, adjusted=0.002))
    of = headline(pets.diagnoses, verdicts)
    assert of.verdict.lens == CanonicalLens()
    assert heading(of) == "Strongest evidence: all classes together"
    assert refuted_sentence(verdicts[1].refuted, verdicts[1].lens) in reason(of)
    assert not reason(of).startswith("2 outcomes")  # what is wrong stands first


@pytest.mark.slow
def test_the_p_of_bins_bounds_that_of_the_exact_law_and_keeps_its_level() -> None:
    rng = np.random.default_rng(6)
    for _ in range(60):  # one bin: the law of its outcomes by convolution, literally
        x = rng.uniform(0.1, 0.9) + rng.uniform(-0.1, 0.1, rng.integers(1, 9))
        law = np.array([1.0])
        for q in x:
            law = np.convolve(law, [1 - q, q])
        for hits in range(len(x) + 1):
            found = reliability(binary(x, np.arange(len(x)) < hits), UniformBinning(1))
            exact = law[hits:].sum() if hits > x.sum() else law[: hits + 1].sum()
            assert (p_of_bins(found) or 0.0) >= min(1.0, 2 * exact) - 1e-12
    small = 0
    for _ in range(300):
        x = rng.beta(0.3, 2.0, 200)
        found = reliability(binary(x, rng.random(200) < x), UniformBinning(10))
        small += (p_of_bins(found) or 0.0) <= 0.05
    assert small <= 0.05 * 300
    far = reliability(binary(x, rng.random(200) < np.minimum(1, x + 0.4)), UniformBinning(10))
    assert (p_of_bins(far) or 1.0) < 1e-6
    weighted = Predictions.from_arrays([[0.9, 0.1]] * 3, [1] * 3, weights=[1, 2, 3])
    assert p_of_bins(reliability(weighted, UniformBinning(10))) is None
    assert p_of_bins(reliability(binary(x, x > 0.5), UniformBinning(10), bars="resampled")) is None


# --- in words ------------------------------------------------------------------------------


def of(p: Predictions, lens: Lens, found: bool = True) -> Headline:
    """A check that found a problem, or none."""
    spec = DiagnosisSpec(lens=lens, binning=UniformBinning(10), tests=("exact-omnibus",), resamples=99)
    diagnosis = diagnose(p, spec)
    made = decided(survey(p, lenses=[TopKLens(1)]))[0]
    return Headline(diagnosis, replace(made, lens=lens, answer="miscalibrated" if found else "cannot-tell"))


def tumours() -> Predictions:
    """200 × 3: of 100 said to be malignant by 0.4 it happens to 10; the other 100, by 0.2, are as said."""
    return Predictions.from_arrays(
        [[0.4, 0.5, 0.1]] * 100 + [[0.2, 0.7, 0.1]] * 100,
        [0] * 10 + [1] * 80 + [2] * 10 + [0] * 20 + [1] * 70 + [2] * 10,
        ["malignant", "benign", "other"],
    )


def test_the_reason_has_the_numbers_of_the_figure() -> None:
    check = of(tumours(), ClassLens("malignant"))
    diagram = check.diagnosis.reliability
    low, high = (percent(0.4 + float(end[1])) for end in (diagram.low, diagram.high))
    assert heading(check) == "Strongest evidence: 'malignant'"
    assert reason(check, "patient") == (
        "Where the model gives 'malignant' 40.0\N{NO-BREAK SPACE}% on average, it happens "
        f"10.0\N{NO-BREAK SPACE}% of the time (10 of 100 patients). If calibrated, {low} to {high}."
    )
    assert (
        reason(check, "patient").partition(", it happens ")[2]
        == clearest_bin(diagram, "patient").partition(": it happens ")[2]
    )
    # What is drawn of it, without the bin that is clearest, has no bin outside: the averages remain.
    assert reason(check, "patient", diagram.only(np.array([0]))) == (
        "The model gives 'malignant' 30.0\N{NO-BREAK SPACE}% on average, and it happens "
        "15.0\N{NO-BREAK SPACE}% of the time (30 of 200 patients, 95\N{NO-BREAK SPACE}% interval "
        "10.4\N{NO-BREAK SPACE}% to 20.7\N{NO-BREAK SPACE}%)."
    )


@pytest.mark.parametrize(
    ("lens", "begins"),
    [
        (
            TopKLens(1),
            "Where the model is 50.0 % sure on average, it is right 80.0 % of the time (80 of 100 cases).",
        ),
        (TopKLens(2), "Among similar predictions, where the model gives its 2nd choice 40.0 % on"),
        (SetLens(0.8), "Where the sets claim to hold the truth in 90.0 % on average, they do "),
        (
            PooledLens(),
            "Where a class is given 40.0 % on average, it happens 10.0 % of the time (10 of 100 pairs).",
        ),
        (CanonicalLens(), "Among similar predictions, where the model gives 'malignant' 40.0 % on"),
        (
            RegionLens(ClassLens("malignant"), "benign", 0.4, 0.6),
            "Where 'benign' was given 40 % to 60 % and the model gives 'malignant' 40.0 % on average, it",
        ),
    ],
)
def test_every_lens_has_its_sentence(lens: Lens, begins: str) -> None:
    p = tumours()
    if isinstance(lens, SetLens):  # the two likeliest, 0.9 together, hold 10 of 100
        p = Predictions.from_arrays(p.probs[:100], [2] * 90 + [0] * 10, p.class_names)
    assert reason(of(p, lens)).replace("\N{NO-BREAK SPACE}", " ").startswith(begins)


def test_two_classes_are_named_by_the_event_and_no_problem_is_no_alarm() -> None:
    p = binary([0.3] * 50 + [0.6] * 50, [1] * 15 + [0] * 35 + [1] * 30 + [0] * 20)
    check = headline(*[(d := survey(p)).diagnoses, decided(d)])
    assert heading(check) == f"Main check: '{check.diagnosis.reliability.class_names[0]}'"
    assert reason(check).startswith("No check found a problem. The model gives '")
    many = of(tumours(), CanonicalLens(), found=False)
    assert reason(many).startswith("No check found a problem. All probabilities together are typically ")


def test_a_cross_outside_its_bar_is_counted_where_no_check_found_a_problem() -> None:
    p = binary([0.3] * 50 + [0.6] * 50, [1] * 25 + [0] * 25 + [1] * 30 + [0] * 20)
    (first, *_), bad = (d := survey(p)).diagnoses, decided(d)
    fine = [replace(verdict, answer="consistent") for verdict in bad]
    check = headline([first], fine[:1])
    outside = int(check.diagnosis.reliability.outside.sum())
    assert outside
    assert by_chance(check).startswith(
        f"{RESTS_ON} {outside} of 2 bins lies outside what chance allows, judged alone"
    )
    assert "The clearest stands out by itself (p ≤ 0.0095, adjusted for 2 bins)." in by_chance(check)
    assert "Were the model calibrated, we would expect about " in by_chance(check)
    assert by_chance(headline([first], [replace(bad[0], answer="miscalibrated")])) == ""
    calm = replace(check.diagnosis.reliability, outside=np.zeros(2, dtype=bool))
    assert by_chance(replace(check, diagnosis=replace(check.diagnosis, reliability=calm))) == ""


def test_where_the_figure_is_of_arrows_the_strongest_is_the_reason() -> None:
    arrows = "Strongest arrow: in its 100 cases 'malignant' was given 40 % on average."
    check = of(tumours(), CanonicalLens())
    assert reason_by_arrows(check, arrows) == arrows
    refuted = replace(check, verdict=replace(check.verdict, refuted=Impossible(1, 0.1, 3, adjusted=0.01)))
    assert (
        reason_by_arrows(refuted, arrows)
        == f"{arrows} {refuted_sentence(refuted.verdict.refuted, refuted.verdict.lens)}"
    )
    fine = of(tumours(), CanonicalLens(), found=False)
    assert reason_by_arrows(fine, arrows) == f"{reason(fine)} {arrows}"
