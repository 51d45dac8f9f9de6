"""Files in which only the confidence in the answer is known, drawn in the shapes in which people write them.

Each with its truth: how sure each model was of its answers, and which were right.
"""

import io
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from tests.hostile.grammar.drawing import Array, Rng, chance, pick

SURE = (
    "confidence", "conf", "Confidence", "confidences", "max_prob", "certainty", "model_confidence", "prob",
    "score", "p", "confidence_score", "stated_confidence", "verbalized_confidence", "answer_confidence",
    "pred_conf", "p_correct", "Confidence (%)", "konfidenz", "probability",
)  # fmt: skip
SAID = (
    "prediction", "pred_label", "y_pred", "predicted", "answer", "model_answer", "yhat", "top1",
    "predicted_answer", "llm_answer", "response", "pred", "Predicted Class", "vorhersage", "choice",
)  # fmt: skip
SO = (
    "label", "truth", "y_true", "target", "gold", "class", "actual", "correct_answer", "ground_truth",
    "true_label", "gt", "reference", "answer_key", "True Class", "expected",
)  # fmt: skip
CORRECT = (
    "correct", "is_correct", "hit", "right", "acc", "was_correct", "match", "exact_match", "accuracy",
    "Correct?", "em", "correctness",
)  # fmt: skip
WRONG = ("is_error", "wrong", "incorrect", "error", "misclassified")
VERDICT = ("Score", "grade", "verdict", "judgement", "eval", "result", "passed")
YES_NO = ((True, False), (1, 0), ("yes", "no"), ("Right", "Wrong"), ("TRUE", "FALSE"), ("y", "n"), (1.0, 0.0),
          ("correct", "incorrect"), ("Correct", "Wrong"))  # fmt: skip
NAMES = (
    ("cat", "dog", "owl"), ("A", "B", "C", "D"), ("yes", "no"), ("True", "False"), ("spam", "ham"),
    ("positive", "neutral", "negative"), tuple("ABCDE"), ("robin", "crow", "jay", "wren", "finch", "heron"),
)  # fmt: skip
MODELS = (
    ("gpt-4o", "llama-3"),
    ("rf", "svm"),
    ("BERT", "GPT", "T5"),
    ("modelA", "modelB"),
    ("gpt4", "claude"),
)
FORMATS = ("csv", "csv", "csv", "csv", "tsv", "semicolon", "jsonl", "json", "parquet")


@dataclass(frozen=True)
class Known:
    """What a model gave: how sure it was, and which answers were right; ``rows`` of the file that say so."""

    sure: Array
    right: Array
    rows: Array
    event: bool = False  # whether "probability" beside "result" may as well be about what the result names


@dataclass(frozen=True)
class Drawn:
    """A file, what it means, and what was drawn."""

    data: bytes
    name: str
    models: dict[str, Known]  # "" alone where there is one
    tags: tuple[str, ...]


@dataclass
class _Cells:
    """One model's columns: name of the kind -> name of the column and cells."""

    columns: dict[str, tuple[str, Any]]
    known: Known


def drawn(rng: Rng) -> Drawn:
    """A file."""
    n = int(rng.integers(25, 90))
    classes = np.array(pick(rng, NAMES)) if chance(rng, 0.6) else np.arange(int(pick(rng, (2, 3, 10, 100))))
    so = rng.integers(0, len(classes), n)
    shape = pick(rng, ("pair", "pair", "correct", "both", "with answer", "verdict", "verdict and pair"))
    scale = pick(rng, ("fraction", "fraction", "fraction", "whole per cent", "per cent", "signs"))
    missing = chance(rng, 0.15)
    titles = {"sure": pick(rng, SURE), "said": pick(rng, SAID), "so": pick(rng, SO)}
    titles["verdict"] = pick(rng, WRONG if chance(rng, 0.15) else CORRECT)
    if "verdict" in shape:
        titles["verdict"] = pick(rng, VERDICT)
    spelled = pick(rng, YES_NO)
    models = pick(rng, MODELS) if chance(rng, 0.25) else ("",)
    layout = pick(rng, ("beside", "below")) if len(models) > 1 else "one"
    many = [
        _of_model(rng, classes, so, shape, scale, missing and layout != "below", titles, spelled)
        for _ in models
    ]
    tags = (shape, scale, layout, *(("missing",) if missing else ()))
    columns, known = _laid_out(rng, models, many, layout, (titles["so"], classes[so]), shape)
    rows = len(next(iter(columns.values())))
    columns |= _beside(rng, rows, columns)
    order = rng.permutation(list(columns))
    kind = pick(rng, FORMATS)
    data, name = _written({title: columns[title] for title in order}, kind)
    return Drawn(data, name, known, (*tags, kind, *order))


