"""What people hold who work with torch, scikit-learn, polars, Arrow or transformers, is taken as it is."""

import pickle
from collections.abc import Callable
from inspect import ismethod
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from calibcore import (
    UCME,
    CalibrationScorer,
    DiagnosisSpec,
    ExponentialKernel,
    InputError,
    Predictions,
    Recalibrator,
    decide,
)
from calibcore.hypothesis_tests.smooth_arrows import smooth_arrows
from calibcore.questions.recalibrate.maps import MAPS
from tests.cases import each
from tests.tensors import Tensor, bfloat16

RNG = np.random.default_rng(7)
NAMES = ("owl", "dog", "cat")
G = RNG.dirichlet([0.7] * 3, 60).round(3)
G[:, 2] = 1 - G[:, 0] - G[:, 1]
Y = np.array([RNG.choice(3, p=p / p.sum()) for p in np.abs(G)])
P = Predictions.from_arrays(np.abs(G), Y, NAMES)
G, EVENT = P.probs, P.probs[:, 0]
TWO = Predictions.from_arrays(np.column_stack([1 - EVENT, EVENT]), Y == 0)
Held = Callable[[Any], Any]
"""Makes of an array what somebody holds."""


def map_of(kind: str) -> Callable[[Held], NDArray[Any]]:
    two = bool(MAPS[kind].why_not(1_000, 3))
    p = TWO if two or MAPS[kind].why_not(P.n, P.m) else P
    return lambda held: MAPS[kind].fit(held(p.probs), held(p.labels))(held(p.probs))


def fitted(held: Held) -> NDArray[Any]:
    made = Recalibrator(method="vector").fit(held(G), held(Y))
    return np.column_stack([made.predict_proba(held(G)), made.predict(held(G)) == Y])


def classifier(held: Held) -> Any:
    return SimpleNamespace(classes_=[0, 1, 2], predict_proba=lambda X: held(G))


TAKERS: dict[str, Callable[[Held], Any]] = {
    "Predictions": lambda held: Predictions(held(G), held(Y), NAMES),
    "from_arrays": lambda held: Predictions.from_arrays(
        held(G), held(Y), NAMES, {"age": held(Y)}, weights=held(1.0 + Y)
    ),
    "from_arrays, counts": lambda held: Predictions.from_arrays(held(G), held(Y), counts=held(Y + 1)),
    "from_arrays, of the event": lambda held: Predictions.from_arrays(held(EVENT), held(Y == 0)),
    "from_predictions": lambda held: Predictions.from_predictions(
        held(Y), held(G), sample_weight=held(1 + Y)
    ),
    "from_logits": lambda held: Predictions.from_logits(held(np.log(G + 0.01)), held(Y)),
    "from_estimator": lambda held: Predictions.from_estimator(classifier(held), None, held(Y)),
    "from_eval_prediction": lambda held: Predictions.from_eval_prediction(
        SimpleNamespace(predictions=held(np.log(G + 0.01)), label_ids=held(Y)), metadata={"age": held(Y)}
    ),
    "from_confidence": lambda held: Predictions.from_confidence(held(EVENT), held(Y == 0)),
    "from_confidence, names": lambda held: Predictions.from_confidence(
        held(EVENT), predicted=held(np.zeros(60, int)), truth=held(Y), weights=held(1 + Y)
    ),
    "rows by a mask": lambda held: P[held(Y > 0)],
    "rows by numbers": lambda held: P[held(np.array([5, 3, -1]))],
    "a kernel": lambda held: ExponentialKernel(0.5).matrix(held(G), held(G[:5])),
    "a kernel, row by row": lambda held: ExponentialKernel(0.5).paired(held(G), held(G[::-1].copy())),
    "a class matrix": lambda held: ExponentialKernel(class_matrix=held(np.diag([1.0, 2, 3]))).class_matrix,
    "test locations": lambda held: UCME(locations=held(G[:3]), location_classes=held(Y[:3]))(P),
    "thresholds": lambda held: [
        t.threshold for t in decide(TWO, DiagnosisSpec(), held(np.array([0.2, 0.5]))).thresholds
    ],
    "places": lambda held: smooth_arrows(P, DiagnosisSpec().kernel, places=held(G[:4])).observed,
    "a score": lambda held: CalibrationScorer()(classifier(held), None, held(Y)),
    "a recalibrator": fitted,
} | {f"a map, {kind}": map_of(kind) for kind in MAPS}  # fmt: skip


