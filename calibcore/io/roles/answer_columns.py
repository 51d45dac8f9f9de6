"""Columns that say how sure a model was of its answers, what these were, and what was so."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import RIGHT, WRONG, loose, polarity, says_of_answers, tokens
from calibcore.column_names.no_classes import class_within
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles import prediction_columns, right_answers, thresholds
from calibcore.io.roles.candidates import is_uncertainty
from calibcore.io.roles.look import FIRST_ROWS, Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.roles.sums import MOST
from calibcore.io.tables import Array, Table, capitalised, number_in
from calibcore.numerics.types import Float

ANSWERED, SURE, TRUE, WAS = "answered", "sure", "truth", "was"
"""What the cells of a first row are called."""
_ANSWERS = lexicon.words_of(
    "answer answers choice chosen choices response responses output reply completion selected generated "
    "extracted selected antwort reponse respuesta risposta"
)
"""Words for what a model said, beside those of :data:`.lexicon.PREDICTED`."""
_KEYS = _ANSWERS | lexicon.LABEL | lexicon.words_of("option options selection key")
"""Words beside "correct" or "gold" that say what was so: "correct_option"."""
_KEY = frozenset(["answerkey", "solution", "solutions"])
"""What was so, in the logs of questions, and a column for anything else elsewhere."""
_LATER = lexicon.words_of("runner second secondary 2nd nd third 3rd")
"""Words for a guess that is not the first one, as "top2" is."""
_MOST_WORDS = 20
"""Words at most that may say how sure: more are sentences."""
_MOST_UNNAMED = 8
"""Columns without names at most of which one may be a confidence."""
_MANY = 20
"""Rows from which on it is no chance that no number is below one half."""
_SHARED = 0.5
"""So large a share of the fewer classes has to stand in both columns."""
_MOSTLY, _MOST_PAIRED = 0.75, 2_000
"""So large a share of pairs says which way numbers go; rows at most that are paired."""
_NEARLY, _ENOUGH_LOW = 0.9, 5
"""Numbers go with decisions if so large a share does; of so few low ones each has to."""
MOST_OFFERED = 4
"""Readings at most that are offered."""
SAID_OF_CLASSES = ("probability_columns", "class_names", "label_base", "label_says", "columns_are")
"""What is said of a file with the probabilities of classes."""
_OF_MODEL = lexicon.PREDICTED | lexicon.words_of("model llm lm ai system agent own")
"""Before "answer": that of the model, and not the one that is right."""
_PLACE = re.compile(r"\[\d+\]")
_FIELDS = lexicon.words_of("name label class category description value classname displayname")
_SURES = lexicon.words_of("confidence score probability prob")
"""What services call the answer in their records, and how sure they are."""
_VERDICTS = lexicon.words_of("""
    score scores grade graded verdict judgement judgment judge eval evaluation assessment mark result results
    success solved passed pass rating accurate quality
