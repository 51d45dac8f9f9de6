"""What reading a drawn file comes to: right, silently wrong, right after one question or two, or refused."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from tests.hostile.grammar.drawing import Truth
from tests.hostile.grammar.writing import Drawn

TOLERANCE = 1e-6
"""Of a probability: files of few decimals are compared with what they hold."""


def same(reading: Reading, truth: Truth) -> bool:
    """Whether every case has its probabilities, class by class, its label, and no class another's name."""
    p = reading.predictions
    if (p.n, p.m) != (truth.n, truth.m):
        return False
    wanted = truth.probs / truth.probs.sum(axis=1, keepdims=True)
    apart = np.abs(p.probs[:, :, None] - wanted[:, None, :]).max(axis=0)
    own, classes = linear_sum_assignment(apart)
    if apart[own, classes].max() > TOLERANCE:
        return False
    place = dict(zip(classes.tolist(), own.tolist(), strict=True))
    if [place[y] for y in truth.labels.tolist()] != p.labels.tolist():
        return False
    names = [name.strip().casefold() for name in truth.names]
    found = [p.class_names[place[k]].strip().casefold() for k in range(truth.m)]
    return not any(name in names and name != names[k] for k, name in enumerate(found))


def outcome(file: Drawn) -> str:
    """right, wrong, asked (right after one answer), twice (after two), or refused."""
    try:
        reading = _read(file, ReadOptions())
    except InputError as error:
        return _answered(file, error)
    return "right" if file.answerable and same(reading, file.truth) else "wrong"


def _answered(file: Drawn, error: InputError) -> str:
    """Someone who knows the file takes the answer that is true."""
    found = "refused"
    for options, further in _answers(file, ReadOptions(), error):
        if further is None:
            return "asked"
        if any(more is None for _, more in _answers(file, options, further)):
            found = "twice"
    return found


def _answers(
    file: Drawn, options: ReadOptions, error: InputError
) -> Iterator[tuple[ReadOptions, InputError | None]]:
    """Each way out and what comes of it: None for the right reading, or another question."""
    for remedy in error.remedies:
        if remedy.asks:
            continue
        chosen = options.mended(remedy)
        try:
            reading = _read(file, chosen)
        except InputError as further:
            yield chosen, further
            continue
        if file.answerable and same(reading, file.truth):
            yield chosen, None


def _read(file: Drawn, options: ReadOptions) -> Reading:
    return read(file.data, name=file.name, labels=file.labels, labels_name=file.labels_name, options=options)


def tally(outcomes: list[str]) -> dict[str, float]:
    """Shares: wrong among the accepted, accepted without a question, and after at most one."""
    counts = Counter(outcomes)
    accepted = counts["right"] + counts["wrong"]
    return {
        "wrong": counts["wrong"] / max(accepted, 1),
        "without a question": counts["right"] / len(outcomes),
        "after one": (counts["right"] + counts["asked"]) / len(outcomes),
    }