def result(taken: Any) -> NDArray[Any]:
    if isinstance(taken, Predictions):
        weights = np.ones(taken.n) if taken.weights is None else taken.weights
        ages = taken.metadata.get("age", np.zeros(taken.n))
        return np.column_stack([taken.probs, taken.labels, weights, ages])
    return np.asarray(taken)


@each("name", TAKERS)
def test_tensors_with_a_gradient_are_taken_wherever_arrays_are(name: str) -> None:
    take = TAKERS[name]
    assert_array_equal(result(take(Tensor)), result(take(np.asarray)))


def test_every_way_to_make_predictions_is_among_them() -> None:
    """A table has columns that are arrays: its library is asked for them."""
    ways = {
        name for name in dir(Predictions) if name.startswith("from_") and ismethod(getattr(Predictions, name))
    }
    assert ways - {"from_frame"} == {name.partition(",")[0] for name in TAKERS if name.startswith("from_")}


def test_lists_of_tensors_sparse_and_cuda_arrays_are_arrays() -> None:
    class Cupy:
        __cuda_array_interface__: ClassVar[Any] = {}

        def __array__(self) -> NDArray[Any]:
            raise TypeError("Implicit conversion to a NumPy array is not allowed.")

        def get(self) -> NDArray[Any]:
            return G

    for probs in (list(Tensor(G)), csr_array(G), Cupy()):
        assert_array_equal(Predictions.from_arrays(probs, list(Tensor(Y))).probs, G)


# --- bfloat16 ----------------------------------------------------------------------------


@pytest.mark.parametrize("as_given", [lambda g: Tensor(g, "attached bfloat16"), np.asarray])
def test_rows_of_bfloat16_sum_to_1_as_well_as_they_can(as_given: Held) -> None:
    g = bfloat16(np.random.default_rng(0).dirichlet(np.ones(10), 500))
    sums = g.astype(float).sum(axis=1)
    assert 1e-3 < np.abs(sums - 1).max() <= 2**-8  # else there is nothing to see
    p = Predictions.from_arrays(as_given(g), np.zeros(500, int))
    assert_allclose(p.probs, g / sums[:, None], atol=1e-12)
    assert "divided by the row's sum" in p.notes[0]
    spoiled = g.copy()
    spoiled[0, 0] += 0.01  # more than rounding leaves
    with pytest.raises(InputError, match=r"Row 1 sums to 1\.0"):
        Predictions.from_arrays(spoiled, np.zeros(500, int))


# --- one number a case -------------------------------------------------------------------

LOGITS = 10 * (EVENT - 0.5)
ILL = np.where(Y == 0, "ill", "well")
EVENT_OF: dict[str, tuple[Callable[[], Predictions], str]] = {
    "an array": (lambda: Predictions.from_arrays(EVENT, Y == 0), "1"),
    "a column": (lambda: Predictions.from_arrays(EVENT[:, None], (Y == 0).astype(float)), "1"),
    "text": (lambda: Predictions.from_arrays(EVENT, np.where(Y == 0, "ill", "fit")), "ill"),
    "class names": (lambda: Predictions.from_arrays(EVENT, ILL, ["well", "ill"]), "ill"),
    "minus 1 and 1": (lambda: Predictions.from_arrays(EVENT, np.where(Y == 0, 1, -1), [-1, 1]), "1"),
    "a series": (lambda: Predictions.from_arrays(pd.Series(EVENT, name="score"), Y == 0), "1"),
    "named": (lambda: Predictions.from_arrays(pd.Series(EVENT, name="p_ill"), ILL), "ill"),
    "a table": (lambda: Predictions.from_arrays(pa.table({"ill": EVENT}), ILL), "ill"),
    "y first": (lambda: Predictions.from_predictions(Y == 0, EVENT), "1"),
    "logits": (lambda: Predictions.from_logits(LOGITS, Y == 0), "1"),
    "named logits": (
        lambda: Predictions.from_logits(pd.DataFrame({"ill": LOGITS}), ILL),
        "ill",
    ),
}  # fmt: skip


