"""recalibrate: maps, gains, the temperature's confidence set, and the class mix."""

import json
import math
import sys
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from calibcore import (
    DiagnosisSpec,
    ExponentialKernel,
    InputError,
    Predictions,
    Recalibration,
    TopKLens,
    diagnose,
    recalibrate,
)
from calibcore.answers.by_label import OfLabel
from calibcore.assessment.temperature_set import REDRAWN, temperature_set
from calibcore.data.units import rows_looked_at
from calibcore.diagnose.parts import typical_gap_for
from calibcore.estimators.scores import accuracy
from calibcore.limits import asset_path
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.questions.recalibrate import MAPS, look, split_of, temperature_curve, words
from calibcore.questions.recalibrate.ask import NEVER_FAILED, split_columns
from calibcore.questions.recalibrate.by_label import answer_over_labels
from calibcore.questions.recalibrate.charts import gains_of
from calibcore.questions.recalibrate.class_mix import class_mix_test, redrawn_given_counts
from calibcore.questions.recalibrate.gain import folds_of, gain, gain_test, widened, wider
from calibcore.questions.recalibrate.maps import map as maps_map
from calibcore.questions.recalibrate.maps.class_mix import ClassMix, tilt_of, tilted
from calibcore.questions.recalibrate.maps.isotonic import Isotonic
from calibcore.questions.recalibrate.maps.logistic import Logistic
from calibcore.questions.recalibrate.maps.map import RecalibrationMap, cross_fitted, losses
from calibcore.questions.recalibrate.maps.scaling import Matrix, Temperature, Vector
from calibcore.questions.recalibrate.maps.steps import StepGains
from calibcore.questions.recalibrate.result import Answer
from calibcore.questions.recalibrate.says import methods_table
from calibcore.transforms.redraws import redrawn_labels
from calibcore.words.tables import number_in
from tests.asked import SMALL, cases, small
from tests.oracles.next import references

FAST = DiagnosisSpec(resamples=99)


@small(Recalibration)
def of_three_methods() -> Recalibration:
    return recalibrate(cases(), ["temperature", "vector", "isotonic"], SMALL, folds=2, split_by="site")


def model(seed: int, n: int = 400, m: int = 3, sharper: float = 1.0) -> Predictions:
    """Calibrated where ``sharper`` is 1."""
    rng = np.random.default_rng([seed, n, m])
    labels = rng.integers(m, size=n)
    x = 1.5 * sharper * (rng.normal(size=(n, m)) + 1.5 * np.eye(m)[labels])
    g = np.exp(x - x.max(axis=1, keepdims=True))
    return Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), labels)


def both(p: list[float]) -> Float:
    first = np.array(p)
    return np.column_stack([first, 1 - first])


def arrays(case: dict[str, Any]) -> tuple[Float, Int]:
    return np.array(case["input"]["G"]), np.array(case["input"]["y"])


def nothing(_fraction: float) -> None:
    pass


# --- maps against their references ------------------------------------------------------


@pytest.mark.parametrize("case", references("C", "temperature"))
def test_the_temperature(case: dict[str, Any]) -> None:
    g, y = arrays(case)
    fitted = Temperature.fit(g, y)
    expected = case["output"]
    assert fitted.temperature == pytest.approx(expected["temperature"], abs=1e-9)
    if "first_row" in expected:
        np.testing.assert_allclose(fitted(g)[0], expected["first_row"], atol=1e-9)
        assert losses(fitted(g), y, True).mean() == pytest.approx(expected["log_loss_after"], abs=1e-9)


@pytest.mark.parametrize("case", references("C", "isotonic"))
def test_isotonic(case: dict[str, Any]) -> None:
    g = both(case["input"]["p"])
    fitted = Isotonic.fit(g, 1 - np.array(case["input"]["hit"]))
    np.testing.assert_allclose(fitted(g)[:, 0], case["output"]["fitted"], atol=1e-12)


@pytest.mark.parametrize("case", references("C", "logistic"))
def test_logistic(case: dict[str, Any]) -> None:
    fitted = Logistic.fit(both(case["input"]["p"]), 1 - np.array(case["input"]["hit"]))
    assert fitted.intercept == pytest.approx(case["output"]["intercept"], abs=1e-6)  # Nelder–Mead there
    assert fitted.slope == pytest.approx(case["output"]["slope"], abs=1e-6)


@pytest.mark.parametrize("case", references("C", "vector"))
def test_vector_scaling(case: dict[str, Any]) -> None:
    g, y = arrays(case)
    fitted = Vector.fit(g, y, 0.05)
    np.testing.assert_allclose(fitted.a, case["output"]["a"], atol=1e-5)  # finite differences there
    np.testing.assert_allclose(fitted.b, case["output"]["b"], atol=1e-5)


