"""What is no probability is refused in a sentence: decisions, uncertainties, thresholds, amounts, tokens."""

import json
from typing import Any

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from tests.io.readings import table

N = 60
R = np.random.default_rng(612)
SURE = np.round(R.uniform(0.2, 1, N), 3)
HAPPENED = (R.random(N) < SURE).astype(int)
DECIDED = (SURE > 0.5).astype(int)
LETTERS = np.array(list("ABCD"))
SAID, SO = (LETTERS[R.integers(0, 4, N)] for _ in range(2))


def asked(columns: Any, name: str = "x.csv") -> InputError:
    with pytest.raises(InputError) as caught:
        read(columns if isinstance(columns, bytes) else table(columns), name=name)
    return caught.value


NAMES = [
    "entropy",
    "predictive_entropy",
    "uncertainty",
    "margin",
    "mutual_information",
    "aleatoric",
    "epistemic",
    "variance",
    "nll",
    "energy",
    "test_loss",
]
BESIDE: dict[str, dict[str, Any]] = {
    "a label": {"label": HAPPENED},
    "an answer": {"prediction": SAID, "label": SO},
    "right": {"correct": HAPPENED},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("beside", BESIDE)
def test_an_uncertainty_is_refused(name: str, beside: str) -> None:
    error = asked({"id": np.arange(N), name: SURE, **BESIDE[beside]})
    assert str(error).startswith(
        f"Column '{name}' is by its name a measure of uncertainty, and no probability."
    )
    assert not any(remedy.rows for remedy in error.remedies)


def test_an_uncertainty_stands_beside_probabilities_and_a_class_may_be_called_so() -> None:
    columns = {"label": HAPPENED, "prob": SURE, "entropy": R.random(N)}
    assert read(table(columns), name="x.csv").probability_columns == ("prob",)
    classes = np.array(["margin", "core"])
    columns = {"label": classes[HAPPENED], "margin": 1 - SURE, "core": SURE}
    assert read(table(columns), name="x.csv").probability_columns == ("margin", "core")
    columns = {"label": np.array(["loss", "draw"])[HAPPENED], "loss": 1 - SURE, "draw": SURE}
    assert read(table(columns), name="x.csv").probability_columns == ("loss", "draw")


@pytest.mark.parametrize("name", ["pred_cat", "y_pred", "prediction"])
def test_a_decision_is_offered_last_and_called_one(name: str) -> None:
    error = asked({"id": np.arange(N), name: DECIDED, "label": HAPPENED})
    assert str(error) == f"Column '{name}' holds only 0 and 1, as decisions do: a decision is no probability."
    assert [remedy.words for remedy in error.remedies] == [f"Take '{name}' for probabilities all the same"]


def test_decisions_a_class_are_asked_about_but_for_what_is_called_probabilities() -> None:
    which = R.integers(0, 3, N)
    ones, names = np.eye(3, dtype=int)[which], np.array(["cat", "dog", "bird"])
    label = names[(which + (R.random(N) < 0.2)) % 3]
    error = asked({"label": label} | {f"pred_{name}": ones[:, k] for k, name in enumerate(names)})
    assert "hold only 0 and 1, as decisions do: a decision is no probability." in str(error)
    chosen = ReadOptions().mended(error.remedies[0])
    columns = {"label": label} | {f"pred_{name}": ones[:, k] for k, name in enumerate(names)}
    assert (read(table(columns), name="x.csv", options=chosen).predictions.probs == ones).all()
    read(table({"label": label} | {f"prob_{name}": ones[:, k] for k, name in enumerate(names)}), name="x.csv")


FLAGS = ["review_recommended", "needs_review", "low_confidence", "flagged", "high_confidence", "accepted"]


@pytest.mark.some(6)
@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("words", [(0, 1), (False, True), ("no", "yes")])
def test_a_threshold_on_the_confidence_is_no_truth(name: str, words: tuple[Any, Any]) -> None:
    cells = np.array(words)[(SURE < 0.4).astype(int)]
    columns: dict[str, Any] = {"id": np.arange(N), "prediction": SAID, "confidence": SURE, name: cells}
    error = asked(columns)
    assert not any(remedy.rows for remedy in error.remedies)
    assert f"Column '{name}' is" in str(error)
    assert "a threshold on it, which does not say what was right." in str(error)
    known = read(table(columns | {"truth": SO}), name="x.csv").predictions
    assert np.allclose(known.probs[:, 0], SURE)
    assert ((known.labels == 0) == (SAID == SO)).all()


def test_what_is_no_threshold_in_a_few_rows_is_offered() -> None:
    cells = (SURE < 0.4).astype(int)
    cells[np.argsort(SURE)[[3, -3, -9]]] ^= 1
    error = asked({"prediction": SAID, "confidence": SURE, "verdict": 1 - cells})
    assert any(remedy.change.get("correct_column") == "verdict" for remedy in error.remedies)
    assert "threshold" not in str(error)


LARGE = {
    "amounts": np.round(1e6 * R.random(N), 2),
    "times in seconds since 1970": 1_700_000_000 + R.integers(0, 10**6, N),
    "numbers that name cases, or amounts": 50_000 + R.permutation(N),
}


@pytest.mark.parametrize("what", LARGE)
def test_large_numbers_are_no_logits(what: str) -> None:
    error = asked({"score": LARGE[what], "label": HAPPENED})
    assert f"these look like {what}." in str(error)
    assert all(remedy.change.get("values") != "logits" for remedy in error.remedies)
    error = asked(
        {"cat": LARGE[what], "dog": LARGE[what] + 7_000_000, "label": np.array(["cat", "dog"])[HAPPENED]}
    )
    assert f"these look like {what}." in str(error)
    assert all(remedy.change.get("values") != "logits" for remedy in error.remedies)
    sure = asked({"prediction": SAID, "confidence": LARGE[what], "label": SO})
    assert f"as {what} do." in str(sure)


def test_logits_stay_logits() -> None:
    error = asked({"logit": np.round(R.normal(0, 40, N), 2), "label": HAPPENED})
    assert any(remedy.change.get("values") == "logits" for remedy in error.remedies)


LISTS: dict[str, dict[str, Any]] = {
    "numbers a token": {"tokens": ["It", "is", "A"], "token_logprobs": [-0.1, -0.2, -0.3]},
    "numbers beside tokens": {"tokens": ["It", "is", "A"], "logprobs": [-0.1, -0.2, -0.3]},
    "tokens alone": {"tokens": ["It", "is", "A"]},
}


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("form", ["json", "csv"])
def test_lists_of_tokens_lack_the_options(kind: str, form: str) -> None:
    rows = [{"id": i, **LISTS[kind], "label": str(SO[i])} for i in range(N)]
    data: Any = "\n".join(map(json.dumps, rows)).encode()
    if form == "csv":
        data = {name: [row[name] if name == "id" else str(row[name]) for row in rows] for name in rows[0]}
    error = asked(data, "x.jsonl" if form == "json" else "x.csv")
    assert "Expected the log-probabilities of the options" in str(error)
    assert ("how likely each token of a text was" in str(error)) == (kind != "tokens alone")
    assert "logits" not in str(error)


@pytest.mark.parametrize("kind", ["numbers a token", "numbers beside tokens"])
@pytest.mark.parametrize("alike", [True, False])
def test_a_confidence_is_read_beside_lists_of_tokens(kind: str, alike: bool) -> None:
    """Each text has as many tokens as it has, and the numbers of none are those of the answer."""

    def record(i: int) -> dict[str, Any]:
        lists = {name: cells if alike else cells[: 1 + i % 3] for name, cells in LISTS[kind].items()}
        said = {"prediction": str(SAID[i]), "label": str(SO[i]), "confidence": float(SURE[i])}
        return {"id": i, **said, **lists}

    rows = [record(i) for i in range(N)]
    reading = read("\n".join(map(json.dumps, rows)).encode(), name="x.jsonl")
    assert reading.probability_columns == ("confidence",)
    np.testing.assert_array_equal(reading.predictions.probs[:, 0], SURE)


def test_options_in_a_cell_of_text_belong_into_json() -> None:
    cells = ["{'A': -0.1, 'B': -2.1}"] * N
    assert "as text. They are read of JSON files" in str(asked({"top_logprobs": cells, "label": SO}))


def test_scores_say_more_than_decisions() -> None:
    logits = np.round(np.log(SURE / (1.001 - SURE)), 4)
    error = asked({"y_true": HAPPENED, "y_pred": (logits > 0).astype(int), "y_score": logits})
    assert error.remedies[0].change["values"] == "logits"
    assert "decision" not in str(error)


@pytest.mark.parametrize("names", [("no", "yes"), ("ill", "well"), ("cat", "dog")])
def test_columns_of_0_and_1_called_like_the_labels_are_no_labels(names: tuple[str, str]) -> None:
    """Whether a name is that of an event or not: "yes" was asked about as the labels of "no"."""
    columns = {names[0]: 1 - DECIDED, names[1]: DECIDED, "label": np.array(names)[HAPPENED]}
    reading = read(table(columns), name="x.csv")
    assert reading.probability_columns == names
    assert reading.label_source == "column:label"


def test_a_way_to_read_goes_on_in_small_letters() -> None:
    error = asked({"no": DECIDED, "yes": 1 - HAPPENED, "label": HAPPENED})
    assert all("; The" not in remedy.words for remedy in error.remedies)
    assert any("; the labels are" in remedy.words for remedy in error.remedies)
