"""Files in which only the confidence in the answer is known."""

import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import Predictions
from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.errors import InputError, NoLabelsError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.options import confidence_words_of
from calibcore.words.readings import first_rows, flags_beyond, with_flags
from tests.cli.commands import run
from tests.confidence import amiss
from tests.io.readings import choices, table

N = 60
R = np.random.default_rng(37)
SURE = np.round(R.uniform(0.3, 1, N), 3)
RIGHT = R.random(N) < SURE
LETTERS = np.array(list("ABCDE"))
TRUE = R.integers(0, 5, N)
SAID = np.where(RIGHT, TRUE, (TRUE + 1 + R.integers(0, 4, N)) % 5)
YES = R.integers(0, 2, N)
DECIDED = np.where(RIGHT, YES, 1 - YES)
CALLED = [f"LABEL_{k}" for k in SAID]
WORDS = np.array(["low", "medium", "high"])[np.digitize(SURE, [0.5, 0.8])]
EVENT = np.round(R.random(N), 3)
HAPPENED = (R.random(N) < EVENT).astype(int)
ANSWERS = {"truth": LETTERS[TRUE], "prediction": LETTERS[SAID]}


def taken(columns: dict[str, Any], **options: Any) -> Reading:
    return read(table(columns), name="x.csv", options=ReadOptions(**options))


def known(reading: Reading, sure: Any = SURE, right: Any = RIGHT) -> bool:
    """Whether it is read as a confidence, with these numbers and these answers right."""
    p = reading.predictions
    same = np.allclose(p.probs[:, 0], sure, rtol=0, atol=1e-12)
    return p.kind == "confidence" and bool(same) and bool(((p.labels == 0) == right).all())


