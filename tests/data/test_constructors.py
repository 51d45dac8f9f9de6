"""Predictions of logits, tables and classifiers: the same numbers as by hand, or a sentence."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from calibcore import InputError, Predictions
from calibcore.io import read
from tests.tensors import Tensor

LOGITS = np.random.default_rng(0).normal(scale=5, size=(20, 3))
LABELS = np.random.default_rng(1).integers(0, 3, 20)
FRAME = pd.DataFrame({"well": [0.9, 0.25, 0.5], "ill": [0.1, 0.75, 0.5], "y": ["well", "ill", "ill"]})


def test_logits_are_those_of_scipy_s_softmax() -> None:
    p = Predictions.from_logits(LOGITS, LABELS)
    np.testing.assert_allclose(p.probs, softmax(LOGITS, axis=1), rtol=1e-14)
    assert p.labels.tolist() == LABELS.tolist()
    assert p.notes[-1] == "Softmax was applied to the logits."


def test_logits_far_apart_neither_overflow_nor_change_by_a_shift() -> None:
    p = Predictions.from_logits(LOGITS + 1e4, LABELS)
    np.testing.assert_allclose(p.probs, softmax(LOGITS, axis=1), rtol=1e-9)
    huge = Predictions.from_logits([[1e308, -1e308], [-1e308, 0.0]], ["a", "b"])
    assert huge.probs.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_tensors_of_any_place_and_precision_are_read() -> None:
    p = Predictions.from_logits(Tensor(LOGITS.astype(np.float32), "attached bfloat16"), Tensor(LABELS))
    np.testing.assert_allclose(p.probs, softmax(LOGITS.astype(np.float32).astype(float), axis=1), rtol=1e-14)
    assert p.labels.tolist() == LABELS.tolist()


@pytest.mark.parametrize(
    ("logits", "says"),
    [
        ([0.3, 0.9], "are probabilities already: all lie between 0 and 1"),
        ([[0.3], [np.inf]], "has inf"),
        ([[1.0, 2.0], [0.5]], "rows of logits differ in length"),
        ([[[0.3, 0.1]]], "have 3 dimensions; expected 2"),
        ([["a", "b"]], "expected numbers"),
        (np.empty((0, 2)), "There are no cases"),
        ([[0.1, 0.2], [np.nan, 1.0]], "Row 2 has nan in column 1. Expected finite numbers."),
        ([[0.1, 0.9], [0.3, 0.7]], "are probabilities already"),
    ],
)
def test_what_is_no_logits_is_refused(logits: Any, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("(", r"\(")):
        Predictions.from_logits(logits, [0] * len(logits))


def test_batches_and_labels_to_be_ignored_are_said() -> None:
    batches = [Tensor(LOGITS[:10]), Tensor(LOGITS[10:])]
    for made in (Predictions.from_logits, Predictions.from_arrays):
        with pytest.raises(
            InputError, match=r"Join batches to one array first \(numpy.concatenate, torch.cat\)"
        ):
            made(batches, LABELS)
    with pytest.raises(InputError, match="A label of −100 is to be ignored: leave these rows out"):
        Predictions.from_logits(LOGITS, np.where(LABELS, LABELS, -100))


def test_a_table_is_its_columns_by_name_in_any_order() -> None:
    p = Predictions.from_frame(FRAME, label="y")
    assert (p.class_names, p.labels.tolist()) == (("well", "ill"), [0, 1, 1])
    turned = Predictions.from_frame(FRAME[["ill", "y", "well"]], "y")
    assert (turned.class_names, turned.labels.tolist()) == (("ill", "well"), [1, 0, 0])
    named = Predictions.from_frame(FRAME.assign(id=[4, 5, 6]), "y", ["well", "ill"], metadata=["id"])
    assert named.fingerprint == p.fingerprint
    assert named.metadata["id"].tolist() == [4, 5, 6]
    assert p.notes == ("The classes are the columns 'well', 'ill'; the labels are those in 'y'.",)


def test_a_table_can_say_which_column_is_which_class() -> None:
    frame = FRAME.rename(columns={"well": "p_0", "ill": "p_1"}).assign(y=[0, 1, 1])
    p = Predictions.from_frame(frame, "y", {0: "p_0", 1: "p_1"})
    assert (p.class_names, p.labels.tolist()) == (("0", "1"), [0, 1, 1])
    assert p.probs[:, 1].tolist() == [0.1, 0.75, 0.5]


@pytest.mark.parametrize("numbers", [[1, 2, 2], [1.0, 2.0, 2.0], ["1", "2", "2"], pd.Categorical([1, 2, 2])])
def test_numbers_are_names_and_no_places(numbers: Any) -> None:
    """Columns called 1 and 2: by their places a label 1 would be the second."""
    for names in (["1", "2"], [1, 2]):
        frame = pd.DataFrame(FRAME[["well", "ill"]].to_numpy(), columns=names).assign(y=numbers)
        assert Predictions.from_frame(frame, "y").labels.tolist() == [0, 1, 1]


def test_kinds_of_numbers_that_pandas_has_of_its_own_are_read() -> None:
    frame = FRAME.astype({"well": "Float64", "ill": "Float64", "y": "string"})
    assert Predictions.from_frame(frame, "y").fingerprint == Predictions.from_frame(FRAME, "y").fingerprint
    frame.loc[1, "ill"] = pd.NA
    with pytest.raises(InputError, match="Row 2 has nan in column 'ill'"):
        Predictions.from_frame(frame, "y")


@pytest.mark.parametrize(
    ("change", "asked", "says"),
    [
        ({}, {"label": "truth"}, r"There is no column 'truth'; the columns are 'well', 'ill', 'y'."),
        ({}, {"label": "y", "columns": ["ill", "sick"]}, "There is no column 'sick'"),
        ({}, {"label": "y", "columns": "ill"}, "put it in a list"),
        (
            {},
            {"label": "y", "columns": ["ill"]},
            "There is one column of probabilities, 'ill'; expected one a",
        ),
        (
            {"ward": ["a", "b", "c"]},
            {"label": "y", "columns": ["ill", "ward"]},
            "'ward' is of type .*numbers",
        ),
        ({}, {"label": "y", "columns": ["ill", "y"]}, "is that of the labels"),
        ({"id": [1, 2, 3]}, {"label": "y"}, r"column 'id' is of type int64.*columns=\[…\]"),
        ({"age": [30.5, 40.0, 50.0]}, {"label": "y"}, "has 30.5 in column 'age'"),
        (
            {"y": ["well", "ill", "dead"]},
            {"label": "y"},
            "Row 3 has label 'dead'. Expected one of 'well', 'ill'.",
        ),
        ({"y": [0, 1, 1]}, {"label": "y"}, "Row 1 has label '0'; .*Expected one of 'well', 'ill'."),
        ({"y": [False, True, True]}, {"label": "y"}, "Row 1 has label 'False'"),
    ],
)
def test_a_table_that_does_not_say_enough_is_refused(
    change: dict[str, Any], asked: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        Predictions.from_frame(FRAME.assign(**change), **asked)


def test_columns_are_named_after_classes_as_those_of_files_are() -> None:
    """By the rule of the reader of files, so that a table and its CSV are the same predictions."""
    beside = FRAME.assign(
        age=[30.5, 40.0, 50.0], id=[1, 2, 3], ward=["a", "b", "c"], seen=[True, False, True]
    )
    for well, ill in (("p_well", "p_ill"), ("P(Well)", "P(Ill)"), ("prob.well", "prob.ill")):
        frame = beside.rename(columns={"well": well, "ill": ill})
        p = Predictions.from_frame(frame, "y", metadata=["age"])
        file = read(frame.to_csv(index=False).encode()).predictions
        assert (p.class_names, p.labels.tolist()) == (file.class_names, file.labels.tolist())
        assert p.probs.tolist() == file.probs.tolist()
        assert p.notes == (
            f"The classes are the columns {well!r}, {ill!r}; the labels are those in 'y'. Left out: 'id', "
            "'ward', 'seen'; metadata=[…] keeps columns for groups, units and times.",
        )
        asked = Predictions.from_frame(frame, "y", [ill, well])
        assert (asked.class_names, asked.labels.tolist()) == (p.class_names[::-1], [1, 0, 0])


def test_a_class_whose_column_holds_whole_numbers_is_one() -> None:
    """A file of a rare class has 0 in all its rows, which pandas reads as whole numbers."""
    frame = FRAME.set_axis(["p_well", "p_ill", "y"], axis=1).assign(p_dead=[0, 0, 0], id=[1, 2, 3])
    assert Predictions.from_frame(frame, "y").class_names == ("well", "ill", "dead")


def test_what_may_hold_no_probabilities_is_left_out() -> None:
    p = Predictions.from_frame(FRAME.assign(ward=["a", "b", "c"]), "y")
    assert p.class_names == ("well", "ill")
    assert "Left out: 'ward'" in p.notes[0]
    with pytest.raises(InputError, match="There is no column of numbers beside 'y'"):
        Predictions.from_frame(FRAME[["y"]], "y")


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(TypeError, match=r"takes a table, of pandas, .* was given an object of type dict"):
        Predictions.from_frame({"a": [1.0]}, "y")
    twice = pd.concat([FRAME, FRAME[["ill"]]], axis=1)
    with pytest.raises(InputError, match="'ill' stands twice"):
        Predictions.from_frame(twice, "y")


@pytest.mark.parametrize("classes", [["a", "b", "c"], [3, 5, 9], [-1.0, 0.0, 1.0]])
def test_a_fitted_classifier_of_scikit_learn(classes: list[Any]) -> None:
    names = np.array(classes)
    y = names[LABELS]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(LOGITS, y)
    p = Predictions.from_estimator(model, LOGITS, pd.Series(y))
    assert np.array_equal(p.labels, LABELS)
    np.testing.assert_allclose(p.probs, model.predict_proba(LOGITS), rtol=1e-12)
    assert p.class_names == tuple(f"{name:g}" if names.dtype.kind == "f" else str(name) for name in names)


def test_true_and_false_are_classes() -> None:
    y = LABELS > 0
    p = Predictions.from_estimator(LogisticRegression().fit(LOGITS, y), LOGITS, y)
    assert (p.class_names, p.labels.tolist()) == (("False", "True"), y.astype(int).tolist())


def test_what_gives_no_probabilities_is_refused() -> None:
    with pytest.raises(InputError, match="SVC has no predict_proba"):
        Predictions.from_estimator(SVC().fit(LOGITS, LABELS), LOGITS, LABELS)
    bare = SimpleNamespace(predict_proba=lambda X: X)
    with pytest.raises(InputError, match="does not name its classes"):
        Predictions.from_estimator(bare, LOGITS, LABELS)
    several = SimpleNamespace(predict_proba=lambda X: [X, X[:, :2]], classes_=[[0, 1, 2], [0, 1]])
    with pytest.raises(InputError, match="predicts 2 outputs"):
        Predictions.from_estimator(several, LOGITS, LABELS)


def test_a_class_that_the_classifier_never_saw_is_refused() -> None:
    seen = LABELS < 2
    model = LogisticRegression().fit(LOGITS[seen], LABELS[seen])
    with pytest.raises(InputError, match=r"has label '2'.*Expected one of '0', '1'\."):
        Predictions.from_estimator(model, LOGITS, LABELS)