@pytest.mark.slow
def test_the_matrix_map_is_where_its_penalised_loss_is_least() -> None:
    p = FITTED["matrix"].with_rows(np.arange(1_001))  # no whole number of panels
    logs, rows, m = np.log(p.probs), np.arange(p.n), p.m

    def loss(x: Float) -> float:
        weights, b = x[: m * m].reshape(m, m), x[m * m :]
        scores = logs @ weights.T + b
        likelihood = logsumexp(scores, axis=1) - scores[rows, p.labels]
        return float(likelihood.mean() + (((weights - np.eye(m)) ** 2).sum() + (b**2).sum()) / p.n)

    fitted = Matrix.fit(p.probs, p.labels)
    x = np.concatenate([np.array(fitted.weights).ravel(), fitted.b])
    least = minimize(loss, x + 0.05, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-9})
    assert loss(x) <= least.fun + 1e-9
    np.testing.assert_allclose(x, least.x, atol=1e-3)


def test_scikit_learn_finds_the_same_temperature() -> None:
    """Their class takes an estimator: one whose decision is the logarithm of what is predicted."""
    p = model(1, sharper=1.7)

    class Said(LogisticRegression):
        def decision_function(self, X: Float) -> Float:
            return np.log(X)

    said = Said().fit(p.probs, p.labels)
    from sklearn.frozen import FrozenEstimator

    theirs = CalibratedClassifierCV(FrozenEstimator(said), method="temperature").fit(p.probs, p.labels)
    ours = Temperature.fit(p.probs, p.labels)
    np.testing.assert_allclose(ours(p.probs), theirs.predict_proba(p.probs), atol=1e-7)
    (found,) = theirs.calibrated_classifiers_
    assert ours.temperature == pytest.approx(1 / found.calibrators[0].beta_, abs=1e-6)


def test_scikit_learn_finds_the_same_isotonic_and_logistic_maps() -> None:
    p = model(2, m=2, sharper=1.7)
    fresh = model(3, m=2).probs
    theirs = IsotonicRegression(out_of_bounds="clip").fit(p.probs[:, 0], p.labels == 0)
    ours = Isotonic.fit(p.probs, p.labels)
    np.testing.assert_allclose(ours(fresh)[:, 0], theirs.predict(fresh[:, 0]), atol=1e-12)
    logit = np.log(p.probs[:, :1] / p.probs[:, 1:])
    platt = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(logit, p.labels == 0)
    logistic = Logistic.fit(p.probs, p.labels)
    assert logistic.intercept == pytest.approx(float(platt.intercept_[0]), abs=1e-7)
    assert logistic.slope == pytest.approx(float(platt.coef_[0, 0]), abs=1e-7)


FITTED = {kind: model(4, n=5_000 if kind == "matrix" else 400, m=2 if cls.two_classes else 3, sharper=1.6)
          for kind, cls in MAPS.items()}  # fmt: skip


@pytest.mark.parametrize("kind", MAPS)
def test_a_map_gives_probabilities_and_is_written_and_read(kind: str) -> None:
    p = FITTED[kind]
    fitted: RecalibrationMap = MAPS[kind].fit(p.probs, p.labels)
    after = fitted(p.probs)
    np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-12)
    assert (after >= 0).all()
    assert RecalibrationMap.from_document(json.loads(json.dumps(fitted.to_document()))) == fitted
    before, now = (losses(q, p.labels, False).mean() for q in (p.probs, after))
    assert now < before + 1e-3  # on the cases that it was fitted to


@pytest.mark.parametrize("kind", MAPS)
def test_the_exported_code_does_the_same_on_fresh_cases(kind: str) -> None:
    p = FITTED[kind]
    fitted: RecalibrationMap = MAPS[kind].fit(p.probs, p.labels)
    fresh = np.vstack([model(5, m=p.m).probs, np.eye(p.m)])
    names: dict[str, Any] = {}
    exec(fitted.code(), names)
    np.testing.assert_allclose(names["recalibrate"](fresh), fitted(fresh), atol=1e-12)
    assert len(fitted.code().splitlines()) <= 16


@pytest.mark.parametrize("kind", [kind for kind, cls in MAPS.items() if kind != "matrix"])
def test_gains_of_label_sets_are_those_of_fitting_anew(kind: str) -> None:
    """Where steps stand for fits they differ by a small part of what varies by chance."""
    p, method = FITTED[kind], MAPS[kind]
    folds = folds_of(p.n, 5, 0)
    drawn = next(redrawn_labels(p, 12, np.random.default_rng(1)))
    sets = np.vstack([p.labels, np.random.default_rng(0).permutation(p.labels), drawn])
    gains = method.gain_of_labels(p.probs, folds)
    found = gains(sets)
    expected = np.array(
        [
            gain(p.probs, cross_fitted(method, p.probs, y, folds), y, method.has_log_loss).value
            for y in sets.astype(np.int64)
        ]
    )
    by_chance = float(expected[2:].std())
    off = 0.03 * by_chance if isinstance(gains, StepGains) else 1e-6
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=off)


