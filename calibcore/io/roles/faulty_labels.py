"""Columns that would be the labels, but for rows that have none, or one that is no class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.column_names.class_forms import class_forms, class_names_of
from calibcore.errors import InputError
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import Meaning, Words, places_of
from calibcore.numerics.types import Float

_MOST = 0.5
"""Share of the filled rows that name a class where the others are taken for mistakes."""
_FEWEST = 2
"""Classes that have to be named at least."""


@dataclass(frozen=True)
class FaultyLabels:
    """What is wrong with labels that go with (r, m) predictions in most rows.

    look : at the table of labels
    meant : what the labels of a column stand for beside predictions of their rows; :class:`InputError` if
        nothing
    probs : the predictions of the rows of the sample
    columns : names of the columns of predictions, None if the file gives none
    names : of the classes, where a person says them
    """

    look: Look
    meant: Callable[[int, Words, Float], tuple[Meaning, ...]]
    probs: Float
    columns: Sequence[str] | None
    names: Sequence[str] | None

    def fault(self, j: int) -> InputError | None:
        """The refusal of the column ``j``; None if it is not the labels, or nothing is wrong with it."""
        words, sampled = self.look.filled_words(j)
        if len(words.words) < _FEWEST or not self._names_classes(j, words, sampled):
            return None
        try:
            self.meant(j, self.look.words(j), self.probs)
        except InputError as error:
            return error
        return None

    def names_classes(self, j: int) -> bool:
        """Whether most that is filled of a column of text names classes."""
        return not self.look.numeric[j] and self._share(self.look.filled_words(j)[0]) > _MOST

    def _names_classes(self, j: int, words: Words, sampled: np.ndarray) -> bool:
        if self.names_classes(j):
            return True
        try:
            meanings = self.meant(j, words, self.probs[sampled])
        except InputError:
            return False
        return any(not meaning.open for meaning in meanings)

    def _share(self, words: Words) -> float:
        """Share of the filled rows that name a class of several columns."""
        if self.probs.shape[1] == 1 or not (self.columns or self.names):
            return 0.0
        columns = self.columns or ()
        forms = [self.names] if self.names else [class_names_of(columns), *class_forms(columns)]
        known = [np.array(places_of(words.words, form)) >= 0 for form in forms if form]
        named = max(known, key=np.count_nonzero)
        return float(named[words.codes].mean()) if np.count_nonzero(named) >= _FEWEST else 0.0
