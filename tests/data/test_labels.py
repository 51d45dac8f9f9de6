"""Labels that are names, as text or as integers, and the columns they belong to."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from tests.data.test_predictions import G, made

CATS = ["owl", "cat", "owl", "dog"]


@pytest.mark.parametrize(
    "labels",
    [CATS, np.array(CATS), np.array(CATS, object), pd.Series(CATS), pd.Series(CATS, dtype="category")],
    ids=["list", "text", "objects", "series", "categories"],
)
def test_labels_that_are_names_are_matched_by_name(labels):
    g = np.full((4, 3), 1 / 3)
    p = made(g, labels)
    assert p.class_names == ("cat", "dog", "owl")
    assert_array_equal(p.labels, [2, 0, 2, 1])
    assert p.notes == (
        "The columns were taken to be the classes in the sorted order of their names, as scikit-learn has "
        "them: 'cat', 'dog', 'owl'.",
    )
    named = made(np.full((4, 4), 1 / 4), labels, class_names=["owl", "fox", "cat", "dog"])
    assert_array_equal(named.labels, [0, 2, 0, 3])
    assert named.notes == ()


def test_labels_and_columns_of_a_model_of_scikit_learn_go_together():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 2)), rng.integers(3, size=60)
    for classes in (["b", "c", "a"], [3, 7, 5], [0, 1, 2]):
        names = np.array(classes)[y]
        model = LogisticRegression().fit(x, names)
        p = made(model.predict_proba(x), names, class_names=model.classes_)
        assert [p.class_names[k] for k in p.labels] == list(map(str, names))
        assert p.notes == ()
    assert made(model.predict_proba(x), np.array(["b", "c", "a"])[y]).class_names == ("a", "b", "c")


def test_integers_are_positions_unless_the_names_are_integers():
    assert_array_equal(made(G, [2, 0], class_names="abc").labels, [2, 0])
    assert_array_equal(made(G, [2, 0], class_names=["1", "2", "3"]).labels, [2, 0])
    assert_array_equal(made(G, [2, 1], class_names=[1, 2, 3]).labels, [1, 0])
    assert_array_equal(made(G, ["2", "1"], class_names=[1, 2, 3]).labels, [1, 0])