""")
"""Words for what may say, as 0 and 1, whether an answer was right."""
_YES_OR_NO = ({"0", "1"}, {"false", "true"}, {"no", "yes"}, {"n", "y"})


@dataclass(frozen=True, eq=False)
class Answered:
    """One way to read a table: how sure the model was, and which column says whether it was right."""

    look: Look
    label_look: Look
    sure: int  # the column of the confidence
    correct: int | None  # whether the answer was right, or wrong
    says: str  # which of both its 1 says
    predicted: int | None  # what was answered
    truth: int | None  # what was so; in the file of labels, if there is one, as ``correct``
    doubt: str = ""  # why a person is asked whether it is read so

    @property
    def own_file(self) -> bool:
        return self.label_look is not self.look

    @property
    def used(self) -> set[int]:
        """The columns of the file of predictions that are taken."""
        own = () if self.own_file else (self.correct, self.truth)
        return {j for j in (self.sure, self.predicted, *own) if j is not None}

    @property
    def label_columns(self) -> list[int]:
        """The columns that say what was right, in the file of labels if there is one."""
        return [j for j in (self.correct, self.truth) if j is not None]

    def remedy(self) -> Remedy:
        """This reading, as one to choose."""
        names = self.look.names
        change: dict[str, Any] = {"confidence_column": names[self.sure]}
        if self.correct is not None:
            change["correct_column"] = self.label_look.names[self.correct]
            says = f"{self.label_look.table.where(self.correct)} says whether that was {self.says}"
        else:
            assert self.predicted is not None
            assert self.truth is not None
            change |= {
                "prediction_column": names[self.predicted],
                "label_column": self.label_look.names[self.truth],
            }
            says = f"the answer is {self.look.table.where(self.predicted)}"
        where = capitalised(self.look.table.where(self.sure))
        return Remedy(f"{where} is how sure the model was of its answer; {says}", change, rows=self.rows())

    def rows(self) -> tuple[dict[str, str], ...]:
        """The first rows in this reading, nothing checked."""
        table, n = self.look.table, min(FIRST_ROWS, self.look.table.n)
        rows = []
        for i in range(n):
            row = {SURE: cell_text(table.columns[self.sure].iloc[i])}
            answer = "" if self.predicted is None else cell_text(table.columns[self.predicted].iloc[i])
            truth = "" if self.truth is None else cell_text(self._labels(self.truth).iloc[i])
            right: bool | None = loose(answer) == loose(truth)
            if self.correct is not None:
                right = self._is_said_right(self.correct, i)
            row = ({ANSWERED: answer} if answer else {}) | row | ({TRUE: truth} if truth else {})
            rows.append(row | {WAS: "" if right is None else RIGHT if right else WRONG})
        return tuple(rows)

    def _is_said_right(self, j: int, i: int) -> bool | None:
        """Whether the answer of row i was right, as the column j says; None where some of its cells are
        empty."""
        try:
            words = self.label_look.words(j)
        except InputError:
            return None
        yes = right_answers.truths(words)
        return yes is not None and bool(yes[int(words.codes[i])]) == (self.says == RIGHT)

    def _labels(self, j: int) -> "pd.Series[Any]":
        return self.label_look.table.columns[j]


class Search:
    """Which columns of one or two tables say how sure, what was answered, and what was so."""

    def __init__(self, table: Table, second: Table | None, options: ReadOptions) -> None:
        self.options, self.look = options, Look(table)
        self.label_look = self.look if second is None else Look(second)
        self.words = [{token.text for token in tokens(name)} for name in self.look.names]
        self._of_services = dict(_of_services(self.look))
        self._known: dict[tuple[bool, int], frozenset[str]] = {}

    def named(self, columns: Iterable[int]) -> list[str]:
        return self.look.table.names_of(columns)

    # --- how sure

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
        return len(cells) > 0 and len(words) <= _MOST_WORDS

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
        if not len(finite) or (np.mean(finite < 0) > 1 - _NEARLY and finite.max() > 0):
            return False  # scores go both ways
        return bool(np.mean((finite >= 0) & (finite <= 100)) > _SHARED)

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

    # --- what was answered, and what was so

    def known(self, j: int, labels: bool = False) -> frozenset[str]:
        """The different cells of a column that are not empty."""
        look = self.label_look if labels else self.look
        key = (look is self.look, j)
        if key not in self._known:
            cells = map(cell_text, look.table.columns[j].unique())
            self._known[key] = frozenset(cell for cell in cells if cell.lower() not in lexicon.NO_VALUE)
        return self._known[key]

    def _asked(self) -> set[int]:
        """The columns of the file of predictions that a person names for something else."""
        names = [self.options.prediction_column]
        if self.label_look is self.look:
            names += [self.options.correct_column, self.options.label_column]
        return {self.look.table.find(name, "answers") for name in names if name is not None}

    def _is_later(self, j: int) -> bool:
        """Whether a name is of a guess that is not the first one: "top2_class", "second_prob", and
        "Labels[1].Name" where there is a "Labels[0].Name"."""
        words, name = self.words[j], self.look.names[j]
        numbered = "top" in words and any(word.isdecimal() and int(word) > 1 for word in words)
        first = _PLACE.sub("[0]", name)
        return bool(words & _LATER) or numbered or (first != name and first in self.look.names)

    def answers(self) -> list[int]:
        """The columns that may say what was answered."""
        if self.options.prediction_column is not None:
            return [self.look.table.find(self.options.prediction_column, "answers")]
        answers = [j for j in range(len(self.look.names)) if self.is_answer(j)]
        own = {frozenset(self.words[j] - _OF_MODEL) for j in answers if self.words[j] & _OF_MODEL}
        answers = [j for j in answers if self.words[j] & _OF_MODEL or self.words[j] not in own]
        if answers and self._are_of_truth(answers):
            return answers
        return [*answers, *self._texts_like_truth()] or self._labels_beside_truth()

    def _are_of_truth(self, answers: Sequence[int]) -> bool:
        """Whether one of the answers names the classes of a truth, or none of them is in this file."""
        truths = [j for j, parsed in enumerate(self.look.parsed) if parsed.role == "truth"]
        own = self.label_look is self.look
        return not (truths and own) or any(self.share(a, t) for a in answers for t in truths)

    def _labels_beside_truth(self) -> list[int]:
        """ "label" beside "actual", which may be what was answered: somebody is asked."""
        roles = [parsed.role for parsed in self.look.parsed]
        labels = [j for j, role in enumerate(roles) if role == "label" and not self.look.fractional[j]]
        names = [name.strip().casefold() for name in self.look.names]
        if len(labels) == 2 and "label" in names and "score" in names and self.label_look is self.look:
            return [
                names.index("label")
            ]  # as pipelines of transformers call what they say, and how sure they are
        return labels if len(labels) == 1 and "truth" in roles and self.label_look is self.look else []

    def _texts_like_truth(self) -> list[int]:
        """ "diagnosis" beside "true_label": the only other text of the same classes."""
        roles = [parsed.role for parsed in self.look.parsed]
        if self.label_look is not self.look:
            return []
        free = [j for j, role in enumerate(roles) if role in ("", "truth") and self.repeats(self.look, j)]
        free = [j for j in free if not self._is_later(j)]
        texts = [j for j in free if not roles[j] and not self.look.numeric[j] and len(self.known(j)) > 2]
        alike = [j for j in texts if any(self.share(j, t) for t in free if roles[t] == "truth")]
        return alike if len(alike) == 1 else []

    def is_answer(self, j: int) -> bool:
        parsed, words = self.look.parsed[j], self.words[j]
        if j in self._of_services or self._is_of_pipelines(j):
            return True
        if self.look.fractional[j] or parsed.role == "confidence" or says_of_answers(self.look.names[j]):
            return False
        if self._is_later(j):
            return False
        if parsed.role == "predicted" or words & lexicon.PREDICTED:
            return not words & (lexicon.PROBABILITY | lexicon.OTHER)
        otherwise = lexicon.TRUTH | lexicon.RIGHT | lexicon.CODES | lexicon.CONFIDENCE | _KEY
        expected = "label" in parsed.role and bool(words & lexicon.LABEL - {"response"})
        return bool(words & _ANSWERS) and not words & otherwise and not expected and "key" not in words

    def _is_of_pipelines(self, j: int) -> bool:
        """Whether a column says "LABEL_1" where another one says 1: pipelines of transformers call classes so
        that have no names, and nobody else does."""

        def is_written_so(cells: Set[str]) -> bool:
            return bool(cells) and all(cell.startswith("LABEL_") for cell in cells)

        look = self.label_look
        truths = [k for k in range(len(look.names)) if look is not self.look or k != j]
        truths = [k for k in truths if look.parsed[k].role in ("truth", "label") and not look.fractional[k]]
        return is_written_so(self.known(j)) and any(
            not is_written_so(self.known(k, labels=True)) and self.share(j, k) for k in truths
        )

    def truths(self) -> list[int]:
        """The columns that may say what was so, those that say so clearly first."""
        look = self.label_look
        if self.options.label_column is not None:
            return [look.table.find(self.options.label_column, "labels")]
        if look is not self.look and len(look.names) == 1:
            return [0]
        answers = set(self.answers()) if look is self.look else set()
        answer_words = _OF_MODEL | lexicon.CONNECTING
        after = [self.words[j] - answer_words for j in answers if self.words[j] - answer_words]
        ranked: dict[int, list[int]] = {0: [], 1: [], 2: []}
        for j, parsed in enumerate(look.parsed):
            if j in answers or look.fractional[j]:
                continue
            words = {token.text for token in tokens(look.names[j])}
            key = bool(words & lexicon.RIGHT) and bool(words & _KEYS)
            key = key or bool(words & _KEY) or words >= {"answer", "key"}
            if parsed.role == "truth" or key:
                ranked[0].append(j)
            elif parsed.role == "label":
                ranked[1].append(j)
            elif words in after:  # "species" beside "predicted_species"
                ranked[2].append(j)
        return [j for rank in ranked.values() for j in rank]

    def _like_answers(self) -> list[int]:
        """Columns that no name calls a truth, and that repeat names of classes: "key", or "Art"."""
        look = self.label_look
        if self.options.label_column is not None or not look.table.named:
            return []
        taken = {*self.truths(), *(self.answers() if look is self.look else ())}
        taken |= {j for j, name in enumerate(look.names) if says_of_answers(name) and not self.called_key(j)}
        return [
            j
            for j in range(len(look.names))
            if j not in taken
            and not look.fractional[j]
            and not self._counts(j)
            and self.repeats(look, j)
            and len(self.known(j, labels=True)) > 1
        ]

    def _counts(self, j: int) -> bool:
        """Whether a column holds numbers of something else, as a "fold" does; a "key" may be a truth."""
        look = self.label_look
        key = "key" in {token.text for token in tokens(look.names[j])}
        return bool(look.numeric[j]) and look.parsed[j].role == "other" and not key

    def correct(self) -> list[tuple[int, str]]:
        """The columns that say whether the answer was right, and whether it was wrong."""
        look = self.label_look
        asked = self.options.correct_column
        if asked is not None:
            j = look.table.find(asked, "right answers")
            return [(j, says_of_answers(look.names[j]) or RIGHT)]
        columns: list[tuple[int, str]] = []
        for j, name in enumerate(look.names):
            words = self.known(j, labels=True)
            says = says_of_answers(name)
            if not says and not look.numeric[j] and len(words) == 2:
                says = RIGHT if {says_of_answers(word) for word in words} == {RIGHT, WRONG} else ""
            if says and 0 < len(words) <= 2 and self._says_yes_or_no(j) and not self._is_key(j):
                columns.append((j, says))
        columns = sorted(columns, key=lambda entry: entry[1] != RIGHT)
        return columns or [(j, RIGHT) for j in self._verdicts() if self._agrees(j)]

    def _verdicts(self) -> list[int]:
        """Columns of yes and no that no name calls anything, or a verdict, those called so first."""
        look = self.label_look
        own = look is self.look
        taken = {*self.answers()} if own else set()
        taken |= {j for j in self.truths() if look.parsed[j].role == "truth"}
        free = [
            j
            for j in range(len(look.names))
            if j not in taken
            and not look.fractional[j]
            and not self._words_of_label(j) & lexicon.CONFIDENCE
            and 0 < len(self.known(j, labels=True)) <= 2
        ]
        named = [j for j in free if self._words_of_label(j) & _VERDICTS and self._says_yes_or_no(j)]
        return named or [
            j
            for j in free
            if not self._words_of_label(j) & (lexicon.OTHER - _VERDICTS)
            and {cell.casefold() for cell in map(_as_whole, self.known(j, labels=True))} in _YES_OR_NO
        ]

    def _words_of_label(self, j: int) -> set[str]:
        return {token.text for token in tokens(self.label_look.names[j])}

    def _agrees(self, j: int) -> bool:
        """Whether a column is yes where the answer is the truth and no elsewhere, which is no chance."""
        if any(cell.lower() in lexicon.NO_VALUE for cell in map(cell_text, self.label_look.table.columns[j])):
            return False
        says = right_answers.truths(self.label_look.words(j))
        if says is None or len(self.label_look.words(j).codes) < _MANY:
            return False
        right = np.array(says, dtype=bool)[self.label_look.words(j).codes]
        pairs = [(a, t) for a in self.answers() for t in self.truths() if t != j and self.share(a, t)]
        return bool(right.any()) and not right.all() and any((self._right(*p) == right).all() for p in pairs)

    def called_key(self, j: int) -> bool:
        """Whether a column is called "correct answer", and not "answer correct"."""
        words = [token.text for token in tokens(self.label_look.names[j])]
        return any(a in lexicon.RIGHT and b in _KEYS for a, b in pairwise(words))

    def _is_key(self, j: int) -> bool:
        """Whether a column is called so, and names the same classes as an answer."""
        return self.called_key(j) and any(self.share(a, j) for a in self.answers())

    def _says_yes_or_no(self, j: int) -> bool:
        try:
            return right_answers.truths(self.label_look.words(j)) is not None
        except InputError:  # empty cells, which are refused when it is read
            return True

    def _classes(self) -> set[str]:
        """What was so or was answered, by name."""
        looks = [(j, True) for j in self.truths()] + [(j, False) for j in self.answers()]
        return {loose(word) for j, labels in looks for word in self.known(j, labels)}

    def share(self, answer: int, truth: int) -> bool:
        """Whether two columns name the same classes."""
        answer_words, so = (set(map(loose, w)) for w in (self.known(answer), self.known(truth, labels=True)))
        return len(answer_words & so) >= max(1, _SHARED * min(len(answer_words), len(so)))

    def pair(self, sure: int) -> tuple[int, int] | None:
        """What was answered and what was so: the only two columns of the same classes."""
        pairs = [
            (a, t)
            for truths in (self.truths(), self._like_answers())
            for a in self.answers()
            for t in truths
            if a != sure and (t != sure or self.label_look is not self.look) and self.share(a, t)
        ]
        named = [pair for pair in pairs if pair[1] in self.truths()]
        pairs = named or (pairs if len(pairs) == 1 else [])
        asked = self.options.prediction_column is not None and self.options.label_column is not None
        if not pairs and asked:
            return self.answers()[0], self.truths()[0]
        return pairs[0] if pairs and self._agree(pairs) else None

    def _agree(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether all pairs of columns say the same of which answers are right."""
        return len({self._right(a, t).tobytes() for a, t in pairs[:_MOST_WORDS]}) == 1

    def _right(self, answer: int, truth: int) -> Array:
        answer_words, so = self.look.table.columns[answer], self.label_look.table.columns[truth]
        return np.array(
            [loose(cell_text(a)) == loose(cell_text(b)) for a, b in zip(answer_words, so, strict=True)]
        )

    # --- together

    def readings(self, sure: int) -> list[Answered]:
        """How a table may be read of which ``sure`` says how sure the model was: as :meth:`answered`, or with
        each column that may say what was right."""
        entry = self.answered(sure)
        if entry is not None or self.pair(sure):
            return [] if entry is None else [entry]
        columns = [j for j in self._verdicts() if j != sure or self.label_look is not self.look]
        if not self.is_named(sure):  # "prob" is one of a class, unless something speaks of answers
            columns = [j for j in columns if self._words_of_label(j) & _VERDICTS]
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
        return len(values) >= _MANY and not (self._rough(values) < 0.5).any()

    def repeats(self, look: Look, j: int) -> bool:
        """Whether a column names classes, of which there are fewer than cases."""
        return 2 * len(self.known(j, labels=look is not self.look)) <= max(look.table.n, 4)

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
        if cut is None and called and (self.is_named(sure) or (not low and len(values) >= _MANY)):
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
        return bool(share == 1 or (share >= _NEARLY and len(low) >= _ENOUGH_LOW))

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


def _as_whole(cell: str) -> str:
    """ "1" of "1.0"."""
    return cell.removesuffix(".0")


def gap_between(values: Float, codes: Array) -> tuple[float, float] | None:
    """The gap between the numbers of two answers, if all of one are above all of the other."""
    first, second = values[codes == 0], values[codes != 0]
    for low, high in ((first, second), (second, first)):
        if len(low) and len(high) and low.max() <= high.min():
            return float(low.max()), float(high.min())
    return None


def _of_services(look: Look) -> Iterator[tuple[int, int]]:
    """What was answered and how sure, as services write both in one record: "Labels[0].Name" beside
    "Labels[0].Confidence"; none of a later guess, and none of a truth."""
    places = {name: j for j, name in enumerate(look.names)}
    for name, j in places.items():
        record, _, field = name.rpartition(".")
        words = {token.text for token in tokens(record)}
        later = {word for word in words if word.isdecimal()} - {"0"}
        if not record or later or words & lexicon.TRUTH or field.casefold() not in _FIELDS:
            continue
        for other, k in places.items():
            its, _, sure = other.rpartition(".")
            if its == record and sure.casefold() in _SURES and look.numeric[k] and not look.numeric[j]:
                yield j, k
