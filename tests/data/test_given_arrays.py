"""Arrays and tables as people hold them: names of columns count, masks are seen, narrow numbers widened."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from calibcore import Predictions
from calibcore.errors import InputError

NAMES = ["owl", "dog", "cat"]
RNG = np.random.default_rng(0)
G = RNG.dirichlet([0.5] * 3, 60)
G[0] = 0.1, 0.2, 0.7
Y = np.array([RNG.choice(3, p=p) for p in G])
TEXT = np.array(NAMES)[Y]
FRAME = pd.DataFrame(G, columns=NAMES)
from_arrays = Predictions.from_arrays


class Table:
    """As polars has it: an array, and names of its columns."""

    def __init__(self, values: NDArray[Any], **names: Any) -> None:
        self.values = values
        self.__dict__.update(names)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return self.values


def named(names: list[Any], by: list[int] | None = None) -> Table:
    return Table(G if by is None else G[:, by], columns=names)


RIGHT: dict[str, tuple[Callable[[], Predictions], tuple[str, ...]]] = {
    "pandas": (lambda: from_arrays(FRAME, pd.Series(TEXT)), ("owl", "dog", "cat")),
    "pandas, sorted": (lambda: from_arrays(FRAME[sorted(NAMES)], TEXT), ("cat", "dog", "owl")),
    "polars": (lambda: from_arrays(named(NAMES), TEXT), ("owl", "dog", "cat")),
    "polars without names": (
        lambda: from_arrays(named(["column_0", "column_1", "column_2"], [2, 1, 0]), TEXT),
        ("cat", "dog", "owl"),
    ),
    "Arrow": (lambda: from_arrays(pa.table(FRAME), pa.array(TEXT)), ("owl", "dog", "cat")),
    "labelled axes": (
        lambda: from_arrays(Table(G, dims=("case", "kind"), coords={"kind": np.array(NAMES)}), TEXT),
        ("owl", "dog", "cat"),
    ),
    "a prefix": (lambda: from_arrays(FRAME.add_prefix("p_"), TEXT), ("owl", "dog", "cat")),
    "around": (lambda: from_arrays(named([f"P({name})" for name in NAMES]), TEXT), ("owl", "dog", "cat")),
    "integers": (lambda: from_arrays(named([2, 0, 1]), np.array([2, 0, 1])[Y]), ("2", "0", "1")),
    "integers in names": (
        lambda: from_arrays(named(["p2", "p0", "p1"]), np.array([2, 0, 1])[Y]),
        ("2", "0", "1"),
    ),
    "from 1": (lambda: from_arrays(named(["p1", "p2", "p3"]), Y + 1), ("1", "2", "3")),
    "counting columns": (lambda: from_arrays(named(["p1", "p2", "p3"]), Y), ("0", "1", "2")),
    "places": (lambda: from_arrays(FRAME, Y), ("owl", "dog", "cat")),
    "a plain frame": (lambda: from_arrays(pd.DataFrame(G[:, [2, 1, 0]]), TEXT), ("cat", "dog", "owl")),
    "the same names": (lambda: from_arrays(FRAME, TEXT, NAMES), ("owl", "dog", "cat")),
    "other words": (lambda: from_arrays(FRAME, Y, ["O", "D", "C"]), ("O", "D", "C")),
    "named anew": (lambda: from_arrays(named(["p1", "p2", "p3"]), TEXT, NAMES), ("owl", "dog", "cat")),
    "logits": (lambda: Predictions.from_logits(np.log(FRAME), TEXT), ("owl", "dog", "cat")),
    "a classifier": (
        lambda: Predictions.from_estimator(classifier(NAMES), FRAME, TEXT),
        ("owl", "dog", "cat"),
    ),
    "other rows": (
        lambda: from_arrays(FRAME, pd.Series(TEXT, index=range(1000, 1000 + len(Y)))),
        ("owl", "dog", "cat"),
    ),
}


def classifier(classes: list[str]) -> Any:
    return SimpleNamespace(classes_=classes, predict_proba=lambda X: FRAME)


@pytest.mark.parametrize("name", RIGHT)
def test_names_of_columns_are_the_classes(name: str) -> None:
    make, classes = RIGHT[name]
    p = make()
    assert p.class_names == classes
    hits = (np.argmax(p.probs, axis=1) == p.labels).mean()
    assert hits == (np.argmax(G, axis=1) == Y).mean()


class Lazy:
    """As polars has it: worked out when it is asked for."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def collect(self) -> Any:
        return self.table

    def collect_schema(self) -> Any:
        raise AssertionError


