"""Where two readings of a file fit, none is taken; names, polarity and digits count before positions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.errors import InputError
from calibcore.io import read
from tests.io.io_errors import refusal, written
from tests.io.readings import (
    GUESS,
    GUESSED,
    NAMES,
    PROBS,
    THREE,
    TRUE,
    WHICH,
    N,
    P,
    Y,
    choices,
    chosen,
    holds,
    holds_three,
    table,
)

# --- which of two classes


PAIRS = [
    ("p_yes", "p_no"), ("p_true", "p_false"), ("P(positive)", "P(negative)"), ("event", "control"),
    ("y1", "y0"),
    ("prob.ja", "prob.nein"), ("oui", "non"), ("概率_阳性", "概率_阴性"), ("class_1", "class_0"),
    ("krank", "gesund"),
    ("Y", "N"), ("resnet/yes", "resnet/no"), ("malignant (%)", "benign (%)"), ("P_BAD1", "P_BAD0"),
]  # fmt: skip
CODES = {"0 and 1": Y, "truth values": Y.astype(bool), "-1 and 1": 2 * Y - 1}
CODED = [(code, pair) for code in CODES for pair in PAIRS if code != "-1 and 1" or pair[0][-1] != "1"]
"""Names that end in 0 and 1 say nothing of labels -1 and 1."""


@pytest.mark.some(16)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("code", "pair"), CODED)
def test_polarity_in_the_names_beats_the_order_of_two_columns(code, pair, order):
    scale = 100 if "%" in pair[0] else 1
    probs = dict(zip(pair, (P * scale, (1 - P) * scale), strict=True))
    assert holds(read(table({name: probs[name] for name in pair[::order]} | {"label": CODES[code]})))


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("prob_class_0", Y), ("p_negative", Y), ("prob_no", Y), ("m1_no", Y), ("p_-1", 2 * Y - 1), ("p_0", Y),
        ("p_healthy", Y), ("P(control)", Y), ("nein", Y.astype(bool)), ("Wahrscheinlichkeit gesund", Y),
        ("P_BAD0", Y), ("p_no", np.array(["no", "yes"])[Y]), ("p_negative", np.array(["neg", "pos"])[Y]),
        ("prob_not ill", np.array(["well", "ill"])[Y]),
    ],
)  # fmt: skip
def test_one_column_of_the_negative_class(name, labels):
    assert holds(read(table({name: 1 - P, "label": labels})))


@pytest.mark.parametrize("name", ["probability of 1", "p_1", "P(y=1|x)", "proba_1"])
def test_one_column_named_after_the_label_1_of_1_and_2(name):
    assert holds(read(table({name: P, "label": 2 - Y})))


@pytest.mark.parametrize(("name", "labels"), [("p_x7", Y), ("x7", Y), ("p", Y + 1), ("kanker", Y)])
def test_an_unknown_name_is_asked_about_where_the_predictions_speak_against_the_convention(name, labels):
    assert holds(read(table({name: P, "label": labels})))
    for other in (1 - P, np.random.default_rng(0).permutation(P)):
        asked = choices(table({name: other, "label": labels}))
        assert [remedy.change["class_names"][1] for remedy in asked] == [str(labels.max()), str(labels.min())]
        one, two = chosen(table({name: other, "label": labels}), asked)
        assert_allclose(one.predictions.probs[:, 1], other)
        assert (one.predictions.labels == 1 - two.predictions.labels).all()


def test_the_probability_of_whatever_class_is_likelier_is_not_that_of_class_1():
    confidence = np.maximum(P, 1 - P)
    for name in ("confidence", "max_prob", "Konfidenz", "certainty"):
        with pytest.raises(InputError, match="how sure the model is of whatever it predicts") as refused:
            read(table({name: confidence, "label": Y}))
        assert not refused.value.remedies
    for name in ("score", "p"):
        assert len(choices(table({name: confidence, "label": Y}))) == 2
    for name in ("confidence", "max_prob", "Konfidenz", "certainty", "score", "p"):
        reading = read(table({"pred": GUESS, name: confidence, "label": Y}))
        assert reading.predictions.kind == "confidence"
        assert ((reading.predictions.labels == 0) == (GUESS == Y)).all()


# --- decisions beside probabilities


@pytest.mark.parametrize(
    "guess", ["prediction", "pred", "y_pred", "predicted", "Vorhersage", "argmax", "hard"]
)
@pytest.mark.parametrize("prob", ["prob_ill", "p_1", "proba_1", "class_1", "risk", "Wahrscheinlichkeit"])
@pytest.mark.some(2)
def test_a_decision_is_no_probability(guess, prob):
    for columns in ({guess: GUESS, prob: P, "label": Y}, {"label": Y, prob: P, guess: GUESS}):
        assert holds(read(table(columns)))
    arrays = written(np.savez, **{guess: GUESS, prob: P, "label": Y})
    assert holds(read(arrays, name="x.npz"))
    matrix = written(np.savez, **{guess: GUESS, "probs": np.c_[1 - P, P], "label": Y})
    assert holds(read(matrix, name="x.npz"))


def test_decisions_alone_are_asked_about():
    for name in ("prediction", "p", "p_1"):
        (only,) = choices(table({name: GUESS, "label": Y}))
        assert only.change["probability_columns"] == (name,)


# --- which column is the label


@pytest.mark.some(5)
@pytest.mark.parametrize(
    "columns",
    [
        {"class": GUESSED, "actual": TRUE},
        {"label": GUESSED, "y_true": TRUE},
        {"predicted": GUESSED, "target": WHICH},
        {"predicted_label": GUESSED, "label": TRUE},
        {"Vorhersage": GUESSED, "Klasse": TRUE},
        {"预测": GUESSED, "标签": TRUE},
        {"fold": WHICH[::-1], "label": TRUE},
        {"prediction": GUESSED, "diagnosis": TRUE},
        {"label": TRUE, "target": WHICH},
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_what_happened_is_told_from_what_was_predicted(columns, turned):
    columns = dict(reversed(columns.items())) if turned else columns
    assert holds_three(read(table(columns | PROBS)), NAMES)
    assert holds_three(read(table(PROBS | columns)), NAMES)


@pytest.mark.parametrize(
    ("columns", "offered"),
    [
        ({"label": TRUE, "target": np.roll(TRUE, 1)}, ["label", "target"]),
        ({"label": GUESSED, "diagnosis": TRUE}, ["label", "diagnosis"]),
        ({"answer_1": TRUE, "answer_2": np.roll(TRUE, 1)}, ["answer_1", "answer_2"]),
        ({"species": WHICH}, ["species"]),
        ({"y_true": TRUE, "truth": np.roll(TRUE, 1)}, ["y_true", "truth"]),
    ],
)
def test_which_column_holds_the_labels_is_asked(columns, offered):
    asked = choices(table(columns | PROBS))
    assert [remedy.change["label_column"] for remedy in asked] == offered
    readings = chosen(table(columns | PROBS), asked)
    right = [name for name, reading in zip(offered, readings, strict=True) if holds_three(reading, NAMES)]
    assert right == [name for name in offered if columns[name] is TRUE or columns[name] is WHICH]
    assert asked[0].rows[0]["was"] in NAMES


@pytest.mark.parametrize(
    "beside",
    [
        {"fold": WHICH},
        {"argmax": THREE.argmax(1)},
        {"predicted": GUESSED},
        {"id": range(N)},
        {"site": WHICH % 2},
        {"split": np.where(WHICH, "a", "b")},
    ],
)
def test_without_labels_nothing_becomes_one(beside):
    assert "No column of labels was found" in refusal(table(beside | PROBS))
    assert "No column of labels was found" in refusal(table(beside | {"p_1": P})) or len(beside) == 0


# --- which class a label is


@pytest.mark.parametrize(
    "names",
    [
        ("02 (%)", "01 (%)"),
        ("3%", "1%"),
        ("y_02", "y_01"),
        ("P02", "P01"),
        ("class 2", "class 1"),
        ("LABEL_2", "LABEL_1"),
    ],
)
def test_digits_in_names_beat_positions(names):
    scale, first = 100 if "%" in names[0] else 1, 3 if "3" in names[0] else 2
    data = table({names[0]: scale * P, names[1]: scale * (1 - P), "label": np.where(Y, first, 1)})
    assert holds(read(data))
    counted = table({names[0]: scale * P, names[1]: scale * (1 - P), "label": Y})
    assert choices(counted)[0].change == {"label_base": 0}


def test_integers_for_names_in_another_order_than_the_alphabet_are_asked_about():
    few = {"owl": THREE[:8, 2], "cat": THREE[:8, 0], "dog": THREE[:8, 1], "label": [0, 1, 2, 0, 1, 2, 0, 1]}
    position, alphabet = choices(table(few))
    assert position.change["class_names"] == ("owl", "cat", "dog")
    assert alphabet.change["class_names"] == ("cat", "dog", "owl")
    first, second = chosen(table(few), (position, alphabet))
    assert [first.predictions.class_names[k] for k in first.predictions.labels[:3]] == ["owl", "cat", "dog"]
    assert [second.predictions.class_names[k] for k in second.predictions.labels[:3]] == ["cat", "dog", "owl"]
    by_place = {"owl": THREE[:, 0], "cat": THREE[:, 1], "dog": THREE[:, 2], "label": WHICH}
    assert holds_three(read(table(by_place)), ["owl", "cat", "dog"])


def test_integers_that_go_with_another_order_are_asked_about():
    many = np.random.default_rng(1).dirichlet(np.full(3, 0.3), 200)
    labels = np.array([(k + 1) % 3 for k in many.argmax(1)])
    asked = choices(written(np.savez, probs=many, labels=labels), name="x.npz")
    assert [remedy.rows[0]["was"] for remedy in asked] == [str(labels[0]), str((labels[0] - 1) % 3)]


# --- one-hot


@pytest.mark.some(4)
@pytest.mark.parametrize("form", ["{}", "y_{}", "true_{}", "oh_{}", "{}_flag", "hot.{}", "ist {}"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_one_hot_columns_in_another_order(form, order):
    onehot = {form.format(NAMES[k]): (k == WHICH).astype(int) for k in order}
    assert holds_three(read(table(PROBS | onehot)), NAMES)
    assert holds_three(read(table(onehot | PROBS)), NAMES)
    assert holds_three(read(table(PROBS), labels=table(onehot)), NAMES)


# --- names of other people


def right_or_asked(data: bytes) -> bool:
    """Whether a table is read as it is meant, or asked about, and one answer is right."""
    try:
        return holds(read(data))
    except InputError as error:
        return sum(map(holds, chosen(data, error.remedies))) == 1


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("ens-no event", ("event", "no event")), ("status: no event", ("event", "no event")),
        ("p_not_ill", ("ill", "well")), ("m7_unaffected", ("affected", "unaffected")),
        ("x9 non-smoker", ("smoker", "non-smoker")),
        ("p_hat_-", ("+", "-")), ("status: kein Tumor", ("Tumor", "kein Tumor")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("words", [True, False])
def test_the_opposite_of_a_class_ends_with_its_name(name, pair, words):
    labels = np.array(pair)[1 - Y] if words else Y
    assert right_or_asked(table({name: 1 - P, "label": labels}))


@pytest.mark.parametrize("glued", ["unaffected", "abnormal", "p_inactive", "nonresponder"])
def test_what_is_glued_before_a_label_may_turn_it_round(glued):
    label = next(word for word in ("affected", "normal", "active", "responder") if glued.endswith(word))
    assert right_or_asked(table({glued: 1 - P, "label": np.where(Y == 1, label, "zz")}))


@pytest.mark.some(6)
@pytest.mark.parametrize("name", ["Wahrscheinlichkeit", "risque", "score", "p", "PRE_1"])
@pytest.mark.parametrize("beside", ["PCP_1", "max prob", "highest probability", "fiabilité", "Konfidenz"])
def test_how_sure_the_model_is_counts_for_no_class(name, beside):
    for columns in ({beside: np.maximum(P, 1 - P), name: P}, {name: P, beside: np.maximum(P, 1 - P)}):
        assert holds(read(table(columns | {"label": Y})))


@pytest.mark.parametrize("name", ["true_ham", "ham", "is_ham", "y_ham"])
@pytest.mark.parametrize("code", [int, bool])
def test_a_label_named_after_a_class_says_whether_it_happened(name, code):
    probs = {"Prob [ham]": P, "Prob [spam]": 1 - P}
    for columns in (probs, dict(reversed(probs.items()))):
        assert right_or_asked(table(columns | {name: Y.astype(code)}))
    with pytest.raises(InputError, match="and not which of the other 2 classes it is"):
        read(table(PROBS | {"true_cat": (WHICH == 0).astype(int)}))


@pytest.mark.parametrize("name", ["obs_id", "ID_REF", "reference", "case_ref_no"])
def test_what_tells_rows_apart_is_no_label(name):
    ids = np.random.default_rng(1).permutation(9000)[:N]
    many = np.r_[[THREE] * 2].reshape(-1, 3)
    columns = {name: np.r_[ids, ids + 9000]} | dict(zip(NAMES, many.T, strict=True))
    assert read(table(columns | {"truth": np.r_[TRUE, TRUE]})).predictions.n == 2 * N


def test_integers_for_two_names_without_an_opposite_are_taken_only_if_predictions_speak_for_it():
    weak = np.round(0.5 + (P - P.mean()) / 50 * np.where(np.arange(N) % 2, 1, -1), 4)
    columns = {"prob.mutant": weak, "prob.wildtype": 1 - weak, "outcome": Y}
    readings = chosen(table(columns), choices(table(columns)))
    assert sum(holds(reading, weak, Y) for reading in readings) == 1


@pytest.mark.parametrize("beside", [{"cut-off": 0.5}, {"biomarker": P / 2}])
def test_percent_by_name_before_what_almost_adds_up(beside):
    for form in ("%{}", "{} %", "{}_pct"):
        percent = {form.format(name): 100 * column for name, column in zip(NAMES, THREE.T, strict=True)}
        assert holds_three(read(table(beside | percent | {"label": TRUE})), NAMES)


def test_names_as_r_writes_them_and_files_of_western_spreadsheets():
    names = ["BI-RADS 2", "BI-RADS 3", "BI-RADS 4/5"]
    columns = {f"prob.{name}".replace("-", ".").replace(" ", ".").replace("/", "."): THREE[:, k]
               for k, name in enumerate(names)}  # fmt: skip
    reading = read(table(columns | {"Klasse": np.array(names)[WHICH]}))
    assert holds_three(reading)
    names = ["gesünd", "bösartig", "übrig"]
    columns = dict(zip(names, THREE.T, strict=True)) | {"wahr": np.array(names)[WHICH]}
    reading = read(table(columns).decode().encode("cp1252"))
    assert holds_three(reading, names)
    assert "in Windows-1252" in reading.notes[0]
