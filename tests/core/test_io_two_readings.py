"""Where two readings of a file fit, none is taken; names, polarity and digits count before positions."""

import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from calibcore.errors import InputError, Remedy
from calibcore.io import Reading, ReadOptions, read
from tests.core.io_errors import refusal, written
from tests.hostile.corpus import SHEET_END, SHEET_START, sheet_of

N = 24
RNG = np.random.default_rng(14)
P = np.round(RNG.beta(0.7, 0.7, N), 3)
"""(24,) probabilities of the class that is looked for."""
Y = np.r_[0, 1, RNG.random(N - 2) < P[2:]].astype(int)
"""(24,) whether it happened."""
THREE = np.array([RNG.multinomial(1000, row) for row in RNG.dirichlet(np.full(3, 0.7), N)]) / 1000
"""(24, 3) probabilities, and what happened."""
WHICH = np.array([RNG.choice(3, p=row) for row in THREE])
GUESS = (P > 0.5).astype(int)


def csv(**columns: Any) -> bytes:
    """A table of named columns; a name with a number before it keeps its place: "_0 name"."""
    return pd.DataFrame(columns).to_csv(index=False).encode()


def table(columns: dict[str, Any]) -> bytes:
    return pd.DataFrame(columns).to_csv(index=False).encode()


def choices(
    data: bytes, labels: bytes | None = None, name: str = "x.csv", **options: Any
) -> tuple[Remedy, ...]:
    """The readings that a person is asked to choose from."""
    with pytest.raises(InputError) as caught:
        read(data, name=name, labels=labels, options=ReadOptions(**options))
    return caught.value.remedies


def chosen(
    data: bytes, remedies: Sequence[Remedy], labels: bytes | None = None, name: str = "x.csv"
) -> list[Reading]:
    """What each choice gives; it needs no second question."""
    return [read(data, name=name, labels=labels, options=ReadOptions().mended(one)) for one in remedies]


def holds(reading: Reading, probs: Any = P, labels: Any = Y) -> bool:
    """Whether the class that is looked for has these probabilities, and happened in these rows."""
    p = reading.predictions
    for k in range(p.m):
        if np.allclose(p.probs[:, k], probs, atol=1e-9):
            return p.m == 2 and bool(((p.labels == k) == labels).all())
    return False