def test_lazy_tables_are_worked_out_once() -> None:
    p = from_arrays(Lazy(named(["p_owl", "p_dog", "p_cat"])), Lazy(pd.DataFrame({"label": TEXT})))
    assert p.class_names == ("owl", "dog", "cat")
    assert_array_equal(p.labels, from_arrays(FRAME, TEXT).labels)


def test_one_hot_columns_have_other_words_around_the_same_classes() -> None:
    hot = pd.DataFrame(np.eye(3, dtype=int)[Y], columns=NAMES).add_prefix("true_")
    for columns in (NAMES, NAMES[::-1]):
        p = from_arrays(FRAME.add_prefix("p_"), hot[[f"true_{name}" for name in columns]])
        assert p.class_names == ("owl", "dog", "cat")
        assert_array_equal(p.labels, Y)


def test_numbers_count_columns_whose_classes_are_named_as_in_files() -> None:
    assert from_arrays(FRAME.add_prefix("p_"), Y).class_names == ("owl", "dog", "cat")


def test_of_truth_values_the_second_column_is_true() -> None:
    probs = pd.DataFrame(np.column_stack([G[:, 0], 1 - G[:, 0]]), columns=["benign", "malignant"])
    p = from_arrays(probs, Y > 0)
    assert p.class_names == ("benign", "malignant")
    assert_array_equal(p.labels, Y > 0)


@pytest.mark.parametrize("names", [3, None, lambda: None, ["a", "b"], [None] * 3])
def test_what_is_called_columns_may_be_something_else(names: Any) -> None:
    assert from_arrays(Table(G, columns=names), TEXT).class_names == ("cat", "dog", "owl")


def test_truth_values_are_names_too() -> None:
    probs = pd.DataFrame(np.column_stack([G[:, 0], 1 - G[:, 0]]), columns=[True, False])
    p = from_arrays(probs, Y == 0)
    assert p.class_names == ("True", "False")
    assert_array_equal(p.labels, (Y != 0).astype(int))