@each("name", EVENT_OF)
def test_one_number_a_case_is_of_the_second_class_or_of_the_one_that_it_is_called(name: str) -> None:
    make, event = EVENT_OF[name]
    p = make()
    k = p.class_index(event)
    assert_allclose(
        p.probs[:, k], 1 / (1 + np.exp(-10 * (EVENT - 0.5))) if "logits" in name else EVENT, rtol=1e-12
    )
    assert_array_equal(p.labels == k, Y == 0)
    assert any(f"{event!r}" in note for note in p.notes)


def test_both_columns_of_decimals_are_the_decimals() -> None:
    """So that 0.1 lies on the edge 1/10 of a bin, whichever of both columns was written."""
    assert Predictions.from_arrays([0.9, 0.7, 0.123], [0, 1, 1]).probs[:, 0].tolist() == [0.1, 0.3, 0.877]
    assert Predictions.from_confidence([0.9, 0.7], [1, 0]).probs[:, 1].tolist() == [0.1, 0.3]


def test_a_name_that_contradicts_the_order_is_refused() -> None:
    with pytest.raises(InputError, match=r"called 'p_ill', and one number a case is .* 'well'"):
        Predictions.from_arrays(pd.Series([0.9, 0.2], name="p_ill"), ["ill", "well"], ["ill", "well"])


def test_logits_far_from_0_keep_what_is_left() -> None:
    assert Predictions.from_logits([40.0, -40.0], [1, 0]).probs.min() == pytest.approx(np.exp(-40))


# --- one-hot labels ----------------------------------------------------------------------

HOT = np.eye(3, dtype=int)[Y]
TURNED = pd.DataFrame(HOT[:, ::-1], columns=NAMES[::-1])
FRAME = pd.DataFrame(G, columns=NAMES)
BEFORE, COUNTED = FRAME.add_prefix("p_"), pd.DataFrame(G).add_prefix("c_")
ONE_HOT: dict[str, tuple[Callable[[], Predictions], tuple[str, ...]]] = {
    "integers": (lambda: Predictions.from_arrays(G, HOT), ("0", "1", "2")),
    "floats": (lambda: Predictions.from_arrays(G, HOT.astype(np.float32), NAMES), NAMES),
    "truth values": (lambda: Predictions.from_arrays(G, HOT == 1, [7, 8, 9]), ("7", "8", "9")),
    "sparse": (lambda: Predictions.from_arrays(G, csr_array(HOT), NAMES), NAMES),
    "names": (lambda: Predictions.from_arrays(G, pd.DataFrame(HOT, columns=NAMES)), NAMES),
    "another order": (lambda: Predictions.from_arrays(FRAME, TURNED), NAMES),
    "another order of class names": (lambda: Predictions.from_arrays(G, TURNED, NAMES), NAMES),
    "behind a prefix": (lambda: Predictions.from_arrays(BEFORE, TURNED.add_prefix("is_")), NAMES),
    "counting": (lambda: Predictions.from_arrays(FRAME, pd.DataFrame(HOT).add_prefix("y")), NAMES),
    "of columns that count": (lambda: Predictions.from_arrays(COUNTED, HOT), ("0", "1", "2")),
    "logits": (lambda: Predictions.from_logits(np.log(G + 0.01), TURNED, NAMES), NAMES),
    "from_predictions": (lambda: Predictions.from_predictions(HOT, G), ("0", "1", "2")),
}  # fmt: skip


@each("name", ONE_HOT)
def test_one_hot_labels_are_the_same_cases(name: str) -> None:
    make, names = ONE_HOT[name]
    p = make()
    assert_array_equal(p.labels, Y)
    assert p.class_names == names
    assert "The labels were one-hot" in p.notes[0]


