"""Answers beside the truth, called as logs of language models call them: never a silent guess."""

from typing import Any

import numpy as np
import pytest

from calibcore.column_names.lexicon import words_of
from calibcore.errors import InputError, SeveralModelsError
from calibcore.io import Reading, ReadOptions, models_in, read
from tests.io.readings import table

N = 60
R = np.random.default_rng(371)
SURE = np.round(R.uniform(0.2, 1, N), 3)
RIGHT = R.random(N) < 0.9 * SURE
CLASSES = {
    "letters": list("ABCD"),
    "numbers": [str(k) for k in range(10)],
    "two": ["no", "yes"],
    "truth values": ["False", "True"],
    "0 and 1": ["0", "1"],
    "texts": [f"Answer {k}" for k in range(N)],
}
TRUTHS = sorted(
    words_of("""
    gold_label answerKey correct_answer correct_option expected_answer answer_key solution key
    gt_answer right_answer reference ground_truth y_true target
""")
)
ANSWERS = sorted(
    words_of("""
    prediction answer model_answer response y_pred parsed_answer choice output final_answer
    selected_option completion
""")
)
CONFIDENCES = sorted(
    words_of("""
    confidence stated_confidence model_confidence answer_confidence self_reported_confidence conf
    prob score answer_prob p_true pred_prob certainty
""")
)
VERDICTS = sorted(
    words_of("""
    correct is_correct judge_correct exact_match acc correctness
""")
)


def drawn(seed: int) -> tuple[dict[str, Any], str]:
    """A file of one of these names each, its columns in any order, and what its answers are."""
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(list(CLASSES)))
    names = np.array(CLASSES[kind])
    true = np.arange(N) if kind == "texts" else rng.integers(0, len(names), N)
    said = np.where(RIGHT, true, (true + rng.integers(1, len(names), N)) % len(names))
    truth, answer, sure, verdict = (
        str(rng.choice(names)) for names in (TRUTHS, ANSWERS, CONFIDENCES, VERDICTS)
    )
    columns: dict[str, Any] = {sure: SURE}
    form = rng.integers(0, 4)
    if form < 2:
        columns[truth] = names[true]
    if form < 3:
        columns[answer] = names[said]
    if form > 0:
        columns[verdict] = np.array(["no", "yes"])[RIGHT.astype(int)]
    more = {
        "id": np.arange(N),
        "difficulty": np.array(["easy", "hard"])[np.arange(N) % 2],
        "latency": np.round(rng.uniform(0.1, 9, N), 2),
        "level": rng.integers(1, 6, N),
    }
    columns |= {name: cells for name, cells in more.items() if rng.random() < 0.25}
    order = rng.permutation(list(columns))
    return {str(name): columns[name] for name in order}, kind


def is_meant(reading: Reading) -> bool:
    p = reading.predictions
    same = p.kind == "confidence" and np.allclose(p.probs[:, 0], SURE, atol=1e-9)
    return bool(same and ((p.labels == 0) == RIGHT).all())


def reaches(data: bytes, options: ReadOptions, depth: int = 0) -> bool:
    """Whether the meaning is read, or one of the answers on offer, or a column asked for, leads to it.

    Nothing else may come without a question.
    """
    try:
        reading = read(data, name="x.csv", options=options)
    except InputError as error:
        if depth == 2:
            return False
        after = [reaches(data, options.mended(r), depth + 1) for r in error.remedies if r.change]
        asks = {r.asks for r in error.remedies} & {"correct_column", "prediction_column", "label_column"}
        return any(after) or bool(asks)
    assert depth or is_meant(reading), (reading.probability_columns, reading.label_source)
    return is_meant(reading)


@pytest.mark.some(12)
@pytest.mark.parametrize("seed", range(80))
def test_a_confidence_is_read_or_asked_about_whatever_its_columns_are_called(seed: int) -> None:
    columns, kind = drawn(seed)
    assert reaches(table(columns), ReadOptions()), (kind, list(columns))


TWO = np.array(["no", "yes"])
EVENT = np.round(R.random(N), 3)


