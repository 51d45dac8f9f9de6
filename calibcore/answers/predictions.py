"""Predictions as an answer: how many cases, and how often each class happened."""

from calibcore.answers.blocks import Answer, Block, Headline, Notes
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import ClassFrequencies, class_frequencies
from calibcore.wording import percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import cases_words


def says(predictions: Predictions, noun: str = "case") -> Answer:
    """What there is to look at; weighted cases have no table of counts."""
    about = [
        sentence_case(cases_words(predictions.n, noun, predictions.drawn_from)),
        f"{predictions.m:,} classes",
        "weighted" if predictions.weights is not None else "",
        f"recalibrated on these {plural(noun)}" if predictions.cross_fitted else "",
    ]
    classes: list[Block] = [] if predictions.weights is not None else [_classes(predictions)]
    return Answer((), "", (Headline(" · ".join(filter(None, about))), *classes, Notes(predictions.notes)))


def _classes(predictions: Predictions) -> Table[ClassFrequencies]:
    columns: tuple[Column[ClassFrequencies], ...] = (
        Column("Class", "class", lambda entry: entry.class_name),
        Column("", "happened", lambda entry: entry.happened),
        Column("Happened", "", lambda entry: f"{entry.happened:,} ({percent(entry.happened / entry.n)})"),
        Column("Predicted on average", "mean prediction", lambda entry: entry.mean_prediction, percent),
    )
    return Table("classes", "Classes", columns, class_frequencies(predictions))
