"""Predictions, ids and how sure a model is are no scores of a class; and scores are not told by range."""

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from tests.io.readings import RNG, THREE, WHICH, N, P, Y, choices, chosen, holds, table

IDS = RNG.permutation(900)[:N]
TEXTS = np.array([*"ABCD"])[IDS % 4]
SURE = THREE.max(axis=1)
DECISIONS = "pred_label predicted y_pred yhat argmax prediction Predicted_Label y_hat top1 PGR_1".split()  # noqa: SIM905
NUMBERED = ("id", "case", "patient", "index", "uuid", "Unnamed: 0", "mrn", "row_id", "customer_id", "sample")


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_and_how_sure_it_is_are_no_logits(name: str) -> None:
    for true, said in ((WHICH, THREE.argmax(axis=1)), (np.array(["a", "b", "c"])[WHICH],) * 2):
        p = read(table({"case": IDS, "true_label": true, name: said, "confidence": SURE})).predictions
        assert p.kind == "confidence"
        assert np.allclose(p.probs[:, 0], SURE)
        assert ((p.labels == 0) == (true == said)).all()
    with pytest.raises(
        InputError, match="seems to be how sure the model is of whatever it predicts"
    ) as caught:
        read(table({"case": IDS, "true_label": WHICH, "confidence": SURE}))
    assert "softmax" not in str(caught.value)
    assert caught.value.remedies == ()


@pytest.mark.parametrize("name", NUMBERED)
def test_an_id_is_no_score(name: str) -> None:
    """The right reading is among those that are offered, and softmax is not."""
    data = table({name: IDS, "race": np.array(["a", "b"])[Y[::-1]], "confidence": P, "upheld": Y})
    remedies = choices(data)
    assert all("values" not in one.change for one in remedies)
    assert any(map(holds, chosen(data, remedies)))
    # Beside real scores it is none of them.
    scores = RNG.normal(size=(2, N)).round(3)
    with pytest.raises(InputError, match="columns of predictions: column 'x', column 'z'"):
        read(table({name: IDS, "x": scores[0], "z": scores[1], "label": Y}))


def test_an_age_is_no_prediction_beside_a_score() -> None:
    with pytest.raises(InputError, match="The values of column 'score' go from"):
        read(table({"age": IDS % 70 + 20, "score": RNG.normal(size=N), "label": Y}))


def test_nothing_that_may_be_a_prediction() -> None:
    with pytest.raises(InputError, match="none of them is called as probabilities are") as caught:
        read(table({"patient_id": IDS + 1000, "mrn": IDS + 2000, "label": Y}))
    assert [one.asks for one in caught.value.remedies] == ["probability_columns"]


@pytest.mark.parametrize(
    "name",
    ["seconds", "age", "latency", "n_tokens", "response_time", "cost", "elapsed_ms", "Dauer", "site_id"],
)
def test_a_quantity_is_neither_percent_nor_a_confidence(name: str) -> None:
    """Its values may lie below 100, or below 1: its name says what they are."""
    values = IDS % 70 + 2 if name == "site_id" else np.round(P * (1 if name == "response_time" else 60), 3)
    for beside in ({"correct": Y}, {"answer": TEXTS, "target": TEXTS[::-1]}, {"label": Y}):
        with pytest.raises(InputError, match="none of them is called as probabilities are") as caught:
            read(table({name: values, **beside}))
        assert [one.asks for one in caught.value.remedies] == ["probability_columns"]
    named = read(
        table({name: P, "label": Y}), options=ReadOptions(probability_columns=(name,), class_names=("0", "1"))
    )
    assert named.predictions.n == N


SCORES = (
    "logit",
    "log_odds",
    "logOdds",
    "raw_score",
    "decision_function",
    "logit_yes",
    "linear_predictor",
)


@pytest.mark.parametrize("name", SCORES)
def test_scores_from_0_to_1_may_be_logits_or_probabilities(name: str) -> None:
    data = table({name: P, "label": Y})
    remedies = choices(data)
    assert {one.change["values"] for one in remedies} == {"probabilities", "logits"}
    readings = chosen(data, remedies)
    assert any(map(holds, readings))
    assert any(holds(one, 1 / (1 + np.exp(-P))) for one in readings)


@pytest.mark.parametrize("name", ["logprob", "log_prob", "log_p_yes"])
def test_logarithms_of_one_column(name: str) -> None:
    """From 0 to 1 they are none, and below 0 they are no reason for the logistic function alone."""
    data = table({name: P, "label": Y})
    assert [one.change for one in choices(data)] == [{"values": "probabilities"}]
    logs = np.log(np.maximum(P, 1e-6))
    data = table({name: logs, "label": Y})
    remedies = choices(data)
    assert [one.change["values"] for one in remedies] == ["log-probabilities", "logits"]
    assert holds(chosen(data, remedies)[0], np.exp(logs))


def test_some_logits_are_outside_0_to_1() -> None:
    """Most are inside: nobody leaves out the others."""
    values = np.r_[-2.5, 3.5, P[2:]]
    data = table({"logit": values, "label": Y})
    remedies = choices(data)
    assert [one.change for one in remedies] == [{"values": "logits"}]
    assert holds(read(table({"logit": values, "prob": P, "label": Y})))