def test_one_hot_labels_of_other_classes_are_refused() -> None:
    with pytest.raises(InputError, match="one-hot labels are 'cow', 'dog', 'cat', and the cl"):
        Predictions.from_arrays(FRAME, TURNED[["cat", "dog", "owl"]].set_axis(["cow", "dog", "cat"], axis=1))


# --- tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [pd.DataFrame, pa.table], ids=["pandas", "Arrow"])
def test_a_table_of_any_library_is_its_columns(made: Callable[[Any], Any]) -> None:
    columns = {
        "truth": np.array(NAMES)[Y],
        "site": np.where(Y, "a", "b"),
        **dict(zip(NAMES, G.T, strict=True)),
    }
    p = Predictions.from_frame(made(columns), "truth", metadata=["site"])
    assert p.fingerprint == P.fingerprint
    assert_array_equal(p.metadata["site"], columns["site"])


def test_decimals_and_missing_values_of_arrow() -> None:
    decimals = pa.array([f"{x:.3f}" for x in (0.125, 0.5)]).cast(pa.decimal128(5, 3))
    table = pa.table({"a": decimals, "b": pa.array([0.875, 0.5]), "y": ["a", "b"]})
    assert Predictions.from_frame(table, "y").probs.tolist() == [[0.125, 0.875], [0.5, 0.5]]
    with pytest.raises(InputError, match="Row 2 has nan in column 'b'"):
        Predictions.from_frame(table.set_column(1, "b", pa.array([0.875, None])), "y")


# --- transformers ------------------------------------------------------------------------

SCORES = np.random.default_rng(1).normal(size=(6, 5, 3))
TAGS = np.where(np.arange(5) < 3, np.random.default_rng(2).integers(3, size=(6, 5)), -100)


def test_what_is_to_be_ignored_is_left_out_and_tokens_keep_their_sequence() -> None:
    """As EvalPrediction and PredictionOutput of transformers 5.24 have them."""
    output = SimpleNamespace(predictions=SCORES, label_ids=TAGS)
    p = Predictions.from_eval_prediction(output, {2: "I", 0: "O", 1: "B"}, {"text": list("abcdef")})
    by_hand = Predictions.from_logits(SCORES[:, :3].reshape(-1, 3), TAGS[:, :3].ravel(), ["O", "B", "I"])
    assert p.fingerprint == by_hand.fingerprint
    assert p.metadata["sequence"].tolist() == [row for row in range(6) for _ in range(3)]
    assert "".join(p.metadata["text"]) == "aaabbbcccdddeeefff"
    assert p.notes[0] == "12 of 30 tokens were left out: they have the label -100."
    assert DiagnosisSpec(unit="sequence").independent(p).n == 6


def test_of_several_outputs_the_first_are_the_logits_and_a_pair_is_enough() -> None:
    one = Predictions.from_eval_prediction(((SCORES[:, 0], SCORES), TAGS[:, 0]))
    other = Predictions.from_eval_prediction(SimpleNamespace(predictions=SCORES[:, 0], label_ids=TAGS[:, 0]))
    assert one.fingerprint == other.fingerprint
    assert one.metadata == {}


