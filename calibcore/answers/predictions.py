"""Predictions as an answer: how many cases, and how often each class happened."""

import numpy as np

from calibcore.answers.blocks import Answer, Headline, Notes
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.wording import percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import cases_words


def says(predictions: Predictions, noun: str = "case") -> Answer:
    """What there is to look at."""
    about = [
        sentence_case(cases_words(predictions.n, noun, predictions.drawn_from)),
        f"{predictions.m:,} classes",
        "weighted" if predictions.weights is not None else "",
        f"recalibrated on these {plural(noun)}" if predictions.cross_fitted else "",
    ]
    headline = Headline(" · ".join(filter(None, about)))
    return Answer((), "", (headline, happened_table(predictions), Notes(predictions.notes)))


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
