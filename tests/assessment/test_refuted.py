"""Outcomes that were called impossible: they refute, whatever a test says; rounded ones by a bound."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from calibcore import DiagnosisSpec, Predictions, judge, survey
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.impossible import Impossible, impossible, is_hypothesis
from calibcore.data.decimals import rounded_to
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.numerics.types import Float
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens, SetLens, TopKLens
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from calibcore.words.verdicts import answer_parts, answer_sentence, refuted_sentence
from tests.cases import each
from tests.oracles import literal_skce as literal
from tests.report.reported import DATE

SPEC = DiagnosisSpec(resamples=199, alpha=0.2, seed=3)
SAID = "1 outcome happened that was called impossible: p = 0."
OF_ANSWERS = (
    "1 answer given 100\N{NO-BREAK SPACE}% was wrong (or given 0\N{NO-BREAK SPACE}% and right): p = 0."
)


def certain(n: int = 40, wrong: int = 1) -> Predictions:
    """Predictions of 0 and 1 alone; ``wrong`` of the outcomes were given probability 0."""
    labels = np.arange(n) % 3
    probs = np.eye(3)[labels]
    return Predictions.from_arrays(probs, np.where(np.arange(n) < wrong, (labels + 1) % 3, labels), "abc")


def rounded(n: int, digits: int, seed: int, impossible_ones: int = 0, sure: float = 0.15) -> Predictions:
    """Calibrated before rounding; of so many cases the outcome is then one that was given 0."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(3, sure), size=n)
    labels = (rng.random((n, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=2)
    probs = np.round(probs, digits)
    zeros = np.flatnonzero((probs == 0).any(axis=1))[:impossible_ones]
    labels[zeros] = (probs[zeros] == 0).argmax(axis=1)
    return Predictions.from_arrays(probs, labels, ("a", "b", "c"), renormalise=True)


# --- zeros that are none of rounding ------------------------------------------------


def test_one_impossible_outcome_of_certain_predictions_is_miscalibrated_with_p_0() -> None:
    p = certain()
    found = assess(p, survey(p, SPEC))
    assert found.survey.refuted == (1, 1, 1, 1, 0)  # a happened as b; c is right
    assert found.survey.impossible is None
    for verdict, outcomes in zip(found.verdicts, found.survey.refuted, strict=True):
        assert (verdict.answer == "miscalibrated") == bool(outcomes)
        if outcomes:
            assert (verdict.pvalue, verdict.adjusted, verdict.at_floor) == (0, 0, False)
            assert verdict.refuted == Impossible(1, 0.0, None, 0.0)
            first, more = answer_parts(verdict)
            assert first.startswith(
                "The confidence is off, typically"
                if verdict.lens == TopKLens(1)
                else ("All prob", "The prob")
            )
            assert more.startswith(OF_ANSWERS if verdict.lens == TopKLens(1) else SAID)
    assert found.verdicts[4].answer != "miscalibrated"
    text = survey_text(found)
    assert "✕ Miscalibrated" in text
    assert SAID in text
    again = Assessment.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert again.verdicts == found.verdicts


def test_certain_predictions_that_are_right_are_not_refuted() -> None:
    p = certain(wrong=0)
    found = survey(p, SPEC)
    assert set(found.refuted) == {0}
    assert "miscalibrated" not in {v.answer for v in judge(p, found)}


def test_it_costs_the_other_lenses_nothing() -> None:
    """Refuted lenses have p = 0 in Holm, which then has one hypothesis fewer for the rest."""
    rng = np.random.default_rng(1)
    probs = rng.dirichlet(np.ones(3), size=60)
    labels = (rng.random((60, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=2)
    probs[0], labels[0] = (0.0, 0.25 + 1e-10, 0.75 - 1e-10), 0
    p = Predictions.from_arrays(probs, labels, ("a", "b", "c"))
    assert (p.rounding, p.impossible_outcomes) == (None, 1)
    found = survey(p, SPEC)
    assert found.refuted == (0, 1, 1, 0, 0)
    assert_allclose(found.adjusted, literal.holm(found.pvalues))
    assert [p for p, n in zip(found.pvalues, found.refuted, strict=True) if n] == [0, 0]
    assert found.hypotheses == 5


@pytest.mark.slow
@pytest.mark.parametrize("command", ["survey", "report"])
def test_the_command_line_and_the_report_say_so(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "p.csv", tmp_path / "r.json"
    file.write_text(csv_of(prediction_rows(certain())))
    words = [command, str(file), "--alpha", "0.2", "--resamples", "199"]
    if command == "report":
        assert main([*words, "--out", str(out), "--date", DATE]) == 0
        assert SAID in capsys.readouterr().out
        document = json.loads(out.read_text())
    else:
        assert main([*words, "--fail-if", "miscalibrated"]) == 1
        assert SAID in capsys.readouterr().out
        assert main([*words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
    by_lens = {entry["lens"]: entry for entry in document["lenses"]}
    for lens in ("canonical", "top-k:1"):
        assert (by_lens[lens]["p_value"], by_lens[lens]["adjusted_p_value"]) == (0, 0)
        assert by_lens[lens]["verdict"]["answer"] == "miscalibrated"
    assert document["refuted"][:2] == [1, 1]


def test_several_are_counted() -> None:
    assert refuted_sentence(Impossible(3, 0.0, None, 0.0)) == (
        "3 outcomes happened that were called impossible: p = 0."
    )
    assert refuted_sentence(Impossible(1204, 0.0, None)).startswith("1,204 outcomes happened that were")


# --- zeros of rounding ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("probs", "digits"),
    [
        ([[0.5, 0.5], [0.1, 0.9]], 1),
        ([[0.25, 0.75], [0.1, 0.9]], 2),
        ([[0.123456789, 0.876543211]], 9),
        ([[1 / 3, 2 / 3], [0.1, 0.9]], None),
        ([[0.0, 1.0], [1.0, 0.0]], None),  # answers, no rounded chances
        ([[0.0, 1.0], [0.5, 0.5]], 1),
        ([[0.3, 0.7]] * 5_000 + [[1 / 3, 2 / 3]], None),
        ([[0.3, 0.7]] * 5_000 + [[0.33, 0.67]], 2),
        ([[0.1 + 0.2, 0.7]], 1),
    ],
)
def test_digits_that_probabilities_were_rounded_to(probs: list[list[float]], digits: int | None) -> None:
    g: Float = np.array(probs)
    assert rounded_to(g) == digits


def test_narrow_floats_are_rounded_as_they_were_typed() -> None:
    g = np.array([[0.1, 0.9], [0.35, 0.65]], np.float32)
    p = Predictions.from_arrays(g, [0, 1])
    assert p.rounding == (2, 0.005)
    assert ClassLens(p.class_names[0])(p).rounding == p.rounding


@each("outcomes", [0, 1, 2, 3, 5, 9])
@each("expected", [0.0, 0.2, 1.5, 4.0])
def test_the_bound_is_the_tail_of_a_poisson_law_where_it_is_one(outcomes: int, expected: float) -> None:
    p = Impossible(outcomes, expected, 2).pvalue
    if outcomes < expected + 1:
        assert p == 1
    else:
        literal_tail = 1 - sum(stats.poisson.pmf(k, expected) for k in range(outcomes))
        assert p == pytest.approx(max(literal_tail, 0.0), abs=1e-12)


def test_it_is_no_smaller_than_the_exact_tail_of_any_chances_that_round_to_0() -> None:
    """Zeros of 2 digits stand for chances up to 0.005: at that the count is binomial."""
    for zeros in (50, 400, 3000):
        mean = zeros * 0.005
        for outcomes in range(int(np.ceil(mean + 1)), int(mean + 12)):
            bound = Impossible(outcomes, mean, 2).pvalue
            assert bound >= stats.binom.sf(outcomes - 1, zeros, 0.005) - 1e-15
            assert bound >= stats.binom.sf(outcomes - 1, 2 * zeros, 0.0025) - 1e-9 or zeros < 100


def test_the_mean_counts_zeros_of_all_cases() -> None:
    p = rounded(200, 2, seed=2)
    zeros = int((p.probs == 0).sum())
    assert zeros > 0
    assert impossible(p) == Impossible(p.impossible_outcomes, pytest.approx(zeros * 0.005), 2)
    assert is_hypothesis(p)
    without = Predictions.from_arrays(p.probs[p.probs.min(axis=1) > 0], p.labels[p.probs.min(axis=1) > 0])
    assert not is_hypothesis(without)
    assert not is_hypothesis(certain())


@pytest.mark.slow
def test_the_level_holds_where_every_chance_is_as_large_as_rounding_hides() -> None:
    """2,000 calibrated sets of 60 cases, a chance of 0.0499 that was rounded to 0.0 in each."""
    chances = np.array([0.0499, 0.3501, 0.6])
    probs, rng = np.round(np.tile(chances, (60, 1)), 1), np.random.default_rng(3)
    labels = (rng.random((2_000, 60, 1)) > chances.cumsum()).sum(axis=2).clip(max=2)
    found = np.array([impossible(Predictions.from_arrays(probs, y)).pvalue for y in labels])
    for level in (0.01, 0.05, 0.2):
        assert 0 < np.mean(found <= level) <= level + 3 * np.sqrt(level * (1 - level) / 2_000)


def test_it_is_one_more_hypothesis_where_all_classes_are_looked_at_and_a_zero_was_predicted() -> None:
    p = rounded(120, 2, seed=5, impossible_ones=8)
    found = survey(p, SPEC)
    assert found.impossible is not None
    assert found.hypotheses == 6
    raw = [*found.pvalues, impossible(p).pvalue]
    assert_allclose([*found.adjusted, found.impossible.adjusted], literal.holm(raw))
    assert set(found.refuted) == {0}  # a rounded 0 alone refutes nothing
    assert {d.spec.resamples for d in found.diagnoses} == {299}  # 10·6/0.2 − 1
    some = survey(p, SPEC, [TopKLens(1), ClassLens("a")])
    assert (some.impossible is not None, some.hypotheses) == (True, 3)
    plain = rounded(40, 2, seed=5, sure=20.0)
    assert (plain.rounding, float(plain.probs.min()) > 0) == ((2, 0.005), True)
    assert survey(plain, SPEC).hypotheses == 5


def test_the_whole_is_miscalibrated_by_it_and_says_what_rounding_explains() -> None:
    p = rounded(400, 2, seed=5, impossible_ones=12)
    found = survey(p, SPEC, [CanonicalLens()])
    (verdict,) = judge(p, found)
    assert verdict.answer == "miscalibrated"
    assert verdict.refuted == found.impossible
    mean = impossible(p).expected
    said = answer_sentence(verdict)
    first, more = answer_parts(verdict)
    assert said == f"{first} {more}"
    assert first.startswith("All probabilities together are off, typically by at most ")
    assert more.startswith(
        f"{p.impossible_outcomes} outcomes happened that were given probability 0. "
        f"Rounding explains about {mean:.1f} at most (adjusted p"
    )


@pytest.mark.slow
def test_few_of_them_are_explained_by_rounding() -> None:
    p = rounded(400, 2, seed=5)
    found = survey(p, SPEC)
    assert found.impossible is not None
    assert found.impossible.pvalue > 0.2
    assert all(v.refuted is None for v in judge(p, found))


@pytest.mark.slow
def test_outcomes_that_rounding_explains_do_not_decide_the_omnibus_test() -> None:
    """A calibrated model, exported with two digits: rare outcomes of chances below 0.005 happen."""
    rng = np.random.default_rng(4)
    pvalues = []
    for _ in range(60):
        g = rng.dirichlet([5.0, 3.0, 0.02, 0.02], 300)
        labels = (rng.random((300, 1)) >= g.cumsum(axis=1)[:, :-1]).sum(axis=1)
        told = np.round(g, 2)
        told[:, 0] = np.round(1 - told[:, 1:].sum(axis=1), 2)
        rows = np.flatnonzero(told[:, 2] == 0)[:1]
        labels[rows] = 2  # one in each set
        p = Predictions.from_arrays(told, labels)
        assert p.impossible_outcomes
        found = ExactOmnibusTest(n_resamples=99)(p, rng)
        temperature = next(one for one in found.components if one.name == "temperature")
        assert np.isfinite(temperature.statistic)
        pvalues.append(found.pvalue)
    assert np.mean(np.array(pvalues) <= 0.05) <= 0.2
    exact = Predictions.from_arrays(np.array([[0.5, 0.5], [1.0, 0.0], [1 / 3, 2 / 3]]), [0, 1, 0])
    assert ExactOmnibusTest(n_resamples=99)(exact, rng).decided_by.tail == np.inf


def test_of_sets_outcomes_are_counted_and_no_answers() -> None:
    refuted = Impossible(3, 0.0, None, 0.0)
    assert refuted_sentence(refuted, SetLens(0.9)).startswith("3 outcomes happened that were called")
    assert refuted_sentence(refuted, TopKLens(1)).startswith("3 answers given 100")
