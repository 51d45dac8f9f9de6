"""A log of an evaluation: questions, each with options of a score each, and which option is right."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np

from calibcore import limits
from calibcore.column_names.name_words import loose
from calibcore.column_names.names import parse
from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.roles.varying_options import COUNT, options_note, place_names
from calibcore.io.tables import Columns, Table, check_rows, column_of
from calibcore.numerics.types import Float, Int
from calibcore.strategies import Strategies

T = TypeVar("T")
LOGS = Strategies("log")
"""Kind -> the log, in the order in which they are looked for and listed."""

MATRIX, TARGET, CASE, TASK = "options", "target", "id", "task"
"""Names of columns: the probabilities of the options, which is right, the question, and its task."""
LONGEST_CELL = 60
"""Letters of a text beside a question that is kept for groups: what is longer is the question itself."""
MOST_COLUMNS = 40
"""Columns that are kept beside the options."""
_SMALLEST = float(np.finfo(np.float64).tiny)
"""An option that there is has at least this probability, where exponentials are none any more."""


class Log(ABC):
    """A kind of log. Nobody makes one: the class itself is what is entered."""

    kind: ClassVar[str]
    place: ClassVar[float]
    label: ClassVar[str]
    """Who writes it: "HELM", as in "JSON, a log of HELM"."""
    file: ClassVar[str]
    """What its files are called, as the docs have it: "`samples_*.jsonl`"."""
    reads: ClassVar[str]
    """A sentence or two for the table in docs/files.md."""

    @classmethod
    @abstractmethod
    def fits(cls, value: Any) -> bool:
        """Whether a parsed JSON is such a log, told by its first record. Cost O(rows) at most."""

    @classmethod
    @abstractmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        """The table in it: one row a question, without those that are left out (:func:`remaining`).

        ``name`` is that of the file. Raises :class:`InputError`.
        """


def remaining(records: Sequence[T], options: ReadOptions) -> list[T]:
    """The records of a log that are read: all but the rows that are left out, from 1."""
    check_rows(len(records))
    if max(options.leave_out_rows, default=0) > len(records):
        last = max(options.leave_out_rows)
        raise InputError(f"Row {last:,} cannot be left out: there are {len(records):,} rows.")
    out = {row - 1 for row in options.leave_out_rows}
    return [record for i, record in enumerate(records) if i not in out]


@dataclass(frozen=True)
class Question:
    """One question of a log.

    scores : one an option, its log-likelihood up to what all share
    right : the place, from 0, of the option that is right
    names : of the options, where these mean the same in all questions; () where they are places, A, B, …
    lengths : one an option, above 0, by which a log-likelihood may be divided; () where nobody knows
    columns : what else is known of it
    """

    scores: tuple[float, ...]
    right: int
    names: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)


def table_of(
    questions: Sequence[Question], source: str, options: ReadOptions, notes: Sequence[str] = ()
) -> Table:
    """One row a question: softmax over its options, 0 for options that it has not. Cost O(nm).

    Raises
    ------
    InputError : fewer than two options, or more than classes may be; no finite score; no lengths to divide by
    """
    if not questions:
        raise InputError("There are no cases; expected at least 2 questions.")
    _check_counts(questions)
    by_name = any(question.names for question in questions)
    classes = _classes(questions, by_name)
    places = {name: k for k, name in enumerate(classes)}
    scores, lengths = np.full((2, len(questions), len(classes)), np.nan)
    labels = []
    for i, question in enumerate(questions):
        names = question.names or classes[: len(question.scores)]
        where = [places[name] for name in names]
        scores[i, where] = question.scores
        if question.lengths:
            lengths[i, where] = question.lengths
        labels.append(names[question.right])
    _check_scores(scores)
    probs, answered = _probabilities(scores, lengths, options.by_length)
    counts = np.count_nonzero(~np.isnan(scores), axis=1)
    columns = Columns()
    columns.add_matrix(MATRIX, probs)
    columns.add(TARGET, column_of(labels))
    beside = columns_beside([question.columns for question in questions])
    varied_counts = bool((counts != counts[0]).any())
    if varied_counts:
        columns.add(COUNT, column_of(counts.tolist()))
    for column, cells in beside.items():
        columns.add(_free(column, columns.names), column_of(cells))
    varied = () if by_name else ("The classes are places: A is the option that stands first.",)
    return columns.table(
        source,
        label=len(classes),
        class_names=classes,
        certain=True,
        by_length=options.by_length,
        made=frozenset([COUNT] if varied_counts else []),
        notes=(*answered, *notes, *options_note(counts), *varied),
    )


def _check_counts(questions: Sequence[Question]) -> None:
    few = [i for i, question in enumerate(questions) if len(question.scores) < 2]
    if few:
        rows = list_rows(few, lambda i: f"has {_counted(len(questions[i].scores))}")
        raise InputError(f"{rows} Expected two or more.", leaving_out(few, len(questions)))
    most = limits.LIMITS.max_classes
    many = [i for i, question in enumerate(questions) if len(question.scores) > most]
    if many:
        rows = list_rows(many, lambda i: f"has {_counted(len(questions[i].scores))}")
        raise InputError(
            f"{rows} The limit is {most:,} (CALIBLENS_MAX_CLASSES).", leaving_out(many, len(questions))
        )


def _counted(k: int) -> str:
    return "1 option" if k == 1 else f"{k:,} options" if k else "no options"


def _classes(questions: Sequence[Question], by_name: bool) -> tuple[str, ...]:
    """All options: places, or names, sorted where questions have other ones."""
    if not by_name:
        return place_names(max(len(question.scores) for question in questions))
    first = questions[0].names
    known = {name for question in questions for name in question.names}
    if len(known) > limits.LIMITS.max_classes:
        raise InputError(
            f"The questions have {len(known):,} different options, such as {shown(min(known))}; the limit is "
            f"{limits.LIMITS.max_classes:,} (CALIBLENS_MAX_CLASSES). Expected options such as A, B, C."
        )
    return first if known == set(first) else tuple(sorted(known))


def _check_scores(scores: Float) -> None:
    """InputError where no option of a question is possible, or a score is no number."""
    present = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):
        best = np.where(present, scores, -np.inf).max(axis=1)
    bad = np.flatnonzero(~np.isfinite(best))
    if len(bad):
        rows = list_rows(bad, lambda i: f"has {best[i]:g} as its largest log-likelihood")
        raise InputError(f"{rows} Expected a finite one.", leaving_out(bad, len(scores)))


def _probabilities(scores: Float, lengths: Float, by_length: bool) -> tuple[Float, tuple[str, ...]]:
    """(n, m) probabilities, 0 where a score is missing, and a sentence on how they were made."""
    known = bool((~np.isnan(lengths) == ~np.isnan(scores)).all())
    if by_length and not known:
        raise InputError(
            "The log does not hold how long each option is, so nothing can be divided by lengths. Expected "
            "the arguments of each request beside its answer."
        )
    way = "Probabilities are the softmax over the options of each question of their log-likelihoods"
    if not known:
        return softmax_of(scores), (f"{way}.",)
    plain, divided = softmax_of(scores), softmax_of(scores / lengths)
    changed = int(np.count_nonzero(_first_of_largest(plain) != _first_of_largest(divided)))
    answers = "No answer is another" if not changed else f"{changed:,} of {len(scores):,} answers are others"
    if by_length:
        return divided, (f"{way}, each divided by the length of its option (as asked).",)
    return plain, (f"{way}, whatever their lengths. Divided by lengths: {answers[0].lower()}{answers[1:]}.",)


def _first_of_largest(probs: Float) -> Int:
    return np.asarray(probs.argmax(axis=1), np.int64)


def softmax_of(scores: Float) -> Float:
    """(n, m) over the scores that are there: 0 where one is missing (NaN), above 0 where one is finite."""
    present = ~np.isnan(scores)
    filled = np.where(present, scores, -np.inf)
    weights = np.exp(filled - filled.max(axis=1, keepdims=True))
    probs = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.where(np.isfinite(filled), np.maximum(probs, _SMALLEST), 0.0), np.float64)


def columns_beside(rows: Sequence[Mapping[str, Any]], truths: bool = False) -> dict[str, list[Any]]:
    """What is known of all questions, for groups: single values and short texts that are neither all the same
    nor all different. The task and the question's name are kept even so; with ``truths`` what was so, too,
    as it is looked for among them. Cost O(cells).
    """
    remaining: dict[str, list[Any]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        cells = [row.get(name) for row in rows]
        single = all(cell is None or isinstance(cell, str | int | float | bool) for cell in cells)
        needed = truths and tells(name)
        long = any(isinstance(cell, str) and len(cell) > LONGEST_CELL for cell in cells)
        if not single or (long and not needed):
            continue
        if any(isinstance(cell, int) and abs(cell) > 2**63 - 1 for cell in cells):
            continue
        different = len({repr(cell) for cell in cells})
        wordy = different == len(rows) and any(isinstance(cell, str) for cell in cells)  # the question itself
        if needed or name in (TASK, CASE) or (different > 1 and not wordy):
            remaining[str(name)[:LONGEST_CELL]] = cells
        if len(remaining) >= MOST_COLUMNS and not truths:
            break
    return remaining


def tells(name: str) -> bool:
    """Whether a value of this name is what was true, or follows from it: no column to look for groups by."""
    word = name.rpartition(".")[2]
    return parse(word).speaks_of_outcomes or loose(word) in _TRUTHS


_TRUTHS = frozenset(
    map(loose, ("answer", "answers", "answerKey", "answer_key", "gold", "correct", "score", "is_correct"))
)


def _free(name: str, taken: Sequence[str]) -> str:
    """A name that no column has."""
    name = name.strip() or "column"
    while name in taken:
        name += "_"
    return name


def log_number(cell: Any) -> float | None:
    """A log-likelihood, as a number or written as one ("-1.25", "-inf"); None for anything else."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        return None
    if isinstance(cell, str) and (len(cell) > LONGEST_CELL or not cell.strip().lower().lstrip("-+")[:1]):
        return None
    try:
        value = float(cell)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(value) else value
