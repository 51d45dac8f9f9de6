"""compare: the difference of squared gaps, of scores, and what each model leaves out."""

import json
import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from calibcore import Comparison, DiagnosisSpec, InputError, Predictions, TopKLens, UniformBinning
from calibcore.diagram.binning import Binning
from calibcore.diagram.reliability import reliability
from calibcore.estimators.scores import log_losses
from calibcore.numerics.types import Float, Int
from calibcore.questions.compare import ask as run_of_compare
from calibcore.questions.compare import bins_of_both
from calibcore.questions.compare.gap_differences import (
    OTHER_WAY,
    BinnedResiduals,
    GapDifference,
    compared_bins,
    gap_difference,
)
from calibcore.questions.compare.nested import held, log_ratios
from calibcore.questions.compare.score_differences import (
    _difference,
    _log_gaps,
    _squared_gaps,
    accuracy_difference,
    betting_interval,
    brier_difference,
    brier_differences,
    log_difference,
)
from calibcore.transforms.lenses import PooledLens, RegionLens
from tests.asked import EVIL, SMALL, cases, small, uniform
from tests.oracles.next import reference
from tests.quick import compare


@small(Comparison)
def of_two() -> Comparison:
    return compare({EVIL: cases(), "uniform": uniform()}, replace(SMALL, lens=TopKLens(1)), betting=True)


A = "squared gap, two classes, uniform(2)"


def two_classes(first: list[float], hit: list[int]) -> Predictions:
    g = np.array(first)
    return Predictions.from_arrays(np.column_stack([g, 1 - g]), 1 - np.array(hit), ["hit", "miss"])


def of(case: dict[str, object], which: str) -> Predictions:
    return Predictions.from_arrays(case["input"][which], case["input"]["y"])  # type: ignore[index]


def difference(a: Predictions, b: Predictions, binning: Binning) -> GapDifference:
    return gap_difference(BinnedResiduals.of(a, binning), BinnedResiduals.of(b, binning))


def literal(a: Predictions, b: Predictions, binning: Binning) -> dict[str, float]:
    """By double loops, and the jackknife by leaving out each case."""
    n = a.n
    d = np.zeros((n, n))
    for p, sign in ((a, 1), (b, -1)):
        r = p.onehot() - p.probs
        for rows in compared_bins(p, binning):
            for i in rows:
                for j in rows:
                    if i != j:
                        d[i, j] += sign * (n - 1) / (len(rows) - 1) * float(r[i] @ r[j])
    u = d.sum() / (n * (n - 1))
    without = [
        (d.sum() - 2 * d[i].sum()) / ((n - 1) * (n - 2)) for i in range(n)
    ]  # U of the others, in the same bins with the same weights
    jackknife = (n - 1) / n * sum((x - np.mean(without)) ** 2 for x in without)
    pairs = 2 * np.square(d).sum() / (n * (n - 1)) ** 2
    variance = max(jackknife - pairs, pairs)
    return {
        "difference": u,
        "jackknife": float(jackknife),
        "pairs": float(pairs),
        "variance": float(variance),
    }


def test_the_reference_of_two_classes() -> None:
    case = reference("A", A)
    given_, expected = case["input"], case["output"]
    a, b = (two_classes(given_[which], given_["hit"]) for which in "AB")
    found = difference(a, b, UniformBinning(2))
    assert found.difference == pytest.approx(expected["difference"], abs=1e-12)
    assert found.jackknife_variance == pytest.approx(expected["jackknife_variance"], abs=1e-12)
    assert found.pair_variance == pytest.approx(expected["pair_variance"], abs=1e-12)
    assert found.variance == pytest.approx(expected["variance"], abs=1e-12)
    assert found.z == pytest.approx(expected["z"], abs=1e-9)
    assert found.pvalue == pytest.approx(expected["p_two_sided"], abs=1e-9)
    assert [found.low, found.high] == pytest.approx(expected["interval"], abs=1e-9)


