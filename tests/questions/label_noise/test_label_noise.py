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
from calibcore.numerics.resampling import draw_labels
from calibcore.questions.label_noise import most_likely_share
from calibcore.questions.label_noise.words import sentence
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
