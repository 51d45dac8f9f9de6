"""Classes in order: the lens up to one of them, the ranked probability score, and the test of ranks."""

import numpy as np
import pytest

from calibcore import (
    AtLeastLens,
    CanonicalLens,
    ClassLens,
    DiagnosisSpec,
    Predictions,
    TopKLens,
    UpToLens,
    decide,
    diagnose,
    survey,
)
from calibcore.assessment.verdict_tests import verdict_test
from calibcore.diagnose import Diagnosis
from calibcore.errors import InputError
from calibcore.estimators.scores import of_cases, squared_errors
from calibcore.hypothesis_tests.adjust import holm
from calibcore.hypothesis_tests.ranks import rank_shift
from calibcore.settings import lens_from_words, lens_to_words

R = np.random.default_rng(0)
G = R.dirichlet(np.ones(4), 60)
Y = R.integers(0, 4, 60)
NAMES = ["none", "mild", "moderate", "severe"]
P = Predictions.from_arrays(G, Y, NAMES, ordered=True)
FEW = DiagnosisSpec(resamples=99)


def drawn(n: int, seed: int, worse: float = 0.0) -> Predictions:
    """Calibrated predictions of four classes; of a share ``worse`` the outcome is one rank higher."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(4), n)
    y = (rng.random(n)[:, None] > g.cumsum(axis=1)).sum(axis=1)
    y = np.minimum(y + (rng.random(n) < worse), 3)
    return Predictions.from_arrays(g, y, NAMES, ordered=True)


def test_the_lens_sums_up_to_a_class() -> None:
    for k, name in enumerate(NAMES[:-1]):
        q = UpToLens(name)(P)
        for i in range(P.n):
            assert q.probs[i, 0] == pytest.approx(sum(G[i, j] for j in range(k + 1)), abs=1e-15)
            assert q.labels[i] == (0 if Y[i] <= k else 1)
        assert not q.ordered


def test_the_lens_sums_from_a_class_on() -> None:
    for k, name in enumerate(NAMES):
        if k == 0:
            continue
        q = AtLeastLens(name)(P)
        for i in range(P.n):
            assert q.probs[i, 0] == pytest.approx(sum(G[i, j] for j in range(k, 4)), abs=1e-15)
            assert q.labels[i] == (0 if Y[i] >= k else 1)
        assert q.class_names == (f"{name} or above", f"below {name}")
        decisions = decide(P, DiagnosisSpec(lens=AtLeastLens(name), resamples=99), [0.5])
        treated = sum(sum(G[i, j] for j in range(k, 4)) >= 0.5 for i in range(P.n))
        assert decisions.thresholds[0].treated.cases == treated
    with pytest.raises(InputError, match="is the first in order"):
        AtLeastLens("none")(P)
    with pytest.raises(InputError, match="'at-least:mild' needs classes in order"):
        AtLeastLens("mild")(Predictions.from_arrays(G, Y, NAMES))


def test_the_ranked_probability_score_by_its_definition() -> None:
    cases = of_cases(P)["rps"]
    for i in range(P.n):
        total = 0.0
        for k in range(3):
            total += (sum(G[i, j] for j in range(k + 1)) - (1.0 if Y[i] <= k else 0.0)) ** 2
        assert cases[i] == pytest.approx(total, abs=1e-13)
    assert "rps" not in of_cases(Predictions.from_arrays(G, Y))
    two = Predictions.from_arrays(G[:, :2], Y % 2, renormalise=True, ordered=True)
    assert of_cases(two)["rps"] == pytest.approx(squared_errors(two) / 2)


def test_its_parts_add_up() -> None:
    diagnosis = diagnose(P, FEW)
    score = diagnosis.scores["rps"]
    binned, corp = diagnosis.decompositions["rps-binned"], diagnosis.decompositions["rps-corp"]
    assert binned["score"] == corp["score"] == pytest.approx(score)
    assert score == pytest.approx(
        binned["reliability"] - binned["resolution"] + binned["uncertainty"]
        + binned["within_bin_variance"] - binned["within_bin_covariance"]
    )  # fmt: skip
    assert score == pytest.approx(corp["miscalibration"] - corp["discrimination"] + corp["uncertainty"])


def test_ranks_by_their_definition() -> None:
    found = rank_shift(P, 199, 0)
    expected = [sum((k + 1) * G[i, k] for k in range(4)) for i in range(P.n)]
    assert found.predicted == pytest.approx(np.mean(expected))
    assert found.observed == pytest.approx(np.mean(Y + 1))
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.shift < found.high


def test_of_cases_that_differ_alike_there_is_no_interval() -> None:
    for rows in ([0], [0, 0, 0]):
        found = rank_shift(Predictions.from_arrays(G[rows], Y[rows], NAMES, ordered=True), 99, 0)
        assert (found.low, found.high) == (None, None)


def test_no_other_p_is_adjusted_for_the_ranks() -> None:
    """It stands by itself: the same survey without it has the same p, adjusted or not."""
    found = survey(P, FEW)
    of_lenses = [verdict_test(d).pvalue for d in found.diagnoses]
    assert found.hypotheses == len(found.diagnoses)
    np.testing.assert_allclose(found.adjusted, holm(of_lenses))


def test_the_p_of_ranks_is_that_of_all_outcomes() -> None:
    """Enumerated: 4 cases of 3 classes have 81 outcomes."""
    g = np.array([[0.5, 0.25, 0.25], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.6, 0.3, 0.1]])
    p = Predictions.from_arrays(g, [2, 2, 1, 1], ordered=True)
    mean = sum((k + 1) * g[i, k] for i in range(4) for k in range(3))
    observed, exact = abs(sum(p.labels + 1) - mean), 0.0
    for outcome in np.ndindex(3, 3, 3, 3):
        if abs(sum(outcome) + 4 - mean) >= observed - 1e-9:
            exact += float(np.prod([g[i, k] for i, k in enumerate(outcome)]))
    assert rank_shift(p, 20_000, 0).pvalue == pytest.approx(exact, abs=0.015)


def test_classes_given_too_low_are_seen() -> None:
    found = rank_shift(drawn(800, 1, worse=0.2), 199, 0)
    assert found.pvalue == 0.005
    assert found.low is not None
    assert found.low > 0
    assert (found.direction(0.05), found.direction(0.001)) == ("low", "")
    assert found.at_floor


@pytest.mark.slow
def test_the_level_of_the_test_of_ranks_and_the_coverage_of_its_interval() -> None:
    runs = 400
    found = [rank_shift(drawn(60, 100 + i), 99, i) for i in range(runs)]
    rejected = np.mean([each.pvalue <= 0.05 for each in found])
    covered = np.mean([(each.low or 0) <= 0 <= (each.high or 0) for each in found])
    assert rejected <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
    assert covered >= 0.95 - 3 * (0.05 * 0.95 / runs) ** 0.5 - 0.01  # it is approximate


def test_a_survey_looks_up_to_each_class() -> None:
    found = survey(P, FEW)
    lenses = [d.spec.lens for d in found.diagnoses]
    assert lenses == [TopKLens(1), CanonicalLens(), *map(UpToLens, NAMES[:-1])]
    assert [d.ranks is not None for d in found.diagnoses] == [False, True, False, False, False]
    whole = found.diagnoses[1]
    again = Diagnosis.from_document(whole.to_document())
    assert again.ranks == whole.ranks
    assert Predictions.from_arrays(G, Y, NAMES).fingerprint != P.fingerprint


@pytest.mark.slow
def test_of_many_classes_those_are_looked_at_that_split_the_cases() -> None:
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(30), 80), rng.integers(0, 30, 80), ordered=True)
    lenses = [d.spec.lens for d in survey(p, FEW).diagnoses]
    assert [lens.class_name for lens in lenses[2:] if isinstance(lens, UpToLens)] == [
        str(k) for k in range(5, 25)
    ]


def test_an_order_is_declared_and_kept() -> None:
    mixed = Predictions.from_arrays(G[:, ::-1], 3 - Y, NAMES[::-1])
    p = mixed.in_order(NAMES)
    assert (p.probs == P.probs).all()
    assert (p.labels == P.labels).all()
    assert p.ordered
    assert p.fingerprint == P.fingerprint
    assert p[:10].ordered
    assert not ClassLens("mild")(p).ordered
    with pytest.raises(InputError, match="expected each of them once"):
        mixed.in_order(["none", "mild", "moderate", "huge"])
    with pytest.raises(InputError, match="expected each of them once"):
        mixed.in_order(["none", "mild"])


def test_what_has_no_order_is_refused() -> None:
    p = Predictions.from_arrays(G, Y, NAMES)
    with pytest.raises(InputError, match="needs classes in order"):
        UpToLens("mild")(p)
    with pytest.raises(InputError, match="is the last in order"):
        UpToLens("severe")(P)
    with pytest.raises(InputError, match="no order"):
        rank_shift(p)
    assert not UpToLens("mild").fits(p)
    assert not UpToLens("severe").fits(P)
    assert UpToLens.plainest(p) is None


def test_the_lens_in_words() -> None:
    assert lens_to_words(UpToLens("mild")) == "up-to:mild"
    assert lens_from_words("up-to:mild") == UpToLens("mild")
