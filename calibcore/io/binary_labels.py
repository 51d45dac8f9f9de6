"""Labels of a model with one column of probabilities: which label the column is about."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from calibcore.errors import InputError
from calibcore.io import agreement
from calibcore.io.column_classes import LEVEL, Way, by_class, by_convention, by_options, class_of
from calibcore.io.columns_beside import NO_VALUE
from calibcore.io.label_words import INTEGER, Words
from calibcore.io.meaning import ClassOptions, Meaning
from calibcore.io.name_words import polarity
from calibcore.io.names import Name
from calibcore.io.tables import listed, quoted
from calibcore.numerics.types import Float

_ENOUGH = 20
"""Rows from which on it is no chance that no probability is below one half."""
_WHATEVER = (
    " None of the values is below 0.5, as those of whichever class is predicted are: if they are that, "
    "neither answer is right, and the file needs a column with the probability of one class."
)
_EXPECTED = "Expected one of two labels in every row."
_SOME_ROWS = 4
"""Rows from which on a person is asked about it where the column is named after no class."""


def one_column(
    labels: Words, name: Name | None, class_options: ClassOptions, probs: Float, level: str = ""
) -> tuple[Meaning, ...]:
    """Every way in which labels go with one column of probabilities; its own class is class 0 of the result.

    Parameters
    ----------
    name : what the column's name says; None if it has none
    probs : (r,) probabilities of the rows of the labels' sample
    level : the label that the file says in every row that they are those of

    Raises
    ------
    InputError : there is none.
    """
    values = [word for word in labels.words if word.lower() not in NO_VALUE]
    if len(labels.words) > 2 and len(values) == 2:
        labels.refuse([values.index(word) if word in values else -1 for word in labels.words], 2, _EXPECTED)
    if len(labels.words) > 2:
        raise InputError(
            f"{labels.where[0].upper() + labels.where[1:]} has {len(labels.words):,} different labels, "
            f"{listed(sorted(labels.words), 5)}, "
            "and there is one column of probabilities; expected two labels, or one column a class."
        )
    inner = class_of(name, labels)
    chosen = by_options(labels, class_options)
    if chosen:
        return (_meaning(labels, chosen, inner, class_options.names),)
    if inner not in labels.words and not any(char.isalnum() for word in labels.words for char in word):
        return _either(labels, None, inner)  # "+" and "-", which also stand in names for nothing
    if level in labels.words and level:
        way: Way | None = Way(level, "names", f"{quoted(LEVEL)} is {level}", sure=True, named=True)
    else:
        way = by_class(labels, inner, name is not None and name.numeric) or by_convention(labels, name, inner)
    if way and _holds(labels, way, name, inner, probs):
        return (_meaning(labels, way, inner, class_options.names),)
    return _either(labels, way, inner, _WHATEVER if np.min(probs) >= 0.5 else "")


def _holds(labels: Words, way: Way, name: Name | None, inner: str, probs: Float) -> bool:
    """Whether a reading needs no question: names decide, or the predictions speak for a convention.

    Of few cases the predictions say nothing.
    """
    # The probability of whatever class is the likelier is never below one half.
    likelier = bool(np.min(probs) >= 0.5)
    surely = likelier and len(probs) >= _ENOUGH
    classes = labels.sampled([int(word != way.positive) for word in labels.words])
    both = np.column_stack([probs, 1 - probs])
    if way.exact and (name is None or name.numeric or not surely):  # a number may count something else
        return not (way.positive.isdecimal() and agreement.speak_against(both, classes))
    if surely or (name is not None and name.role in ("confidence", "other")):
        return False
    if likelier and not inner and len(probs) >= _SOME_ROWS:
        return False
    if inner and polarity(inner) < 0 and not way.named:
        return False
    for_it = agreement.advantage(both, classes, 1 - classes)
    if not way.sure:
        return len(probs) >= agreement.FEW and for_it >= agreement.CLEAR
    if name is not None and name.role == "predicted" and len(probs) >= agreement.FEW:
        return for_it > agreement.SOME
    return not agreement.speak_against(both, classes)


def _either(labels: Words, way: Way | None, inner: str, more: str = "") -> tuple[Meaning, ...]:
    """Both ways, to choose from."""
    if labels.all_integers and labels.integers == [1]:
        doubt = (
            f"Every label in {labels.where} is 1, so it is open whether that is the positive class of 0 "
            "and 1 or the negative class of 1 and 2."
        )
        first, second = Way("1", "0-based", "label 1"), Way("", "1-based", "label 2")
        return (
            _meaning(
                labels, first, inner, None, doubt, "It is the positive class of 0 and 1", {"label_base": 0}
            ),
            _meaning(
                labels, second, inner, None, doubt, "It is the negative class of 1 and 2", {"label_base": 1}
            ),
        )
    doubt = (
        f"The labels in {labels.where} are {listed(sorted(labels.words))}, and nothing says which of them "
        f"the column of probabilities is about.{more}"
    )
    if len(labels.words) == 1:  # which of two classes always happened
        (word,) = labels.words
        other = {"0": "1", "-1": "1"}.get(word, f"not {word}")
        pairs = (Way(word, "names", "as asked"), (other, word)), (Way("", "names", "as asked"), (word, other))
        return tuple(
            _meaning(
                labels, one, "", names, doubt, f"It holds the probabilities of {quoted(names[1])}",
                {"class_names": names},
            )
            for one, names in pairs
        )  # fmt: skip
    meanings = []
    for word in sorted(labels.words, key=lambda word: (way is None or word != way.positive, word)):
        other = next((w for w in labels.words if w != word), f"not {word}")
        change = {"class_names": (other, word)}
        words = f"It holds the probabilities of {quoted(word)}"
        meanings.append(_meaning(labels, Way(word, "names", "as asked"), "", None, doubt, words, change))
    return tuple(meanings)


def _meaning(
    labels: Words,
    way: Way,
    inner: str,
    class_names: tuple[str, ...] | None,
    doubt: str = "",
    words: str = "",
    change: Mapping[str, Any] | None = None,
) -> Meaning:
    names = _names(labels, way, inner, class_names)
    note = (
        f"One column of probabilities: those of the positive class {quoted(names[0])} ({way.why}), which is "
        f"put first; the second class, {quoted(names[1])}, has the rest to 1."
    )
    numbers = tuple(int(word != way.positive) for word in labels.words)
    return Meaning(numbers, names, way.kind, (note,), change or {}, words, doubt)


def _names(labels: Words, way: Way, inner: str, class_names: tuple[str, ...] | None) -> tuple[str, str]:
    """(positive, negative)."""
    if class_names:
        return class_names[1], class_names[0]
    positive = way.positive
    other = next((word for word in labels.words if word != positive), "")
    if way.kind == "boolean":
        return ("False", "True") if positive.lower() == "false" else ("True", "False")
    if labels.all_integers:
        if inner and not INTEGER.fullmatch(inner):
            return inner, f"not {inner}"
        if positive and other:
            return positive, other
        first, second = {"1-based": ("2", "1")}.get(way.kind, ("1", "0"))
        return positive or first, other or (second if (positive or first) != second else f"not {positive}")
    return positive or f"not {other}", other or f"not {positive}"
