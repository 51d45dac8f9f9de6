"""One hostile file, read: what must hold of the answer."""

import numpy as np

from calibcore.io import ReadOptions, read
from tests.hostile.invariants import one_sentence, result_or_sentence

AUTO = ReadOptions()
NET = "in a way that is not known here"
"""Of the sentence that is said when nobody foresaw the error."""


def read_one(data: bytes, name: str, labels: bytes | None = None, options: ReadOptions = AUTO) -> bool:
    """Read; whether it gave predictions, which then are such."""
    reading = result_or_sentence(lambda: read(data, name=name, labels=labels, options=options))
    if reading is None:
        return False
    p = reading.predictions
    assert np.isfinite(p.probs).all()
    assert (p.probs >= 0).all()
    assert (p.probs.sum(axis=1) > 0.99).all()
    assert p.labels.min() >= 0
    assert p.labels.max() < p.m
    for text in (*p.class_names, *p.metadata, *(str(v) for column in p.metadata.values() for v in column)):
        text.encode()  # half a surrogate pair would break every page and report
    for note in reading.notes:
        one_sentence(note)
    return True