REFUSED: dict[str, tuple[Callable[[], Predictions], str]] = {
    "other names": (lambda: from_arrays(named(["a", "b", "c"]), TEXT), "Name the classes in the order of"),
    "other values": (
        lambda: from_arrays(FRAME, np.array(["east", "west"])[Y % 2]),
        "hold 2 different values, 'east', 'west', and none of them is a class. The 3 columns are",
    ),
    "more labels than columns": (
        lambda: from_arrays(G, np.array(["a", "b", "c", "d"])[np.arange(len(Y)) % 4]),
        "Expected no more classes than that",
    ),
    "another label": (
        lambda: from_arrays(FRAME, ["cow", *TEXT[1:]]),
        "Row 1 has label 'cow'. The columns are",
    ),
    "another order": (lambda: from_arrays(FRAME, TEXT, sorted(NAMES)), "Expected one order"),
    "behind a prefix": (
        lambda: from_arrays(FRAME.add_prefix("p_"), TEXT, sorted(NAMES)),
        "Expected one order",
    ),
    "of logits": (lambda: Predictions.from_logits(np.log(FRAME), TEXT, sorted(NAMES)), "Expected one order"),
    "of a classifier": (
        lambda: Predictions.from_estimator(classifier(sorted(NAMES)), FRAME, TEXT),
        "Expected one order",
    ),
    "numbers": (lambda: from_arrays(named(["p3", "p2", "p1"]), np.r_[0, Y[1:]]), "Row 1 has label '0'"),
    "twice": (lambda: from_arrays(named(["a", "a", "b"]), TEXT), "The column 'a' stands twice"),
    "rows": (
        lambda: from_arrays(FRAME, pd.Series(TEXT)[::-1]),
        "labels hold the rows of the predictions in an",
    ),
    "rows of weights": (
        lambda: from_arrays(FRAME, TEXT, weights=pd.Series(np.arange(1, 61), index=range(60))[::-1]),
        "the weights",
    ),
    "rows of X": (
        lambda: Predictions.from_estimator(classifier(NAMES), FRAME, pd.Series(TEXT)[::-1]),
        "classes",
    ),
    "a mask": (
        lambda: from_arrays(np.ma.masked_equal(G, 0.2), Y),
        "masked in 1 of 60 rows, the first of them row 1",
    ),
    "masked labels": (lambda: from_arrays(G, np.ma.masked_equal(Y, Y[0])), "The labels are masked in"),
    "masked weights": (
        lambda: from_arrays(G, Y, weights=np.ma.masked_equal(np.arange(1, 61), 9)),
        "The weights are masked in 1 of",
    ),
    "complex": (lambda: from_arrays(G.astype(complex), Y), "of type complex128; expected numbers"),
    "named fields": (
        lambda: from_arrays(np.zeros(60, [("a", "f8"), ("b", "f8")]), Y),
        "have 1 dimension; expected 2",
    ),
    "dates": (lambda: from_arrays(np.zeros((60, 2), "M8[s]"), Y), "of type datetime64[s]; expected numbers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_contradicts_is_refused(name: str) -> None:
    make, says = REFUSED[name]
    with pytest.raises(InputError) as error:
        make()
    assert says in str(error.value)


def test_a_mask_that_hides_nothing() -> None:
    assert_array_equal(from_arrays(np.ma.array(G), Y).probs, G)


# --- narrow numbers and what arithmetic leaves -------------------------------------------


def test_half_precision_is_widened_before_anything_is_summed() -> None:
    narrow = G.astype(np.float16)
    wide = narrow.astype(np.float64)
    p = from_arrays(narrow, Y)
    sums = wide.sum(axis=1)
    divided = np.where((np.abs(sums - 1) > 1e-5 + 1e-9)[:, None], wide / sums[:, None], wide)
    np.testing.assert_allclose(p.probs, divided, atol=1e-12)
    decimals = np.array([[0.1, 0.9], [0.333, 0.667]])
    assert_array_equal(from_arrays(decimals.astype(np.float16), [0, 1]).probs, decimals)


def test_columns_of_several_precisions_are_widened_one_by_one() -> None:
    frame = pd.DataFrame({"a": np.array([0.1, 0.3], "f2"), "b": [0.9, 0.7], "label": ["a", "b"]})
    assert Predictions.from_frame(frame, "label").probs.tolist() == [[0.1, 0.9], [0.3, 0.7]]


@pytest.mark.parametrize("off", [1e-9, 1e-7, 1e-6])
def test_values_a_millionth_outside_are_set_to_0_or_1(off: float) -> None:
    probs = np.r_[[[1 + off, -off, 0.0]], G[1:]]
    p = from_arrays(probs, Y)
    assert p.probs[0].tolist() == [1, 0, 0]
    assert p.notes == (f"1 row had values outside 0 to 1, by {off:.2g} at most: they were set to 0 or 1.",)


def test_values_further_outside_are_refused() -> None:
    for row in ([1 + 2e-6, -2e-6, 0.0], [1.01, -0.01, 0.0], [1e308, 1e308, 0.0], [-np.inf, np.inf, 0.0]):
        with pytest.raises(InputError, match=r"Row 1 has (-|1.01|1e\+308)"):
            from_arrays([row, *G[1:]], Y)


@pytest.mark.parametrize("factor", [1.01, 0.99, 1.0005, 1.019])
def test_rows_that_all_sum_to_the_same_are_divided(factor: float) -> None:
    sure = np.r_[[[1.0, 0, 0]], G[1:]]
    p = from_arrays(factor * sure, Y)
    np.testing.assert_allclose(p.probs, sure, atol=1e-15)
    assert p.notes == (
        f"60 of 60 rows were divided by the row's sum, to sum to 1 (the furthest summed to {factor:.6g}).",
    )


def test_of_few_rows_and_of_other_sums_nobody_knows() -> None:
    for probs, labels in ((1.01 * G[:9], Y[:9]), (1.03 * G, Y), (np.r_[G[:1], 1.01 * G[1:]], Y)):
        with pytest.raises(InputError):
            from_arrays(probs, labels)
