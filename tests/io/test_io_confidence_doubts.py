"""Files with a confidence that leave something open: what is asked, and that every answer on offer reads."""

import json
from typing import Any

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.roles.varying_options import COUNT
from tests.io.readings import table

N = 60
R = np.random.default_rng(43)
SURE = np.round(R.uniform(0.3, 1, N), 3)
RIGHT = R.random(N) < SURE
TRUE = R.integers(0, 10, N)
SAID = np.where(RIGHT, TRUE, (TRUE + 1) % 10)
LETTERS = np.array(list("abcdefghij"))
PAIR = {"truth": LETTERS[TRUE], "prediction": LETTERS[SAID]}


def taken(data: bytes, name: str = "x.csv", **options: Any) -> Reading:
    return read(data, name=name, options=ReadOptions(**options))


def refused(data: bytes, name: str = "x.csv", **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        taken(data, name, **options)
    return caught.value


def lines(records: list[dict[str, Any]]) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def is_known(reading: Reading, sure: Any = SURE, right: Any = RIGHT) -> bool:
    p = reading.predictions
    same = p.kind == "confidence" and np.allclose(p.probs[:, 0], sure, atol=1e-9)
    return bool(same and ((p.labels == 0) == right).all())


RATINGS = {
    "of 10, with decimals": np.round(R.uniform(1.5, 9.99, N), 2),
    "of 10, some below 1": np.r_[0.4, np.round(R.uniform(1.5, 9.99, N - 1), 2)],
    "of 5, with decimals": np.round(R.uniform(1.5, 5, N), 2),
    "of 10, halves": R.integers(7, 12, N) / 2,
    "of 10, whole": R.integers(1, 11, N),
}


@pytest.mark.parametrize("title", RATINGS)
def test_numbers_up_to_10_may_be_of_10(title: str) -> None:
    data = table({**PAIR, "confidence": RATINGS[title]})
    error = refused(data)
    assert "a rating such as 3 of 5" in str(error)
    few = len(set(RATINGS[title].tolist())) <= 12
    assert [one.asks for one in error.remedies if one.asks] == (["confidence_words"] if few else [])
    assert is_known(taken(data, **error.remedies[0].change), RATINGS[title] / 100, SAID == TRUE)


def test_what_goes_above_10_is_per_cent() -> None:
    cents = np.round(100 * SURE, 1)
    assert is_known(taken(table({**PAIR, "confidence": cents})))
    low = np.minimum(cents / 10, 9.9)
    assert is_known(taken(table({**PAIR, "confidence_percent": low})), low / 100)


OPTIONS = [R.dirichlet(np.ones(int(R.integers(2, 5)))).tolist() for _ in range(N)]
UNEVEN = {
    "lists": ("x.jsonl", lines([{"id": i, "probs": row} for i, row in enumerate(OPTIONS)])),
    "log-likelihoods": (
        "x.jsonl",
        lines([{"id": i, "loglikelihoods": np.log(row).tolist()} for i, row in enumerate(OPTIONS)]),
    ),
    "empty cells": (
        "x.csv",
        table({f"p_{k}": [dict(enumerate(row)).get(k) for row in OPTIONS] for k in range(4)}),
    ),
}


@pytest.mark.parametrize("title", UNEVEN)
def test_the_number_of_options_is_never_taken_for_labels(title: str) -> None:
    name, data = UNEVEN[title]
    error = refused(data, name)
    assert "No column of labels" in str(error)
    assert COUNT not in str(error)
    assert not any(COUNT in map(str, one.change.values()) for one in error.remedies)


def test_a_column_of_that_name_in_a_file_is_as_any_other() -> None:
    data = table({**PAIR, "confidence": SURE, COUNT: TRUE % 3})
    assert COUNT in taken(data).predictions.metadata


@pytest.mark.parametrize("answer", ["answer", "model_answer"])
def test_decisions_of_0_and_1_are_no_probabilities_beside_a_confidence(answer: str) -> None:
    said = np.where(RIGHT, TRUE % 2, 1 - TRUE % 2)
    signs = [f"{100 * one:.1f}%" for one in SURE]
    for cells in (SURE, signs):
        assert is_known(taken(table({"gold": TRUE % 2, answer: said, "conf": cells, "seconds": TRUE / 7})))


def test_what_a_model_wrote_is_no_log_likelihood() -> None:
    for wrote in ("42", "-42", "0"):
        record = {"doc_id": 0, "target": wrote, "doc": {}, "arguments": [["Q", "x"]]}
        for responses in ([wrote], [[wrote]], [[wrote, wrote]]):
            error = refused(lines([{**record, "filtered_resps": responses}] * 3), "samples_x.jsonl")
            assert f"has the text '{wrote}'" in str(error)
    several = {"doc_id": 0, "target": 0, "doc": {}, "filtered_resps": ["4", "2"]}
    assert "has the text '4'" in str(refused(lines([several] * 3), "samples_x.jsonl"))


def answer_log(tokens: list[list[str]]) -> bytes:
    return lines(
        [
            {
                "truth": "ABCD"[i % 4],
                "logprobs": {"content": [{"token": token, "logprob": -0.1 - i / 50} for token in row]},
            }
            for i, row in enumerate(tokens)
        ]
    )


def test_a_token_that_is_no_answer_is_no_class() -> None:
    said = [["ABCD"[(i + i // 2) % 4]] for i in range(20)]
    assert taken(answer_log(said), "x.jsonl").predictions.kind == "confidence"
    assert taken(answer_log([["The", *row] for row in said]), "x.jsonl").predictions.n == 20
    error = refused(answer_log([["The"], *said[1:]]), "x.jsonl")
    assert "Row 1 begins with 'The'" in str(error)
    assert taken(answer_log([["The"], *said[1:]]), "x.jsonl", **error.remedies[0].change).predictions.n == 19


@pytest.mark.parametrize("word", ["None", "NA", "null"])
def test_an_unknown_truth_is_neither_right_nor_wrong(word: str) -> None:
    columns = {name: np.where(np.arange(N) % 6, cells, word) for name, cells in PAIR.items()}
    data = table({**columns, "confidence": SURE})
    error = refused(data)
    assert word in str(error) or "no label" in str(error)
    sizes = {taken(data, **one.change).predictions.n for one in error.remedies}
    assert sizes == {N - 10, N}
    with pytest.raises(InputError, match="Row 2 has no truth"):
        Predictions.from_confidence([0.5, 0.6], predicted=["a", None], truth=["a", None])


MARKS = [
    "✓✗",
    "✔✘",
    "✅❌",
    "√×",
    "+-",
    "TF",
    "RW",
    (1, -1),
    (100, 0),
    ("ok", "nok"),
    ("OK", "not ok"),
    ("pass", "fail"),
]


@pytest.mark.parametrize("marks", MARKS, ids=map(str, MARKS))
def test_marks_of_right_and_wrong(marks: Any) -> None:
    yes, no = marks
    cells = [yes if one else no for one in RIGHT]
    assert is_known(taken(table({"confidence": SURE, "correct": cells})))
    assert is_known(
        taken(table({"confidence": SURE, "is_wrong": [no if one else yes for one in ~RIGHT]})), right=~RIGHT
    )
    if yes not in ("+", 100):
        assert (Predictions.from_confidence(SURE, cells).labels == np.where(RIGHT, 0, 1)).all()


def follow(data: bytes, options: ReadOptions) -> list[Reading]:
    """What every choice on offer gives, and every choice that it leads to; each is another question."""
    try:
        return [read(data, name="x.csv", options=options)]
    except InputError as error:
        question = error
    readings: list[Reading] = []
    for one in question.remedies:
        if one.change:
            mended = options.mended(one)
            assert mended != options, str(question)
            readings += follow(data, mended)
    assert readings or any(one.asks for one in question.remedies), f"{options}: {question}"
    return readings


LOGITS = np.round(R.normal(2, 5, N), 3)
SCORES = {f"score_{letter}": np.round(R.normal(0, 2, N), 3) for letter in "abc"}
OPEN: dict[str, dict[str, Any]] = {
    "logarithms": {**PAIR, "logprob": np.log(SURE)},
    "logarithms, right or wrong": {"logprob": np.log(SURE), "correct": RIGHT.astype(int)},
    "a rating": {**PAIR, "confidence": RATINGS["of 10, with decimals"]},
    "0 and 1": {**PAIR, "confidence": RIGHT.astype(int)},
    "per cent by name": {**PAIR, "confidence_pct": SURE},
    "one above 1": {**PAIR, "confidence": np.r_[1.7, SURE[1:]]},
    "fractions among per cent": {**PAIR, "confidence": np.r_[0.4, np.round(100 * SURE[1:])]},
    "no truth": {**PAIR, "truth": np.where(np.arange(N) % 6, PAIR["truth"], ""), "confidence": SURE},
    "contradiction": {**PAIR, "confidence": SURE, "correct": ~RIGHT},
    "two confidences": {**PAIR, "confidence": SURE, "max_prob": np.round(SURE**2, 3)},
    "scores of two": {"score": LOGITS, "label": (LOGITS > 2).astype(int)},
    "scores of three": {**SCORES, "label": LETTERS[TRUE % 3]},
    "label and confidence": {"confidence": SURE, "label": RIGHT.astype(int)},
}


@pytest.mark.parametrize("title", OPEN)
def test_every_choice_on_offer_reads(title: str) -> None:
    assert follow(table(OPEN[title]), ReadOptions())


NOTHING_MENDS = {
    "a score of ten": {"truth": TRUE, "pred": SAID, "max_logit": LOGITS},
    "a score of ten, by name": {
        "truth": PAIR["truth"],
        "pred": PAIR["prediction"],
        "max_logit": abs(LOGITS) + 2,
    },
    "scores of three, and ten labels": {**SCORES, "label": TRUE},
}


@pytest.mark.parametrize("title", NOTHING_MENDS)
def test_what_the_next_reading_refuses_is_not_offered(title: str) -> None:
    error = refused(table(NOTHING_MENDS[title]))
    assert not any("values" in one.change for one in error.remedies)
    assert "these look like scores" in str(error)


def test_without_a_header_both_orders_of_answer_and_truth_are_offered() -> None:
    rows = zip(PAIR["truth"], PAIR["prediction"], SURE, strict=True)
    data = "\n".join(",".join(map(str, row)) for row in rows).encode()
    ways = [one.change for one in refused(data).remedies if one.change]
    assert len(ways) == 2
    assert all(is_known(taken(data, **way), right=SAID == TRUE) for way in ways)
