"""A random sample of the cases that were read, and what is said of them."""

from calibcore.data.predictions import Predictions
from calibcore.io.remarks import remarks


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