@pytest.mark.some(4)
@pytest.mark.parametrize(("n", "m", "sharper"), [(20, 2, 0.7), (60, 2, 2.5), (20, 10, 2.5), (200, 2, 0.7)])
@pytest.mark.parametrize("kind", ["logistic", "beta", "vector", "class-mix"])
def test_gains_of_few_and_of_nearly_separable_cases_too(kind: str, n: int, m: int, sharper: float) -> None:
    """Folds without a mistake have no best fit but by the penalty; nothing runs away."""
    method, folds = MAPS[kind], folds_of(n, 5, 0)
    if method.two_classes and m != 2:
        return
    g = model(2, n, m, sharper).probs.copy()
    least = int(g.min(axis=1).argmin())
    g[np.flatnonzero(folds != folds[least])[0]] = g[least]  # what a 0 counts as is the same of all folds
    p = Predictions.from_arrays(g, np.arange(n) % m)
    drawn = next(redrawn_labels(p, 30, np.random.default_rng(1)))
    found = method.gain_of_labels(p.probs, folds)(drawn)
    sets = drawn.astype(np.int64)
    expected = [gain(p.probs, cross_fitted(method, p.probs, y, folds), y, True).value for y in sets]
    np.testing.assert_allclose(found, expected, atol=0.03 * float(np.std(expected)))


@pytest.mark.parametrize(
    "kind", [kind for kind, cls in MAPS.items() if cls.has_log_loss and kind != "matrix"]
)
def test_an_outcome_of_probability_0_counts_as_the_smallest_before_and_after(kind: str) -> None:
    """Else a map that leaves a 0 would lose without end what it only left."""
    two = MAPS[kind].two_classes
    p = model(7, n=400, m=2 if two else 3, sharper=1.2)
    g = p.probs.copy()
    g[:40][g[:40] < 0.05] = 0.0
    g /= g.sum(axis=1, keepdims=True)
    folds = folds_of(p.n, 5, 0)
    y = p.labels.copy()
    y[:8] = g[:8].argmin(axis=1)
    assert (g[np.arange(p.n), y] == 0).any()
    found = gain(g, cross_fitted(MAPS[kind], g, y, folds), y, True)
    assert abs(found.value) < 0.2
    assert found.value == pytest.approx(float(MAPS[kind].gain_of_labels(g, folds)(y[None])[0]), abs=0.01)


def test_a_class_mix_without_what_a_0_counts_as_is_read() -> None:
    read = RecalibrationMap.from_document({"kind": "class-mix", "tilt": [0.1, -0.1]})
    np.testing.assert_array_equal(read(np.array([[1.0, 0.0]])), [[1.0, 0.0]])


@pytest.mark.parametrize("kind", ["temperature", "vector", "isotonic", "class-mix", "histogram"])
def test_the_order_of_the_classes_changes_nothing(kind: str) -> None:
    p = model(6, sharper=1.6)
    order = [2, 0, 1]
    turned = Predictions.from_arrays(p.probs[:, order], np.argsort(order)[p.labels])
    one, other = (MAPS[kind].fit(q.probs, q.labels)(q.probs) for q in (p, turned))
    np.testing.assert_allclose(one[:, order], other, atol=1e-7)


# --- the exact p of the gain ------------------------------------------------------------


def test_the_p_of_the_gain_is_that_of_complete_enumeration() -> None:
    (case,) = references("C", "exact p of the cross-fitted gain")
    g, y = arrays(case)
    folds, expected = np.array(case["input"]["folds"]), case["output"]
    p = Predictions.from_arrays(g, y)
    after = cross_fitted(Temperature, g, y, folds)
    assert gain(g, after, y, True).value == pytest.approx(expected["statistic"], abs=1e-9)
    found = gain_test(p, Temperature, folds, 999, 0, nothing)
    assert found is not None
    error = math.sqrt(expected["p_exact"] * (1 - expected["p_exact"]) / 999)
    assert found.pvalue == pytest.approx(expected["p_exact"], abs=4 * error)


# --- the temperature's confidence set ---------------------------------------------------


def test_the_confidence_set_is_that_of_complete_enumeration() -> None:
    (case,) = references("G", "95 % confidence set of the temperature")
    found = temperature_set(Predictions.from_arrays(*arrays(case)), 20_000)
    assert found.low == pytest.approx(case["output"]["temperature_low"], rel=0.03)
    assert found.high == case["output"]["temperature_high"] == 20.0


@pytest.mark.parametrize("case", references("G", "exact test of over- and underconfidence"))
def test_over_and_underconfidence(case: dict[str, Any]) -> None:
    found = temperature_set(Predictions.from_arrays(*arrays(case)), 20_000)
    assert abs(found.score) == pytest.approx(case["output"]["statistic"], abs=1e-9)
    assert found.pvalue == pytest.approx(case["output"]["p_exact"], abs=0.012)


# --- the class mix ----------------------------------------------------------------------


@pytest.mark.parametrize("case", references("G", "calibrated but for the class mix"))
def test_the_class_mix(case: dict[str, Any]) -> None:
    g, y = arrays(case)
    expected = case["output"]
    counts = np.bincount(y, minlength=g.shape[1])
    tilt = tilt_of(g, counts.astype(float))
    np.testing.assert_allclose(tilt, expected["tilt"], atol=1e-9)
    np.testing.assert_allclose(tilted(g, tilt), expected["adjusted"], atol=1e-9)
    kernel = ExponentialKernel(case["input"]["bandwidth"], "total-variation")
    p = Predictions.from_arrays(g, y)
    found = class_mix_test(p, kernel, statistic="skce", n_resamples=9_999, sweeps=15)
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-9)
    assert found.pvalue == pytest.approx(expected["p_exact"], abs=0.03)


