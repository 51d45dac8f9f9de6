"""Names that say too little, and predictions that speak against them: asked about, never taken."""

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from tests.io.io_errors import refusal
from tests.io.readings import (
    NAMES,
    THREE,
    TRUE,
    N,
    P,
    Y,
    choices,
    chosen,
    holds,
    holds_three,
    table,
)

GOOD = ["survival", "benign", "healthy", "legit", "retained", "no_event", "normal", "alive"]
PAIRS = [
    ("malignant", "benign"),
    ("case", "control"),
    ("fraud", "legit"),
    ("infected", "uninfected"),
    ("died", "survived"),
]
FEW_P = np.array([0.97, 0.03, 0.91, 0.12, 0.88, 0.2])
"""Six probabilities that go well with what happened, and nobody's model says it the other way round."""
FEW_Y = (FEW_P > 0.5).astype(int)


def one_is_right(data: bytes, right, labels: bytes | None = None) -> None:
    """The file is asked about, and exactly one of the answers gives what it means."""
    readings = chosen(data, choices(data, labels), labels)
    assert len(readings) > 1
    assert sum(map(right, readings)) == 1


def meant(probs, labels):
    return lambda reading: holds(reading, probs, labels)


# --- opposites


@pytest.mark.some(2)
@pytest.mark.parametrize("names", PAIRS)
def test_the_encoders_numbers_of_two_opposites_are_asked_about(names):
    """0 is the malignant one in scikit-learn's breast cancer data."""
    for probs, labels in ((FEW_P, FEW_Y), (P, Y)):
        for form in ("p_{}", "{}"):
            pair = {form.format(names[0]): probs, form.format(names[1]): 1 - probs}
            one_is_right(table(pair | {"target": 1 - labels}), meant(probs, labels))
            one_is_right(
                table({k: pair[k] for k in reversed(pair)} | {"label": 1 - labels}), meant(probs, labels)
            )
    pair = {f"p_{names[0]}": P, f"p_{names[1]}": 1 - P}
    assert holds(read(table(pair | {"target": Y})))


def test_numbers_that_are_always_the_less_likely_class_are_asked_about():
    certain = np.array([0.97, 0.9, 0.95, 0.99])
    data = table({"p_malignant": certain, "p_benign": 1 - certain, "target": 0})
    assert any(holds(one, certain, [1, 1, 1, 1]) for one in chosen(data, choices(data)))


def test_yes_is_1_of_0_and_1_and_not_of_1_and_2():
    for no, yes in (("p_no", "p_yes"), ("neg", "pos")):
        columns = {no: 1 - FEW_P, yes: FEW_P}
        assert holds(read(table(columns | {"label": FEW_Y})), FEW_P, FEW_Y)
        for labels in (2 - FEW_Y, 1 + FEW_Y):
            one_is_right(table(columns | {"label": labels}), meant(FEW_P, FEW_Y))
    one_is_right(table({"prob": FEW_P, "label": 2 - FEW_Y}), meant(FEW_P, FEW_Y))


@pytest.mark.some(3)
@pytest.mark.parametrize("good", GOOD)
def test_whether_1_is_the_good_outcome_is_asked_about(good):
    for form in ("prob_{}", "{}_prob", "p_{}"):
        for labels in (FEW_Y, 1 - FEW_Y):
            one_is_right(table({"y_true": labels, form.format(good): FEW_P}), meant(FEW_P, FEW_Y))
        one_is_right(table({"y_true": Y, form.format(good): P}), meant(P, Y))
        assert holds(read(table({"y_true": 1 - Y, form.format(good): P})), P, Y)
    one_is_right(table({"label": 1 - 2 * FEW_Y, "anomaly_score": FEW_P}), meant(FEW_P, FEW_Y))