def refused(columns: dict[str, Any], **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        taken(columns, **options)
    return caught.value


def ece_by_loops(rows: list[tuple[float, bool]], bins: int = 10) -> float:
    """The ECE of the confidence, bin by bin; a bin holds its upper end, the first one 0 too."""
    total = 0.0
    for b in range(bins):
        low, high = b / bins, (b + 1) / bins
        inside = [(c, r) for c, r in rows if low < c <= high or (b == 0 and c == 0)]
        if inside:
            mean = sum(c for c, _ in inside) / len(inside)
            share = sum(r for _, r in inside) / len(inside)
            total += len(inside) * abs(mean - share)
    return total / len(rows)


def test_truth_prediction_and_confidence_by_the_command(tmp_path: Any, capsys: Any) -> None:
    """As people publish results on ImageNet: numbers of 1,000 classes, how sure, and no more."""
    rng = np.random.default_rng(4)
    n = 1_500
    sure = rng.uniform(0.05, 1, n)
    true = rng.integers(0, 1_000, n)
    said = np.where(rng.random(n) < sure**1.2, true, rng.integers(0, 1_000, n))
    path = tmp_path / "imagenet.csv"
    columns = {"true_labels": true, "pred_labels": said, "confidences": sure}
    path.write_bytes(table(columns))
    code, out, _ = run(capsys, "diagnose", path, "--json", "--tests", "none", "--estimates", "none")
    found = json.loads(out)
    assert code == 0
    assert found["data"]["kind"] == "confidence"
    rows = list(zip(sure.tolist(), (true == said).tolist(), strict=True))
    assert found["calibration_error"]["ece"] == pytest.approx(ece_by_loops(rows), abs=1e-12)
    assert found["scores"]["accuracy"] == pytest.approx(sum(r for _, r in rows) / n)


LLM = {"question": [f"q{i}" for i in range(N)], "answer": LETTERS[SAID], "target": LETTERS[TRUE]}
READ = {
    "confidence and correct": ({"confidence": SURE, "correct": RIGHT.astype(int)}, SURE),
    "a share": ({"conf": SURE, "is_correct": RIGHT}, SURE),
    "wrong": ({"confidence": SURE, "is_error": 1 - RIGHT}, SURE),
    "words for right": ({"certainty": SURE, "result": np.where(RIGHT, "right", "wrong")}, SURE),
    "yes and no": ({"confidence_score": SURE, "hit": np.where(RIGHT, "Yes", "no")}, SURE),
    "per cent": ({"confidence": np.round(100 * SURE), "correct": RIGHT}, np.round(100 * SURE) / 100),
    "signs": ({"confidence": [f"{100 * c:.1f}%" for c in SURE], "correct": RIGHT}, SURE),
    "the name says per cent": ({"Confidence (%)": np.round(100 * SURE, 1), **ANSWERS}, SURE),
    "truth and prediction": ({**ANSWERS, "confidence": SURE}, SURE),
    "in other cases": ({"label": LETTERS[TRUE], "pred": np.char.lower(LETTERS[SAID]), "conf": SURE}, SURE),
    "any name of many classes": ({"y_true": TRUE, "y_pred": SAID, "prob": SURE}, SURE),
    "named alike": ({"species": LETTERS[TRUE], "predicted_species": LETTERS[SAID], "score": SURE}, SURE),
    "ids beside names": ({"true_id": TRUE, "pred_id": SAID, **ANSWERS, "confidence": SURE}, SURE),
    "two classes": ({"label": YES, "prediction": DECIDED, "confidence": SURE}, SURE),
    "a language model": ({**LLM, "stated_confidence": np.round(100 * SURE)}, np.round(100 * SURE) / 100),
    "a key": ({"model_answer": LETTERS[SAID], "correct_answer": LETTERS[TRUE], "llm_confidence": SURE}, SURE),
    "texts": ({"answer": LLM["question"], "gold": [*"x" * N], "correct": RIGHT, "confidence": SURE}, SURE),
    "the prediction too": ({"prediction": LETTERS[SAID], "correct": RIGHT, "confidence": SURE}, SURE),
    "names of a pipeline": ({"label": TRUE, "pred": CALLED, "score": SURE}, SURE),
    "a pipeline beside a truth": ({"truth": TRUE, "label": CALLED, "score": SURE}, SURE),
    "a record of a service": (
        {"truth": LETTERS[TRUE], "Labels[0].Name": LETTERS[SAID], "Labels[0].Confidence": 100 * SURE},
        SURE,
    ),
    "a record of a pipeline": ({"[0].label": LETTERS[SAID], "[0].score": SURE, "gold": LETTERS[TRUE]}, SURE),
    "features": ({"f1": EVENT, "f2": SURE[::-1], **ANSWERS, "confidence": SURE}, SURE),
}


@pytest.mark.parametrize("title", READ)
def test_it_is_read_without_a_question(title: str) -> None:
    columns, sure = READ[title]
    assert known(taken(columns), sure)


def test_a_second_guess_of_a_service_is_no_confidence_of_its_own() -> None:
    first = {"Labels[0].Name": LETTERS[SAID], "Labels[0].Confidence": 50 + 50 * SURE}
    second = {"Labels[1].Name": "F", "Labels[1].Confidence": 50 - 50 * SURE}
    error = refused({"truth": LETTERS[TRUE], **first, **second})
    assert {r.change.get("confidence_column") for r in error.remedies if r.rows} == {"Labels[0].Confidence"}


def test_first_rows_in_words_and_columns_for_groups() -> None:
    reading = taken({**ANSWERS, "confidence": SURE, "site": "here"})
    said, true, sure = LETTERS[SAID[0]], LETTERS[TRUE[0]], SURE[0]
    right = "right" if RIGHT[0] else "wrong"
    assert first_rows(reading)[0] == f"row 1: answered {said}, {sure:.3g} sure, truth {true}: {right}"
    assert list(reading.metadata_columns) == [PREDICTED, TRUTH, "site"]
    assert reading.predictions.metadata[TRUTH].tolist() == LETTERS[TRUE].tolist()
    alone = taken({"confidence": SURE, "correct": RIGHT})
    assert first_rows(alone)[0] == f"row 1: {sure:.3g} sure: {right}"
    assert any("Only the confidence in the answer is known" in note for note in alone.notes)
    long = taken({"prediction": np.where(RIGHT, "x" * 80, "y"), "correct": RIGHT, "confidence": SURE})
    assert len(first_rows(long)[0]) < 80


def test_what_is_worth_knowing_is_said_of_answers() -> None:
    """There are no classes, and no probability of one."""
    notes = taken({"confidence": [1, 1, 0, 0.5], "correct": [0, 1, 1, 1]}).notes
    assert (
        "2 answers were wrong with a confidence of 1, or right with one of 0. One such case refutes"
        in str(notes)
    )
    assert "Every answer was wrong." in taken({"confidence": SURE, "correct": np.zeros(N, int)}).notes
    together = taken({"confidence": np.r_[SURE, SURE], "correct": np.repeat([0, 1], N)}).notes
    assert any(note.startswith("Right answers stand together, or alternate") for note in together)
    assert not amiss(str((notes, together)))


def test_every_format_and_a_file_of_labels() -> None:
    frame, of_lines = pd.DataFrame({**ANSWERS, "confidence": SURE}), io.StringIO()
    frame.to_json(of_lines, orient="records", lines=True)
    assert known(read(of_lines.getvalue().encode(), name="x.jsonl"))
    columns = {name: frame[name].tolist() for name in frame}
    assert known(read(json.dumps(columns).encode(), name="x.json"))
    packed = io.BytesIO()
    frame.to_parquet(packed)
    assert known(read(packed.getvalue(), name="x.parquet"))
    arrays = io.BytesIO()
    np.savez(arrays, confidences=SURE, predictions=SAID, labels=TRUE)
    assert known(read(arrays.getvalue(), name="x.npz"))
    labels = table({"truth": ANSWERS["truth"]})
    apart = read(table({"prediction": ANSWERS["prediction"], "confidence": SURE}), labels=labels)
    assert known(apart)
    assert apart.label_source == "file:labels"


# --- verdicts


@pytest.mark.parametrize("name", ["Score", "grade", "judgement"])
@pytest.mark.parametrize("words", [(1, 0), (1.0, 0.0), (True, False), ("y", "n")])
def test_whether_a_verdict_says_what_was_right_is_asked(name: str, words: tuple[Any, Any]) -> None:
    columns = {"full_response": LLM["question"], "confidence": SURE, name: np.where(RIGHT, *words)}
    ways = [one for one in refused(columns).remedies if "correct_column" in one.change]
    (way,) = ways
    assert known(taken(columns, **way.change))


def test_a_verdict_that_agrees_with_answer_and_truth_is_no_question() -> None:
    """As logs of BoolQ have it; "answer" is what was so beside the "model_answer"."""
    words = np.array(["False", "True"])
    columns = {"answer": words[YES], "model_answer": words[DECIDED], "confidence": SURE}
    columns["Score"] = RIGHT.astype(int)
    reading = taken(columns)
    assert known(reading)
    assert reading.predictions.metadata[TRUTH].tolist() == words[YES].tolist()
    columns["Score"] = np.r_[1 - columns["Score"][0], columns["Score"][1:]]
    assert known(taken(columns))  # the answer and the truth say it, and this is another score
    assert "Score" in taken(columns).metadata_columns


def test_texts_of_both_answers_are_neither() -> None:
    texts = {"full_response": LLM["question"], "full_response_confidence": LLM["question"][::-1]}
    columns = {**texts, "answer": ANSWERS["truth"], "predicted_answer": ANSWERS["prediction"]}
    reading = taken({**columns, "confidence": SURE})
    assert known(reading)
    assert reading.predictions.metadata[TRUTH].tolist() == ANSWERS["truth"].tolist()


def test_a_confidence_in_being_correct_has_no_classes() -> None:
    """ "Correct" and "Wrong" are no names of classes beside "p_correct"."""
    assert known(taken({"p_correct": SURE, "judgement": np.where(RIGHT, "Correct", "Wrong")}))


# --- what is asked


def test_prob_and_correct_have_three_readings() -> None:
    data = {"prob": EVENT, "correct": HAPPENED}
    remedies = choices(table(data))
    assert [one.change.get("label_says") for one in remedies] == ["right", "outcome", None]
    assert known(taken(data, **remedies[2].change), EVENT, HAPPENED == 1)


def test_the_probability_of_an_event_stays_one() -> None:
    decided = (EVENT > 0.5).astype(int)
    for name in ("prob", "p", "score"):
        for more in ({}, {"pred": decided}):
            p = taken({name: EVENT, **more, "label": HAPPENED}).predictions
            assert p.kind == "probabilities"
            assert np.allclose(p.probs[:, 1], EVENT)
    remedies = choices(table({"confidence": EVENT, "pred": decided, "label": HAPPENED}))
    assert all("confidence_column" not in one.change for one in remedies)


@pytest.mark.some(4)
@pytest.mark.parametrize("words", [("0", "1"), ("no", "yes")], ids="_".join)
@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("odd", [0, 2])
@pytest.mark.parametrize("others", ["correct", "truth", "truth correct"])
def test_the_probability_of_one_class_is_asked_about_whatever_it_is_called(
    words: tuple[str, str], scale: int, odd: int, others: str
) -> None:
    """ "confidence" that goes with all or nearly all decisions, beside any column of the truth."""
    names = np.array(words)
    said = (EVENT > 0.5).astype(int)
    said[:odd] = 1 - said[:odd]
    beside = {"truth": names[HAPPENED], "correct": (said == HAPPENED).astype(int)}
    columns = {"prediction": names[said], "confidence": np.round(EVENT * scale, 1 if scale > 1 else 3)}
    error = refused({**columns, **{name: beside[name] for name in others.split()}})
    assert error.remedies
    for remedy in error.remedies:
        p = taken({**columns, **{name: beside[name] for name in others.split()}}, **remedy.change).predictions
        assert p.n == N
        assert p.confidence_only == ("confidence_column" in remedy.change)


@pytest.mark.parametrize("others", ["correct", "truth", "truth correct"])
def test_a_low_confidence_beside_either_of_two_answers_is_no_question(others: str) -> None:
    beside = {"truth": YES, "correct": RIGHT.astype(int)}
    columns = {"prediction": DECIDED, "confidence": SURE, **{name: beside[name] for name in others.split()}}
    assert known(taken(columns))


def test_a_confidence_beside_a_label_alone_is_asked_about() -> None:
    remedies = choices(table({"confidence": EVENT, "label": HAPPENED}))
    events = [one for one in remedies if "class_names" in one.change]
    (other,) = [one for one in remedies if "confidence_column" in one.change]
    assert len(events) == 2
    assert known(taken({"confidence": EVENT, "label": HAPPENED}, **other.change), EVENT, HAPPENED == 1)
    # Names of classes say nothing of answers.
    remedies = choices(table({"confidence": EVENT, "label": np.array(["neg", "pos"])[HAPPENED]}))
    assert all("confidence_column" not in one.change for one in remedies)


@pytest.mark.parametrize(
    ("columns", "says", "fields"),
    [
        ({"confidence": WORDS, "correct": RIGHT}, "the words 'high', 'low', 'medium'", ["confidence_words"]),
        ({**ANSWERS, "confidence": WORDS}, "the words 'high', 'low', 'medium'", ["confidence_words"]),
        (
            {"confidence": 1 + TRUE, "correct": RIGHT},
            "a rating such as 3 of 5",
            ["values", "confidence_words"],
        ),
        ({"confidence": YES, "correct": RIGHT}, "holds only 0 and 1", ["values", "values"]),
        ({"confidence_pct": SURE, "correct": RIGHT}, "says per cent", ["values", "values"]),
        (
            {"confidence": ["0.9", *(f"{100 * c:.0f}" for c in SURE[1:])], "correct": RIGHT},
            "0.9, which may be 0.9 per cent or 90 per cent",
            ["values", "leave_out_rows"],
        ),
        ({"confidence": np.round(np.log(SURE), 4), "correct": RIGHT}, "look like logarithms", ["values"]),
        (
            {"confidence": [1.4, *SURE[1:]], "correct": RIGHT},
            "Row 1 has the confidence 1.4",
            ["leave_out_rows", "values"],
        ),
        ({"confidence": [None, *SURE[1:]], "correct": RIGHT}, "Row 1 is empty in column", ["leave_out_rows"]),
        (
            {"confidence": ["sure", *SURE[1:]], "correct": RIGHT},
            "Row 1 has 'sure'",
            ["leave_out_rows", "confidence_words"],
        ),
        (
            {"prediction": LETTERS[SAID], "label": TRUE, "confidence": SURE},
            "has other names",
            ["correct_column"],
        ),
        ({**ANSWERS, "x": SURE}, "Only column 'x' may be the confidence", ["confidence_column"]),
    ],
)
def test_what_is_open_is_asked_with_its_remedies(columns: Any, says: str, fields: list[str]) -> None:
    error = refused(columns)
    assert says in str(error)
    assert "softmax" not in with_flags(error, ReadOptions())
    assert all(field in one.fields for field, one in zip(fields, error.remedies, strict=True)), error.remedies
    for remedy in error.remedies:
        if remedy.change:
            assert taken(columns, **ReadOptions().mended(remedy).__dict__).predictions.kind == "confidence"


def test_words_stand_for_what_somebody_says() -> None:
    given = ("high=0.9", "Medium=60%", "low=.3")
    reading = taken({**ANSWERS, "confidence": WORDS}, confidence_words=given)
    sure = np.select([WORDS == "high", WORDS == "medium"], [0.9, 0.6], 0.3)
    assert known(reading, sure)
    assert any("'high' as 0.9" in note for note in reading.notes)
    mixed = np.where(np.arange(N) % 2 == 0, WORDS, np.round(100 * SURE).astype(int).astype(str))
    expected = np.where(np.arange(N) % 2 == 0, sure, np.round(100 * SURE) / 100)
    assert known(taken({"confidence": mixed, "correct": RIGHT}, confidence_words=given), expected)
    error = refused({**ANSWERS, "confidence": WORDS}, confidence_words=("high=0.9",))
    assert "the words 'low', 'medium', which nothing is said about" in str(error)
    rated = taken({"confidence": 1 + YES, "correct": RIGHT}, confidence_words=("1=0.2", "2=0.8"))
    assert known(rated, np.where(YES == 1, 0.8, 0.2))
    for bad in ("high", "=0.4", "high=2", "high=x"):
        with pytest.raises(InputError, match="expected the word and a number from 0 to 1"):
            confidence_words_of([bad])
    with pytest.raises(InputError, match="stands for two confidences"):
        confidence_words_of(["a=0.1", "A=0.2"])


def test_what_contradicts_is_a_question() -> None:
    columns = {**ANSWERS, "correct": ~RIGHT, "confidence": SURE}
    error = refused(columns)
    assert f"({N} such rows)" in str(error)
    by_column, by_truth = error.remedies
    assert known(taken(columns, **by_column.change), SURE, ~RIGHT)
    assert known(taken(columns, **by_truth.change))


def test_several_confidences_are_a_question_and_never_scores() -> None:
    columns = {**ANSWERS, "bert_confidence": SURE, "gpt_confidence": SURE[::-1]}
    error = refused(columns)
    assert "softmax" not in with_flags(error, ReadOptions())
    first, second = error.remedies
    assert known(taken(columns, **first.change))
    assert known(taken(columns, **second.change), SURE[::-1])


def test_nothing_says_what_is_right() -> None:
    with pytest.raises(NoLabelsError, match="and nothing says what was so"):
        taken({"prediction": LETTERS[SAID], "confidence": SURE})
    error = refused({"prediction": LETTERS[SAID], "x": SURE}, confidence_column="x")
    assert {one.asks for one in error.remedies} == {"label_column", "correct_column"}


def test_columns_as_a_person_names_them() -> None:
    columns = {"a": LETTERS[SAID], "b": LETTERS[TRUE], "c": SURE, "d": RIGHT}
    named = {"confidence_column": "c", "prediction_column": "a", "label_column": "b"}
    assert known(taken(columns, **named))
    assert known(taken(columns, confidence_column="c", correct_column="d"))
    flags = flags_beyond(ReadOptions(**named), ReadOptions())
    assert options_from(parser().parse_args(["survey", "x.csv", *flags.split()])) == ReadOptions(**named)
    assert "no column 'z'" in str(refused(columns, confidence_column="z"))
    both = refused(columns, **named, class_names=("a", "b"))
    assert "Expected one of both" in str(both)
    assert "it is no logit" in str(refused(columns, **named, values="logits"))
    assert "do not say whether answers" in str(refused(columns, confidence_column="c", correct_column="a"))


def test_something_wrong_with_probabilities_that_are_there_is_said() -> None:
    """A bad cell does not turn a file of probabilities into one of confidences."""
    p = R.dirichlet(np.ones(5), N).round(4)
    p[:, 0] += 1 - p.sum(axis=1)
    cells: dict[str, Any] = {f"p_{name}": p[:, k] for k, name in enumerate(LETTERS)}
    whole = {**cells, **ANSWERS, "confidence": SURE}
    assert taken(whole).predictions.kind == "probabilities"
    error = refused({**whole, "p_A": ["?", *p[1:, 0]]})
    assert "Row 1 has '?' in column 'p_A'" in str(error)


def test_commands_on_such_files(tmp_path: Any, capsys: Any) -> None:
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    many = {name: np.tile(values, 4) for name, values in ANSWERS.items()}
    path.write_bytes(table({**many, "confidence": np.tile(SURE, 4)}))
    other.write_bytes(table({**many, "confidence": np.round(np.tile(SURE, 4) ** 2, 4)}))
    few = ("--resamples", "99")
    code, out, _ = run(capsys, "groups", path, "--by", TRUTH, "--json", *few)
    assert code == 0
    assert {group["value"] for group in json.loads(out)["groups"]} == set(LETTERS.tolist())
    code, out, _ = run(capsys, "survey", path, *few)
    assert (code, "As read, row 1: answered" in out) == (0, True)
    code, out, _ = run(capsys, "compare", path, other, "--json", *few)
    assert code == 0
    assert len(json.loads(out)["models"]) == 2
    report = tmp_path / "r.html"
    assert run(capsys, "report", path, "--out", report, *few)[0] == 0
    assert "confidence" in report.read_text("utf-8")
    figure = tmp_path / "f.svg"  # through the only lens that there is
    assert run(capsys, "figure", path, "--out", figure)[0] == 0
    assert figure.stat().st_size


def test_it_is_what_the_constructor_makes() -> None:
    p = taken({**ANSWERS, "confidence": SURE}).predictions
    made = Predictions.from_confidence(SURE, predicted=ANSWERS["prediction"], truth=ANSWERS["truth"])
    assert p.fingerprint == made.fingerprint