@pytest.mark.parametrize("name", ["model_confidence", "gpt4_confidence", "stated_confidence"])
def test_whose_confidence_it_is_names_no_class(name: str) -> None:
    true = R.integers(0, 2, N)
    columns = {"truth": TWO[true], "prediction": TWO[np.where(RIGHT, true, 1 - true)], name: SURE}
    assert is_meant(read(table(columns), name="x.csv"))


@pytest.mark.parametrize("name", ["prob", "p_yes", "score"])
def test_one_column_that_does_not_go_with_two_answers_is_asked_about(name: str) -> None:
    true = R.integers(0, 2, N)
    columns = {"truth": TWO[true], "prediction": TWO[np.where(RIGHT, true, 1 - true)], name: SURE}
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    kinds = {
        read(table(columns), name="x.csv", options=ReadOptions().mended(remedy)).predictions.kind
        for remedy in caught.value.remedies
    }
    assert kinds == {"confidence", "probabilities"}


@pytest.mark.parametrize("name", ["prob", "p_yes", "score"])
def test_one_column_that_is_the_answers_rounded_is_no_question(name: str) -> None:
    happened = (R.random(N) < EVENT).astype(int)
    for cut in (0.5, 0.3):
        columns = {"truth": TWO[happened], "prediction": TWO[(cut < EVENT).astype(int)], name: EVENT}
        p = read(table(columns), name="x.csv").predictions
        assert p.kind == "probabilities"
        assert np.allclose(p.probs[:, 1], EVENT)


@pytest.mark.parametrize("truth", ["Correct_Answer", "gold", "is_correct"])
def test_an_answer_beside_the_truth_is_no_label(truth: str) -> None:
    """Where probabilities of all classes stand beside both."""
    said = np.where(R.random(N) < 0.9, EVENT > 0.5, EVENT <= 0.5).astype(int)
    so = np.where(RIGHT, said, 1 - said)
    cells = RIGHT if truth == "is_correct" else TWO[so]
    columns = {"Answer": TWO[said], truth: cells, "yes_prob": EVENT, "no_prob": np.round(1 - EVENT, 3)}
    asked = None
    try:
        source = read(table(columns), name="x.csv").label_source
    except InputError as error:
        asked, source = error, f"column:{truth}"
    assert source == f"column:{truth}"
    assert asked is None or ("Answer" in str(asked) and asked.remedies)


def test_softmax_is_no_advice_beside_a_confidence() -> None:
    columns = {
        "Answer": TWO[R.integers(0, 2, N)],
        "Confidence": SURE,
        "Yes_Prob": np.round(0.3 * EVENT, 3),
        "No_Prob": np.round(0.3 * (1 - EVENT) + 0.01, 3),
        "is_correct": RIGHT.astype(int),
    }
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    assert all(remedy.change.get("values") != "logits" for remedy in caught.value.remedies)
    first = read(table(columns), name="x.csv", options=ReadOptions().mended(caught.value.remedies[0]))
    assert is_meant(first)


CALLED_SURE = [
    "confidence",
    "certainty",
    "Konfidenz",
    "fiabilité",
    "max_proba",
    "top1_prob",
    "highest probability",
]


@pytest.mark.some(3)
@pytest.mark.parametrize("sure", CALLED_SURE)
@pytest.mark.parametrize("form", ["logit_{}", "z_{}", "{}_logit", "{}"])
def test_what_all_classes_say_comes_before_a_confidence(form: str, sure: str) -> None:
    """Scores of all classes beside how sure the model was: both are offered, with their first rows."""
    scores, labels = R.normal(0, 2, (N, 3)) - 1, np.array(["red", "green", "blue"])
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    columns: dict[str, Any] = {form.format(name): scores[:, k] for k, name in enumerate(labels)}
    columns |= {sure: p.max(axis=1).round(4), "y_hat": labels[p.argmax(axis=1)]}
    columns |= {"truth": labels[R.integers(0, 3, N)]}
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    scored, alone = caught.value.remedies[:2]
    assert scored.rows
    assert alone.rows
    found = read(table(columns), name="x.csv", options=ReadOptions().mended(scored)).predictions
    assert np.allclose(found.probs[:, [found.class_names.index(name) for name in labels]], p)
    only = read(table(columns), name="x.csv", options=ReadOptions().mended(alone)).predictions
    assert only.confidence_only
    assert np.allclose(only.probs[:, 0], p.max(axis=1), atol=1e-4)