def _of_model(
    rng: Rng,
    classes: Array,
    so: Array,
    shape: str,
    scale: str,
    missing: bool,
    titles: dict[str, str],
    spelled: tuple[Any, Any],
) -> _Cells:
    n, m = len(so), len(classes)
    sure = np.round(rng.uniform(1 / m, 1, n), 3 if scale in ("fraction", "per cent") else 2)
    right = rng.random(n) < sure
    right[:2] = True, False
    said = np.where(right, so, (so + 1 + rng.integers(0, m - 1, n)) % m)
    hundred = np.round(100 * sure, 1)
    cells: list[Any] = {
        "fraction": sure.tolist(),
        "whole per cent": [round(x) for x in hundred],
        "per cent": hundred.tolist(),
        "signs": [f"{x:.0f}%" for x in hundred],
    }[scale]
    rows = np.arange(n)
    if missing:
        out = rng.choice(n, 2, replace=False)
        for i in out:
            cells[i] = None
        rows = np.setdiff1d(rows, out)
    columns = {"sure": (titles["sure"], cells)}
    if shape in ("pair", "both", "with answer", "verdict and pair"):
        columns["said"] = (titles["said"], classes[said].tolist())
    if shape not in ("pair",):
        yes, no = spelled if titles["verdict"] not in WRONG else spelled[::-1]
        if titles["verdict"] in WRONG and str(spelled[0]).lower() in ("right", "correct"):
            yes, no = 0, 1
        columns["verdict"] = (titles["verdict"], [yes if one else no for one in right])
    event = shape == "verdict" and titles["sure"] in ("prob", "score", "p", "probability", "p_correct")
    return _Cells(columns, Known(sure[rows], right[rows], rows, event))


def _laid_out(
    rng: Rng,
    models: tuple[str, ...],
    many: list[_Cells],
    layout: str,
    truth: tuple[str, Array],
    shape: str,
) -> tuple[dict[str, Any], dict[str, Known]]:
    with_truth = shape in ("pair", "both", "verdict and pair")
    known = {model: cells.known for model, cells in zip(models, many, strict=True)}
    n = len(truth[1])
    if layout == "below":
        kinds = list(many[0].columns)
        columns = {
            many[0].columns[kind][0]: [cell for one in many for cell in one.columns[kind][1]]
            for kind in kinds
        }
        if with_truth:
            columns[truth[0]] = truth[1].tolist() * len(models)
        columns["model"] = [model for model in models for _ in range(n)]
        columns["question_id"] = list(range(n)) * len(models)
        return columns, known
    form = pick(rng, ("{model}_{title}", "{title}_{model}"))
    columns = {}
    for model, cells in zip(models, many, strict=True):
        for title, values in cells.columns.values():
            columns[title if not model else form.format(model=model, title=title)] = values
    if with_truth:
        columns[truth[0]] = truth[1].tolist()
    return columns, known


def _beside(rng: Rng, n: int, columns: dict[str, Any]) -> dict[str, Any]:
    """Columns that say nothing of it."""
    words = ["how", "why", "what", "when", "where", "is", "a", "the", "number", "city"]
    values = {
        "id": rng.permutation(n).tolist(),
        "entropy": rng.random(n).round(3).tolist(),
        "seconds": rng.gamma(2, 3, n).round(2).tolist(),
        "split": ["test"] * n,
        "question": [" ".join(rng.choice(words, 6)) + f" {i}?" for i in range(n)],
        "full_response": [" ".join(rng.choice(words, 9)) + f" {i}." for i in range(n)],
        "tokens": rng.integers(20, 400, n).tolist(),
        "subject": rng.choice(["law", "art", "biology"], n).tolist(),
        "fold": rng.integers(0, 5, n).tolist(),
    }
    chosen = rng.choice(list(values), int(rng.integers(0, 4)), replace=False)
    return {name: values[name] for name in chosen if name not in columns}


def _written(columns: dict[str, Any], kind: str) -> tuple[bytes, str]:
    frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    if kind == "jsonl":
        records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return "\n".join(json.dumps(record) for record in records).encode(), "x.jsonl"
    if kind == "json":
        return json.dumps({name: list(cells) for name, cells in columns.items()}).encode(), "x.json"
    if kind == "parquet":
        buffer = io.BytesIO()
        pd.DataFrame({name: list(cells) for name, cells in columns.items()}).to_parquet(buffer)
        return buffer.getvalue(), "x.parquet"
    if kind == "tsv":
        return frame.to_csv(index=False, sep="\t").encode(), "x.tsv"
    if kind == "semicolon":
        return frame.map(_with_comma).to_csv(index=False, sep=";").encode(), "x.csv"
    return frame.to_csv(index=False).encode(), "x.csv"


def _with_comma(cell: Any) -> Any:
    return str(cell).replace(".", ",") if isinstance(cell, float) else cell
