"""Which columns are predictions, and how files belong together: asked where it is open, not guessed."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from calibcore.io import ReadOptions, read
from tests.io.io_errors import refusal
from tests.io.readings import (
    NAMES,
    PROBS,
    RNG,
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
    assert_allclose(first.predictions.probs[:, 1] * 100, second.predictions.probs[:, 1])


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
