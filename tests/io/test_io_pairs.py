"""Columns of probabilities and those named after them, each with its own; one-hot columns by name."""

import numpy as np
import pytest

from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import flags_beyond
from tests.io.readings import RNG, THREE, WHICH, N, P, Y, choices, chosen, holds, holds_three, table

HOT = np.eye(3, dtype=int)[WHICH]
WORDS = ("{}_outcome", "actual_{}", "{}.result", "{} won", "y_{}", "{}_true")


def paired(names: tuple[str, ...], form: str, probs: object, hot: object) -> dict[str, object]:
    """Each column of predictions and, behind it, its outcome."""
    columns: dict[str, object] = {}
    for k, name in enumerate(names):
        columns |= {name: np.asarray(probs)[:, k], form.format(name): np.asarray(hot)[:, k]}
    return columns


@pytest.mark.some(6)
@pytest.mark.parametrize("form", WORDS)
@pytest.mark.parametrize(
    "names", [("prob1", "probtie", "prob2"), ("win", "draw", "loss"), ("p_0", "p_1", "p_2")]
)
def test_one_hot_outcomes_are_paired_by_name(names: tuple[str, ...], form: str) -> None:
    reading = read(table(paired(names, form, THREE, HOT)))
    assert reading.label_kind == "one-hot"
    assert holds_three(reading)
    turned = read(table(dict(reversed(paired(names, form, THREE, HOT).items()))))
    assert turned.label_kind == "one-hot"
    assert holds_three(turned, reading.predictions.class_names)


def test_a_football_forecast() -> None:
    names = b"prob1,prob1_outcome,probtie,probtie_outcome,prob2,prob2_outcome"
    text = names + b"\n.66,1,.22,0,.12,0\n.2,0,.3,0,.5,1\n"
    reading = read(text)
    assert reading.predictions.class_names == ("1", "tie", "2")
    assert reading.predictions.labels.tolist() == [0, 2]
    probs = {"Democrat_WinProbability": P, "Republican_WinProbability": 1 - P}
    reading = read(table({**probs, "Democrat_Won": Y, "Republican_Won": 1 - Y, "uncalled": 0}))
    assert holds(reading)


OTHERS = np.round(RNG.beta(1, 1, (N, 2)), 3)
ROUNDS = np.column_stack([P, OTHERS])
PASSED = np.column_stack([Y, RNG.random((N, 2)) < OTHERS]).astype(int)


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "names", [("round_1", "round_2", "round_3"), ("p0", "p1", "p2"), ("prob_no", "prob_yes", "x")]
)
@pytest.mark.parametrize("form", WORDS[:3])
def test_pairs_that_are_no_classes_belong_together(names: tuple[str, ...], form: str) -> None:
    """Each pair is offered; what is said of one of its columns alone says the other."""
    data = table(paired(names, form, ROUNDS, PASSED))
    remedies = [one for one in choices(data) if "label_column" in one.change]  # beside a lone confidence
    assert [one.change["label_column"] for one in remedies] == [form.format(name) for name in names]
    readings = chosen(data, remedies)
    for k, name in enumerate(names):
        by_probs = read(data, options=ReadOptions(probability_columns=(name,)))
        by_label = read(data, options=ReadOptions(label_column=form.format(name)))
        for reading in (readings[k], by_probs, by_label):
            assert holds(reading, ROUNDS[:, k], PASSED[:, k]), (name, reading.label_source)


def test_an_outcome_in_words() -> None:
    words = np.array(["no", "yes"])[PASSED]
    data = table(paired(("round_1", "round_2", "round_3"), "{}_outcome", ROUNDS, words))
    reading = read(data, options=ReadOptions(probability_columns=("round_3",)))
    assert holds(reading, ROUNDS[:, 2], PASSED[:, 2])


ONE_HOT = {"u": HOT[:, 0], "w": HOT[:, 2], "v, x": HOT[:, 1]}
CLASSES = dict(zip("abc", THREE.T, strict=True))


@pytest.mark.parametrize("asked", [("u", "v, x", "w"), ["u", "v, x", "w"], '["u", "v, x", "w"]'])
def test_one_hot_columns_are_named(asked: object) -> None:
    """In the order of the classes, as no name pairs them."""
    reading = read(
        table({**CLASSES, **ONE_HOT, "other": RNG.integers(0, 2, N)}), options=ReadOptions(label_column=asked)
    )  # type: ignore[arg-type]
    assert holds_three(reading)
    assert reading.label_source == "columns:u,v, x,w"
    flags = flags_beyond(reading.options, ReadOptions())
    typed = parser().parse_args(["survey", "x.csv", "--label-column", reading.options.label_column or ""])
    assert options_from(typed) == reading.options
    assert flags.startswith("--label-column '[")


def test_one_hot_columns_that_are_named_are_paired_by_name() -> None:
    hot = {f"is_{name}": HOT[:, k] for k, name in enumerate("abc")}
    data = table({**CLASSES, **hot, "label": 0})
    for asked in ("is_a,is_b,is_c", "is_c, is_a, is_b"):
        assert holds_three(read(data, options=ReadOptions(label_column=asked)))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("u,w", "There are 2 columns of labels, 'u', 'w', for 3 classes"),
        ("u,w,no", "There is no column 'no' to take the labels from"),
        ('["u", "w", "a"]', "Column 'a' is named for the labels and taken for predictions"),
    ],
)
def test_one_hot_columns_that_do_not_go_together(asked: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read(
            table({**CLASSES, **ONE_HOT}),
            options=ReadOptions(label_column=asked, probability_columns=tuple("abc")),
        )


def test_a_column_whose_name_has_a_comma() -> None:
    reading = read(table({**CLASSES, "u,v": WHICH}), options=ReadOptions(label_column="u,v"))
    assert reading.label_source == "column:u,v"


def test_a_decision_is_no_outcome() -> None:
    guess = (P > 0.5).astype(int)
    for names in (("pred", "pred_label"), ("score", "score_class"), ("prob", "prob_label"), ("p", "p_class")):
        reading = read(table({"label": Y, names[0]: P, names[1]: guess}))
        assert reading.label_source == "column:label"


def test_an_outcome_beside_another_label_that_disagrees() -> None:
    data = table({"label": Y[::-1], "round_1": P, "round_1_outcome": Y})
    assert {one.change["label_column"] for one in choices(data)} == {"label", "round_1_outcome"}
    assert any(map(holds, chosen(data, choices(data))))
