"""How a table of answers may be read: which columns say how sure, what was answered, and what was so."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import RIGHT, loose, says_of_answers, tokens
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.roles import prediction_columns, right_answers, thresholds
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.answers_and_truths import MANY_ROWS, VERDICTS
from calibcore.io.roles.meaning import cell_text
from calibcore.io.roles.sums import MOST
from calibcore.io.roles.sure_columns import NEARLY, SureColumns
from calibcore.io.tables import Array, capitalised
from calibcore.numerics.types import Float

_MOST_UNNAMED = 8
"""Columns without names at most of which one may be a confidence."""
_MOSTLY, _MOST_PAIRED = 0.75, 2_000
"""So large a share of pairs says which way numbers go; rows at most that are paired."""
_ENOUGH_LOW = 5
"""Low numbers from which on it is enough that nearly all go with a decision: of fewer each has to."""
MOST_OFFERED = 4
"""Readings at most that are offered."""
SAID_OF_CLASSES = ("probability_columns", "class_names", "label_base", "label_says", "columns_are")
"""What is said of a file with the probabilities of classes."""


class Search(SureColumns):
    """How one or two tables may be read as answers, and why a person is asked."""

    def without_names(self) -> list[Answered]:
        """Where no column has a name: one of fractions, beside the only two of the same classes, which may
        be the answer and the truth or the other way round; none where that is not so."""
        look = self.look
        if len(look.names) > _MOST_UNNAMED:
            return []
        sure = [j for j in range(len(look.names)) if look.fractional[j] and self._is_sureness(j)]
        rest = [j for j in range(len(look.names)) if not look.fractional[j] and self.repeats(look, j)]
        pairs = [(a, t) for a in rest for t in rest if a < t and self.share(a, t)]
        if len(sure) != 1 or len(pairs) != 1:
            return []
        (answer, truth), right = pairs[0], self._right(*pairs[0])
        if right.all() or not right.any():
            return []
        both = ((truth, answer), (answer, truth))
        return [Answered(look, look, sure[0], None, RIGHT, a, t, "no names") for a, t in both]

    def readings(self, sure: int) -> list[Answered]:
        """How a table may be read of which ``sure`` says how sure the model was: as :meth:`answered`, or with
        each column that may say what was right."""
        entry = self.answered(sure)
        if entry is not None or self.pair(sure):
            return [] if entry is None else [entry]
        columns = [j for j in self._verdicts() if j != sure or self.label_look is not self.look]
        if not self.is_named(sure):  # "prob" is one of a class, unless something speaks of answers
            columns = [j for j in columns if self._words_of_label(j) & VERDICTS]
        values = self.look.sample[:, sure]
        if not (self._rough(values[np.isfinite(values)]) < 0.5).any():  # of whichever of two classes it was
            columns = [j for j in columns if self.label_look.parsed[j].role != "label"]
        columns = [j for j in columns if not self.is_threshold(sure, j)]
        return [self._by_verdict(sure, j) for j in columns[:MOST_OFFERED]]

    def is_threshold(self, sure: int, j: int) -> bool:
        """Whether a column of the same file is a threshold on the confidence, and not what was right."""
        return self.label_look is self.look and thresholds.is_threshold(self.look, sure, j)

    def thresholds(self, sure: Sequence[int]) -> str:
        """Sentences on the columns that are, and that nothing calls a truth; "" for none."""
        sentences = [
            thresholds.sentence(self.look, k, j)
            for k in sure
            for j in range(len(self.look.names))
            if self.is_threshold(k, j) and self.look.parsed[j].role not in ("truth", "label", "predicted")
        ]
        return " ".join(sentences[:2])

    def _by_verdict(self, sure: int, j: int) -> Answered:
        where = capitalised(self.label_look.table.where(j))
        doubt = f"{where} may also say whether the answer was right."
        return Answered(self.look, self.label_look, sure, j, RIGHT, *self._beside(sure, None), doubt)

    def answered(self, sure: int) -> Answered | None:
        """How a table is read of which ``sure`` says how sure the model was; None if nothing says what is
        right, or if it surely is the probability of one class.
        """
        pair = self.pair(sure)
        if self.options.correct_column is None and self.options.label_column is not None and pair:
            correct: list[tuple[int, str]] = []
        else:
            correct = [
                entry for entry in self.correct() if entry[0] != sure or self.label_look is not self.look
            ]
        if len(correct) > 1:  # "gpt_correct" goes with "gpt_confidence"
            correct.sort(key=lambda entry: -self._alike(sure, entry[0]))
        if correct:
            j, says = correct[0]
            reading = Answered(self.look, self.label_look, sure, j, says, *self._beside(sure, pair))
            return replace(reading, doubt=self._doubt_of_correct(sure, pair, reading))
        if pair:
            reading = Answered(self.look, self.label_look, sure, None, RIGHT, *pair)
            doubt = self._doubt_of_pair(sure, *pair)
            return None if doubt is None else replace(reading, doubt=doubt)
        return None

    def _alike(self, sure: int, label: int) -> int:
        """How many words two columns share."""
        return len(self.words[sure] & {token.text for token in tokens(self.label_look.names[label])})

    def _beside(self, sure: int, pair: tuple[int, int] | None) -> tuple[int | None, int | None]:
        """What was answered and what was so, where a column says what was right: as far as it is clear."""
        if pair:
            return pair
        answers = [
            j
            for j in self.answers()
            if j != sure and (self.words[j] & lexicon.PREDICTED or self.repeats(self.look, j))
        ]
        truth = [j for j in self.truths() if self.repeats(self.label_look, j)]
        truth = [j for j in truth if j not in {entry for entry, _ in self.correct()}]
        one_answer = answers[0] if len(answers) == 1 else None
        return one_answer, truth[0] if len(truth) == 1 and one_answer is None else None

    def is_never_low(self, sure: int) -> bool:
        """Whether no number is below one half, in so many rows that it is no chance: that of two classes is
        how sure the model was of whichever it answered."""
        values = self.look.sample[:, sure]
        values = values[np.isfinite(values)]
        return len(values) >= MANY_ROWS and not (self._rough(values) < 0.5).any()

    def _doubt_of_correct(self, sure: int, pair: tuple[int, int] | None, reading: Answered) -> str:
        where = capitalised(self.look.table.where(sure))
        several = pair is not None and len(self._both(*pair)) > 2
        answers = self.known(reading.predicted) if reading.predicted is not None else frozenset()
        if self._rivals(sure):
            return f"{where} may also be how sure the model was of its answer."
        both = answers | (
            self.known(reading.truth, labels=True) if reading.truth is not None else frozenset()
        )
        if reading.predicted is not None and len(both) <= 2 and self.goes_with(sure, reading.predicted):
            return self._as_of_one_class(sure, reading.predicted)
        unnamed = self._is_fraction(sure) and self._is_against(sure, reading)
        against = " It is higher where answers were wrong, as an uncertainty is." if unnamed else ""
        if self.is_named(sure) or several or len(answers) > 2:
            return "" if not self._is_fraction(sure) else self._only(sure) + against
        return f"{where} may also be how sure the model was of its answer, whatever that was.{against}"

    def _is_against(self, sure: int, reading: Answered) -> bool:
        """Whether numbers are higher where answers were wrong, in three of four pairs or more."""
        assert reading.correct is not None
        try:
            words = self.label_look.words(reading.correct)
        except InputError:  # empty cells
            return False
        yes = right_answers.truths(words)
        values = self.look.sample[:, sure]
        if yes is None or len(words.sample) != len(values):
            return False
        right = (np.array(yes)[words.sample] == 1) == (reading.says == RIGHT)
        pairs = (
            values[right][:, None] - values[~right][None, :] if len(values) <= _MOST_PAIRED else values[:0]
        )
        return bool(pairs.size) and bool(np.mean(pairs < 0) >= _MOSTLY)

    def _doubt_of_pair(self, sure: int, answer: int, truth: int) -> str | None:
        """Why a person is asked, "" if nothing speaks against it, None if it is that of a class."""
        where = capitalised(self.look.table.where(sure))
        if self._rivals(sure):
            return f"{where} may also be how sure the model was of its answer."
        if self.options.prediction_column is None and not self.is_answer(answer):
            return f"{capitalised(self.look.table.where(answer))} may be what the model answered."
        if truth not in self.truths():
            return f"{capitalised(self.label_look.table.where(truth))} may be what was so."
        if says_of_answers(self.label_look.names[truth]) and self._says_yes_or_no(truth):
            which = capitalised(self.label_look.table.where(truth))
            return f"{which} may also say whether the answer was right."
        called = self.is_named(sure) or self._is_bare(sure) or self._is_logarithm(sure)
        if len(self._both(answer, truth)) > 2:
            return "" if called else self._only(sure)
        codes = self.decisions(answer)
        values = self.look.sample[:, sure]
        ok = np.isfinite(values)
        low = bool((self._rough(values[ok]) < 0.5).any())
        if len(set(codes.tolist())) < 2:
            return f"{where} may also be how sure the model was of its answer."
        cut = gap_between(values[ok], codes[ok])
        if cut is not None and low:
            rounded = cut[0] <= self._half(values[ok]) <= cut[1]
            return None if rounded else f"{where} may also be how sure the model was of its answer."
        if cut is None and called and self.goes_with(sure, answer):
            return self._as_of_one_class(sure, answer)
        if cut is None and called and (self.is_named(sure) or (not low and len(values) >= MANY_ROWS)):
            return ""
        return f"{where} may also be how sure the model was of its answer."

    def goes_with(self, sure: int, answer: int) -> bool:
        """Whether low numbers stand beside one of two answers and high ones beside the other, as those of a
        class do: a confidence is high beside either.
        """
        codes, values = self.decisions(answer), self.look.sample[:, sure]
        ok = np.isfinite(values)
        if len(set(codes.tolist())) != 2 or not ok.any():
            return False
        values, codes = self._rough(values[ok]), codes[ok]
        low, high = codes[values < 0.5], codes[values > 0.5]
        if not len(low) or not len(high):
            return False
        share = max(min(1 - low.mean(), high.mean()), min(low.mean(), 1 - high.mean()))
        return bool(share == 1 or (share >= NEARLY and len(low) >= _ENOUGH_LOW))

    def _as_of_one_class(self, sure: int, answer: int) -> str:
        where = capitalised(self.look.table.where(sure))
        return (
            f"{where} is low beside one value of {self.look.table.where(answer)} and high beside the other, "
            "as the probability of one class is. It may also be how sure the model was of its answer."
        )

    def _rough(self, values: Float) -> Float:
        return values / (2 * self._half(values))

    def _half(self, values: Float) -> float:
        return 50.0 if values.max(initial=0) > 1 else 0.5

    def decisions(self, answer: int) -> Array:
        return pd.factorize(self.look.table.columns[answer].iloc[self.look.rows].map(cell_text))[0]

    def _both(self, answer: int, truth: int) -> set[str]:
        return {loose(word) for word in (*self.known(answer), *self.known(truth, labels=True))}

    def _only(self, sure: int) -> str:
        return f"Only {self.look.table.where(sure)} may be the confidence, and its name does not say so."

    def _rivals(self, sure: int) -> bool:
        """Whether other columns are called as probabilities, or add up to 1."""
        look = self.look
        named = [
            j
            for j, parsed in enumerate(look.parsed)
            if j != sure and parsed.numeric and look.fractional[j] and not self.is_named(j)
        ]
        if named:
            return True
        free = [j for j in range(len(look.names)) if look.fractional[j] and j != sure and look.unit[j]]
        if len(free) < 2:
            return False
        try:
            likely = prediction_columns.candidates(look, free, [], ReadOptions())[0]
        except InputError:
            return False
        return any(len(entry.columns) > 1 and look.share(entry.columns) >= MOST / 2 for entry in likely)


def gap_between(values: Float, codes: Array) -> tuple[float, float] | None:
    """The gap between the numbers of two answers, if all of one are above all of the other."""
    first, second = values[codes == 0], values[codes != 0]
    for low, high in ((first, second), (second, first)):
        if len(low) and len(high) and low.max() <= high.min():
            return float(low.max()), float(high.min())
    return None
