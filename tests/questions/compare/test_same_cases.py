"""Models are brought together on the same cases, or a sentence says why not."""

import numpy as np
import pytest

from calibcore import InputError, Predictions
from calibcore.questions.compare import same_cases
from tests.questions.compare.test_compare import model


def test_rows_are_joined_by_a_column_that_tells_them_apart() -> None:
    g, y = model(8, n=60)
    rows = np.random.default_rng(0).permutation(60)
    ids = np.arange(60) + 100
    one = Predictions.from_arrays(g, y, ["a", "b", "c"], {"patient": ids})
    two = Predictions.from_arrays(
        g[rows][:, [2, 0, 1]], (y[rows] + 1) % 3, ["c", "a", "b"], {"patient": ids[rows].astype(float)}
    )
    found = same_cases({"one": one, "two": two})
    assert found.joined_by == "patient"
    np.testing.assert_array_equal(found.models["two"].probs, one.probs)
    np.testing.assert_array_equal(found.models["two"].labels, one.labels)
    assert len(found.notes) == 2


def test_each_model_is_joined_to_the_first_as_it_can_be() -> None:
    """One in another order with ids, one in the same order without."""
    g, y = model(8, n=60)
    rows = np.random.default_rng(0).permutation(60)
    one = Predictions.from_arrays(g, y, metadata={"patient": np.arange(60)})
    turned = Predictions.from_arrays(g[rows], y[rows], metadata={"patient": np.arange(60)[rows]})
    found = same_cases({"one": one, "turned": turned, "bare": Predictions.from_arrays(g, y)})
    assert found.joined_by is None  # not by one column for all
    for p in found.models.values():
        np.testing.assert_array_equal(p.probs, one.probs)
    assert found.notes == ("The rows of 'turned' were put into the order of 'one', by the column 'patient'.",)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("n", "'one' has 60 cases and 'two' has 59; expected the same cases in both."),
        ("labels", "Row 5 is "),
        ("classes", "expected the same classes"),
        ("ids", "Row 1 of 'one' has '0' in column 'id', which 'two' does not have; expected the same cases."),
        ("twice", "'7' stands twice in column 'id' of 'two'; expected once"),
        ("column", "'two' has no column 'id'"),
    ],
)
def test_other_cases_are_refused_in_a_sentence(change: str, sentence: str) -> None:
    g, y = model(9, n=60)
    ids = np.arange(60)
    one = Predictions.from_arrays(g, y, metadata={"id": ids})
    by = "id"
    two = Predictions.from_arrays(g, y, metadata={"id": ids})
    if change == "n":
        two, by = Predictions.from_arrays(g[:59], y[:59]), ""
    elif change == "labels":
        other = y.copy()
        other[4] = (other[4] + 1) % 3
        two, by = Predictions.from_arrays(g, other), ""
    elif change == "classes":
        two = Predictions.from_arrays(g, y, ["a", "b", "c"])
    elif change == "ids":
        two = Predictions.from_arrays(g, y, metadata={"id": ids + 60})
    elif change == "twice":
        two = Predictions.from_arrays(g, y, metadata={"id": np.where(ids == 8, 7, ids)})
    else:
        two = Predictions.from_arrays(g, y)
    with pytest.raises(InputError) as error:
        same_cases({"one": one, "two": two}, by or None)
    assert sentence in str(error.value)
