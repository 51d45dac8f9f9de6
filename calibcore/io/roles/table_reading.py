"""One way to read a table, and what a person is told of it: in words, with its first rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from calibcore.errors import InputError, Remedy
from calibcore.io.options import names_in_words
from calibcore.io.roles import follow_up, right_answers
from calibcore.io.roles.candidates import DECISIONS, Candidate
from calibcore.io.roles.label_places import Place
from calibcore.io.roles.look import FIRST_ROWS, MOST_CELLS, MOST_OFFERED, Look
from calibcore.io.roles.meaning import ASK_NAMES, Meaning, Words
from calibcore.io.roles.values import Kind, rough_probabilities
from calibcore.io.tables import Array, Table
from calibcore.numerics.types import Float, Int
from calibcore.wording import listed, quote


@dataclass(frozen=True, eq=False)
class Understanding:
    """One way to read a table."""

    candidate: Candidate  # the columns of predictions
    values: Array  # (n, m) their numbers
    kind: Kind  # what these are
    place: Place  # where the labels stand, in the file of labels if there is one
    meaning: Meaning  # of the labels
    words: Words | None  # the labels; None if they are one-hot
    doubt: str = ""  # why a person is asked whether these are the labels
    notes: tuple[str, ...] = ()  # sentences on why
    time: str = ""  # the column of a follow-up time beside an event, "" if there is none

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


def row_cells(names: Sequence[str], probs: Sequence[float] | Float, label: str) -> dict[str, str]:
    """A row as it was taken: the probability of each class, of as many as are shown, and what the row was."""
    cells = list(zip(names, probs, strict=True))[: MOST_CELLS - 1]
    was = WAS if WAS not in names else f"{WAS}:"
    return {name: f"{value:.3g}" for name, value in cells} | {was: label}


def question(fits: Sequence[Understanding], table: Table, look: Look, label_look: Look) -> InputError:
    """Which of the readings is meant."""
    offered = [(fit, _parts(fit, table, label_look)) for fit in fits]
    open_things = _open_things(fits, [part for _, part in offered])
    doubts = [part[thing][2] for thing in open_things for _, part in offered if part[thing][2]]
    if any(fit.kind.doubt for fit in fits):  # before that, what speaks of the values says nothing
        doubts = [doubt for doubt in doubts if not any(doubt == fit.meaning.doubt for fit in fits)]
    if len(fits) > MOST_OFFERED:  # one thing after the other
        open_things = open_things[:1]
        firsts: dict[str, tuple[Understanding, dict[str, _Part]]] = {}
        for fit, part in offered:
            firsts.setdefault(part[open_things[0]][0], (fit, part))
        offered = list(firsts.values())
    remedies = []
    for fit, part in offered[:MOST_OFFERED]:
        first, *rest = [part[thing][0] for thing in open_things if part[thing][0]] or [""]
        words = "; ".join((first, *(text[:1].lower() + text[1:] for text in rest)))
        change: dict[str, Any] = {}
        for thing in open_things:
            change |= part[thing][1]
        remedies.append(Remedy(words, change, rows=first_rows(fit, table, look, label_look)))
    if any(fit.meaning.open and len(fit.meaning.class_names) > 2 for fit, _ in offered):
        remedies.append(ASK_NAMES)
    return InputError(" ".join(list(dict.fromkeys(doubts))[:2]) or _OPEN[open_things[0]], remedies)


def _parts(fit: Understanding, table: Table, label_look: Look) -> dict[str, _Part]:
    """What a reading says of each thing that may be open."""
    names = tuple(table.names_of(fit.probs))
    label_names = label_look.table.names_of(fit.place.columns)
    predictions = f"The predictions are {listed(names, 5)}"
    if fit.candidate.doubt.endswith(DECISIONS):
        predictions = f"Take {listed(names, 5)} for probabilities all the same"
    labels = f"The labels are {listed(label_names, 5)}"
    if fit.time:
        labels = f"{labels}. {follow_up.COUNTED}"
    return {
        "predictions": (predictions, {"probability_columns": names}, fit.candidate.doubt),
        "labels": (labels, {"label_column": _asked_for(label_names)}, fit.doubt),
        "values": (fit.kind.words, {"values": fit.kind.name}, fit.kind.doubt),
        "meaning": (fit.meaning.words, fit.meaning.change, fit.meaning.doubt),
    }


def first_rows(fit: Understanding, table: Table, look: Look, label_look: Look) -> tuple[dict[str, str], ...]:
    """The first rows as a reading takes them: class by class its probability, and the label."""
    n = min(FIRST_ROWS, table.n)
    probs = rough_probabilities(look.first_numbers(fit.probs, n), fit.kind.name)
    names, numbers = fit.meaning.class_names, fit.meaning.numbers
    if fit.words is None:
        codes: Int = np.nan_to_num(label_look.first_numbers(fit.place.columns, n)).argmax(axis=1)
    else:
        codes = fit.words.first
    if fit.meaning.says != right_answers.OUTCOME:
        yes = np.asarray(numbers)[codes[:n]]
        numbers, codes = (0, 1), right_answers.rough_outcomes(probs, yes, fit.meaning.says)
    return tuple(row_cells(names, probs[i], names[numbers[codes[i]]]) for i in range(n))


def roles(fit: Understanding, table: Table, label_look: Look, own_file: bool) -> tuple[str, ...]:
    """Sentences on which column is what, and why."""
    notes = []
    labels, place = label_look.table, fit.place
    if not own_file:
        how = ", one-hot (exactly one 1 a row)" if place.onehot else f" ({place.why})"
        notes.append(f"Labels: {labels.which(place.columns)}{how}.")
    if fit.time:
        notes.append(follow_up.note(fit.time))
    which = table.which(fit.probs)
    if fit.probs in table.blocks:
        array = table.names[fit.probs[0]].removesuffix("[0]")
        notes.append(f"Predictions: array {quote(array)}.")
    elif place.onehot and not own_file:
        notes.append(f"Predictions: {which}, {place.why}.")
    else:
        notes.append(f"Predictions: {which} ({fit.candidate.why}).")
    return tuple(notes)


def _open_things(fits: Sequence[Understanding], parts: Sequence[Mapping[str, _Part]]) -> list[str]:
    """In what the readings differ, and what is in doubt."""
    differing = {
        "predictions": len({fit.probs for fit in fits}) > 1,
        "labels": len({fit.place.columns for fit in fits}) > 1,
        "values": len({(fit.probs, fit.kind.name) for fit in fits}) > len({fit.probs for fit in fits}),
        "meaning": len({(fit.probs, fit.place.columns, fit.kind.name) for fit in fits}) < len(fits),
    }
    return [thing for thing in _OPEN if differing[thing] or any(part[thing][2] for part in parts)]


def _asked_for(names: Sequence[str]) -> str:
    """The column of labels, or the one-hot columns, as a person names them."""
    return names[0] if len(names) == 1 else names_in_words(names)


def compared(fits: list[Understanding]) -> list[Understanding]:
    """The same; where several sets of columns fit, each is in doubt."""
    if len({fit.probs for fit in fits}) < 2:
        return fits
    doubt = (
        "Several sets of columns sum to 1, and nothing says which are the predictions."
        if any(len(fit.probs) > 1 for fit in fits)
        else "Several columns may hold the probabilities, and nothing says which."
    )
    if all(fit.candidate.doubt.endswith(DECISIONS) for fit in fits):
        doubt = " ".join(list(dict.fromkeys(fit.candidate.doubt for fit in fits))[:2])
        doubt = f"No column seems to hold probabilities. {doubt}"
    return [replace(fit, candidate=replace(fit.candidate, doubt=doubt)) for fit in fits]
