"""What each column of a table is, and what the labels stand for: the one reading that fits, or a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibcore import limits
from calibcore.checks import Float
from calibcore.errors import InputError, Remedy
from calibcore.io import agreement, label_columns, prediction_columns
from calibcore.io.binary_labels import one_column
from calibcore.io.candidates import Candidate
from calibcore.io.kinds import Kind, kinds_of
from calibcore.io.label_columns import LabelFit, Place
from calibcore.io.label_words import Words
from calibcore.io.labels import Given, Meaning, counted, meanings
from calibcore.io.look import FIRST_ROWS, MOST_CELLS, MOST_OFFERED, Look
from calibcore.io.names import class_forms, class_names_of, counts_up
from calibcore.io.options import ReadOptions
from calibcore.io.tables import Array, Table, listed, quoted
from calibcore.io.values import read_values, rough_probabilities


@dataclass(frozen=True, eq=False)
class Understanding:
    """A reading: which columns are what, what the numbers are, and what the labels stand for.

    Attributes
    ----------
    candidate : the columns of predictions
    values : (n, m) their numbers
    kind : what these are
    place : where the labels stand, in the file of labels if there is one
    meaning : of the labels
    words : the labels; None if they are one-hot
    onehot : the class of each of the columns of one-hot labels
    notes : sentences on why
    """

    candidate: Candidate
    values: Array
    kind: Kind
    place: Place
    meaning: Meaning
    words: Words | None
    onehot: tuple[int, ...] = ()
    doubt: str = ""
    notes: tuple[str, ...] = ()

    @property
    def probs(self) -> tuple[int, ...]:
        """The columns of predictions, in the order of the classes."""
        return self.candidate.columns


def understand(
    table: Table, second: Table | None, options: ReadOptions, look: Look | None = None
) -> Understanding:
    """Decide what each column is.

    Parameters
    ----------
    second : the table of a file of labels, row by row that of the predictions
    look : a look at more than ``table`` holds

    Raises
    ------
    InputError : there are no labels or no predictions; or several readings fit, which are its remedies.
    """
    return _Search(table, second, options, look or Look(table)).one()


def first_rows(table: Table, second: Table | None, options: ReadOptions) -> tuple[dict[str, str], ...]:
    """The first rows, class by class, with the label of each; none if it is open what the columns are."""
    search = _Search(table, second, options, Look(table))
    try:
        return search.first_rows(search.one())
    except InputError:
        return ()


class _Search:
    """All readings of one or two tables that fit."""

    def __init__(self, table: Table, second: Table | None, options: ReadOptions, look: Look) -> None:
        self.table, self.options, self.look = table, options, look
        self.label_look = Look(second) if second is not None else look
        self.own_file = second is not None
        self.named = table.named and not table.blocks
        self.notes: list[str] = []
        self.places = label_columns.places(self.label_look, options.label_column, self.own_file)
        if self.named and counts_up(table.names):
            self.named = False
            self.notes.append(f"The column names {listed(table.names, 3)} only count; they name no classes.")

    def one(self) -> Understanding:
        """The reading that fits; a question if there are several."""
        refusal: InputError | None = None
        for tier in self._tiers():
            fits: list[Understanding] = []
            for candidate in tier:
                try:
                    fits += self._with_labels(candidate)
                except InputError as error:
                    refusal = (
                        error if refusal is None or (error.remedies and not refusal.remedies) else refusal
                    )
            if fits:
                return self._taken(self._compared(fits))
        assert refusal is not None
        raise refusal

    def _tiers(self) -> list[tuple[Candidate, ...]]:
        named = {
            place.columns[0]
            for place in self._own_places()
            if place.rank >= label_columns.LABEL and (self.table.named or self.options.label_column)
        }
        free = [j for j in range(len(self.look.names)) if j not in named and self.look.numeric[j]]
        words = label_columns.likely_words(self.label_look, self.places)
        return prediction_columns.candidates(
            self.look, free, words, self.options.probability_columns, self.options.class_names,
            self.options.values == "logits",
        )  # fmt: skip

    def _own_places(self) -> tuple[Place, ...]:
        """Columns of the table of predictions that are named like labels."""
        return label_columns.places(self.look, None, False) if self.own_file else self.places

    def _compared(self, fits: list[Understanding]) -> list[Understanding]:
        """The same; several sets of columns are each in doubt."""
        if len({one.probs for one in fits}) < 2:
            return fits
        doubt = (
            "Several sets of columns sum to 1, and nothing says which are the predictions."
            if any(len(one.probs) > 1 for one in fits)
            else "Several columns may hold the probabilities, and nothing says which."
        )
        return [replace(one, candidate=replace(one.candidate, doubt=doubt)) for one in fits]

    def _with_labels(self, candidate: Candidate) -> list[Understanding]:
        """The readings that take these columns for the predictions."""
        m = len(candidate.columns)
        if m > limits.LIMITS.max_classes:
            raise InputError(
                f"There are {m:,} columns of predictions; the limit is {limits.LIMITS.max_classes:,} classes "
                "(CALIBLENS_MAX_CLASSES). Use fewer classes or raise the limit."
            )
        if self.options.class_names and m > 1:
            columns = prediction_columns.in_order_of(self.look, candidate.columns, self.options.class_names)
            candidate = replace(candidate, columns=columns)
        if self.options.probability_columns:
            candidate = replace(candidate, doubt="")
        given = Given(self._names_given(candidate), self.options.label_base)
        kinds = kinds_of(self.look, candidate.columns, self.options)
        values = read_values(self.table, candidate.columns)
        found = []
        for kind in kinds:
            probs = rough_probabilities(self.look.sample[:, list(candidate.columns)], kind.name)
            for fit, onehot in self._labels(candidate, given, probs):
                words = None if onehot else self.label_look.words(fit.place.columns[0])
                found.append(
                    Understanding(candidate, values, kind, fit.place, fit.meaning, words, onehot, fit.doubt)
                )
        return found

    def _names_given(self, candidate: Candidate) -> tuple[str, ...] | None:
        """Class names that the user gives, else those that stand beside the arrays."""
        given = self.options.class_names or self.table.class_names
        if given is None:
            return None
        m = len(candidate.columns)
        if len(given) != max(m, 2):
            columns = listed([self.look.names[j] for j in candidate.columns], 5)
            what = "one column of probabilities (2 names: negative, positive)" if m == 1 else f"{m:,} columns"
            raise InputError(
                f"There are {len(given):,} class names ({listed(given, 5)}) for {what} of predictions: "
                f"{columns}. Expected as many."
            )
        if len(set(given)) < len(given):
            twice = next(name for name in given if given.count(name) > 1)
            raise InputError(f"The class name {quoted(twice)} stands twice; class names must differ.")
        return tuple(str(name) for name in given)

    def _labels(
        self, candidate: Candidate, given: Given, probs: Float
    ) -> list[tuple[LabelFit, tuple[int, ...]]]:
        """The labels that go with these predictions, and of one-hot ones the class of each column."""
        m = len(candidate.columns)
        names = [self.look.names[j] for j in candidate.columns] if self.named else None
        taken = () if self.own_file else candidate.columns
        own = [place for place in self.places if not set(place.columns) & set(taken)]
        if names:
            own = label_columns.named_by_predictions(self.label_look, own, names)
        asked = self.options.label_column is not None or self.label_look.table.label is not None
        onehot = [] if asked or m == 1 else self._onehot(names, taken, given, probs)
        best = max((place.rank for place in own), default=label_columns.PREDICTED)
        if onehot and max(fit.place.rank for fit, _ in onehot) >= max(best, label_columns.ANY):
            return onehot

        def understood(j: int) -> tuple[Meaning, ...]:
            words = self.label_look.words(j)
            if m == 1:
                return one_column(
                    words, self.look.said[candidate.columns[0]] if names else None, given, probs[:, 0]
                )
            return meanings(words, names, given, probs)

        fits = label_columns.choose(
            self.label_look,
            own,
            understood,
            probs,
            max(m, 2),
            self.own_file,
            self.label_look.table.named if self.own_file else self.named or bool(self.table.blocks),
        )
        return [(fit, ()) for fit in fits]

    def _onehot(
        self, names: list[str] | None, taken: Sequence[int], given: Given, probs: Float
    ) -> list[tuple[LabelFit, tuple[int, ...]]]:
        m = probs.shape[1]
        classes = given.names or (class_names_of(names) if names else None)
        options = [classes] if classes else [None]
        if names and not given.names:
            options = list(dict.fromkeys((classes, *class_forms(names))))
        for known in options:
            found = label_columns.onehot_places(self.label_look, taken, known, m)
            by_name = [one for one in found if one[0].why == "by their names"]
            if by_name or known == options[-1]:
                kept = by_name or list(found)
                break
        shown = classes or counted(m, 0)
        self._refuse_other_order(kept, by_name, probs)
        return [(LabelFit(place, Meaning(order, tuple(shown), "one-hot")), order) for place, order in kept]

    def _refuse_other_order(
        self, found: list[tuple[Place, tuple[int, ...]]], by_name: list[Any], probs: Float
    ) -> None:
        """InputError if one-hot labels that only their order pairs go with the predictions in another order."""
        for place, order in () if by_name else found:
            ones = self.label_look.sample[:, list(place.columns)]
            labels = np.asarray(order)[np.nan_to_num(ones).argmax(axis=1)]
            if agreement.better_order(probs, labels) is not None:
                raise InputError(
                    f"The one-hot labels {listed([self.label_look.names[j] for j in place.columns], 5)} do not "
                    "go with the predictions in the order of the columns; in another order they would. Name "
                    "them after the columns of predictions.",
                    (
                        Remedy(
                            "Name the columns of predictions in the order of the labels",
                            asks="probability_columns",
                        ),
                    ),
                )

    def _taken(self, fits: list[Understanding]) -> Understanding:
        """The only reading, if nothing speaks against it; else a question."""
        (first, *others) = fits
        doubtful = first.candidate.doubt or first.kind.doubt or first.doubt or first.meaning.doubt
        if others or doubtful:
            raise self._question(fits)
        return replace(first, notes=(*self.notes, *self._roles(first)))

    def _roles(self, one: Understanding) -> tuple[str, ...]:
        """Sentences on which column is what, and why."""
        notes = []
        table, place = self.label_look.table, one.place
        if self.own_file:
            own = [p for p in self._own_places() if p.rank >= label_columns.LABEL]
            for unused in own[:1]:
                where = self.table.where(unused.columns[0])
                notes.append(
                    f"{where[0].upper() + where[1:]} was not used: the labels are in the second file."
                )
        elif place.onehot:
            notes.append(f"Labels: {table.which(place.columns)}, one-hot (exactly one 1 a row).")
        else:
            notes.append(f"Labels: {table.where(place.columns[0])} ({place.why}).")
        which = self.table.which(one.probs)
        if one.probs in self.table.blocks:
            array = self.table.names[one.probs[0]].removesuffix("[0]")
            notes.append(f"Predictions: array {quoted(array)}.")
        elif place.onehot and not self.own_file:
            notes.append(f"Predictions: {which}, {place.why}.")
        else:
            notes.append(f"Predictions: {which} ({one.candidate.why}).")
        return tuple(notes)

    def _question(self, fits: list[Understanding]) -> InputError:
        """Which of the readings is meant, each with its first rows and what a person says to have it so."""
        parts = [self._parts(one) for one in fits]
        differing = [
            what
            for what in _PARTS
            if len({words for part in parts for words in [part[what][0]]}) > 1
            or any(p[what][2] for p in parts)
        ]
        first = differing[0]
        doubts = list(dict.fromkeys(p[what][2] for what in differing for p in parts if p[what][2]))
        sentence = " ".join(doubts[:2]) or _OPEN[first]
        if len(fits) > MOST_OFFERED:  # one thing after the other
            differing, fits, parts = [first], *_first_of_each(fits, parts, first)
        remedies = []
        for one, part in zip(fits[:MOST_OFFERED], parts, strict=False):
            change: dict[str, Any] = {}
            for what in differing:
                change |= part[what][1]
            words = "; ".join(part[what][0] for what in differing if part[what][0])
            remedies.append(Remedy(words, change, rows=self.first_rows(one)))
        return InputError(sentence, remedies)

    def _parts(self, one: Understanding) -> dict[str, tuple[str, Mapping[str, Any], str]]:
        """What a reading says of each thing that may be in doubt: in words, as a change of options, and why."""
        names = tuple(self.look.names[j] for j in one.probs)
        label_names = [self.label_look.names[j] for j in one.place.columns]
        predictions = f"The predictions are {listed(names, 5)}"
        labels = f"The labels are {listed(label_names, 5)}"
        return {
            "predictions": (predictions, {"probability_columns": names}, one.candidate.doubt),
            "values": (one.kind.words, {"values": one.kind.name}, one.kind.doubt),
            "labels": (labels, {"label_column": label_names[0]}, one.doubt),
            "meaning": (one.meaning.words, one.meaning.change, one.meaning.doubt),
        }

    def first_rows(self, one: Understanding) -> tuple[dict[str, str], ...]:
        """The first rows, class by class, with the label of each."""
        n = min(FIRST_ROWS, self.table.n)
        part = self.look.first_numbers(one.probs, n)
        probs = rough_probabilities(part, one.kind.name)
        labels = self._first_labels(one, n)
        names = one.meaning.class_names
        shown = list(enumerate(names))[: MOST_CELLS - 1]
        return tuple(
            {f"{name}": f"{probs[i, k]:.3g}" for k, name in shown} | {"was": labels[i]} for i in range(n)
        )

    def _first_labels(self, one: Understanding, n: int) -> list[str]:
        look, names = self.label_look, one.meaning.class_names
        if one.place.onehot:
            rows = look.first_numbers(one.place.columns, n)
            return [names[one.onehot[int(np.nanargmax(row))]] for row in rows]
        words = look.words(one.place.columns[0])
        return [names[one.meaning.numbers[code]] for code in words.codes[:n]]


_PARTS = ("predictions", "labels", "values", "meaning")
_OPEN = {
    "predictions": "It is open which columns are the predictions.",
    "labels": "It is open which column holds the labels.",
    "values": "It is open what the numbers are.",
    "meaning": "It is open what the labels stand for.",
}


def _first_of_each(
    fits: list[Understanding], parts: list[Any], what: str
) -> tuple[list[Understanding], list[Any]]:
    """One reading of each that differs in one thing."""
    first = {part[what][0]: (one, part) for one, part in reversed(list(zip(fits, parts, strict=True)))}
    pairs = list(reversed(first.values()))
    return [one for one, _ in pairs], [part for _, part in pairs]
