"""Tables and records of other shapes than one row a case and one column a class."""

import json
from typing import Any

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import read
from tests.io.io_errors import refusal
from tests.io.readings import (
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


@pytest.mark.parametrize("ids", [True, False])
def test_a_row_a_class_is_refused(ids):
    long = {"class": np.tile(NAMES, N), "probability": THREE.ravel(), "truth": np.repeat(TRUE, 3)}
    if ids:
        long = {"id": np.repeat(np.arange(N), 3)} | long
    assert "Expected one row a case, with one column" in refusal(table(long))
    two = {
        "id": np.tile(np.arange(N), 2),
        "class": np.repeat(["no", "yes"], N),
        "p": np.r_[1 - P, P],
        "y": np.tile(Y, 2),
    }
    assert "Expected one row a case, with one column" in refusal(table(two))


def ranked_guesses(forms: tuple[str, str], base: int) -> dict[str, Any]:
    """The likeliest guess of each case, the second one and the third, each with its probability."""
    order = np.argsort(-THREE, axis=1)
    ranked: dict[str, Any] = {}
    for k in range(3):
        ranked[forms[0].format(k + 1)] = order[:, k] + base
        ranked[forms[1].format(k + 1)] = np.take_along_axis(THREE, order, 1)[:, k]
    return ranked


@pytest.mark.parametrize("base", [0, 1])
def test_of_ranked_guesses_that_say_which_is_first_only_that_is_an_answer(base):
    ranked = ranked_guesses(("top{}_class", "top{}_prob"), base)
    found = read(table(ranked | {"label": WHICH + base})).predictions
    assert found.confidence_only
    assert np.allclose(found.probs[:, 0], THREE.max(axis=1))
    assert (found.labels == (THREE.argmax(axis=1) != WHICH)).all()


@pytest.mark.parametrize("forms", [("pred{}", "prob{}"), ("class_{}", "prob_{}")])
@pytest.mark.parametrize("base", [0, 1])
def test_ranked_guesses_are_refused(forms, base):
    ranked = ranked_guesses(forms, base)
    assert "they fall in every row" in refusal(table(ranked | {"label": WHICH + base}))
    assert holds_three(read(table({f"prob_{k}": THREE[:, k] for k in range(3)} | {"label": WHICH})))


def test_several_labels_a_case_are_one_pair_after_an_answer():
    labels = np.random.default_rng(3).integers(0, 2, (N, 3))
    probs = np.round(np.random.default_rng(4).random((N, 3)), 2)
    data = table({f"prob_{name}": probs[:, k] for k, name in enumerate(NAMES)}
                 | {name: labels[:, k] for k, name in enumerate(NAMES)})  # fmt: skip
    asked = choices(data)
    assert [one.change["label_column"] for one in asked] == list(NAMES)
    assert [holds(one, probs[:, k], labels[:, k]) for k, one in enumerate(chosen(data, asked))] == [True] * 3
    onehot = {name: (k == WHICH).astype(int) for k, name in enumerate(NAMES)}
    assert holds_three(read(table(PROBS | onehot)), NAMES)


def test_a_header_one_name_short_over_numbered_cases_is_refused():
    """As Weka writes the probabilities of all classes below one name."""
    rows = [f"{i + 1},1:no,2:yes,,{p:.3f},{1 - p:.3f}" for i, p in enumerate(P)]
    data = "\n".join(["inst#,actual,predicted,error,distribution", *rows]).encode()
    assert "The header has 5 names and the rows below it have 6" in refusal(data)


def test_a_title_above_a_table_is_no_header():
    for sep in (",", ";", "\t"):
        lines = [f"outcome{sep}prob", *(f"{y}{sep}{p}" for y, p in zip(Y, P, strict=True))]
        reading = read("\n".join(["Model report of 2024", "", *lines]).encode())
        assert holds(reading)
        assert "The first line was taken for a title: 'Model report of 2024'." in reading.notes
    assert "decimal marks" in refusal(b"prob\n\n0,37\n\n0,41\n", labels=b"y\n0\n1\n")


def test_probabilities_by_class_inside_records():
    rows = [dict(zip(NAMES.tolist(), row, strict=True)) for row in THREE.tolist()]
    ranked = [sorted(row.items(), key=lambda pair: -pair[1]) for row in rows]
    forms = {
        "an object": [{"truth": t, "probs": row} for t, row in zip(TRUE.tolist(), rows, strict=True)],
        "pairs": [
            {"label": t, "scores": [{"label": k, "score": v} for k, v in row]}
            for t, row in zip(TRUE.tolist(), ranked, strict=True)
        ],
        "two lists": [
            {
                "instance": {"y_true": t, "age": 44},
                "prediction": {"classes": list(row), "scores": list(row.values())},
            }
            for t, row in zip(TRUE.tolist(), rows, strict=True)
        ],
    }
    for records in forms.values():
        assert holds_three(read(json.dumps(records).encode(), name="x.json"), NAMES)
    for record, which in zip(forms["pairs"], WHICH.tolist(), strict=True):
        record["label"] = which  # in which order would these be counted?
    with pytest.raises(InputError, match="a list or an object inside a cell"):
        read(json.dumps(forms["pairs"]).encode(), name="x.json")
