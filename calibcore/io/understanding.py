"""A reading of a table: which columns are what, what the numbers are, and what the labels stand for.

Where several fit a person decides between them: each in words, with its first rows, and what speaks for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from calibcore.errors import InputError, Remedy
from calibcore.io.candidates import Candidate
from calibcore.io.label_places import Place
from calibcore.io.look import FIRST_ROWS, MOST_CELLS, MOST_OFFERED, Look
from calibcore.io.meaning import ASK_NAMES, Meaning, Words
from calibcore.io.tables import Array, listed
from calibcore.io.values import Kind, rough_probabilities
from calibcore.numerics.types import Float


@dataclass(frozen=True, eq=False)
class Understanding:
    """One way to read a table."""

    candidate: Candidate  # the columns of predictions
    values: Array  # (n, m) their numbers
    kind: Kind  # what these are
    place: Place  # where the labels stand, in the file of labels if there is one
    meaning: Meaning  # of the labels
    words: Words | None  # the labels; None if they are one-hot
    onehot: tuple[int, ...] = ()  # the class of each of the columns of one-hot labels
    doubt: str = ""  # why a person is asked whether these are the labels
    notes: tuple[str, ...] = ()  # sentences on why
    rows: tuple[dict[str, str], ...] = ()  # the first rows, class by class, and what each was

    @property
    def probs(self) -> tuple[int, ...]:
        """The columns of predictions, in the order of the classes."""
        return self.candidate.columns

    @property
    def in_doubt(self) -> bool:
        """Whether a person is asked, although nothing else is likelier."""
        return bool(self.candidate.doubt or self.kind.doubt or self.doubt or self.meaning.doubt)


WAS = "was"
"""What the label of a row is called, behind its probabilities."""
_Part: TypeAlias = tuple[str, Mapping[str, Any], str]
"""What a reading says of one thing: in words, as a change of options, and why that is in doubt."""
_OPEN = {
    "predictions": "It is open which columns are the predictions.",
    "labels": "It is open which column holds the labels.",
    "values": "It is open what the numbers are.",
    "meaning": "It is open what the labels stand for.",
}


def question(fits: Sequence[Understanding], look: Look, label_look: Look) -> InputError:
    """Which of the readings is meant; ``label_look`` is at the table that holds the labels."""
    parts = [_parts(one, look, label_look) for one in fits]
    open_things = _open_things(fits, parts)
    doubts = list(dict.fromkeys(part[thing][2] for thing in open_things for part in parts if part[thing][2]))
    if len(fits) > MOST_OFFERED:  # one thing after the other
        open_things = open_things[:1]
        firsts = {part[open_things[0]][0]: i for i, part in reversed(list(enumerate(parts)))}
        fits, parts = [fits[i] for i in sorted(firsts.values())], [parts[i] for i in sorted(firsts.values())]
    remedies = []
    for one, part in zip(fits[:MOST_OFFERED], parts, strict=False):
        change: dict[str, Any] = {}
        for thing in open_things:
            change |= part[thing][1]
        words = "; ".join(part[thing][0] for thing in open_things if part[thing][0])
        remedies.append(Remedy(words, change, rows=first_rows(one, look, label_look)))
    if any(one.meaning.open and len(one.meaning.class_names) > 2 for one in fits):
        remedies.append(ASK_NAMES)
    return InputError(" ".join(doubts[:2]) or _OPEN[open_things[0]], remedies)


def _open_things(fits: Sequence[Understanding], parts: Sequence[Mapping[str, _Part]]) -> list[str]:
    """In what the readings differ, and what is in doubt."""
    differing = {
        "predictions": len({one.probs for one in fits}) > 1,
        "labels": len({one.place.columns for one in fits}) > 1,
        "values": len({(one.probs, one.kind.name) for one in fits}) > len({one.probs for one in fits}),
        "meaning": len({(one.probs, one.place.columns, one.kind.name) for one in fits}) < len(fits),
    }
    return [thing for thing in _OPEN if differing[thing] or any(part[thing][2] for part in parts)]


def _parts(one: Understanding, look: Look, label_look: Look) -> dict[str, _Part]:
    names = tuple(look.names[j] for j in one.probs)
    label_names = [label_look.names[j] for j in one.place.columns]
    predictions, labels = (
        f"The {what} are {listed(some, 5)}"
        for what, some in (("predictions", names), ("labels", label_names))
    )
    return {
        "predictions": (predictions, {"probability_columns": names}, one.candidate.doubt),
        "labels": (labels, {"label_column": label_names[0]}, one.doubt),
        "values": (one.kind.words, {"values": one.kind.name}, one.kind.doubt),
        "meaning": (one.meaning.words, one.meaning.change, one.meaning.doubt),
    }


def first_rows(one: Understanding, look: Look, label_look: Look) -> tuple[dict[str, str], ...]:
    """The first rows as a reading takes them: class by class its probability, and the label."""
    n = min(FIRST_ROWS, look.table.n)
    probs = rough_probabilities(look.first_numbers(one.probs, n), one.kind.name)
    names = one.meaning.class_names
    if one.words is None:
        ones = np.nan_to_num(label_look.first_numbers(one.place.columns, n))
        labels = [names[one.onehot[int(k)]] for k in ones.argmax(axis=1)]
    else:
        labels = [names[one.meaning.numbers[code]] for code in one.words.first[:n]]
    return tuple(row_cells(names, probs[i], labels[i]) for i in range(n))


def row_cells(names: Sequence[str], probs: Sequence[float] | Float, label: str) -> dict[str, str]:
    """A row as it was taken: the probability of each class, of as many as are shown, and what the row was."""
    cells = list(zip(names, probs, strict=True))[: MOST_CELLS - 1]
    was = WAS if WAS not in names else f"{WAS}:"
    return {name: f"{value:.3g}" for name, value in cells} | {was: label}