@pytest.mark.parametrize("name", ["top2", "runner_up", "second_class", "2nd_prediction"])
def test_a_second_guess_is_no_answer(name: str) -> None:
    letters = np.array(list("ABC"))
    columns = {name: letters[R.integers(0, 3, N)], "confidence": SURE, "truth": letters[R.integers(0, 3, N)]}
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    assert all("prediction_column" not in remedy.change for remedy in caught.value.remedies)


def test_the_number_of_a_fold_is_no_truth() -> None:
    fold = R.integers(0, 2, N)
    columns = {"score": SURE, "pred": EVENT, "Correct": RIGHT.astype(int), "fold": fold}
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    assert "the truth is" not in str(caught.value)
    assert all(remedy.change.get("label_column") != "fold" for remedy in caught.value.remedies)


MODELS = ["gpt-3.5-turbo-0125", "Llama3.1-70B", "claude-3-5-sonnet-20240620", "ClaudeHiakuWeb-raw"]


@pytest.mark.some(4)
@pytest.mark.parametrize("verdict", ["correct", "correctness", "answer"])
@pytest.mark.parametrize("numbers", ["fractions", "per cent", "ratings", "words among them"])
def test_models_beside_each_other_are_called_as_their_makers_call_them(numbers: str, verdict: str) -> None:
    """ "Llama3.1-70B_confidence" beside "Llama3.1-70B_correctness", and never beside that of another."""
    letters, right = np.array(list("ABCD")), {name: R.random(N) < 0.6 for name in MODELS}
    sure = {name: np.round(R.uniform(0.3, 1, N), 2) for name in MODELS}
    columns: dict[str, Any] = {"gold": letters[R.integers(0, 4, N)]} if verdict == "answer" else {}
    for name in MODELS:
        cells: Any = sure[name]
        if numbers == "per cent":
            cells = np.round(100 * cells).astype(int)
        elif numbers == "ratings":
            cells = np.ceil(10 * cells).astype(int)
        elif numbers == "words among them":
            cells = np.where(np.arange(N) % 9 == 4, "not mentioned", cells.astype(str))
        columns[f"{name}_confidence"] = cells
        if verdict == "answer":
            true = np.array([list("ABCD").index(cell) for cell in columns["gold"]])
            columns[f"{name}_answer"] = letters[np.where(right[name], true, (true + 1) % 4)]
        else:
            columns[f"{name}_{verdict}"] = np.array(["Incorrect", "Correct"])[right[name].astype(int)]
    with pytest.raises(SeveralModelsError) as caught:
        read(table(columns), name="x.csv")
    assert sorted(caught.value.models) == sorted(MODELS)
    if numbers in ("fractions", "per cent"):
        for name, reading in models_in(table(columns), name="x.csv").readings.items():
            p = reading.predictions
            assert np.allclose(p.probs[:, 0], sure[name], atol=1e-9)
            assert ((p.labels == 0) == right[name]).all()


@pytest.mark.parametrize("truth", ["true_label", "expected", "gold"])
def test_label_and_score_of_a_pipeline_are_an_answer_and_its_confidence(truth: str) -> None:
    """A score of two classes that is never below one half is that of whichever class was said."""
    words, sure = np.array(["NEGATIVE", "POSITIVE"]), np.round(0.5 + SURE / 2, 4)
    said = R.integers(0, 2, N)
    columns = {"label": words[said], "score": sure, truth: words[np.where(RIGHT, said, 1 - said)]}
    with pytest.raises(InputError) as caught:
        read(table(columns), name="x.csv")
    p = read(table(columns), name="x.csv", options=ReadOptions().mended(caught.value.remedies[0])).predictions
    assert p.confidence_only
    assert np.allclose(p.probs[:, 0], sure)
    assert ((p.labels == 0) == RIGHT).all()
