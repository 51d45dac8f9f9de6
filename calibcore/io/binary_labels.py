"""Labels of a model with one column of probabilities: which label the column is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibcore.errors import InputError
from calibcore.io import agreement
from calibcore.io.label_words import INTEGER, Words
from calibcore.io.lexicon import NEGATING
from calibcore.io.meaning import Given, Meaning, places_of
from calibcore.io.name_words import loose, polarity, tokens
from calibcore.io.names import Name
from calibcore.io.tables import listed, quoted
from calibcore.numerics.types import Float

_PAIRS = (((0, 1), "0-based"), ((1, 2), "1-based"), ((-1, 1), "names"))
"""Integers that stand for two classes: by convention probabilities are those of the second."""
_ENOUGH = 20
"""Rows from which on it is no chance that no probability is below one half."""
_NAMED = "the column is named after it"
_PREDICTIONS = ("probability", "logit", "log", "predicted")


@dataclass(frozen=True)
class _Way:
    """The label that the column is about ("" if it does not occur), what the labels are, and why this one.

    ``sure`` is whether names say so; otherwise the predictions are asked.
    """

    positive: str
    kind: str
    why: str
    sure: bool = True


def one_column(found: Words, name: Name | None, given: Given, probs: Float) -> tuple[Meaning, ...]:
    """Every way in which labels go with one column of probabilities; its own class is class 0 of the result.

    Parameters
    ----------
    name : what the column's name says; None if it has none
    probs : (r,) probabilities of the rows of the labels' sample

    Raises
    ------
    InputError : there is none.
    """
    if len(found.words) > 2:
        raise InputError(
            f"{found.where[0].upper() + found.where[1:]} has {len(found.words):,} different labels, "
            f"{listed(sorted(found.words), 5)}, "
            "and there is one column of probabilities; expected two labels, or one column a class."
        )
    inner = _class_of(name, found)
    asked = _as_given(found, given)
    if asked:
        return (_meaning(found, asked, inner, given.names),)
    if inner not in found.words and not any(char.isalnum() for word in found.words for char in word):
        return _either(found, None, inner)  # "+" and "-", which also stand in names for nothing
    way = _by_class(found, inner, name is not None and name.numeric) or _by_convention(found, name, inner)
    if way and _holds(found, way, name, inner, probs):
        return (_meaning(found, way, inner, given.names),)
    return _either(found, way, inner)


def _class_of(name: Name | None, found: Words) -> str:
    """The class that the name of the column names; "" if it names none."""
    if name is None:
        return ""
    for word in found.words:  # "+" and "-"
        if not any(map(str.isalnum, word)) and name.text.endswith(word):
            return word
    if name.inner:
        return name.inner
    labels = {loose(word) for word in found.words}
    if name.role not in ("", "truth", "label") and loose(name.text) not in labels:
        return ""
    text = name.text
    # A number at the end of a name that does not speak of probabilities counts something else.
    ends = [w for w in found.words if _ends_with_word(text, w) and (name.numeric or not w.isdecimal())]
    if ends:  # of "no event" and "event" the longer one
        return _negated(text, len(text) - len(max(ends, key=len)))
    cut = max(text.rfind(sign) for sign in "_ ./")
    cut = max(cut, text.find("-", cut + 2))  # a sign in "m1_-1", a separator in "m1-no"
    last = text[cut + 1 :]
    return _negated(text, cut + 1) if cut > 0 and polarity(last) and not last.isdecimal() else text


def _negated(text: str, start: int) -> str:
    """The end of a name, with the word before it if that turns it round: "not ill" of "p_not_ill"."""
    before = tokens(text[:start])
    return text[before[-1].start :] if before and before[-1].text in NEGATING else text[start:]


def _ends_with_word(text: str, word: str) -> bool:
    """Whether a name ends with a label behind a sign."""
    before = text[: len(text) - len(word)]
    return text.casefold().endswith(word.casefold()) and bool(before) and before[-1] in "_ ./-:"


def _as_given(found: Words, given: Given) -> _Way | None:
    """As the user says, if that says it."""
    names = given.names
    if names and min(places_of(found.words, names), default=-1) >= 0:
        places = places_of(found.words, names)
        positive = next((w for w, k in zip(found.words, places, strict=True) if k == 1), "")
        return _Way(positive, "names", "as asked")
    if found.all_integers and given.base is not None:
        base = given.base
        if not set(found.integers) <= {base, base + 1}:
            numbers = [i - base for i in found.integers]
            found.refuse(numbers, 2, f"Expected labels {base} and {base + 1}, as asked.")
        return _Way(_word(found, base + 1), f"{base}-based", f"label {base + 1}")
    if names and found.all_integers:
        return _by_convention(found, None, "")
    if names and found.truths is None:
        found.refuse(places_of(found.words, names), 2, f"The classes are {listed(names)}.")
    return _by_convention(found, None, "") if names else None


def _by_class(found: Words, inner: str, numeric: bool) -> _Way | None:
    """The label that the column is named after, or that is as positive or negative as its name."""
    if not inner:
        return None
    for word in found.words:
        if loose(word) == loose(inner):
            return _Way(word, "names", _NAMED)
    words = tokens(inner)
    if len(words) > 1 and words[0].text in NEGATING:
        other = [word for word in found.words if loose(word) != loose(inner[words[1].start :])]
        if len(found.words) == 2 and len(other) == 1:
            return _Way(other[0], "names", _NAMED)
    ends = [
        word for word in found.words if _is_glued(inner.casefold(), word.casefold(), found.where, numeric)
    ]
    if ends:  # "P_BAD1" of the label 1
        return _Way(max(ends, key=len), "names", _NAMED)
    sign, signs = polarity(inner), _signs(found)
    if not sign or not signs:
        return None
    positive = next((word for word, own in signs.items() if own == sign), "")
    kind = "boolean" if found.truths is not None else "0-based" if 0 in found.integers else "names"
    return _Way(positive, kind, f"the column is named after {quoted(inner)}")


def _is_glued(inner: str, word: str, where: str, numeric: bool) -> bool:
    """Whether a name ends with a label: one that is a number, but not a part of a longer one, or one behind
    the name of the column of labels. What else ends with it may be its opposite, as "unaffected" does.
    """
    before = inner[: -len(word)]
    if not inner.endswith(word) or not before.replace("_", "").isalnum():
        return False
    if word.isdecimal():
        return numeric and not before[-1].isdecimal()
    return before.strip("_") in {token.text for token in tokens(where)}


def _signs(found: Words) -> dict[str, int] | None:
    """Which label is looked for (1) and which is its opposite (-1), if that is known."""
    if found.truths is not None:
        return {word: 1 if value else -1 for word, value in zip(found.words, found.truths, strict=True)}
    if found.all_integers:  # of 1 and 2, or of 1 alone, nobody knows
        known = {0, -1} & set(found.integers) and set(found.integers) <= {-1, 0, 1}
        return {word: 1 if int(word) == 1 else -1 for word in found.words} if known else None
    signs = {word: polarity(word) for word in found.words}
    if len(signs) == 1:
        return signs if all(signs.values()) else None
    one, two = signs.values()
    if one * two < 0:
        return signs
    if one and two:
        return None
    (known_word,) = [word for word, sign in signs.items() if sign] or [""]
    if len(known_word) < 2 or known_word.isdecimal():  # "f" beside "m" is not the opposite of true
        return None
    return {word: sign or -signs[known_word] for word, sign in signs.items()}


def _by_convention(found: Words, name: Name | None, inner: str) -> _Way | None:
    """Probabilities are those of 1, True, yes."""
    sure = not inner and (name is None or name.role in _PREDICTIONS)
    if found.all_integers:
        if found.integers == [1]:
            return None
        for (low, high), kind in _PAIRS:
            if set(found.integers) <= {low, high}:
                why = f"label {high} of {low} and {high}"
                return _Way(_word(found, high), kind, why, sure and kind != "1-based")
        found.refuse(
            [i if i in (0, 1) else -1 for i in found.integers],
            2,
            "Expected labels 0 and 1, or 1 and 2, for one column of probabilities.",
        )
    if found.truths is not None:
        return _Way(next((w for w in found.words if w.lower() == "true"), ""), "boolean", "True", sure)
    signs = _signs(found)
    if signs is None or inner:
        return None
    positive = next((word for word, sign in signs.items() if sign > 0), "")
    named = polarity(positive) if positive else 0
    return _Way(positive, "names", "by its name" if named else "the other one is negative by its name", sure)


def _holds(found: Words, way: _Way, name: Name | None, inner: str, probs: Float) -> bool:
    """Whether a reading needs no question: names decide, or the predictions speak for a convention.

    Of few cases the predictions say nothing.
    """
    # The probability of whatever class is the likelier is never below one half.
    likelier = len(probs) >= _ENOUGH and bool(np.min(probs) >= 0.5)
    named = way.why.startswith(_NAMED[:-3])
    if named and (name is None or name.numeric or not likelier):
        return True
    if likelier or (name is not None and name.role in ("confidence", "other")):
        return False
    if inner and polarity(inner) < 0:
        return False
    labels = found.sampled([int(word != way.positive) for word in found.words])
    for_it = agreement.advantage(np.column_stack([probs, 1 - probs]), labels, 1 - labels)
    if len(probs) < agreement.FEW:
        return way.sure or not inner
    if not way.sure:
        return for_it >= agreement.CLEAR
    needed = agreement.SOME if name is not None and name.role == "predicted" else -agreement.AGAINST
    return for_it > needed


def _either(found: Words, way: _Way | None, inner: str) -> tuple[Meaning, ...]:
    """Both ways, to choose from."""
    if found.all_integers and found.integers == [1]:
        doubt = (
            f"Every label in {found.where} is 1, so it is open whether that is the positive class of 0 "
            "and 1 or the negative class of 1 and 2."
        )
        first, second = _Way("1", "0-based", "label 1"), _Way("", "1-based", "label 2")
        return (
            _meaning(
                found, first, inner, None, doubt, "It is the positive class of 0 and 1", {"label_base": 0}
            ),
            _meaning(
                found, second, inner, None, doubt, "It is the negative class of 1 and 2", {"label_base": 1}
            ),
        )
    doubt = (
        f"The labels in {found.where} are {listed(sorted(found.words))}, and nothing says which of them the "
        "column of probabilities is about."
    )
    meanings = []
    for word in sorted(found.words, key=lambda word: (way is None or word != way.positive, word)):
        other = next((w for w in found.words if w != word), f"not {word}")
        change = {"class_names": (other, word)}
        said = f"It holds the probabilities of {quoted(word)}"
        meanings.append(_meaning(found, _Way(word, "names", "as asked"), "", None, doubt, said, change))
    return tuple(meanings)


def _meaning(
    found: Words,
    way: _Way,
    inner: str,
    given: tuple[str, ...] | None,
    doubt: str = "",
    words: str = "",
    change: Mapping[str, Any] | None = None,
) -> Meaning:
    names = _names(found, way, inner, given)
    note = (
        f"One column of probabilities: those of the positive class {quoted(names[0])} ({way.why}), which is "
        f"put first; the second class, {quoted(names[1])}, has the rest to 1."
    )
    numbers = tuple(int(word != way.positive) for word in found.words)
    return Meaning(numbers, names, way.kind, (note,), change or {}, words, doubt)


def _word(found: Words, integer: int) -> str:
    return next((word for word in found.words if int(word) == integer), "")


def _names(found: Words, way: _Way, inner: str, given: tuple[str, ...] | None) -> tuple[str, str]:
    """(positive, negative)."""
    if given:
        return given[1], given[0]
    positive = way.positive
    other = next((word for word in found.words if word != positive), "")
    if way.kind == "boolean":
        return ("False", "True") if positive.lower() == "false" else ("True", "False")
    if found.all_integers:
        if inner and not INTEGER.fullmatch(inner):
            return inner, f"not {inner}"
        if positive and other:
            return positive, other
        first, second = {"1-based": ("2", "1")}.get(way.kind, ("1", "0"))
        return positive or first, other or (second if (positive or first) != second else f"not {positive}")
    return positive or f"not {other}", other or f"not {positive}"
