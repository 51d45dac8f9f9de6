"""Whatever kind of numbers somebody or a lens has: the right predictions come of them, or one sentence.

The tables of the libraries that people hold are in test_given_arrays.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from calibcore import (
    ECE,
    MCE,
    SKCE,
    UCME,
    ExactOmnibusTest,
    ExactTest,
    InputError,
    Predictions,
    TopKLens,
    UniformBinning,
)
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, Lens, PooledLens, SetLens

NAMES = ("owl", "dog", "cat")
RNG = np.random.default_rng(3)
THOUSANDTHS = RNG.multinomial(1000, [0.5, 0.3, 0.2], 40)
G = THOUSANDTHS / 1000
Y = RNG.integers(3, size=40)
RIGHT = Predictions.from_arrays(G, Y, NAMES)


def read_only(values: NDArray[Any]) -> NDArray[Any]:
    values = values.copy()
    values.flags.writeable = False
    return values


def missing(values: Any, kind: str) -> Any:
    table = pd.DataFrame(values).astype(kind)
    table.iloc[1, 0] = pd.NA
    return table if table.shape[1] > 1 else table[0]


OF_PROBS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "float64": lambda g: g,
    "float32": lambda g: g.astype(np.float32),
    "float16": lambda g: g.astype(np.float16),
    "long double": lambda g: g.astype(np.longdouble),
    "the other order of bytes": lambda g: g.astype(">f8"),
    "narrow, the other order of bytes": lambda g: g.astype(">f4"),
    "columns": np.asfortranarray,
    "backwards": lambda g: g[::-1].copy()[::-1],
    "every other": lambda g: np.repeat(g, 2, axis=1)[:, ::2],
    "read-only": read_only,
    "objects": lambda g: g.astype(object),
    "lists": lambda g: g.tolist(),
    "pandas": pd.DataFrame,
    "pandas Float64": lambda g: pd.DataFrame(g).astype("Float64"),
    "pandas Float32": lambda g: pd.DataFrame(g).astype("Float32"),
    "pandas of both": lambda g: pd.DataFrame(g).astype({0: "Float64"}),
    "Arrow in pandas": lambda g: pd.DataFrame(g).astype("double[pyarrow]"),
}
NO_PROBS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "complex": lambda g: g.astype(complex),
    "text": lambda g: g.astype(str),
    "missing": lambda g: missing(g, "Float64"),
    "dates": lambda g: g.astype("M8[s]"),
    "other objects": lambda g: np.full(g.shape, None),
}
OF_LABELS: dict[str, Callable[[NDArray[Any]], Any]] = {
    **{kind: lambda y, kind=kind: y.astype(kind) for kind in ("i1", "i2", ">i4", "u1", "u8", "i8")},
    "whole floats": lambda y: y.astype(float),
    "narrow floats": lambda y: y.astype(np.float16),
    "a column": lambda y: y[:, None],
    "backwards": lambda y: y[::-1].copy()[::-1],
    "every other": lambda y: np.repeat(y, 2)[::2],
    "read-only": read_only,
    "objects": lambda y: y.astype(object),
    "lists": lambda y: y.tolist(),
    "pandas": pd.Series,
    "pandas Int64": lambda y: pd.Series(y, dtype="Int64"),
    "pandas UInt8": lambda y: pd.Series(y, dtype="UInt8"),
    "Arrow in pandas": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "categories": lambda y: pd.Series(y).astype("category"),
}
NO_LABELS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "complex": lambda y: y.astype(complex),
    "halves": lambda y: y + 0.5,
    "missing": lambda y: missing(y, "Int64"),
    "beyond 64 bits": lambda y: [2**70, *y[1:].tolist()],
    "beyond int64": lambda y: np.full(len(y), 2**63, np.uint64),
    "durations": lambda y: y.astype("m8[s]"),
    "other objects": lambda y: [{}] * len(y),
}


def refusal(make: Callable[[], Any]) -> str:
    """The sentence: one line, and nothing that Python says of itself."""
    with pytest.raises(InputError) as caught:
        make()
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 600
    return sentence


def is_as_compiled_code_knows_it(values: NDArray[Any], kind: type) -> bool:
    return values.dtype == kind and values.flags.c_contiguous and not values.flags.writeable


@pytest.mark.parametrize("kind", OF_PROBS)
def test_probabilities_of_every_kind_are_the_same_numbers(kind: str) -> None:
    given = OF_PROBS[kind](G)
    for p in (
        Predictions.from_arrays(given, Y, NAMES),
        Predictions.from_estimator(
            SimpleNamespace(classes_=NAMES, predict_proba=lambda X: given), X=None, y=np.array(NAMES)[Y]
        ),
    ):
        assert_allclose(p.probs, G, atol=1e-15)
        assert p.rounding == (3, 0.0005)
        assert (p.probs.dtype, p.probs.flags.c_contiguous, p.probs.flags.writeable) == (
            np.float64,
            True,
            False,
        )
        assert ECE()(p) == pytest.approx(ECE()(RIGHT), abs=1e-12)
    if isinstance(given, pd.DataFrame):
        frame = given.set_axis(NAMES, axis=1).assign(truth=np.array(NAMES)[Y])
        assert_allclose(Predictions.from_frame(frame, "truth").probs, G, atol=1e-15)


@pytest.mark.parametrize("kind", OF_PROBS)
def test_logits_of_every_kind(kind: str) -> None:
    logits = (THOUSANDTHS - 300) / 64  # exact in float32 and nearly in float16
    p = Predictions.from_logits(OF_PROBS[kind](logits), Y, NAMES)
    e = np.exp(logits)
    assert_allclose(p.probs, e / e.sum(axis=1, keepdims=True), atol=2e-3 if kind == "float16" else 1e-12)


@pytest.mark.parametrize("kind", NO_PROBS)
def test_what_is_no_probability_is_refused_in_a_sentence(kind: str) -> None:
    given = NO_PROBS[kind](G)
    refusal(lambda: Predictions.from_arrays(given, Y))
    refusal(lambda: Predictions.from_logits(given, Y))
    refusal(lambda: Predictions.from_arrays(G, Y, weights=NO_PROBS[kind](G[:, :1])))


@pytest.mark.parametrize("kind", OF_LABELS)
def test_labels_of_every_kind_are_the_same_cases(kind: str) -> None:
    given = OF_LABELS[kind](Y)
    for p in (
        Predictions.from_arrays(G, given, NAMES),
        Predictions.from_arrays(G, given, [0, 1, 2]),
        Predictions.from_logits(np.log(G), given, NAMES),
        Predictions.from_estimator(
            SimpleNamespace(classes_=[0, 1, 2], predict_proba=lambda X: G), X=None, y=given
        ),
    ):
        assert_array_equal(p.labels, Y)
        assert (p.labels.dtype, p.labels.flags.c_contiguous, p.labels.flags.writeable) == (
            np.int64,
            True,
            False,
        )


@pytest.mark.parametrize("kind", NO_LABELS)
def test_what_is_no_label_is_refused_in_a_sentence(kind: str) -> None:
    given = NO_LABELS[kind](Y)
    for names in (None, NAMES):
        refusal(lambda names=names: Predictions.from_arrays(G, given, names))


@pytest.mark.parametrize(
    "given", [Y > 0, (Y > 0).astype(object), pd.Series(Y > 0, dtype="boolean"), (Y > 0).tolist()]
)
def test_truth_values_are_the_classes_of_that_name(given: Any) -> None:
    """scikit-learn has them in the order False, True; who names them the other way round is believed."""
    two = np.column_stack([G[:, 0], 1 - G[:, 0]])
    for names, of_true in ((None, 1), ([False, True], 1), ([True, False], 0), (["well", "ill"], 1)):
        assert_array_equal(Predictions.from_arrays(two, given, names).labels == of_true, Y > 0)
    assert "has label False" in refusal(lambda: Predictions.from_arrays(G, given, [1, 2, 3]))


# --- what a lens makes -------------------------------------------------------------------


@dataclass(frozen=True)
class Given(Lens):
    """A lens as somebody writes it: the first class or another, of arrays of a kind."""

    of_probs: Callable[[NDArray[Any]], Any]
    of_labels: Callable[[NDArray[Any]], Any]
    kind: ClassVar[str] = "given"
    label: ClassVar[str] = "Given"

    def __call__(self, predictions: Predictions) -> Predictions:
        first = predictions.probs[:, 0]
        probs, labels = np.column_stack([first, 1 - first]), predictions.labels != 0
        return predictions.through(self.of_probs(probs), self.of_labels(labels), ("owl", "not owl"))

    def phrase(self) -> str:
        return "the owl"


FIRST = ClassLens("owl")(RIGHT)
ESTIMATES = (
    ECE(UniformBinning(5)),
    MCE(UniformBinning(5)),
    SKCE(estimator="biased"),
    SKCE(),
    UCME(n_locations=2),
)
TESTS = (ExactTest(SKCE(), 9), ExactTest(ECE(), 9), ExactOmnibusTest(n_resamples=9))


def check_numbers(p: Predictions) -> None:
    """Every compiled sum takes it, and has the numbers of the lens that Caliblens has for that."""
    for estimate in ESTIMATES:
        assert estimate(p) == pytest.approx(estimate(FIRST), abs=1e-12)
    for test in TESTS:
        assert test(p, 1).pvalue == test(FIRST, 1).pvalue


@pytest.mark.parametrize(
    "kind", ["bool", "i1", "u8", ">i4", "f8", "f4", "objects of bool", "objects", "backwards", "every other"]
)
def test_labels_of_every_kind_through_a_lens(kind: str) -> None:
    made: dict[str, Callable[[NDArray[Any]], Any]] = {
        "objects of bool": lambda y: y.astype(object),
        "objects": lambda y: y.astype(int).astype(object),
        "backwards": lambda y: y[::-1].copy()[::-1],
        "every other": lambda y: np.repeat(y, 2)[::2],
    }
    check_numbers(Given(lambda g: g, made.get(kind, lambda y: y.astype(kind)))(RIGHT))


@pytest.mark.parametrize("kind", [kind for kind in OF_PROBS if kind != "float16"])
def test_probabilities_of_every_kind_through_a_lens(kind: str) -> None:
    p = Given(OF_PROBS[kind], lambda y: y)(RIGHT)
    assert_allclose(p.probs, FIRST.probs, atol=1e-15)
    check_numbers(p)


@pytest.mark.parametrize(
    ("of_probs", "of_labels", "sentence"),
    [
        (OF_PROBS["float16"], np.asarray, "The probabilities are of type float16; expected float64."),
        (NO_PROBS["complex"], np.asarray, "are of type complex128"),
        (NO_PROBS["text"], np.asarray, "are of type <U32"),
        (NO_PROBS["missing"], np.asarray, "are of type object"),
        (np.ravel, np.asarray, "labels of the shape (40,) make no predictions over 2 classes"),
        (lambda g: g[:, :1], np.asarray, "Probabilities of the shape (40, 1)"),
        (lambda g: g[1:], np.asarray, "Probabilities of the shape (39, 2)"),
        (np.asarray, lambda y: y + 0.5, "The labels are of type float64; expected whole numbers from 0 to 1"),
        (np.asarray, lambda y: np.where(y, np.nan, 0), "The labels are of type float64"),
        (np.asarray, lambda y: y.astype(str), "The labels are of type <U21"),
        (np.asarray, lambda y: y * 2, "has label 2"),
        (np.asarray, lambda y: y - 1, "has label -1"),
        (np.asarray, lambda y: y[:, None], "labels of the shape (40, 1)"),
    ],
)
def test_what_no_lens_may_make_is_refused_in_a_sentence(
    of_probs: Callable[[Any], Any], of_labels: Callable[[Any], Any], sentence: str
) -> None:
    lens = Given(of_probs, lambda y: of_labels(y.astype(np.int64)) if of_labels is not np.asarray else y)
    assert sentence in refusal(lambda: lens(RIGHT))


LENSES = [
    CanonicalLens(), TopKLens(1), TopKLens(2), SetLens(), PooledLens(), ClassLens("dog"),
    GroupsLens({"pet": ["dog", "cat"], "bird": ["owl"]}),
]  # fmt: skip


@pytest.mark.parametrize("lens", LENSES)
def test_every_lens_takes_predictions_that_somebody_put_together(lens: Lens) -> None:
    """Without a constructor: the arrays have the types that compiled code knows all the same."""
    for g, y in (
        (np.asfortranarray(G), Y.astype(np.uint8)),
        (read_only(G)[::-1][::-1], Y.astype(object)),
        (G.astype(np.float32), Y.astype(np.float64)),
    ):
        made = lens(Predictions(g, y, NAMES))
        right = lens(RIGHT)
        assert_allclose(made.probs, right.probs, atol=1e-15)
        assert_array_equal(made.labels, right.labels)