@pytest.mark.parametrize("label", ["survived", "Survived", "alive", "discharged_alive", "relapse_free"])
def test_labels_named_after_the_good_outcome(label):
    alive = {"p_alive": P, "p_dead": 1 - P}
    for columns in (alive, {k: alive[k] for k in reversed(alive)}, {"p_alive": P}, {"p_died": 1 - P}):
        answered = ReadOptions(label_column=label)
        assert holds(read(table(columns | {label: Y}), options=answered), P, Y)
        assert holds(read(table({"p_died": 1 - FEW_P, label: FEW_Y}), options=answered), FEW_P, FEW_Y)
    for risk in ("risk", "p"):
        with pytest.raises(InputError) as caught:
            read(table({label: Y, risk: 1 - P}), options=ReadOptions(label_column=label))
        after = [read(table({label: Y, risk: 1 - P}), options=ReadOptions(label_column=label).mended(one))
                 for one in caught.value.remedies]  # fmt: skip
        assert sum(map(meant(P, Y), after)) == 1


# --- which column is about what


def test_the_rest_to_one_is_not_about_the_class_1():
    for name in ("1-p", "1 - prob", "1-phat", "1 \u2013 p"):
        one_is_right(table({"y": Y, name: 1 - P}), meant(P, Y))
        assert holds(read(table({name.lstrip("1 -\u2013"): P, name: 1 - P, "y": Y})))
    counted = {"0-prob": 1 - P, "1-prob": P, "y": Y}
    assert holds(read(table(counted)))


@pytest.mark.parametrize(
    "names",
    [
        ("prob_x", "prob_y"),
        ("prob_1", "prob_2"),
        ("y_prob_x", "y_prob_y"),
        ("score_x", "score_y"),
        ("p_1", "p_2"),
    ],
)
def test_what_tells_two_models_apart_is_no_class(names):
    other = np.round(P**0.7, 3)
    data = table({"label": Y, names[0]: P, names[1]: other})
    asked = choices(data)
    assert {one.change["probability_columns"] for one in asked} == {(names[0],), (names[1],)}
    readings = chosen(data, asked)
    assert sum(holds(one, P, Y) for one in readings) == sum(holds(one, other, Y) for one in readings) == 1


@pytest.mark.parametrize(
    "names", [("death_hosp", "death_1y"), ("died_30d", "died_1y"), ("event_30d", "event_2y")]
)
def test_how_long_after_is_no_word_for_a_label(names):
    later = np.maximum(Y, np.arange(N) % 3 == 0)
    data = table({names[0]: Y, names[1]: later, "prob": P})
    assert [one.change["label_column"] for one in choices(data)] == list(names)


def test_how_sure_a_model_is_of_what_it_says_in_few_cases():
    sure = np.array([0.93, 0.85, 0.71, 0.64])
    words = np.array(["neg", "pos"])
    data = table({"pred": words[[0, 1, 0, 1]], "score": sure, "truth": words[[0, 1, 1, 1]]})
    assert "whichever class is predicted" in refusal(data)
    for name in ("predicted", "label", "answer"):
        third = table({name: ["a", "b", "c", "a"], "score": sure, "actual": ["a", "b", "a", "a"]})
        if name == "label":  # it may be the truth as well
            assert "say 3 classes, 'a', 'b', 'c'" in refusal(third)
        else:
            assert read(third).predictions.kind == "confidence"


def test_what_measures_something_else_is_no_class():
    for name in ("similarity", "distance", "hazard"):
        one_is_right(table({"id": range(N), "label": Y, name: P}), meant(P, Y))


def test_sas_says_which_level_its_probability_is_about():
    for level, probs in ((0, 1 - P), (1, P)):
        assert holds(read(table({"y": Y, "_LEVEL_": level, "phat": probs})))
    assert [one.change for one in choices(table({"remiss": Y, "_LEVEL_": 0, "phat": 1 - P}))] == [
        {"label_column": "remiss"}
    ]


def test_a_setting_of_the_model_is_no_class():
    rounded = np.round(THREE, 2)
    reading = read(table({"obs": TRUE} | dict(zip(NAMES, rounded.T, strict=True)) | {"lambda": 0.01}))
    assert reading.probability_columns == tuple(NAMES)