@pytest.mark.slow
def test_exchanged_labels_keep_their_counts_and_their_law() -> None:
    """Given the counts, each label set is drawn as often as its probability says."""
    rng = np.random.default_rng(0)
    g = rng.dirichlet(np.ones(3), 4)
    labels = np.array([0, 1, 2, 0])
    drawn = np.concatenate(list(redrawn_given_counts(g, labels, 20_000, 300, rng)))
    assert (np.sort(drawn, axis=1) == [0, 0, 1, 2]).all()
    sets = np.array(sorted(set(permutations(labels.tolist()))))
    chances = np.array([np.prod(g[np.arange(4), one]) for one in sets])
    counts = np.array([(drawn == one).all(axis=1).sum() for one in sets])
    assert counts.sum() == 20_000
    np.testing.assert_allclose(counts / counts.sum(), chances / chances.sum(), atol=0.015)


# --- the whole --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Recalibration:
    return recalibrate(model(8, n=600, sharper=2.0), ["temperature", "vector", "isotonic", "logistic"], FAST)


def test_what_is_overconfident_is_mended_by_a_temperature(found: Recalibration) -> None:
    method = found.method("temperature")
    assert method is not None
    assert isinstance(method.map, Temperature)
    assert method.map.temperature == pytest.approx(2.0, abs=0.35)
    assert found.temperature.low <= 2.0 <= found.temperature.high
    assert found.temperature.score < 0
    assert method.answer == "worthwhile"
    assert method.typical_gap.value < found.typical_gap.value
    assert method.accuracy == found.accuracy
    assert found.refused == {"logistic": "it needs two classes, and there are 3"}


def test_the_document_is_read_back(found: Recalibration) -> None:
    again = Recalibration.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    document = json.loads(found.to_json())
    entry = next(one for one in document["methods"] if one["method"] == "temperature")
    assert entry["parameters"]["temperature"] == pytest.approx(2.0, abs=0.35)
    assert {"brier", "log_loss"} == set(entry["gain"])
    assert {"estimate", "low", "high", "p_value"} <= set(document["temperature"])


def test_an_interval_of_a_gain_is_no_narrower_than_the_gain_varies_by_chance() -> None:
    """t times the deviation over the redraws, or as the cases say; both scores are widened alike."""
    rng = np.random.default_rng(4)
    widths = []
    for sharper in (1.0, 3.0):
        g = rng.dirichlet(np.full(2, 0.5), 200)
        y = (rng.random(200) > g[:, 0]).astype(int)
        p = Predictions.from_arrays(g**sharper / (g**sharper).sum(axis=1, keepdims=True), y)
        (method,) = recalibrate(p, ["temperature"], DiagnosisSpec(resamples=99)).methods
        assert method.test is not None
        assert method.test.deviation is not None
        assert method.log_loss is not None
        folds = folds_of(200, 5, 0)
        after = cross_fitted(Temperature, p.probs, y, folds)
        sets = np.concatenate(list(redrawn_labels(p, 99, stream(0, "gain-temperature"))))
        drawn = Temperature.gain_of_labels(p.probs, folds)(sets)
        plain, brier = gain(p.probs, after, y, True), gain(p.probs, after, y, False)
        half = max(plain.high - plain.value, 1.971956544 * drawn.std(ddof=1))
        assert method.log_loss.high - method.log_loss.value == pytest.approx(half)
        assert method.log_loss.value - method.log_loss.low == pytest.approx(half)
        widths.append(half / (plain.high - plain.value))
        assert method.brier.high - brier.value == pytest.approx(widths[-1] * (brier.high - brier.value))
    assert widths[0] > 1
    assert widths[1] == 1
    assert widened(plain, None, 200) == 1
    assert wider(plain, 1.0) is plain


def test_no_interval_of_a_gain_holds_what_cannot_be() -> None:
    """No loss is below 0 and no Brier score above 2; where all of that lies in it, no interval is said."""
    rng = np.random.default_rng(1)
    g = rng.beta(1, 1, 20)
    few = Predictions.from_arrays(both(g.tolist()), rng.random(20) < 0.5)
    found = recalibrate(few, ["logistic", "histogram", "beta"], DiagnosisSpec(resamples=99))
    for method in found.methods:
        assert method.brier.before - 2 <= method.brier.low <= method.brier.value
        for one in (method.brier, method.log_loss):
            assert one is None or one.value <= one.high <= one.before
    cells = {row["Method"]: row["Brier gain"] for row in methods_table(found).rows()}
    assert cells["Logistic (Platt)"].endswith(f" ({words.TOO_FEW})")
    assert " to " in cells["Histogram of the confidence"]
    last = found.method("histogram")
    assert last is not None
    wide = replace(last, brier=replace(last.brier, low=last.brier.before - 2, high=last.brier.before))
    assert words.gain_sentence(wide).count(words.TOO_FEW) == 1
    assert words.method_hover(wide)[-1].endswith(f" ({words.TOO_FEW})")


