"""Columns that say how sure a model was of its answers."""

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import RIGHT, loose, polarity, says_of_answers, tokens
from calibcore.column_names.no_classes import class_within
from calibcore.io.roles import thresholds
from calibcore.io.roles.answers_and_truths import MOST_WORDS, SHARED, AnswersAndTruths
from calibcore.io.roles.candidates import is_uncertainty
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import number_in

NEARLY = 0.9
"""So large a share of numbers is nearly all of them."""


class SureColumns(AnswersAndTruths):
    """Which columns also say how sure the model was of its answers."""

    def sure(self) -> list[int]:
        """The columns that may say how sure the model was, by their names; else the only one that may."""
        if self.options.confidence_column is not None:
            return [self.look.table.find(self.options.confidence_column, "confidence")]
        taken = self._asked()
        free = [j for j in range(len(self.look.names)) if j not in taken]
        for likely in (self.is_named, self._is_bare, self._is_logarithm):
            if columns := [j for j in free if likely(j)]:
                return self._without_thresholds(self._without_words(columns))
        for doubtful in (self._is_fraction, self._is_of_class):
            if columns := [j for j in free if doubtful(j)]:
                return columns if len(columns) == 1 else []
        return []

    def _without_thresholds(self, columns: list[int]) -> list[int]:
        """Without "low_confidence" beside "confidence", of which it is a threshold."""
        look = self.look
        return [
            j
            for j in columns
            if not any(thresholds.is_threshold(look, k, j) for k in columns if look.fractional[k])
        ]

    def _without_words(self, columns: list[int]) -> list[int]:
        """Without columns of words of which another one says the numbers: "high" is 0.9 in every row."""
        numbers = [j for j in columns if self.look.numeric[j]]

        def is_numbered(j: int, number: int) -> bool:
            cells = self.look.table.columns[j].iloc[self.look.rows].map(cell_text)
            values = self.look.sample[:, number]
            pairs = {(word, value) for word, value in zip(cells, values, strict=True) if word}
            return len({word for word, _ in pairs}) == len(pairs)

        return [j for j in columns if j in numbers or not any(is_numbered(j, k) for k in numbers)]

    def is_named(self, j: int) -> bool:
        """Whether a column is called "confidence", and not after a class, and holds such."""
        parsed = self.look.parsed[j]
        if self._is_later(j) or is_uncertainty(self.look, j):
            return False
        if j in self._of_services.values():
            return True
        inner = parsed.inner
        about_answers = bool(inner) and self._is_of_right(inner) and not self._is_whole(j)
        called = parsed.role == "confidence" or bool(self.words[j] & lexicon.CONFIDENCE) or about_answers
        if not called or (
            inner and not about_answers and (polarity(inner) or loose(inner) in self._classes())
        ):
            return False
        if self.look.numeric[j]:
            return bool(np.isfinite(self.look.sample[:, j]).any())
        cells = self.known(j)
        words = [word for word in cells if number_in(word, self.look.table.decimal) is None]
        return len(cells) > 0 and len(words) <= MOST_WORDS

    def _is_of_right(self, inner: str) -> bool:
        """ "p_correct", or the "P(True)" of an answer where "true" is no class."""
        if loose(inner) != "true":
            return says_of_answers(inner) == RIGHT
        classes = self._classes()
        about_one = "true" in classes or (len(classes) <= 2 and any(map(polarity, classes)))
        return not about_one and bool(self.answers() or self.correct() or self._verdicts())

    def _is_bare(self, j: int) -> bool:
        """Whether a column is called as a probability, and after no class: "prob", or "answer_prob"."""
        parsed = self.look.parsed[j]
        about = bool(parsed.inner) and bool(class_within(parsed.inner))
        words = {token.text for token in tokens(parsed.inner)}
        if about and words <= lexicon.WHOSE and loose(parsed.inner) not in self._classes():
            about = False
        called = parsed.role == "probability" and not about
        return called and self._is_sureness(j) and not self._is_whole(j)

    def _is_logarithm(self, j: int) -> bool:
        """Whether a column is called as the logarithm of a probability, after no class, and may be that."""
        parsed, values = self.look.parsed[j], self.look.sample[:, j]
        finite = values[np.isfinite(values)]
        after_class = bool(parsed.inner) and bool(class_within(parsed.inner))
        return parsed.role == "log" and not after_class and len(finite) > 0 and bool((finite <= 0).all())

    def _is_fraction(self, j: int) -> bool:
        look = self.look
        unnamed = look.parsed[j].role == "" and not is_uncertainty(look, j)
        return bool(look.unit[j] and look.fractional[j] and unnamed)

    def _is_of_class(self, j: int) -> bool:
        """Whether a column is called after a class, as "p_true", and may as well be about the answer."""
        parsed = self.look.parsed[j]
        return bool(self.look.unit[j] and self.look.fractional[j] and parsed.role == "probability")

    def _is_whole(self, j: int) -> bool:
        return bool(self.look.integral[j] and self.look.unit[j])

    def _is_sureness(self, j: int) -> bool:
        """Whether most numbers are from 0 to 100, and nearly none below 0."""
        if not self.look.numeric[j]:
            return False
        values = self.look.sample[:, j]
        finite = values[np.isfinite(values)]
        if not len(finite) or (np.mean(finite < 0) > 1 - NEARLY and finite.max() > 0):
            return False  # scores go both ways
        return bool(np.mean((finite >= 0) & (finite <= 100)) > SHARED)