def test_the_reference_through_the_confidence() -> None:
    case = reference("A", "squared gap, confidence, uniform(2)")
    lens = TopKLens(1)
    found = difference(lens(of(case, "A")), lens(of(case, "B")), UniformBinning(2))
    assert found.difference == pytest.approx(case["output"]["difference"], abs=1e-12)
    assert found.z == pytest.approx(case["output"]["z"], abs=1e-9)


def test_the_reference_of_scores() -> None:
    case = reference("A", "paired scores, A − B (negative: A better)")
    a, b = of(case, "A"), of(case, "B")
    guarded = reference("A", "guarded variance of the Brier difference")["output"]
    found = brier_difference(a, b, 0)
    assert found.difference == pytest.approx(case["output"]["brier"]["mean"], abs=1e-12)
    assert found.standard_error**2 * a.n == pytest.approx(guarded["used"], abs=1e-12)
    plain, _ = _difference(a, b, brier_differences(a, b), _squared_gaps)
    assert [plain.low, plain.high] == pytest.approx(case["output"]["brier"]["interval_t"], abs=1e-9)
    assert found.by_betting
    assert [found.low, found.high] == list(betting_interval(brier_differences(a, b), -2.0, 2.0, seed=0))
    assert (found.pvalue <= 0.05) == (found.low > 0 or found.high < 0)
    assert plain.pvalue == pytest.approx(case["output"]["brier"]["p_t"], abs=1e-9)
    assert log_difference(a, b) is None, "too few deciding outcomes are expected"
    log, _ = _difference(a, b, log_losses(a) - log_losses(b), _log_gaps)
    assert log.difference == pytest.approx(case["output"]["log"]["mean"], abs=1e-12)


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 5]), st.integers(50, 90))
def test_sums_over_cells_are_those_over_pairs(seed: int, m: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(m, size=n)
    a, b = (
        Predictions.from_arrays(np.round(rng.dirichlet(np.ones(m), n) * 8) + 1.0, labels, renormalise=True)
        for _ in range(2)
    )
    found, expected = difference(a, b, UniformBinning(4)), literal(a, b, UniformBinning(4))
    assert found.difference == pytest.approx(expected["difference"], abs=1e-11)
    assert found.jackknife_variance == pytest.approx(expected["jackknife"], rel=1e-9, abs=1e-13)
    assert found.pair_variance == pytest.approx(expected["pairs"], rel=1e-9, abs=1e-13)
    assert found.variance == pytest.approx(expected["variance"], rel=1e-9, abs=1e-13)


def model(seed: int, n: int = 200, m: int = 3, sharper: float = 1.0) -> tuple[Float, Int]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(m, size=n)
    x = rng.normal(size=(n, m)) + 1.5 * np.eye(m)[labels]
    g = np.exp(1.5 * sharper * x)
    return g / g.sum(axis=1, keepdims=True), labels


def predictions(seed: int, sharper: float = 1.0, **made: int) -> Predictions:
    return Predictions.from_arrays(*model(seed, sharper=sharper, **made))


def trio(n: int = 200) -> dict[str, Predictions]:
    p = predictions(1, n=n)
    return {
        "good": p,
        "sure": predictions(1, 2.5, n=n),
        "constant": Predictions.from_arrays(np.full((p.n, 3), 1 / 3), p.labels),
    }


SPEC = DiagnosisSpec(resamples=199)


@pytest.mark.slow
def test_the_sign_of_what_is_told_apart_is_that_of_the_typical_gaps() -> None:
    """Each has bins of its own; no sentence says that one is better and shows it with the larger gap."""
    found = compare(trio(400), SPEC)
    told = [pair for pair in found.pairs if pair.rejects(SPEC.alpha)]
    assert told
    gaps = {model.name: model.verdict.typical_gap.value for model in found.models}
    for pair in told:
        assert pair.gap is not None
        assert (pair.gap.difference > 0) == (gaps[pair.a] > gaps[pair.b])


@pytest.mark.slow
def test_a_pair_that_points_the_other_way_has_no_p() -> None:
    found = compare(trio(400), SPEC)
    pair = next(pair for pair in found.pairs if pair.rejects(SPEC.alpha))
    swapped = [replace(one, name=pair.b if one.name == pair.a else pair.a) for one in found.models
               if one.name in (pair.a, pair.b)]  # fmt: skip
    (withheld,) = run_of_compare._in_one_direction([pair], swapped, SPEC.alpha)
    assert (withheld.gap, withheld.adjusted, withheld.gap_withheld) == (None, None, OTHER_WAY)


def test_bins_of_a_comparison_hold_ten_cases_or_there_is_no_p() -> None:
    rng = np.random.default_rng(3)
    for n in (50, 64, 300, 3_000):
        p = two_classes(rng.random(n).tolist(), rng.integers(2, size=n).tolist())
        sizes = [len(rows) for rows in compared_bins(p)]
        assert sum(sizes) == n
        assert min(sizes) >= 10
        assert len(sizes) == max(5, min(round(0.8 * n**0.6), n // 10))
    few = np.where(np.arange(100) < 4, 0.1, 0.9)  # equal values are not parted: a bin of four
    y = rng.integers(2, size=100).tolist()
    models = {"few": two_classes(few.tolist(), y), "other": two_classes(rng.random(100).tolist(), y)}
    (pair,) = compare(models, SPEC).pairs
    assert (pair.gap, pair.adjusted) == (None, None)
    assert pair.gap_withheld == "a bin of 'few' has fewer than 10 cases"
    (given,) = compare(models, SPEC, binning=UniformBinning(1)).pairs
    assert given.gap is not None


def test_of_many_classes_those_that_are_seldom_the_likeliest_share_a_bin() -> None:
    rng = np.random.default_rng(4)
    p = Predictions.from_arrays(rng.dirichlet(np.full(20, 0.1), 150), rng.integers(20, size=150))
    bins = compared_bins(p)
    first = p.probs.argmax(axis=1)
    seldom = np.bincount(first, minlength=20)[first] < 10
    assert sorted(np.concatenate(bins).tolist()) == list(range(150))
    for rows in bins:
        assert seldom[rows].all() or len(set(first[rows])) == 1


@pytest.mark.slow
def test_the_order_of_models_changes_signs_alone() -> None:
    models = trio()
    once = compare(models, SPEC)
    for names in list(permutations(models))[2:5:2]:
        again = compare({name: models[name] for name in names}, SPEC)
        for pair in once.pairs:
            other = again.pair(pair.a, pair.b)
            sign = 1 if other.a == pair.a else -1
            assert pair.gap is not None
            assert other.gap is not None
            assert other.gap.difference == pytest.approx(sign * pair.gap.difference, abs=1e-14)
            assert other.gap.variance == pytest.approx(pair.gap.variance, rel=1e-12)
            assert other.adjusted == pytest.approx(pair.adjusted, rel=1e-9)
            assert other.brier is not None
            assert pair.brier is not None
            assert other.brier.difference == pytest.approx(sign * pair.brier.difference, abs=1e-14)
            assert other.accuracy.pvalue == pair.accuracy.pvalue
        directions = {(one.model, one.given): (one.pvalue, one.adjusted) for one in again.nested}
        assert directions == {(one.model, one.given): (one.pvalue, one.adjusted) for one in once.nested}
        assert [one.name for one in again.by_gap] == [one.name for one in once.by_gap]
        assert again.undecided == once.undecided


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing() -> None:
    models = trio()
    rows = np.random.default_rng(0).permutation(200)
    once = compare(models, SPEC)
    again = compare({name: p.with_rows(rows) for name, p in models.items()}, SPEC)
    for pair, other in zip(once.pairs, again.pairs, strict=True):
        assert pair.gap is not None
        assert other.gap is not None
        assert other.gap.z == pytest.approx(pair.gap.z, rel=1e-9)
        assert (other.log_loss is None) == (pair.log_loss is None)


def test_a_model_against_itself() -> None:
    p = predictions(2)
    pair = compare([p, p], SPEC).pairs[0]
    assert pair.same
    assert pair.gap is not None
    assert (pair.gap.difference, pair.gap.variance, pair.gap.pvalue) == (0.0, 0.0, 1.0)
    assert pair.brier is not None
    assert (pair.brier.difference, pair.brier.pvalue) == (0.0, 1.0)
    assert compare([p, p], SPEC).nested[0].pvalue == 1.0


def test_mcnemar_is_the_binomial_test() -> None:
    a, b = predictions(3), predictions(4, n=200)
    b = Predictions.from_arrays(b.probs, a.labels)
    found = accuracy_difference(a, b)
    right = [p.probs.argmax(axis=1) == p.labels for p in (a, b)]
    assert found.difference == pytest.approx(right[0].mean() - right[1].mean())
    assert found.pvalue == binomtest(found.only_a, found.only_a + found.only_b).pvalue


def test_the_statistic_of_what_is_left_out_and_its_redraws() -> None:
    a = predictions(5, n=40)
    b = Predictions.from_arrays(predictions(6, n=40).probs, a.labels)
    found = held(a, [b], 20_000, 0)[0]
    rows = np.arange(40)
    ratios = np.log(b.probs / a.probs)
    assert found.statistic == pytest.approx(ratios[rows, a.labels].sum())
    mean = float((a.probs * ratios).sum())
    variance = float(((a.probs * ratios**2).sum(axis=1) - (a.probs * ratios).sum(axis=1) ** 2).sum())
    assert found.mean == pytest.approx(mean, abs=4 * math.sqrt(variance / 20_000))
    assert found.deviation == pytest.approx(math.sqrt(variance), rel=0.03)


def test_what_each_leaves_out_is_exact_by_enumeration() -> None:
    """P(p ≤ α) ≤ α over all label sets, weighed by their probability under the model that is tested."""
    rng = np.random.default_rng(7)
    g, h = rng.dirichlet(np.ones(2), 6), rng.dirichlet(np.ones(2), 6)
    chances, pvalues = [], []
    for code in range(64):
        labels = np.array([(code >> i) & 1 for i in range(6)])
        chances.append(float(np.prod(g[np.arange(6), labels])))
        a, b = (Predictions.from_arrays(x, labels, ["0", "1"]) for x in (g, h))
        pvalues.append(held(a, [b], 999, 0)[0].pvalue)
    for alpha in (0.01, 0.05, 0.1, 0.2, 0.5):
        level = sum(c for c, p in zip(chances, pvalues, strict=True) if p <= alpha)
        assert level <= alpha + 3 * math.sqrt(alpha / 999)


def test_zeros() -> None:
    third = 1 / 3
    g = np.array([[1.0, 0.0], [third, 1 - third]])
    h = np.array([[third, 1 - third], [0.0, 1.0]])
    a, b = (Predictions.from_arrays(np.tile(x, (30, 1)), [1, 0] * 30) for x in (g, h))
    assert np.isneginf(log_ratios(a, b)[1, 0])
    assert held(a, [b], 99, 0)[0].pvalue == 0.0  # A called what happened impossible
    assert held(a, [b], 99, 0)[0].statistic == math.inf
    pair = compare([a, b], SPEC).pairs[0]
    assert pair.log_loss is None
    assert "30 outcomes the probability 0" in pair.log_withheld
    honest = Predictions.from_arrays(h, [0, 1])
    sure = Predictions.from_arrays([[0.0, 1.0], [third, 1 - third]], [0, 1])
    assert (
        held(honest, [sure], 99, 0)[0].pvalue == 1.0
    )  # what B called impossible happened: nothing against A


def test_few_cases_have_no_pvalue_of_the_gap() -> None:
    models = {name: p.with_rows(np.arange(30)) for name, p in trio().items()}
    pair = compare(models, SPEC).pairs[0]
    assert pair.gap is None
    assert pair.adjusted is None
    assert pair.gap_withheld == "30 cases are too few: expected 50 or more"
    assert pair.brier is not None


def test_documents_are_read_back() -> None:
    found = compare(trio(), SPEC, betting=True)
    again = Comparison.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert again.pairs[0].brier_betting == found.pairs[0].brier_betting


def test_a_document_that_lacks_pairs_is_refused_in_a_sentence() -> None:
    document = compare(trio(), SPEC).to_document()
    with pytest.raises(InputError, match="The pairs of the comparison are not those of its models"):
        Comparison.from_json(json.dumps(document | {"pairs": document["pairs"][:1]}))
    first, *others = document["models"]
    with pytest.raises(InputError, match="Two models of the comparison have the same name"):
        Comparison.from_json(json.dumps(document | {"models": [first, first, *others[1:]]}))
    verdict = first["verdict"] | {"answer": ""}
    with pytest.raises(InputError, match="The verdict on 'good' is open; expected an answer for each"):
        Comparison.from_json(json.dumps(document | {"models": [first | {"verdict": verdict}, *others]}))


@pytest.mark.slow
def test_models_that_cannot_be_told_apart_are_joined() -> None:
    found = compare(trio(1_000), SPEC)
    names = [one.name for one in found.by_gap]
    for run in found.undecided:
        assert list(run) == names[names.index(run[0]) : names.index(run[-1]) + 1]
        assert all(not found.pair(a, b).rejects(0.05) for a in run for b in run if a != b)
    assert ("good", "constant") in found.undecided or ("constant", "good") in found.undecided, found
    assert found.pair("good", "sure").rejects(0.05)


@pytest.mark.slow
def test_the_betting_interval_is_wider_and_holds_the_mean() -> None:
    pair = compare(trio(), SPEC, betting=True).pair("good", "sure")
    assert pair.brier is not None
    assert pair.brier_betting is not None
    low, high = pair.brier_betting
    assert low <= pair.brier.difference <= high
    assert high - low > pair.brier.high - pair.brier.low


def test_bins_of_both_are_those_of_each_alone() -> None:
    models = trio()
    a, b = (TopKLens(1)(models[name]) for name in ("good", "sure"))
    bins = bins_of_both(a, b)
    assert [shared.start for shared in bins] == sorted({shared.start for shared in bins})
    for which, p in (("a", a), ("b", b)):
        alone = reliability(p, UniformBinning(10))
        sides = [(shared, getattr(shared, which)) for shared in bins if getattr(shared, which) is not None]
        assert [side.cases for _, side in sides] == alone.counts.tolist()
        assert [side.deviation for _, side in sides] == alone.deviation.tolist()
        assert [side.outside for _, side in sides] == alone.outside.tolist()
        for (shared, _), said in zip(sides, alone.mean_prediction[:, 0].tolist(), strict=True):
            assert shared.start - 1e-9 <= said <= shared.end + 1e-9
    edge = Predictions.from_arrays([[0.1, 0.9], [0.3, 0.7], [0.0, 1.0]], [0, 1, 1])  # on the edges of bins
    assert [(shared.start, shared.end) for shared in bins_of_both(edge, edge)] == [(0.0, 0.1), (0.2, 0.3)]
    with pytest.raises(InputError, match="There are 3 classes"):
        bins_of_both(models["good"], models["sure"])


def test_what_cannot_be_compared() -> None:
    models = trio()
    with pytest.raises(InputError, match="There is 1 model; expected at least 2"):
        compare([models["good"]])
    with pytest.raises(InputError, match="depend on each other"):
        compare(models, DiagnosisSpec(lens=PooledLens()))
    with pytest.raises(InputError, match="looks at all cases"):
        compare(models, DiagnosisSpec(lens=RegionLens(TopKLens(1), "0", 0.5, 1.0)))
    weighted = Predictions.from_arrays(models["good"].probs, models["good"].labels, weights=np.arange(1, 201))
    with pytest.raises(InputError, match="'w': The cases are weighted"):
        compare({"w": weighted, "good": models["good"]})
    with pytest.raises(TypeError, match="an object of type ndarray"):
        compare(models["good"].probs)  # type: ignore[arg-type]