def test_methods_are_in_the_order_of_a_score_that_all_have_and_losses_are_named(
    found: Recalibration,
) -> None:
    """Per cents of a Brier score and of a log loss are not compared."""
    flat = Predictions.from_arrays(np.full((300, 2), 0.5), np.arange(300) % 10 < 3)
    kinds = ["histogram", "class-mix", "temperature", "vector"]
    of_flat = recalibrate(flat, kinds, FAST)
    for of in (found, of_flat):
        order = [(m.answer != "worthwhile", -m.brier.cautious) for m in of.methods]
        assert order == sorted(order)
        drawn = [gain.value for gain in gains_of(of)]
        assert [number_in(row[words.SHARES]) for row in methods_table(of).rows()] == pytest.approx(
            drawn, abs=0.051
        )
    best = of_flat.methods[0]
    assert best is words.best(of_flat)
    assert best.share < max(method.share for method in of_flat.methods)
    assert of_flat.split is not None
    assert of_flat.split.chosen != "temperature"
    worse = replace(found.methods[-1].gain, value=-0.01, low=-0.02, high=0.001)
    last = replace(found.methods[-1], brier=worse, log_loss=found.methods[-1].log_loss and worse)
    with_loss = replace(found, methods=(*found.methods[:-1], last))
    row = methods_table(with_loss).rows()[-1]
    assert row["Answer"].endswith(": worse")
    assert row[words.SHARES].endswith(", worse")
    assert " makes it worse here: the score was better before." in words.figure_sentence(with_loss)
    assert words.method_label(last).endswith(", worse")
    assert "(worse: a gain of −0.0100" in words.gain_sentence(last)
    assert "worse" not in str(methods_table(replace(found, methods=found.methods[:1])).rows())


def test_how_often_it_is_right_is_said_once_and_nothing_speaks_against_it(found: Recalibration) -> None:
    moved = replace(found.methods[0], accuracy=found.accuracy + 0.054)
    assert " before and " in words.gap_sentence(found, moved)
    assert "right more often" not in words.CANNOT_MEND
    assert "which class is the likeliest" in words.CANNOT_MEND


def test_the_split_judges_one_map(found: Recalibration) -> None:
    split = found.split
    assert split is not None
    assert split.fitted_on == split.judged_on == 300
    assert split.held_out
    assert split.map.kind == split.chosen
    assert split.verdict.answer in ("miscalibrated", "consistent", "cannot-tell")


def test_no_label_that_judges_chooses_the_map() -> None:
    """Half of the cases fit; whatever happened in the others, the map is the same."""
    kinds, spec = ["temperature", "class-mix", "logistic", "beta", "isotonic"], replace(FAST, resamples=19)
    p = model(31, n=120, m=2, sharper=1.5)
    maps, suggested = [], []
    for labels in (p.labels, np.r_[p.labels[:60], 1 - p.labels[60:]], np.r_[p.labels[:60], [0] * 60]):
        parted = Predictions.from_arrays(p.probs, labels, metadata={"part": ["a"] * 60 + ["b"] * 60})
        of_labels = recalibrate(parted, kinds, spec, split_by="part")
        assert of_labels.split is not None
        maps.append(of_labels.split.map.to_document())
        suggested.append(of_labels.methods[0].kind)
    assert maps[0] == maps[1] == maps[2]
    assert len(set(suggested)) > 1  # which all cases together would have changed


def test_which_map_was_judged_is_said(found: Recalibration) -> None:
    split = found.split
    assert split is not None
    first = replace(split, map=found.methods[0].map, chosen=found.methods[0].kind)
    last = found.methods[-1]
    answers: list[Answer] = ["miscalibrated", "consistent", "cannot-tell"]
    for answer in answers:
        verdict = replace(split.verdict, answer=answer)
        plain = words.split_sentence(found, replace(first, verdict=verdict))
        assert plain.endswith(").")
        assert f"{first.map.label.lower()} map fitted to 300 cases" in plain
        other = words.split_sentence(found, replace(first, verdict=verdict, map=last.map, chosen=last.kind))
        assert other.endswith(
            "The cases that fit it chose this method; all cases together suggest "
            f"{found.methods[0].map.label.lower()}."
        )
        looked_at = words.split_sentence(found, replace(first, verdict=verdict, chosen=last.kind))
        assert looked_at.endswith(f"{words.CHOSEN} The cases that fit it chose {last.map.label.lower()}.")
        earlier = words.split_sentence(found, replace(first, verdict=verdict, chosen=None))
        assert earlier.endswith(words.CHOSEN)
    document = json.loads(found.to_json())
    del document["split"]["chosen"]
    before = Recalibration.from_document(document).split
    assert before is not None
    assert not before.held_out


