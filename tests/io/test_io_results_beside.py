"""Result files in which other columns tell what is what: which answers were right, what was predicted, how
much something was off. Headers are as people publish them, numbers are invented.
"""

import json
from typing import Any

import numpy as np
import pytest

from calibcore.errors import InputError, SeveralModelsError
from calibcore.io import Reading, ReadOptions, read
from tests.io.readings import NAMES, PROBS, THREE, TRUE, WHICH, holds, table

N = 60
R = np.random.default_rng(77)
P = np.round(R.beta(0.8, 0.8, N), 4)
Y = (R.random(N) < 0.15 + 0.7 * P).astype(int)
GUESS = (P > 0.5).astype(int)
RIGHT = GUESS == Y
IDS = np.arange(N)


def asked(columns: Any, name: str = "x.csv", **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(
            columns if isinstance(columns, bytes) else table(columns),
            name=name,
            options=ReadOptions(**options),
        )
    return caught.value


def first(columns: Any, error: InputError, **options: Any) -> Reading:
    """What the first choice gives."""
    return read(table(columns), name="x.csv", options=ReadOptions(**options).mended(error.remedies[0]))


def with_gaps(cells: np.ndarray) -> np.ndarray:
    """The same with nothing in some rows."""
    return np.where(IDS % 9 == 4, "", cells.astype(str))


CASES = {
    "lesion": IDS,
    "has_binary_label": IDS % 9 != 4,
    "binary_label": Y * 1.0,
    "pred_prob": P,
    "pred_label": GUESS,
    "correct": with_gaps(RIGHT),
}


def test_what_a_prediction_is_where_it_is_right_is_the_truth() -> None:
    reading = read(table(CASES), name="x.csv")
    assert holds(reading, P, Y)
    assert reading.label_source == "column:binary_label"
    assert any("'pred_label' is the same where column 'correct' says so" in note for note in reading.notes)


@pytest.mark.parametrize("wrong", [1, 3])
def test_it_is_no_truth_where_it_differs_in_a_row(wrong: int) -> None:
    other = Y.copy()
    other[:wrong] = 1 - other[:wrong]
    columns = CASES | {"binary_label": other * 1.0, "histology_label": Y}
    assert read(table(columns), name="x.csv").label_source == "column:histology_label"


def test_a_flag_does_not_stand_in_the_way_where_some_of_its_cells_are_empty() -> None:
    columns = {"id": IDS, "label_a": Y, "label_b": np.roll(Y, 7), "prob": P, "correct": with_gaps(RIGHT)}
    error = asked(columns)
    assert "could all be the labels" in str(error)
    assert holds(first(columns, error), P, Y)


def test_the_name_of_the_likeliest_class_names_the_columns() -> None:
    order = [2, 0, 1]  # not that of the alphabet
    said = NAMES[THREE.argmax(axis=1)]
    columns = {"true_label": TRUE, "pred_label": said} | {
        f"prob_{k}": THREE[:, j] for k, j in enumerate(order)
    }
    reading = read(table(columns), name="x.csv")
    p = reading.predictions
    assert p.class_names == tuple(NAMES[order])
    assert np.allclose(p.probs, THREE[:, order], atol=1e-9)
    assert (np.array(p.class_names)[p.labels] == TRUE).all()
    assert any("'pred_label' names the classes of the columns" in note for note in reading.notes)


def test_it_names_nothing_where_it_is_another_class_in_one_row() -> None:
    said = NAMES[THREE.argmax(axis=1)].copy()
    said[0] = NAMES[(THREE[0].argmax() + 1) % 3]
    columns = {"true_label": TRUE, "pred_label": said} | {f"prob_{k}": THREE[:, k] for k in range(3)}
    assert asked(columns).remedies


CLASSES = np.array(["gout", "flu", "measles", "mumps", "asthma"])
SO = R.integers(0, 5, N)
SAID = np.where(R.random(N) < 0.7, SO, (SO + 1) % 5)
STATED = np.where(R.random(N) < 0.6, "high", "medium")
NUMBERS = np.where(STATED == "high", 0.9, 0.66)
DIAGNOSES = {
    "diagnosis": CLASSES[SAID],
    "confidence_label": STATED,
    "confidence_numeric": NUMBERS,
    "raw_response": [f'{{"diagnosis": "{CLASSES[k]}"}}' for k in SAID],
    "case_id": [f"c{i}" for i in IDS],
    "true_label": CLASSES[SO],
    "text": [f"It hurts, {i}." for i in IDS],
}


def test_an_answer_that_no_name_calls_so_is_offered_with_its_confidence() -> None:
    error = asked(DIAGNOSES)
    assert "Column 'diagnosis' may be what the model answered." in str(error)
    p = first(DIAGNOSES, error).predictions
    assert p.kind == "confidence"
    assert np.allclose(p.probs[:, 0], NUMBERS)
    assert ((p.labels == 0) == (SO == SAID)).all()


def test_words_beside_the_numbers_that_they_stand_for_are_no_second_confidence() -> None:
    columns = {"prediction": CLASSES[SAID], **{k: v for k, v in DIAGNOSES.items() if k != "diagnosis"}}
    p = read(table(columns), name="x.csv").predictions
    assert np.allclose(p.probs[:, 0], NUMBERS)
    other = columns | {"confidence_numeric": np.round(R.random(N), 3)}
    assert "each say how sure" in str(asked(other))


def test_a_list_of_one_answer_is_that_answer() -> None:
    lines = [
        json.dumps(
            {
                "router": "rules",
                "expected": str(CLASSES[SO[i]]),
                "acceptable": [str(CLASSES[SO[i]])] + ["other"] * (i % 2),
                "predicted": [str(CLASSES[SAID[i]])],
                "confidence": float(P[i]),
                "strict": bool(SO[i] == SAID[i]),
            }
        )
        for i in range(N)
    ]
    p = read("\n".join(lines).encode(), name="predictions.jsonl").predictions
    assert p.kind == "confidence"
    assert np.allclose(p.probs[:, 0], P)
    assert ((p.labels == 0) == (SO == SAID)).all()


def test_whole_numbers_that_number_groups_are_no_per_cent() -> None:
    sure = np.where(R.random(N) < 0.8, 1.0, 0.6)
    score = np.round(np.where(GUESS == 1, 1, -1) * R.random(N), 4)
    columns = {
        "id": IDS * 1000 + 7,
        "text": [f"t{i}" for i in IDS],
        "label": Y,
        "event": 1 + IDS // 20,
        "pred_label": GUESS,
        "confidence": sure,
        "decision_score": score,
        "correct": RIGHT,
    }
    error = asked(columns)
    p = first(columns, error).predictions
    assert p.kind == "confidence"
    assert np.allclose(p.probs[:, 0], sure)
    assert ((p.labels == 0) == RIGHT).all()


MODELS = ("Logistic_Regression", "SVM_Linear", "Random_Forest")


def test_a_label_of_something_else_gives_way_to_zeros_and_ones_that_go_with_the_predictions() -> None:
    columns: dict[str, Any] = {"file": IDS, "emotion_label": CLASSES[SO], "discrepancy": Y}
    probs = {name: np.round(np.clip(P + R.normal(0, 0.02, N), 0, 1), 4) for name in MODELS}
    for name, values in probs.items():
        columns |= {f"oof_pred_{name}": (values > 0.5).astype(int), f"oof_prob_{name}": values}
    models = asked(columns)
    assert isinstance(models, SeveralModelsError)
    assert set(models.models) == set(MODELS)
    one = asked(columns, model="SVM_Linear")
    assert one.remedies[0].change == {"label_column": "discrepancy"}
    assert not any(remedy.change.get("label_column") == "oof_pred" for remedy in one.remedies)
    assert holds(first(columns, one, model="SVM_Linear"), probs["SVM_Linear"], Y)


def test_a_list_of_labels_says_yes_by_one() -> None:
    lists = np.c_[Y, np.roll(Y, 3), (P > 0.4).astype(int)]
    columns = {"path": IDS, "labels": [str(row.tolist()) for row in lists]}
    columns |= {name: np.round(R.random(N), 3) for name in ("Edema", "Nodule", "Effusion")}
    error = asked(columns)
    reading = first(columns, error)
    assert reading.predictions.class_names == ("not Edema", "Edema")
    assert (reading.predictions.labels == Y).all()


def test_decisions_of_several_models_are_said_to_be_no_probabilities() -> None:
    columns = {"is_toxic": Y, "zero_shot_pred": GUESS, "few_shot_pred": np.where(IDS % 7, GUESS, 1 - GUESS)}
    sentence = str(asked(columns))
    assert sentence.startswith("No column seems to hold probabilities.")
    assert "as decisions do" in sentence


def test_an_uncertainty_is_said_to_go_the_other_way() -> None:
    h = np.round(np.where(RIGHT, 0.4, 0.8) * R.random(N) + np.where(RIGHT, 0, 0.2), 3)
    columns = {
        "question": [f"q{i}" for i in IDS],
        "selected_answer": [f"a{i}" for i in IDS],
        "h_norm": h,
        "error": (~RIGHT).astype(int),
    }
    assert "higher where answers were wrong, as an uncertainty is" in str(asked(columns))
    assert "uncertainty" not in str(asked(columns | {"h_norm": 1 - h}))


OFF = np.round(R.normal(0, 3, N), 2)
AMOUNTS = np.round(R.normal(50, 10, N), 2)
REGRESSIONS: dict[str, dict[str, Any]] = {
    "actual and predicted": {"actual": AMOUNTS, "predicted": AMOUNTS + OFF},
    "with a residual": {"y_real": AMOUNTS, "y_pred": AMOUNTS + OFF, "residuo": -OFF, "error_abs": abs(OFF)},
    "with an interval": {
        "date": [f"2024-01-{1 + i % 28:02d}" for i in IDS],
        "actual": AMOUNTS,
        "predicted": AMOUNTS + OFF,
        "lower": AMOUNTS - 9,
        "upper": AMOUNTS + 9,
    },
    "shares": {"id": IDS, "y_true": P, "y_pred": np.round((P + 0.5) / 2, 4)},
    "whole numbers": {
        "Segment": IDS + 1,
        "Predicted": IDS % 9,
        "GroundTruth": (IDS % 7) * 1.0,
        "Error": (IDS % 9 - IDS % 7) * 1.0,
    },
}


@pytest.mark.parametrize("title", REGRESSIONS)
def test_a_regression_is_refused_as_one(title: str) -> None:
    error = asked(REGRESSIONS[title])
    assert "as a regression does" in str(error)
    assert not error.remedies


MIDDLES = np.round((np.arange(10) + 0.5) / 10, 3)
BINS: dict[str, dict[str, Any]] = {
    "of a calibration curve": {"prob_pred": MIDDLES, "prob_true": np.round(0.9 * MIDDLES, 3)},
    "with their number": {
        "bin": range(10),
        "confidence": MIDDLES,
        "accuracy": np.round(0.9 * MIDDLES, 3),
        "count": 9,
    },
    "of two groups": {
        "register": ["news"] * 10 + ["social"] * 10,
        "mean_pred_prob": np.r_[MIDDLES, MIDDLES],
        "frac_positive": np.round(np.r_[0.9 * MIDDLES, 0.8 * MIDDLES], 3),
        "brier_score": 0.04,
    },
}


@pytest.mark.parametrize("title", BINS)
def test_bins_are_refused_as_such(title: str) -> None:
    error = asked(BINS[title])
    assert "the bins of a calibration curve" in str(error)
    assert not error.remedies


def test_times_and_costs_are_no_scores() -> None:
    columns = {
        "gold_label": TRUE,
        "full_system": NAMES[(WHICH + 1) % 3],
        "latency_seconds": PROBS["p_cat"],
        "estimated_cost_usd": PROBS["p_dog"] / 1000,
    }
    sentence = str(asked(columns))
    assert "look like scores" not in sentence