@pytest.mark.parametrize("decided", ["class", "Tree", "POSITIVE_CLASS"])
def test_the_truth_called_by_a_word_for_something_else_is_offered(decided):
    said = {"class": NAMES[THREE.argmax(1)], "Tree": NAMES[THREE.argmax(1)], "POSITIVE_CLASS": "cat"}[decided]
    form = "Tree ({})" if decided == "Tree" else "p_{}"
    columns = {form.format(name): THREE[:, k] for k, name in enumerate(NAMES)}
    data = table({decided: said} | columns | {"group": TRUE})
    offered = [decided, "group"] if decided != "POSITIVE_CLASS" else ["group"]  # which says the same always
    assert [one.change["label_column"] for one in choices(data)] == offered
    assert [holds_three(one, NAMES) for one in chosen(data, choices(data))] == [
        one == "group" for one in offered
    ]


def test_whole_numbers_of_a_score_are_no_percent_without_a_question():
    score = np.round(100 * P).astype(int)
    (only,) = choices(table({"outcome": Y, "score": score}))
    assert only.change == {"values": "percent"}
    assert holds(read(table({"outcome": Y, "prob": score})), score / 100)


# --- rows of two files


def test_an_index_does_not_hide_who_the_rows_are_of():
    order = np.random.default_rng(1).permutation(N)
    who = np.array([f"P{i}" for i in np.random.default_rng(2).permutation(N)])
    for index in ("", "Unnamed: 0", "index", "nr", "row_id"):
        for first in (0, 1):
            numbers = np.arange(N) + first
            probs = table({index: numbers, "patient": who, "prob": P})
            labels = table({index: numbers, "patient": who[order], "died": Y[order]})
            assert holds(read(probs, labels=labels))
            assert holds(read(table({index: numbers, "prob": P}), labels=table({index: numbers, "died": Y})))
            others = table({index: numbers, "patient": [f"Q{i}" for i in range(N)], "died": Y})
            with pytest.raises(InputError, match="stands in both files, and differs"):
                read(probs, labels=others)


def test_what_was_asked_is_not_asked_again():
    data = table({"y_true": FEW_Y, "prob_benign": FEW_P})
    first = choices(data)[0]
    reading: Reading = read(data, options=ReadOptions().mended(first))
    assert reading.options.class_names == first.change["class_names"]


def test_names_that_tools_give_decisions():
    words = np.array(["well", "ill"])
    decided = words[(P > 0.5).astype(int)]
    for truth, guess, beside in (
        ("type", "prediction(type)", {"confidence(ill)": P, "confidence(well)": 1 - P}),
        ("STATUS", "I_STATUS", {"P_STATUSill": P, "P_STATUSwell": 1 - P}),
        ("diagnosis", "PGR_1", {"p_ill": P}),
    ):
        asked = {truth: words[Y], guess: decided} | beside
        assert read(table(asked), options=ReadOptions()).label_source.endswith(truth)
    kept = {"group": words[Y], "POSITIVE_CLASS": "ill", "p_ill": P, "p_well": 1 - P}
    assert choices(table(kept))[0].change == {"label_column": "group"}


def test_labels_that_are_not_known_can_be_left_out():
    for gap in ("NA", "nan", "N/A", "."):
        labels = Y.astype(str).astype(object)
        labels[3] = gap
        (only,) = choices(table({"outcome": labels, "prob": P}))
        assert only.change == {"leave_out_rows": (4,)}
        assert holds(
            chosen(table({"outcome": labels, "prob": P}), [only])[0], np.delete(P, 3), np.delete(Y, 3)
        )


def test_whole_numbers_are_offered_beside_fractions_of_an_unknown_name():
    rain = np.round(Y * np.linspace(0.1, 17.9, N), 1)
    data = table(
        {"date": "2026-01-01", "pop": np.round(100 * P).astype(int), "occurred": Y, "precip_mm": rain}
    )
    asked = choices(data)
    assert {one.change["probability_columns"] for one in asked} == {("pop",), ("precip_mm",)}
    right = [one for one in asked if one.change["probability_columns"] == ("pop",)]
    assert any(holds(one, np.round(100 * P) / 100) for one in chosen(data, right))