@pytest.mark.slow
@pytest.mark.parametrize("runs", [10, 20])
def test_a_calibrated_model_is_not_recommended_anything(runs: int) -> None:
    recommended = 0
    for run in range(runs):
        found = recalibrate(model(50 + run, n=60), ["temperature", "isotonic"], FAST)
        recommended += any(method.answer == "worthwhile" for method in found.methods)
    assert recommended <= 2 + runs // 10


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("p", "methods"),
    [
        (Predictions.from_arrays(np.full((30, 2), 0.5), [0, 1] * 15), None),  # all alike
        (Predictions.from_arrays(both([0.9] * 20 + [0.1] * 20), [0] * 20 + [1] * 20), None),  # separable
        (Predictions.from_arrays(model(9, n=10).probs, [0, 1] * 5), None),  # ten cases, a class never seen
        (Predictions.from_arrays(np.random.default_rng(0).dirichlet(np.ones(30), 20), np.arange(20)), None),
        (Predictions.from_arrays(np.eye(3)[[0, 1, 2] * 10], [0, 1, 2] * 10), None),  # zeros and ones
    ],
)
def test_degenerate_cases_are_right_or_refused(p: Predictions, methods: list[str] | None) -> None:
    found = recalibrate(p, methods, DiagnosisSpec(resamples=19), folds=5)
    for method in found.methods:
        after = method.map(p.probs)
        assert np.isfinite(after).all()
        np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-9)
    assert found.methods
    assert all(why for why in found.refused.values())
    assert Recalibration.from_json(found.to_json()).to_json() == found.to_json()


def test_what_cannot_be_asked() -> None:
    p = model(10, n=60)
    with pytest.raises(InputError, match="There is no method 'platt'; expected one of "):
        recalibrate(p, ["platt"])
    with pytest.raises(InputError, match="The number of folds is 1; expected 2 to 60"):
        recalibrate(p, ["temperature"], folds=1)
    with pytest.raises(InputError, match="'half' beside predictions and labels; the other columns are none"):
        recalibrate(p, ["temperature"], split_by="half")
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.arange(1, 61))
    with pytest.raises(InputError, match="The cases are weighted"):
        recalibrate(weighted)
    with pytest.raises(InputError, match="There is no map of kind 'spline'"):
        RecalibrationMap.from_document({"kind": "spline"})
    with pytest.raises(InputError, match="The map 'temperature' cannot be used: smallest is missing"):
        RecalibrationMap.from_document({"kind": "temperature", "temperature": 1.0})
    with pytest.raises(InputError, match=r"temperature is .* expected a finite number from"):
        RecalibrationMap.from_document({"kind": "temperature", "temperature": "1", "smallest": 0.1})


def test_one_class_alone_has_no_other_mix() -> None:
    p = Predictions.from_arrays(np.full((40, 2), 0.5), [0] * 40)
    found = recalibrate(p, ["temperature"], FAST)
    assert found.class_mix is None
    assert found.class_mix_note.startswith("One class alone happened")
    assert isinstance(ClassMix.fit(p.probs, p.labels), ClassMix)


def test_certainty_that_no_case_can_refute_is_not_recommended() -> None:
    """Said first: which class never happened, or that all answers were right."""
    rng = np.random.default_rng(1)
    rare = rng.uniform(0, 0.1, 200)
    never = Predictions.from_arrays(np.column_stack([1 - rare, rare]), np.zeros(200, int), ["no", "yes"])
    three = Predictions.from_arrays(rng.dirichlet([0.3] * 3, 200), np.zeros(200, int), ["a", "b", "c"])
    right = Predictions.from_arrays(three.probs, three.probs.argmax(axis=1), three.class_names)
    wrong = Predictions.from_arrays(three.probs, three.probs.argmin(axis=1), three.class_names)
    sure = Predictions.from_confidence(rng.uniform(0.4, 0.8, 200), np.ones(200, bool))
    for p, first in (
        (never, "Class 'yes' never happened here: a map can only learn to forbid it. "),
        (three, "2 classes never happened here: a map can only learn to forbid them. "),
        (right, "All answers were right here: "),
        (wrong, "All answers were wrong here: "),
        (sure, "All answers were right here: "),
    ):
        of = recalibrate(p, ["temperature", "histogram"], DiagnosisSpec(resamples=99))
        assert {method.answer for method in of.methods} == {"cannot-tell"}
        assert min(method.adjusted or 1 for method in of.methods) <= 0.05
        said = words.headline(of)
        assert said.startswith(first)
        assert said.endswith("These cases cannot tell whether recalibration would help.")
        assert Recalibration.from_json(of.to_json()).one_sided
    histogram = of.method("histogram")
    assert histogram is not None
    assert histogram.note == NEVER_FAILED
    labels = np.where(three.probs.argmax(axis=1) == 2, 0, three.probs.argmax(axis=1))
    two_of = recalibrate(replace(three, labels=labels), ["temperature", "isotonic"], FAST)
    assert two_of.unseen == ("c",)
    assert not two_of.one_sided
    assert words.headline(two_of).startswith("Class 'c' never happened here: ")
    document = json.loads(two_of.to_json())
    del document["unseen"]
    assert not Recalibration.from_document(document).one_sided


def test_of_a_label_that_never_happened_no_map_is_recommended() -> None:
    rng = np.random.default_rng(1)
    rare = rng.uniform(0, 0.05, 300)
    p = Predictions.from_arrays(np.column_stack([1 - rare, rare]), np.zeros(300, int), ["no", "yes"])
    of = recalibrate(p, ["temperature", "logistic"], DiagnosisSpec(resamples=99))
    row = OfLabel("rare", 300, of, 0.001, 0.001, True)
    assert answer_over_labels(row) == "cannot-tell"


