"""Predictions as an answer: how many cases, and how often each class happened."""

import numpy as np

from calibcore.answers.blocks import Answer, Headline, Notes
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.wording import percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import cases_words, classes_words


def says(predictions: Predictions, noun: str = "case") -> Answer:
    """What there is to look at."""
    about = [
        sentence_case(cases_words(predictions.n, noun, predictions.drawn_from)),
        classes_words(predictions.m, predictions.kind),
        "weighted" if predictions.weights is not None else "",
        f"recalibrated on these {plural(noun)}" if predictions.cross_fitted else "",
    ]
    headline = Headline(" · ".join(filter(None, about)))
    table = answers_table(predictions) if predictions.confidence_only else happened_table(predictions)
    return Answer((), "", (headline, table, Notes(predictions.notes)))


def answers_table(predictions: Predictions) -> Table[int]:
    """Of predictions of which only a confidence is known: how often the answer was right, and how sure the
    model was; by weight, if cases are weighted."""
    by_case = np.ones(predictions.n) if predictions.weights is None else predictions.weights
    by = "" if predictions.weights is None else ", by weight"
    right = float(np.average(predictions.labels == 0, weights=by_case))
    sure = float(np.average(predictions.probs[:, 0], weights=by_case))
    columns: tuple[Column[int], ...] = (
        Column("Answers", "Answers", lambda _: predictions.n, lambda cases: f"{cases:,}"),
        Column(f"Right, share{by}", f"Right, share{by}", lambda _: right, percent),
        Column(f"Sure on average{by}", f"Sure on average{by}", lambda _: sure, percent),
    )
    return Table("answers", "Answers", columns, (0,), rows_are="answers")


def happened_table(predictions: Predictions) -> Table[int]:
    """A row a class: how often it happened, its mean prediction; by weight, if cases are weighted."""
    counts, weights = predictions.class_counts.tolist(), predictions.weights
    by_case = np.ones(predictions.n) if weights is None else weights
    shares = (np.bincount(predictions.labels, by_case, predictions.m) / by_case.sum()).tolist()
    means = (by_case @ predictions.probs / by_case.sum()).tolist()
    by = "" if weights is None else ", by weight"
    share, mean = f"Happened, share{by}", f"Predicted on average{by}"
    columns: tuple[Column[int], ...] = (
        Column("Class", "Class", lambda c: predictions.class_names[c]),
        Column("Happened", "Happened", lambda c: counts[c], lambda cases: f"{cases:,}"),
        Column(share, share, lambda c: shares[c], percent),
        Column(mean, mean, lambda c: means[c], percent),
    )
    return Table("classes", "Classes", columns, tuple(range(predictions.m)), rows_are="classes")
