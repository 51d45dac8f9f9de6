"""What comes of a drawn file: by itself, after an answer that is true, and after what is proposed first.

Three counts, each stricter than the one before:

* ``alone``: read without a word. Wrong is what is taken and is not the truth, or is taken although the file
  leaves open what it means.
* ``after``: as a person goes on who presses the first button, up to four times. Where a *question* is put,
  they know their file and choose the reading that is true, if it is offered. Everything else that is
  proposed is *advice* (softmax, leave out rows, divide, swap, these are the labels): the first is taken
  unread. A question that does not offer the truth is taken for advice: nothing but wrong readings counts.
* ``strictly``: the first button always, of questions, too. Where two labels disagree no order of two buttons
  is right, so that this count is reported and bounds nothing.

A question has at least two ways out that differ in one thing and say so: each shows the first rows as it
takes them, or each sets the same fields, and not only what the numbers are.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibcore.data.predictions import Predictions
from calibcore.data.sums import SUM_AS_IS
from calibcore.errors import InputError, Remedy
from calibcore.io import ReadOptions
from tests.hostile.grammar.drawing import Truth

TOLERANCE = 1e-6
"""Of a probability: files of few decimals are compared with what they hold."""
STEPS = 4
"""So many times the first button is pressed."""


class Meant(Protocol):
    """A file, or arrays, and what they mean: see :class:`tests.hostile.grammar.writing.Drawn`."""

    truth: Truth
    tags: tuple[str, ...]
    answerable: bool
    must_ask: bool
    said: str
    others: tuple[Truth, ...]
    never: tuple[str, ...]
    says: str

    def reading(self, options: ReadOptions) -> Predictions: ...


@dataclass(frozen=True)
class Ends:
    """What comes of a file.

    Attributes
    ----------
    alone : right, wrong, asked (right after one true answer), twice (after two), or refused
    after, strictly : right, wrong or refused, once the first proposals are followed; see the module
    sentence : with which it was first refused or asked about, and the first proposal
    """

    alone: str
    after: str
    strictly: str
    sentence: str = ""


def same(p: Predictions, truth: Truth, never: tuple[str, ...] = ()) -> bool:
    """Whether every case has its probabilities, class by class, its label, and no class another's name, nor
    one that holds a word of ``never``."""
    if (p.n, p.m) != (truth.n, truth.m):
        return False
    sums = truth.probs.sum(axis=1, keepdims=True)
    wanted, off = truth.probs / sums, np.abs(sums - 1)
    as_it_comes = np.where(off <= SUM_AS_IS, off, 0)[:, :, None]
    apart = (np.abs(p.probs[:, :, None] - wanted[:, None, :]) - as_it_comes).max(axis=0)
    own, classes = linear_sum_assignment(apart)
    if apart[own, classes].max() > TOLERANCE:
        return False
    place = dict(zip(classes.tolist(), own.tolist(), strict=True))
    if [place[y] for y in truth.labels.tolist()] != p.labels.tolist():
        return False
    names = [name.strip().casefold() for name in truth.names]
    found = [p.class_names[place[k]].strip().casefold() for k in range(truth.m)]
    if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", name) for name in found for word in never):
        return False
    return not any(name in names and name != names[k] for k, name in enumerate(found))


def ends(file: Meant) -> Ends:
    """What comes of it. Cost: one reading, some more where it is not taken by itself."""
    try:
        found = file.reading(ReadOptions())
    except InputError as error:
        said = f"{error} → {next((one.words for one in error.remedies), 'nothing')}"
        after, strictly = (_followed(file, ReadOptions(), error, knows) for knows in (True, False))
        return Ends(_answered(file, error), after, strictly, said)
    asked = not file.must_ask or bool(file.said)
    end = "right" if asked and _chosen(file, found) else "wrong"
    return Ends(end, end, end)


def outcome(file: Meant) -> str:
    """right, wrong, asked (right after one answer), twice (after two), or refused."""
    return ends(file).alone


def _chosen(file: Meant, found: Predictions, *heard: InputError) -> bool:
    """Whether what is taken is right, and the notes, or what was ``heard``, say what has to be said."""
    told = " ".join([*found.notes, *map(_all_words, heard)])
    if not file.answerable or not re.search(file.said, told, re.IGNORECASE):
        return False
    return any(same(found, one, file.never) for one in (file.truth, *file.others))


def _all_words(error: InputError) -> str:
    return " ".join([str(error), *(one.words for one in error.remedies)])


def _answered(file: Meant, error: InputError) -> str:
    """Someone who knows the file takes the answer that is true."""
    found = "refused"
    for options, further in _answers(file, ReadOptions(), error):
        if further is None:
            return "asked"
        if any(more is None for _, more in _answers(file, options, further, error)):
            found = "twice"
    return found


def _answers(
    file: Meant, options: ReadOptions, error: InputError, *before: InputError
) -> Iterator[tuple[ReadOptions, InputError | None]]:
    """Each way out and what comes of it: None for the right reading, or another question."""
    for remedy in error.remedies:
        if remedy.asks:
            continue
        chosen = options.mended(remedy)
        try:
            reading = file.reading(chosen)
        except InputError as further:
            yield chosen, further
            continue
        if _chosen(file, reading, error, *before):
            yield chosen, None


def is_question(remedies: list[Remedy]) -> bool:
    """Whether a person chooses between readings, and not between repairs."""
    if sum(bool(one.rows) for one in remedies) > 1:
        return True
    times = Counter(one.fields for one in remedies if one.fields != {"values"})
    return any(number > 1 for number in times.values())


def _followed(file: Meant, options: ReadOptions, error: InputError, knows: bool, *before: InputError) -> str:
    """What comes of the first proposals; ``knows``: of a question the answer that is true is taken."""
    remedies = [one for one in error.remedies if one.change]
    if not remedies or len(before) == STEPS:
        return "refused"
    ways = remedies if knows and is_question(remedies) else remedies[:1]
    results = [_after(file, options.mended(one), knows, error, *before) for one in ways]
    return "right" if "right" in results else results[0]


def _after(file: Meant, options: ReadOptions, knows: bool, *heard: InputError) -> str:
    try:
        found = file.reading(options)
    except InputError as further:
        return _followed(file, options, further, knows, *heard)
    return "right" if _chosen(file, found, *heard) else "wrong"


def tally(found: list[Ends]) -> dict[str, float]:
    """Shares: wrong among the accepted, also after the first proposals; accepted without a question, and
    after at most one or two."""
    alone, after, strictly = (
        Counter(getattr(one, count) for one in found) for count in ("alone", "after", "strictly")
    )

    def wrong(count: Counter[str]) -> float:
        return count["wrong"] / max(count["right"] + count["wrong"], 1)

    one = (alone["right"] + alone["asked"]) / len(found)
    return {
        "wrong": wrong(alone),
        "wrong after the first proposal": wrong(after),
        "strictly": wrong(strictly),
        "without a question": alone["right"] / len(found),
        "after one": one,
        "after two": one + alone["twice"] / len(found),
    }