def test_numbers_have_a_method_and_an_answer_its_rule() -> None:
    of = recalibrate(model(3, n=900), ["temperature"], FAST)
    (method,) = of.methods
    assert "after the temperature map." in words.evidence_sentences(of)[0]
    not_worth = replace(of, methods=(replace(method, answer="not-worthwhile"),))
    assert words.headline(not_worth).endswith("better by as much as 1\N{NO-BREAK SPACE}% of the loss.")
    assert "ends below 1\N{NO-BREAK SPACE}% of the loss" in words.METHOD


# --- code to paste ----------------------------------------------------------------------


class _Tensors:
    """As much of PyTorch as the code uses, by NumPy: it says what the code does, not that it runs there."""

    class Tensor(np.ndarray):  # type: ignore[type-arg]
        def new_tensor(self, values: Any) -> Any:
            return np.asarray(values).view(_Tensors.Tensor)

        def clamp(self, min: float) -> Any:
            return np.maximum(self, min)

    @staticmethod
    def softmax(x: Any, dim: int) -> Any:
        e = np.exp(x - x.max(axis=dim, keepdims=True))
        return e / e.sum(axis=dim, keepdims=True)

    @staticmethod
    def log_softmax(x: Any, dim: int) -> Any:
        return np.log(_Tensors.softmax(x, dim))


@pytest.mark.parametrize("kind", ["temperature", "vector", "matrix"])
def test_the_code_for_pytorch_takes_logits(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    p = FITTED[kind]
    fitted = MAPS[kind].fit(p.probs, p.labels)
    code = fitted.torch_code()
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        monkeypatch.setitem(sys.modules, "torch", _Tensors)  # type: ignore[arg-type]
        logits: Any = (np.log(p.probs[:9]) + 7.0).view(_Tensors.Tensor)
    else:
        logits = torch.tensor(np.log(p.probs[:9]) + 7.0)
    names: dict[str, Any] = {}
    exec(code, names)
    np.testing.assert_allclose(np.asarray(names["recalibrate"](logits)), fitted(p.probs[:9]), atol=1e-9)


def test_maps_of_no_logits_have_no_code_for_pytorch() -> None:
    for kind in ("isotonic", "histogram", "class-mix", "logistic", "beta"):
        p = FITTED[kind]
        assert MAPS[kind].fit(p.probs, p.labels).torch_code() == ""


@pytest.mark.parametrize("kind", list(MAPS))
def test_the_code_for_scikit_learn_joins_classes_by_name(kind: str) -> None:
    p = FITTED[kind]
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(200, 2)), rng.integers(p.m, size=200)
    names = [f"class {k}" for k in range(p.m)]
    classifier = LogisticRegression().fit(x, [names[k] for k in y])
    turned = names[::-1]  # the map's order is another than the classifier's
    fitted = MAPS[kind].fit(p.probs, p.labels)
    space: dict[str, Any] = {}
    exec(fitted.scikit_learn_code(turned), space)
    made = space["Recalibrated"](classifier)
    expected = fitted(classifier.predict_proba(x)[:, ::-1])[:, ::-1]
    np.testing.assert_allclose(made.predict_proba(x), expected, atol=1e-12)
    assert list(made.predict(x)) == [names[k] for k in expected.argmax(axis=1)]


# --- one method in full -----------------------------------------------------------------


def test_one_method_in_full(found: Recalibration) -> None:
    p = model(8, n=600, sharper=2.0)
    of_method = look(p, found, "isotonic")
    assert of_method.recalibrated.cross_fitted == "isotonic"
    np.testing.assert_allclose(
        of_method.recalibrated.probs,
        cross_fitted(Isotonic, p.probs, p.labels, folds_of(p.n, found.folds, found.spec.seed)),
        atol=1e-9,
    )
    assert of_method.before.has_bars
    assert not of_method.after.has_bars
    confidence = p.probs.max(axis=1)
    low, middle, high = (confidence[one.row] for one in of_method.examples)
    assert low < middle < high
    curve = temperature_curve(p, found)
    least = curve.temperatures[curve.log_loss.argmin()]
    assert least == pytest.approx(found.temperature.estimate, rel=0.03)
    assert curve.log_loss.min() == pytest.approx(
        losses(Temperature.fit(p.probs, p.labels)(p.probs), p.labels, True).mean(), abs=1e-4
    )


@pytest.mark.slow
def test_the_curve_is_least_at_the_estimate_also_where_a_0_was_rounded() -> None:
    p = model(8, n=1_500, sharper=1.3)
    rounded = Predictions.from_arrays(p.probs.round(2), p.labels)
    assert rounded.without_kept.n < rounded.n  # outcomes at a rounded 0
    found = recalibrate(rounded, ["temperature"], FAST)
    (method,) = found.methods
    curve = temperature_curve(rounded, found)
    least = curve.temperatures[curve.log_loss.argmin()]
    assert least == pytest.approx(found.temperature.estimate, rel=0.03)
    assert isinstance(method.map, Temperature)
    assert method.map.temperature < 0.97 * found.temperature.estimate  # it takes a 0 for 1 %
    assert "takes it for 1.0" in words.parameters_sentence(found, method)
    same = replace(method, map=replace(method.map, temperature=found.temperature.estimate))
    assert words.parameters_sentence(found, same).count(".") < 3