def holds_three(reading: Reading, names: Sequence[str] | None = None) -> bool:
    p = reading.predictions
    known = list(p.class_names)
    order = [0, 1, 2] if names is None else [known.index(name) for name in names]
    return bool(
        np.allclose(p.probs[:, order], THREE, atol=1e-9) and (np.array(order)[WHICH] == p.labels).all()
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


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("code", CODES)
def test_polarity_in_the_names_beats_the_order_of_two_columns(pair, code, order):
    if code == "-1 and 1" and pair[0][-1] == "1":
        pytest.skip("-1 is not in the names")
    scale = 100 if "%" in pair[0] else 1
    probs = dict(zip(pair, (P * scale, (1 - P) * scale), strict=True))
    assert holds(read(table({name: probs[name] for name in pair[::order]} | {"label": CODES[code]})))


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
        assert_allclose(one.predictions.probs[:, 0], other)
        assert (one.predictions.labels == 1 - two.predictions.labels).all()


def test_the_probability_of_whatever_class_is_likelier_is_not_that_of_class_1():
    confidence = np.maximum(P, 1 - P)
    for name in ("confidence", "max_prob", "score", "p", "Konfidenz", "certainty"):
        assert len(choices(table({name: confidence, "label": Y}))) == 2
        asked = choices(table({"pred": GUESS, name: confidence, "label": Y}))
        assert len({str(remedy.change) for remedy in asked}) == len(asked) == 2


# --- decisions beside probabilities


@pytest.mark.parametrize(
    "guess", ["prediction", "pred", "y_pred", "predicted", "Vorhersage", "argmax", "hard"]
)
@pytest.mark.parametrize("prob", ["prob_ill", "p_1", "proba_1", "class_1", "risk", "Wahrscheinlichkeit"])
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


NAMES = np.array(["cat", "dog", "owl"])
PROBS = {f"p_{name}": THREE[:, k] for k, name in enumerate(NAMES)}
TRUE = NAMES[WHICH]
GUESSED = NAMES[THREE.argmax(1)]


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


@pytest.mark.parametrize("form", ["{}", "y_{}", "true_{}", "oh_{}", "{}_flag", "hot.{}", "ist {}"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_one_hot_columns_in_another_order(form, order):
    onehot = {form.format(NAMES[k]): (k == WHICH).astype(int) for k in order}
    assert holds_three(read(table(PROBS | onehot)), NAMES)
    assert holds_three(read(table(onehot | PROBS)), NAMES)
    assert holds_three(read(table(PROBS), labels=table(onehot)), NAMES)


# --- which columns are the predictions


def test_two_sets_of_probabilities_are_a_question():
    other = np.random.default_rng(2).multinomial(1000, [0.3, 0.3, 0.4], N) / 1000
    for form in ("score_{}", "conf_{}", "prob_b_{}", "softmax {}"):
        second = {form.format(name): other[:, k] for k, name in enumerate(NAMES)}
        asked = choices(table(second | PROBS | {"label": TRUE}))
        assert {len(remedy.change["probability_columns"]) for remedy in asked} == {3}
        assert (
            sum(holds_three(one, NAMES) for one in chosen(table(second | PROBS | {"label": TRUE}), asked))
            == 1
        )


def test_a_column_of_zeros_is_a_class_only_if_its_name_says_so():
    zeros = np.zeros(N)
    three = read(table(PROBS | {"p_bat": zeros, "label": TRUE})).predictions
    assert three.class_names == ("cat", "dog", "owl", "bat")
    for name in ("missing", "n_errors", "flag", "loss"):
        found = read(
            table({"cat": THREE[:, 0], "dog": THREE[:, 1], "owl": THREE[:, 2], name: zeros, "label": TRUE})
        )
        assert holds_three(found, NAMES)
    data = table({"cat": THREE[:, 0], "dog": THREE[:, 1], "owl": THREE[:, 2], "bat": zeros, "label": TRUE})
    assert [len(remedy.change["probability_columns"]) for remedy in choices(data)] == [3, 4]


@pytest.mark.parametrize("beside", ["entropy", "margin", "confidence", "Entropie", "uncertainty", "loss"])
@pytest.mark.parametrize("name", ["risk (%)", "p_ill (%)", "Risiko in Prozent", "probability_pct"])
def test_percent_beside_numbers_from_0_to_1(beside, name):
    other = np.round(RNG.random(N), 3)
    for columns in ({name: 100 * P, beside: other, "label": Y}, {beside: other, "label": Y, name: 100 * P}):
        assert holds(read(table(columns)))


@pytest.mark.parametrize(
    "name", ["risk_percent", "p (%)", "prob_pct", "Wahrscheinlichkeit [%]", "3-year risk in %"]
)
def test_percent_that_is_never_above_1_is_asked_about(name):
    small, labels = np.round(P / 2, 3), Y
    percent, fraction = choices(table({name: small, "label": labels}))
    assert (percent.change, fraction.change) == ({"values": "percent"}, {"values": "probabilities"})
    first, second = chosen(table({name: small, "label": labels}), (percent, fraction))
    assert_allclose(first.predictions.probs[:, 0] * 100, second.predictions.probs[:, 0])


def test_percent_signs_stand_in_every_cell_or_in_none():
    cells = [f"{100 * p:.1f}%" for p in P]
    assert holds(read(table({"p": cells, "label": Y})))
    for at in (0, 5):
        odd = [cell if i != at else cell[:-1] for i, cell in enumerate(cells)]
        assert "Expected a percent sign in every cell, or in none." in refusal(table({"p": odd, "label": Y}))
        one = [f"{p}%" if i == at else f"{p}" for i, p in enumerate(P)]
        assert "Expected a percent sign" in refusal(table({"p": one, "label": Y}))
    no = [f"{100 - 100 * p:.1f}%" for p in P]
    assert "are written with a percent sign, and those of" in refusal(
        table({"p_no": no, "p_yes": 100 * P, "label": Y})
    )


def test_logarithms_of_probabilities_are_known_by_what_they_sum_to():
    logs = {f"log_{name}": np.log(np.maximum(THREE[:, k], 1e-9)) for k, name in enumerate(NAMES)}
    found = read(table(logs | {"label": TRUE}))
    assert found.value_kind == "log-probabilities"
    assert_allclose(found.predictions.probs, THREE, atol=1e-8)
    assert "The values are logarithms of probabilities (their exponentials sum to 1)." in found.notes


# --- two files


IDS = [f"c{k:03}" for k in np.random.default_rng(3).permutation(900)[:N]]
SHUFFLED = np.random.default_rng(4).permutation(N)


@pytest.mark.parametrize("ids", [IDS, [int(name[1:]) for name in IDS]])
@pytest.mark.parametrize("names", [("id", "id"), ("ID", "id"), ("case", "sample_id"), ("image", "Image")])
def test_files_are_joined_by_what_stands_in_both(ids, names):
    probs = pd.DataFrame({names[0]: ids} | PROBS)
    truth = pd.DataFrame({names[1]: ids, "label": TRUE})
    for order in (np.arange(N), SHUFFLED):
        data, labels = (frame.to_csv(index=False).encode() for frame in (probs, truth.iloc[order]))
        assert holds_three(read(data, labels=labels), NAMES)
    joined = read(data, labels=labels)
    assert any(f"joined by column {names[1]!r}" in note for note in joined.notes)
    rows = read(data, labels=labels, options=ReadOptions(join="rows"))
    assert not holds_three(rows, NAMES)
    assert holds_three(read(data, labels=labels, options=ReadOptions(join=names[1])), NAMES)


def test_labels_of_more_cases_than_were_predicted():
    data = table({"id": IDS[:20]} | {name: column[:20] for name, column in PROBS.items()})
    found = read(
        data, labels=pd.DataFrame({"id": IDS, "label": TRUE}).iloc[SHUFFLED].to_csv(index=False).encode()
    )
    assert [NAMES[k] for k in found.predictions.labels] == TRUE[:20].tolist()
    assert any("of which 4 belong to no prediction" in note for note in found.notes)


def test_files_whose_common_columns_differ_are_asked_about():
    data = table({"patient": WHICH} | PROBS)  # not one row a patient: nothing to join by
    labels = table({"patient": np.roll(WHICH, 1), "label": TRUE})
    (remedy,) = choices(data, labels)
    assert remedy.change == {"join": "rows"}
    assert holds_three(chosen(data, (remedy,), labels)[0], NAMES)
    assert "stands in both files, and differs: Row " in refusal(data, labels=labels)
    assert holds_three(read(data, labels=table({"patient": WHICH, "label": TRUE})), NAMES)


def test_row_numbers_in_another_order_are_asked_about():
    labels = pd.DataFrame({"label": TRUE}).iloc[SHUFFLED].to_csv().encode()
    asked = choices(pd.DataFrame(PROBS).to_csv().encode(), labels)
    assert [remedy.change["join"] for remedy in asked] == ["column 1", "rows"]
    joined, rows = chosen(pd.DataFrame(PROBS).to_csv().encode(), asked, labels)
    assert holds_three(joined, NAMES)
    assert not holds_three(rows, NAMES)


def test_an_index_of_the_labels_alone_says_nothing():
    """As pandas writes the labels of a test set whose rows have kept their numbers."""
    labels = (
        pd.Series(TRUE, index=np.random.default_rng(5).permutation(500)[:N], name="label").to_csv().encode()
    )
    assert holds_three(read(table(PROBS), labels=labels), NAMES)
    assert holds_three(read(pd.DataFrame(PROBS).to_csv().encode(), labels=labels), NAMES)


def test_frames_and_series_without_names():
    probs = pd.DataFrame(np.c_[1 - P, P]).to_csv(index=False).encode()
    assert holds(read(probs, labels=pd.Series(Y).to_csv(index=False).encode()))
    for base in (0, 1):
        both = pd.DataFrame(np.c_[1 - P, P, Y + base]).to_csv(index=False).encode()
        assert holds(read(both))


# --- texts that are not what they seem


TWO = [f"{p:.2f}" for p in P]


def test_decimal_commas_between_commas_are_refused():
    rows = [f"0,{p[2:]},0,{100 - int(p[2:]):02},{y}" for p, y in zip(TWO, Y, strict=True)]
    for header in ([], ["p_yes,p_no,label"], ["p,q,r,label"]):
        assert "Commas seem to be decimal marks and to separate the cells" in refusal(
            "\n".join([*header, *rows]).encode()
        )
    one = [f"{i},0,{p[2:]},{y}" for i, (p, y) in enumerate(zip(TWO, Y, strict=True), 1)]
    assert "Commas seem" in refusal("\n".join(["id,p,label", *one]).encode())
    quoted = [f'"0,{p[2:]}",{y}' for p, y in zip(TWO, Y, strict=True)]
    assert holds(read("\n".join(["p,label", *quoted]).encode()), np.array([float(p) for p in TWO]))


def test_a_thousand_is_not_one():
    rows = [f"{p};{y};1.000" for p, y in zip((str(p).replace(".", ",") for p in P), Y, strict=True)]
    found = read("\n".join(["p;label;cells", *rows]).encode())
    assert found.predictions.metadata["cells"][0] == "1.000"
    mixed = [row.replace("0,", "1.000;0,", 1) if i == 3 else row for i, row in enumerate(rows)]
    refusal("\n".join(["p;label;cells", *mixed]).encode())
    odd = [
        f"{str(p).replace('.', ',') if i != 3 else '1.000'};{y}"
        for i, (p, y) in enumerate(zip(P, Y, strict=True))
    ]
    assert "Row 4 has '1.000' in column 'p'." in refusal("\n".join(["p;label", *odd]).encode())


def test_a_header_one_name_short_names_no_other_columns():
    lines = [f"{a},{b},{c},{y}" for (a, b, c), y in zip(THREE, TRUE, strict=True)]
    assert "The header has 3 names and the rows below it have 4 fields" in refusal(
        "\n".join(["cat,dog,owl", *lines]).encode()
    )
    ids = [f"{i},{line}" for i, line in enumerate(lines, 1)]
    assert holds_three(read("\n".join(["cat,dog,owl,label", *ids]).encode()), NAMES)
    other = [f"{7 * i % 31},{line}" for i, line in enumerate(lines, 1)]
    refusal("\n".join(["cat,dog,owl,label", *other]).encode())


def test_a_quotation_mark_that_swallows_rows_is_refused():
    notes = ["fine"] * N
    for first, last in ((4, 21), (6, 7)):
        some = list(notes)
        some[first], some[last] = '"ouch', 'end"'
        for header, line in (
            ("p,note,label", "{p},{note},{y}"),
            ("p,label,note", "{p},{y},{note}"),
            ("note,p,label", "{note},{p},{y}"),
        ):
            text = [
                header,
                *(line.format(p=p, note=note, y=y) for p, note, y in zip(P, some, Y, strict=True)),
            ]
            assert "quotation mark" in refusal("\n".join(text).encode())
    several = table({"p": P, "note": ["one, two\nthree, four"] * N, "label": Y})
    assert holds(read(several))


def test_cases_that_begin_with_a_number_sign_are_not_dropped():
    lines = [f"{i},{p},{y}" for i, (p, y) in enumerate(zip(P, Y, strict=True), 1)]
    text = "\n".join(["#1" + lines[0][1:], "#2" + lines[1][1:], *lines[2:]])
    assert "Line 1 begins with '#' as comments do, and reads like a case" in refusal(text.encode())
    assert holds(read("\n".join(["# id,p,label", *lines]).encode()))
    assert holds(read("\n".join(["# made by model 3, 2024", "id,p,label", *lines]).encode()))


def test_a_blank_line_among_labels_is_a_question_of_its_own():
    lines = TRUE.tolist()
    labels = "\n".join(["label", *lines[:7], "", *lines[7:]]).encode()
    assert "A line is blank below value 7" in refusal(table(PROBS), labels=labels)
    shifted = "\n".join(["label", *lines[:7], "", *lines[8:], "cat"]).encode()
    assert "is blank" in refusal(table(PROBS), labels=shifted)
    assert holds_three(read(table(PROBS), labels="\n\n".join(["label", *lines]).encode()), NAMES)
    assert holds_three(read(table(PROBS), labels="\n".join(["", "label", *lines, "", ""]).encode()), NAMES)


def test_rounding_does_not_explain_what_is_missing():
    tenths = np.zeros((N, 20))
    tenths[:, :2] = 0.3
    names = {f"c{k:02}": tenths[:, k] for k in range(20)}
    assert "sums to 0.6" in refusal(table(names | {"label": ["c00", "c01"] * (N // 2)}))


# --- JSON and workbooks


def test_keys_of_json_are_kept_together():
    keys = [f"k{i}" for i in range(N)]
    probs = {name: dict(zip(keys, column.tolist(), strict=True)) for name, column in PROBS.items()}
    labels = dict(zip(keys, TRUE.tolist(), strict=True))
    turned = {key: labels[key] for key in [keys[i] for i in SHUFFLED]}
    for some in (labels, turned):
        assert holds_three(read(json.dumps(probs | {"label": some}).encode(), name="x.json"), NAMES)
    fewer = dict(list(turned.items())[1:]) | {"other": "cat"}
    assert "have other keys" in refusal(json.dumps(probs | {"label": fewer}).encode(), name="x.json")
    rows = {"probs": dict(zip(keys, THREE.tolist(), strict=True)), "labels": turned}
    data = json.dumps(rows | {"class_names": NAMES.tolist()}).encode()
    assert holds_three(read(data, name="x.json"), NAMES)
    bare = {"probs": rows["probs"], "labels": TRUE.tolist(), "class_names": NAMES.tolist()}
    assert "has a key for each value, and" in refusal(json.dumps(bare).encode(), name="x.json")
    frame = pd.DataFrame(PROBS | {"label": TRUE}, index=keys)
    for orient in ("index", "columns", "records", "split"):
        assert holds_three(read(frame.to_json(orient=orient).encode(), name="x.json"), NAMES)


def test_a_name_that_stands_twice_in_json_is_refused():
    text = '[{"p": 0.25, "label": 1, "p": 0.75}, {"p": 0.5, "label": 0}]'
    assert "The name 'p' stands twice" in refusal(text.encode(), name="x.json")
    assert "stands twice" in refusal(b'{"p": [0.1, 0.2], "label": [0, 1], "p": [0.3, 0.4]}', name="x.json")


def sheet(rows: Sequence[tuple[int, Sequence[Any]]]) -> bytes:
    """A workbook with these rows, by their numbers, in this order."""
    xml = b"".join(
        b'<row r="%d">' % line
        + b"".join(
            b'<c r="%c%d" t="str"><v>%s</v></c>' % (65 + j, line, str(cell).encode())
            if isinstance(cell, str)
            else b'<c r="%c%d"><v>%r</v></c>' % (65 + j, line, float(cell))
            for j, cell in enumerate(cells)
        )
        + b"</row>"
        for line, cells in rows
    )
    return sheet_of(SHEET_START + xml + SHEET_END)


def test_rows_of_a_sheet_in_any_order():
    rows = [(1, ["p", "label"]), *((i + 2, [p, float(y)]) for i, (p, y) in enumerate(zip(P, Y, strict=True)))]
    assert holds(read(sheet(rows), name="x.xlsx"))
    turned = [rows[i] for i in np.random.default_rng(6).permutation(len(rows))]
    assert holds(read(sheet(turned), name="x.xlsx"))


def test_two_values_at_one_place_of_a_sheet_are_refused():
    rows = [(1, ["p", "label"]), *((i + 2, [p, float(y)]) for i, (p, y) in enumerate(zip(P, Y, strict=True)))]
    assert "holds two values at one place" in refusal(sheet([*rows, (5, [0.5, 0.0])]), name="x.xlsx")
    assert holds(read(sheet([*rows, rows[3]]), name="x.xlsx"))
    book = openpyxl.Workbook()
    book.active.append(["p", "label"])
    assert "no cases" in refusal(written(book.save), name="x.xlsx")


def test_the_same_text_in_pieces_of_any_format_is_read_alike():
    frame = pd.DataFrame(PROBS | {"label": TRUE})
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    assert (
        read(buffer.getvalue()).predictions.fingerprint
        == read(table(PROBS | {"label": TRUE})).predictions.fingerprint
    )