@each(
    ("output", "names", "sentence"),
    [
        (3, None, "There are no predictions in an object of type int"),
        ((SCORES, None), None, "There are no labels (label_ids)"),
        ((SCORES, TAGS[:, 0]), None, "predictions have the shape (6, 5, 3) and label_ids (6,)"),
        ((SCORES[:, 0, :1], TAGS[:, 0]), None, "predictions have the shape (6, 1) and label_ids (6,)"),
        ((SCORES[:, 0], np.ones((6, 3))), None, "several labels a case"),
        ((SCORES, np.full((6, 5), -100)), None, "All labels are -100, which is to be ignored"),
        ((SCORES, TAGS), {1: "O", 2: "B", 3: "I"}, "have the numbers [1, 2, 3]; expected 0 to 2"),
        ((SCORES, TAGS), {"O": 0, "B": 1, "I": 2}, "have the numbers ['O', 'B', 'I']"),
    ],
)
def test_what_no_classification_gives_is_refused(output: Any, names: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Predictions.from_eval_prediction(output, names)
    assert sentence in str(caught.value)


# --- scikit-learn ------------------------------------------------------------------------

X = np.random.default_rng(3).normal(size=(200, 4))
HALF = X[:, 0] + np.random.default_rng(4).normal(size=200) > 0
KIND = np.array(["a", "b", "c"])[HALF.astype(int) + (X[:, 1] > 1)]


def test_a_recalibrator_is_cloned_searched_pickled_and_part_of_a_pipeline() -> None:
    steps = make_pipeline(StandardScaler(), Recalibrator(LogisticRegression(), cv=3))
    grid = {"recalibrator__method": ["temperature", "vector"], "recalibrator__estimator__C": [0.1, 1.0]}
    found = GridSearchCV(steps, grid, scoring="neg_log_loss", cv=2).fit(X, KIND)
    best = found.best_estimator_
    assert_array_equal(pickle.loads(pickle.dumps(best)).predict_proba(X), best.predict_proba(X))
    assert best[-1].map_.kind == found.best_params_["recalibrator__method"]
    assert_array_equal(best.classes_, ["a", "b", "c"])
    assert clone(best)[-1].get_params()["estimator__C"] == found.best_params_["recalibrator__estimator__C"]
    assert cross_val_score(Recalibrator(LogisticRegression(), cv=2), X, KIND, cv=2).mean() > 0.5
    assert repr(clone(best[-1])).startswith("Recalibrator(estimator=LogisticRegression(")


def test_the_map_is_the_one_of_the_probabilities() -> None:
    model = LogisticRegression(C=100).fit(X[:100], KIND[:100])
    probs = model.predict_proba(X[100:])
    p = Predictions.from_estimator(model, X[100:], KIND[100:])
    ours = MAPS["temperature"].fit(p.probs, p.labels)
    alone = make_pipeline(FunctionTransformer(model.predict_proba), Recalibrator()).fit(X[100:], KIND[100:])
    around = Recalibrator(FrozenEstimator(model)).fit(X[100:], KIND[100:])
    for made in (alone, around):
        assert_allclose(made.predict_proba(X[100:]), ours(probs), rtol=1e-12)
    assert Recalibrator(method=ours).fit(probs, KIND[100:]).map_ is ours


@each(
    ("y", "names", "classes"),
    [
        (np.array([3, 5, 9])[Y], None, [3, 5, 9]),
        (np.array([True, False])[np.minimum(Y, 1)], None, [False, True]),
        (np.array(NAMES)[Y], list(NAMES), list(NAMES)),
        (np.where(Y == 2, 0, Y), None, [0, 1, 2]),
    ],
)
def test_classes_are_those_of_y(y: Any, names: Any, classes: list[Any]) -> None:
    made = Recalibrator(class_names=names).fit(EVENT if len(classes) == 2 else G, y)
    assert made.classes_.tolist() == classes
    assert set(made.predict(EVENT if len(classes) == 2 else G).tolist()) <= set(classes)


def test_what_no_recalibrator_can_do_is_a_sentence() -> None:
    fitted = Recalibrator().fit(FRAME, np.array(NAMES)[Y])
    for refused, sentence in (
        (lambda: Recalibrator().predict(G), "is not fitted yet"),
        (lambda: Recalibrator(method="platt").fit(G, Y), "There is no map 'platt'; expected one of"),
        (lambda: Recalibrator(method="matrix").fit(EVENT, Y == 0), "cannot be fitted: with two outcomes"),
        (lambda: Recalibrator().set_params(methods=1), "There is no setting 'methods'"),
        (lambda: fitted.predict(FRAME[["dog", "owl", "cat"]]), "Expected the same in the same order"),
        (
            lambda: fitted.predict(TWO.probs),
            "There are 2 columns; the map",
        ),
        (lambda: MAPS["vector"].fit(G, Y + 1), "has label 3"),
        (lambda: MAPS["vector"].fit(G, Y)(EVENT), "is one of 3 classes, and there are 2"),
    ):
        with pytest.raises(InputError) as caught:
            refused()
        assert sentence in str(caught.value)
