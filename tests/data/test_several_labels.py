"""Several labels of a case: what is taken, what is refused, and one label by itself."""

import pickle

import numpy as np
import pytest

from calibcore import InputError, MultiLabelPredictions, Predictions

PROBS = [[0.9, 0.8], [0.25, 0.1], [0.4, 0.7], [0.5, 1.0]]
TRUE = [[1, 1], [0, None], [0, 1], [True, np.nan]]


def made(**more):
    return MultiLabelPredictions.from_arrays(PROBS, TRUE, ["effusion", "mass"], **more)


def test_a_label_is_what_its_column_is_as_predictions():
    p = made(metadata={"site": ["a", "b", "a", "c"]})
    assert p.outcomes.tolist() == [[1, 1], [0, -1], [0, 1], [1, -1]]
    of_one = p.label("effusion")
    event = Predictions.from_arrays([row[0] for row in PROBS], [1, 0, 0, 1], ["not effusion", "effusion"])
    assert of_one.probs.tolist() == event.probs.tolist()
    assert of_one.fingerprint == event.fingerprint
    assert (of_one.rounding, of_one.label_of, of_one.notes) == (event.rounding, "effusion", ())


def test_unknown_outcomes_leave_the_case_out_of_that_label_and_this_is_said():
    mass = made(metadata={"site": ["a", "b", "a", "c"]}, weights=[1, 1, 3, 1]).label("mass")
    assert mass.labels.tolist() == [1, 1]
    assert mass.metadata["site"].tolist() == ["a", "a"]
    assert mass.weights.tolist() == pytest.approx([0.5, 1.5])
    assert mass.notes[-1] == "2 of 4 cases have no outcome of 'mass' and are left out there."


def test_rows_pickles_and_the_fingerprint():
    p = made(weights=[1, 2, 3, 2])
    again = pickle.loads(pickle.dumps(p))
    assert again.fingerprint == p.fingerprint != made().fingerprint
    assert not again.probs.flags.writeable
    assert len(p[[True, False, True, False]]) == 2
    assert p[1:].probs.tolist() == PROBS[1:]
    assert p[[0, 2]].weights.tolist() == pytest.approx([0.5, 1.5])
    other = MultiLabelPredictions.from_arrays(
        PROBS, [[1, 1], [0, 0], [0, 1], [1, None]], ["effusion", "mass"]
    )
    assert other.fingerprint != made().fingerprint


@pytest.mark.parametrize(
    ("probs", "true", "names", "says"),
    [
        ([[0.9, 1.2]], [[1, 0]], None, "Row 1 has 1.2 for '1'. Expected probabilities from 0 to 1."),
        ([[0.9, np.nan]], [[1, 0]], None, "Row 1 has nan for '1'"),
        ([[0.9, 0.2]], [[1, 2]], None, "Row 1 has 2 for '1'. Expected 1 or 0"),
        ([[0.9, 0.2]], [[1, -1]], None, "Row 1 has -1 for '1'"),
        ([[0.9, 0.2]], [1], None, "The outcomes have the shape"),
        ([[0.9, 0.2]], [["yes", "no"]], None, "The outcomes have the shape"),
        ([0.9, 0.2], [1, 0], None, "expected numbers (n, k)"),
        ([[0.9, 0.2]], [[1, 0]], ["a", "a"], "expected 2 different names"),
    ],
)
def test_refused_in_a_sentence(probs, true, names, says):
    with pytest.raises(InputError) as refused:
        MultiLabelPredictions.from_arrays(probs, true, names)
    assert says in str(refused.value)


def test_a_label_that_is_not_there_and_one_of_which_nothing_is_known():
    with pytest.raises(InputError, match="There is no label 'hernia'; the labels are 'effusion', 'mass'"):
        made().label("hernia")
    p = MultiLabelPredictions.from_arrays(PROBS, [[1, None], [0, None], [0, 1], [1, None]])
    with pytest.raises(InputError, match="1 known outcome is there; expected at least 2"):
        p.label("1")