def test_ends_of_temperatures_that_are_approximate_are_called_that(found: Recalibration) -> None:
    """999 redraws of up to 50,050 cases are made; the app's text says 50,000."""
    p = model(41, n=1_000)
    assert temperature_set(p).approximate_ends is None
    assert REDRAWN // 999 == 50_050
    assert "Up to 50,000 cases that is exact" in asset_path("texts", "improve-temperature.md").read_text()
    many = temperature_set(p.with_rows(np.arange(50_051) % p.n))
    assert many.approximate_ends
    said = "The ends are approximate, as there are so many cases."
    assert said not in words.curve_sentence(found)
    assert "approximate_ends" not in json.loads(found.to_json())["temperature"]
    of_many = replace(found, temperature=replace(found.temperature, approximate_ends=True))
    assert words.curve_sentence(of_many).endswith(said)
    assert Recalibration.from_json(of_many.to_json()).temperature == of_many.temperature


def test_what_a_person_chooses_parts_the_cases() -> None:
    p = model(8, n=100, sharper=2.0)
    half = Predictions.from_arrays(
        p.probs, p.labels, metadata={"year": ["24"] * 30 + ["25"] * 70, "id": np.arange(100)}
    )
    assert split_columns(half) == ("year",)
    split = split_of(half, ["temperature"], FAST, "year")
    assert split is not None
    assert (split.fitted_on, split.judged_on, split.by) == (30, 70, "year")
    assert split_of(p.with_rows(list(range(30))), ["temperature"], FAST) is None
    asked = split_of(half, ["temperature", "vector"], FAST, "year", asked="isotonic")
    assert asked is not None
    assert (asked.map.kind, asked.held_out) == ("isotonic", False)
    assert asked.chosen in ("temperature", "vector")


@pytest.mark.slow
def test_many_classes_of_few_cases_each() -> None:
    """Classes that never happened, and methods that fit only more cases, are refused or right."""
    rng = np.random.default_rng(5)
    probs = rng.dirichlet(np.full(60, 0.3), 240)
    p = Predictions.from_arrays(probs, [int(rng.choice(60, p=row)) for row in probs])
    found = recalibrate(p, ["temperature", "vector", "histogram", "matrix"], DiagnosisSpec(resamples=9))
    assert "temperature" in [method.map.kind for method in found.methods]
    assert "matrix" in dict(found.refused)
    for method in found.methods:
        after = method.map(p.probs)
        assert np.isfinite(after).all()
        np.testing.assert_allclose(after.sum(axis=1), 1)
        assert method.test is None or 1 / 10 <= method.test.pvalue <= 1


def test_what_would_take_hours_is_tried_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    p = model(1, 90, 3)
    monkeypatch.setattr(maps_map, "MOST_NUMBERS", p.n * p.m - 1)
    quick = DiagnosisSpec(resamples=19, lens=TopKLens(1))
    found = recalibrate(p, spec=quick)
    kinds = {method.kind for method in found.methods}
    assert {"temperature", "histogram"} <= kinds
    assert not kinds & {"isotonic", "vector"}
    assert found.refused["isotonic"] == (
        "with 90 cases of 3 classes its test takes hours; on a random sample it takes minutes"
    )
    assert found.refused["logistic"].startswith("it needs two classes")
    asked = recalibrate(p, ["isotonic"], quick)
    assert [method.kind for method in asked.methods] == ["isotonic"]
    monkeypatch.setattr(maps_map, "MOST_NUMBERS", p.n * p.m)
    assert {"isotonic", "vector"} <= {method.kind for method in recalibrate(p, spec=quick).methods}


def test_with_units_gaps_are_of_all_rows_as_on_every_page() -> None:
    """Each row is mapped by what was fitted to the rows that are looked at of other folds' units."""
    one = model(8, n=80, sharper=2.0)
    rng = np.random.default_rng(3)
    unit = rng.permutation(np.repeat(np.arange(80), rng.integers(1, 5, 80)))
    noise = one.probs[unit] * rng.uniform(0.7, 1.3, (len(unit), one.m))
    probs, who = noise / noise.sum(axis=1, keepdims=True), unit.astype(str)
    p = Predictions.from_arrays(probs, one.labels[unit], one.class_names, {"who": who})
    spec = replace(FAST, unit="who", lens=TopKLens(1))
    of = recalibrate(p, ["temperature"], spec, folds=3)
    assert of.typical_gap == diagnose(p, replace(spec, tests=("exact-omnibus",))).typical_gap
    rows = rows_looked_at(p, "who", spec.seed)
    folds = folds_of(len(rows), 3, spec.seed)
    after = np.empty_like(p.probs)
    for k in range(3):
        others, inside = rows[folds != k], np.isin(who, who[rows[folds == k]])
        after[inside] = Temperature.fit(p.probs[others], p.labels[others])(p.probs[inside])
    mapped = Predictions.from_arrays(after, p.labels, p.class_names, {"who": who}, renormalise=True)
    (method,) = of.methods
    assert method.typical_gap == typical_gap_for(mapped, spec.for_classes(2))
    assert method.accuracy == accuracy(mapped.with_rows(rows))
    assert words.gap_sentence(of, method).startswith("Typical gap of all rows, ")
