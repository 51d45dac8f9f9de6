"""Sentences about data that are right as they are; and a random sample of cases, with what is said of it."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.io.tables import listed, quoted
from calibcore.numerics.types import Int


def remarks(
    class_names: tuple[str, ...], class_counts: Int, impossible: int, ordered: bool
) -> tuple[str, ...]:
    """What is worth knowing about data that are right as they are."""
    sentences = []
    unseen = [name for name, count in zip(class_names, class_counts, strict=True) if not count]
    if len(unseen) == len(class_names) - 1:
        sentences.append(f"Every case has the class {quoted(class_names[int(np.argmax(class_counts))])}.")
    elif unseen:
        sentences.append(f"No case has the class {listed(unseen)}.")
    if impossible:
        cases = "1 case has an outcome" if impossible == 1 else f"{impossible:,} cases have an outcome"
        sentences.append(
            f"{cases} that was given probability 0. One such case refutes calibration, unless the 0 was "
            "rounded."
        )
    if ordered:
        sentences.append(
            "The labels are ordered by class. Tests that use the order of the rows (linear SKCE) need "
            "shuffled rows."
        )
    return tuple(sentences)


def remarks_on(p: Predictions) -> tuple[str, ...]:
    """:func:`.remarks` on these predictions."""
    return remarks(p.class_names, p.class_counts, p.impossible_outcomes, p.labels_ordered)


NOTE = "A random sample: "
"""How the note of a sample begins."""


def sampled(predictions: Predictions, n: int) -> Predictions:
    """``n`` of the cases, drawn at random as :meth:`.Predictions.sampled` does; their notes say so.

    What the notes remark on all cases gives way to what is to be remarked on these.
    """
    before, sample = remarks_on(predictions), predictions.sampled(n)
    notes = [note for note in predictions.notes if note not in before and not note.startswith(NOTE)]
    note = f"{NOTE}{sample.n:,} of {sample.drawn_from:,} cases, the same ones every time."
    return sample.noted((*notes[:1], note, *notes[1:], *remarks_on(sample)))
