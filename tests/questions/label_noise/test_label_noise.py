"""Wrong labels: as a null hypothesis, and how many would explain what happened."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import (
    SKCE,
    CanonicalLens,
    DiagnosisSpec,
    ExactTest,
    ExponentialKernel,
    InputError,
    Predictions,
    RegionLens,
    TopKLens,
    WrongLabels,
    explain_by_wrong_labels,
)
from calibcore.assessment.verdict_tests import VERDICT_TEST
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.streams import stream
from calibcore.questions.label_noise import most_likely_share
from calibcore.questions.label_noise.words import likeliest_sentence, sentence
from calibcore.questions.recalibrate.gain import with_probabilities
from calibcore.transforms.nulls import LabelNoise
from tests.asked import SMALL, cases, small
from tests.cli.commands import run
from tests.oracles.next import reference

CONFIDENCE = DiagnosisSpec(lens=TopKLens(1))


@small(WrongLabels)
def of_too_sure() -> WrongLabels:
    return explain_by_wrong_labels(cases(), replace(SMALL, lens=TopKLens(1)))


def noisy(seed: int, share: float, n: int = 600, m: int = 3, sharper: float = 1.0) -> Predictions:
    """A model that is calibrated where ``sharper`` is 1, and wrong labels."""
    rng = np.random.default_rng([seed, n, m])
    g = np.exp(1.5 * (rng.normal(size=(n, m)) + 1.5 * np.eye(m)[rng.integers(m, size=n)]))
    g /= g.sum(axis=1, keepdims=True)
    labels = draw_labels(LabelNoise(share).probs(Predictions.from_arrays(g, np.zeros(n, int))), rng)
    said = g**sharper
    return Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), labels)


def test_the_probabilities_are_those_of_the_reference() -> None:
    case = reference("G", "label noise 0.1")
    p = Predictions.from_arrays([case["input"]["g"]], [0])
    rho = LabelNoise(case["input"]["epsilon"]).probs(p)[0]
    np.testing.assert_allclose(rho, case["output"]["rho"], atol=1e-15)


def test_the_p_is_that_of_complete_enumeration() -> None:
    case = reference("G", "exact p under label noise 0.1")
    given, exact = case["input"], case["output"]["p_exact"]
    kernel = ExponentialKernel(given["bandwidth"], "total-variation")
    test = ExactTest(SKCE(kernel), 9_999, null=LabelNoise(given["epsilon"]))
    found = test(Predictions.from_arrays(given["G"], given["y"]), np.random.default_rng(0))
    assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9_999))


def test_the_most_likely_share_is_where_the_likelihood_has_no_slope() -> None:
    p = noisy(1, 0.1, n=4_000)
    share = most_likely_share(p.probs, p.labels)
    assert share == pytest.approx(0.1, abs=0.03)
    said = p.probs[np.arange(p.n), p.labels]
    other = (1 - said) / 2
    slope = ((other - said) / ((1 - share) * said + share * other)).mean()
    assert slope == pytest.approx(0, abs=1e-3)
    assert most_likely_share(np.array([[0.6, 0.4]] * 10), np.zeros(10, np.int64)) == 0


def test_wrong_labels_explain_wrong_labels() -> None:
    found = explain_by_wrong_labels(noisy(2, 0.1, n=2_000), CONFIDENCE)
    assert found.pvalue == pytest.approx(0.001)
    assert found.smallest is not None
    assert 0.02 < found.smallest < 0.11
    assert found.smallest < found.estimate
    assert sentence(found).endswith(
        "wrong labels would explain it (p = 0.001, the smallest possible without any)."
    )


def test_nothing_to_explain_and_what_no_wrong_label_explains() -> None:
    calibrated = explain_by_wrong_labels(noisy(3, 0.0), CONFIDENCE)
    assert calibrated.smallest == 0
    assert sentence(calibrated).startswith("Nothing here needs wrong labels to explain it (p = ")
    unsure = explain_by_wrong_labels(noisy(4, 0.0, n=2_000, sharper=0.5), CONFIDENCE)
    assert (unsure.smallest, unsure.estimate) == (None, 0.0)
    assert sentence(unsure).startswith("No share of wrong labels explains what happened (p = 0.001")


def test_what_is_refused() -> None:
    p = noisy(5, 0.0, n=60)
    with pytest.raises(InputError, match="Wrong labels are looked for in all cases"):
        explain_by_wrong_labels(p, DiagnosisSpec(lens=RegionLens(TopKLens(1), "0", 0.5, 1.0)))
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.linspace(1, 2, 60))
    with pytest.raises(InputError, match="weights give estimates only"):
        explain_by_wrong_labels(weighted)


def test_outcomes_that_were_called_impossible_need_wrong_labels() -> None:
    probs = np.tile([[1.0, 0.0], [0.0, 1.0]], (100, 1))
    labels = np.tile([0, 1], 100)
    labels[:4] = 1 - labels[:4]
    found = explain_by_wrong_labels(Predictions.from_arrays(probs, labels), CONFIDENCE)
    assert found.estimate == pytest.approx(0.02, abs=1e-4)
    assert found.smallest is not None
    assert 0.003 < found.smallest < 0.02


def p_at(p: Predictions, share: float, spec: DiagnosisSpec) -> float:
    """Of the exact test at one share of wrong labels."""
    induced = spec.lens(with_probabilities(p, LabelNoise(share).probs(p)))
    kernel = spec.kernel.resolved(induced.probs)[0]
    return ExactOmnibusTest(kernel, spec.resamples)(induced, stream(spec.seed, VERDICT_TEST)).pvalue


def test_the_smallest_share_is_told_from_the_side_that_keeps_the_promise() -> None:
    """It is rejected, by less than what is told lies above it: no share that fits was passed over."""
    spec = replace(CONFIDENCE, resamples=199)
    for seed in (11, 12, 13):
        p = noisy(seed, 0.15, n=1_000)
        found = explain_by_wrong_labels(p, spec).smallest
        assert found is not None
        assert p_at(p, found, spec) <= spec.alpha < p_at(p, found + 0.001, spec)


def test_none_explains_it_is_said_only_where_no_share_near_the_likeliest_does() -> None:
    """Here no wrong label is likeliest, which is rejected; 3 in 100, the true share, is not."""
    spec = replace(CONFIDENCE, resamples=199)
    p = noisy(1_133, 0.03, n=300)
    assert p_at(p, 0.03, spec) > spec.alpha
    found = explain_by_wrong_labels(p, spec)
    assert (found.estimate, found.pvalue) == (0.0, pytest.approx(0.04))
    assert found.smallest is not None
    assert 0 < found.smallest <= 0.03
    assert likeliest_sentence(found) == ""
    assert likeliest_sentence(replace(found, smallest=None, estimate=0.03)).startswith("The share that fits")


@pytest.mark.slow
@pytest.mark.parametrize("runs", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_the_smallest_share_lies_below_the_true_one(runs: int) -> None:
    """An exact confidence set: its lower end is above the truth, or there is none, 5 times in 100."""
    spec = DiagnosisSpec(lens=TopKLens(1), resamples=199)
    wrong = 0
    for seed in range(runs):
        found = explain_by_wrong_labels(noisy(1_000 + seed, 0.08, n=300), spec)
        wrong += found.smallest is None or found.smallest > 0.08
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "share"), [(300, 0.03), (1_000, 0.15)])
def test_it_lies_below_the_true_one_of_two_classes(n: int, share: float) -> None:
    """Of very sure predictions, and all classes together. Whatever it misses, the exact test misses, too."""
    runs, wrong, passed_over, spec = 200, 0, 0, DiagnosisSpec(lens=CanonicalLens(), resamples=199)
    for seed in range(runs):
        rng = np.random.default_rng([seed, 6])
        g = 1 / (1 + np.exp(-rng.normal(0, 2.5, n)))
        labels = (rng.random(n) > (1 - share) * g + share * (1 - g)).astype(int)
        p = Predictions.from_arrays(np.column_stack([g, 1 - g]), labels)
        found = explain_by_wrong_labels(p, spec)
        if found.smallest is None or found.smallest > share:
            wrong += 1
            passed_over += p_at(p, share, spec) > spec.alpha
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert passed_over <= 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    p = noisy(2, 0.1, n=2_000)
    table = pd.DataFrame(p.probs, columns=["cat", "dog", "owl"])
    table["label"] = np.array(["cat", "dog", "owl"])[p.labels]
    table.to_csv(tmp_path / "a.csv", index=False)
    code, printed, _ = run(capsys, "label-noise", tmp_path / "a.csv", "--lens", "confidence", "--json")
    assert code == 0
    found = json.loads(printed)
    assert 0.02 < found["smallest"] < found["estimate"] < 0.15
    code, text, _ = run(capsys, "label-noise", tmp_path / "a.csv", "--lens", "confidence")
    assert code == 0
    assert "wrong labels would explain it (p = 0.001, the smallest possible" in text
