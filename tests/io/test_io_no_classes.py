"""Words for model, fold, split, aggregate and horizon in the name of a column are no classes."""

import numpy as np
import pytest

from calibcore.column_names.no_classes import class_within, coded
from calibcore.io import read
from tests.io.readings import P, Y, choices, chosen, holds, table

MODELS = (
    "oof",
    "model",
    "test",
    "mean",
    "lr",
    "calibrated",
    "final",
    "cv",
    "gpt4",
    "xgb_v2",
    "fold1",
    "fold0",
    "run3",
)
HORIZONS = ("5y", "30d", "90day", "10yr", "1_year", "year_1", "within_30_days", "12m")


@pytest.mark.parametrize("form", ["{}_proba", "prob_{}", "risk_{}", "{}_score", "y_prob_{}"])
def test_models_parts_and_horizons_leave_the_classes_0_and_1(form: str) -> None:
    for word in (*MODELS, *HORIZONS):
        reading = read(table({form.format(word): P, "label": Y}))
        assert reading.predictions.class_names == ("0", "1"), word
        assert holds(reading), word


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("final_churn", "churn"), ("xgb_churn_v2", "churn"), ("death_30d", "death_30d"), ("cat", "cat"),
        ("forest", "forest"), ("random_forest", ""), ("gpt4o_mini", ""), ("b", "b"), ("not_me", "not_me"),
        ("model_a", ""), ("class_b", "class_b"), ("out_of_fold", ""), ("y", "y"), ("3", "3"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_name_is_a_class(name: str, left: str) -> None:
    assert class_within(name) == left


def test_what_the_labels_are_called_is_a_class_whatever_it_is() -> None:
    for word in ("test", "mean", "final", "30d"):
        other = f"z_{word}"
        reading = read(table({f"prob_{word}": P, "label": np.array([other, word])[Y]}))
        assert reading.predictions.class_names == (other, word)
        assert holds(reading)
    reading = read(table({"p_died_30d": P, "died_30d": Y}))
    assert reading.predictions.class_names == ("not died_30d", "died_30d")


def test_a_number_behind_a_model_may_be_a_class() -> None:
    """ "prob_fold_0" numbers folds; "lgbm_0" may be about the label 0, so that a person is asked."""
    assert holds(read(table({"prob_fold_0": P, "label": Y})))
    data = table({"proba_lgbm_0": P, "label": Y})
    assert any(map(holds, chosen(data, choices(data))))
    assert len(choices(data)) == 2


def test_a_bound_alone_is_asked_about() -> None:
    assert len(choices(table({"prob_min": P, "label": Y}))) == 2


@pytest.mark.parametrize(
    ("name", "stem", "codes"),
    [
        ("prediction_0_for_no_1_for_yes", "prediction", ("no", "yes")),
        ("prob (1 = dog, 0 = cat)", "prob", ("cat", "dog")),
        ("Outcome [0: alive; 1: dead]", "Outcome", ("alive", "dead")),
    ],
)
def test_codes_in_a_name(name: str, stem: str, codes: tuple[str, str]) -> None:
    assert coded(name) == (stem, codes)
    for words in (Y, np.array(codes)[Y], Y.astype(bool)):
        reading = read(table({name if "utcome" not in name else f"p {name[8:]}": P, "label": words}))
        assert holds(reading)
        if words.dtype.kind != "b":
            assert reading.predictions.class_names == codes


@pytest.mark.parametrize(
    "name", ["x_0_1", "score 0-1", "0=a", "a 0=b 1=c 0=d", "y (0/1)", "0-5 years, 1-6", "1 is 1 for 1"]
)
def test_other_numbers_in_a_name_are_no_codes(name: str) -> None:
    assert coded(name) is None


def test_codes_in_the_name_of_the_labels() -> None:
    names = ("dead", "alive")
    both = read(table({"p_dead": 1 - P, "p_alive": P, "outcome (0=dead, 1=alive)": Y}))
    assert both.predictions.class_names == names
    assert holds(both)
    one = read(table({"p_dead": 1 - P, "outcome (0=dead, 1=alive)": Y}))
    assert holds(one)
    assert read(table({"p": P, "outcome (0=cat, 1=dog)": Y})).predictions.class_names == ("cat", "dog")
    # Probabilities are those of 1, and of what is looked for: here these are two.
    open_one = table({"p": P, "outcome (0=dead, 1=alive)": Y})
    assert [holds(one) for one in chosen(open_one, choices(open_one))].count(True) == 1
