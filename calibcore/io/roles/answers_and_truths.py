"""Columns that say what a model answered, what was so, and whether that was the same."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import RIGHT, WRONG, loose, says_of_answers, tokens
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.roles import right_answers
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import Array, Table

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
MOST_WORDS = 20
"""Words at most that may say how sure: more are sentences."""
MANY_ROWS = 20
"""Rows from which on it is no chance that no number is below one half."""
SHARED = 0.5
"""So large a share of the fewer classes has to stand in both columns."""
_OF_MODEL = lexicon.PREDICTED | lexicon.words_of("model llm lm ai system agent own")
"""Before "answer": that of the model, and not the one that is right."""
_PLACE = re.compile(r"\[\d+\]")
_FIELDS = lexicon.words_of("name label class category description value classname displayname")
_SURES = lexicon.words_of("confidence score probability prob")
"""What services call the answer in their records, and how sure they are."""
VERDICTS = lexicon.words_of("""
    score scores grade graded verdict judgement judgment judge eval evaluation assessment mark result results
    success solved passed pass rating accurate quality
""")
"""Words for what may say, as 0 and 1, whether an answer was right."""
_YES_OR_NO = ({"0", "1"}, {"false", "true"}, {"no", "yes"}, {"n", "y"})


class AnswersAndTruths:
    """Which columns of one or two tables say what was answered, and what was so."""

    def __init__(self, table: Table, second: Table | None, options: ReadOptions) -> None:
        self.options, self.look = options, Look(table)
        self.label_look = self.look if second is None else Look(second)
        self.words = [{token.text for token in tokens(name)} for name in self.look.names]
        self._of_services = dict(_of_services(self.look))
        self._known: dict[tuple[bool, int], frozenset[str]] = {}

    def named(self, columns: Iterable[int]) -> list[str]:
        return self.look.table.names_of(columns)

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
        named = [j for j in free if self._words_of_label(j) & VERDICTS and self._says_yes_or_no(j)]
        return named or [
            j
            for j in free
            if not self._words_of_label(j) & (lexicon.OTHER - VERDICTS)
            and {cell.casefold() for cell in map(_as_whole, self.known(j, labels=True))} in _YES_OR_NO
        ]

    def _words_of_label(self, j: int) -> set[str]:
        return {token.text for token in tokens(self.label_look.names[j])}

    def _agrees(self, j: int) -> bool:
        """Whether a column is yes where the answer is the truth and no elsewhere, which is no chance."""
        if any(cell.lower() in lexicon.NO_VALUE for cell in map(cell_text, self.label_look.table.columns[j])):
            return False
        says = right_answers.truths(self.label_look.words(j))
        if says is None or len(self.label_look.words(j).codes) < MANY_ROWS:
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
        return len(answer_words & so) >= max(1, SHARED * min(len(answer_words), len(so)))

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
        return len({self._right(a, t).tobytes() for a, t in pairs[:MOST_WORDS]}) == 1

    def _right(self, answer: int, truth: int) -> Array:
        answer_words, so = self.look.table.columns[answer], self.label_look.table.columns[truth]
        return np.array(
            [loose(cell_text(a)) == loose(cell_text(b)) for a, b in zip(answer_words, so, strict=True)]
        )

    def repeats(self, look: Look, j: int) -> bool:
        """Whether a column names classes, of which there are fewer than cases."""
        return 2 * len(self.known(j, labels=look is not self.look)) <= max(look.table.n, 4)


def _as_whole(cell: str) -> str:
    """ "1" of "1.0"."""
    return cell.removesuffix(".0")


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
