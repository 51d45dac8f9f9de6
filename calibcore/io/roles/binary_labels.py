"""Labels of a model with one column of probabilities: which label the column is about.

Its name decides, else convention; where that is doubtful the predictions are asked, then a person.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibcore.column_names.lexicon import CONNECTING, NEGATING, NO_VALUE
from calibcore.column_names.name_words import covers, is_answer, loose, polarity, sign_of_label, tokens
from calibcore.column_names.names import UNNAMED, Name, parse
from calibcore.column_names.no_classes import class_within, is_counted_zero, is_spread
from calibcore.errors import OtherValuesError
from calibcore.io.roles import agreement
from calibcore.io.roles.meaning import INTEGER, ClassOptions, Meaning, Words, places_of
from calibcore.io.roles.values import both_classes
from calibcore.io.tables import capitalised
from calibcore.numerics.types import Float
from calibcore.wording import listed, quote

_PAIRS = (((0, 1), "0-based"), ((1, 2), "1-based"), ((-1, 1), "names"))
"""Integers that stand for two classes: by convention probabilities are those of the second."""


@dataclass(frozen=True)
class Way:
    """The label that the column is about ("" if it does not occur), what the labels are, and why this one.

    ``sure`` is whether names say so, or nothing but convention does; otherwise the predictions are asked.
    ``named`` is whether the column's name has to do with it, and ``exact`` whether it is that of the label.
    """

    positive: str
    kind: str
    why: str
    sure: bool = True
    named: bool = False
    exact: bool = False


LEVEL = "_LEVEL_"
"""The column in which SAS writes which label the predicted probability is about."""


def class_of(name: Name, labels: Words) -> str:
    """The class that the name of the column names; "" if it names none."""
    for word in labels.words:  # "+" and "-"
        if not any(map(str.isalnum, word)) and name.text.endswith(word):
            return word
    keys = {loose(word) for word in labels.words}
    if name.inner:
        own = parse(labels.name)
        known = loose(name.inner) in {*keys, loose(own.inner or own.text)}
        complete = known or is_counted_zero(name.inner, labels.words)
        return name.inner if complete else class_within(name.inner)
    if name.role and not name.speaks_of_outcomes and loose(name.text) not in keys:
        return ""
    text = name.text
    if loose(text) in keys:
        return text
    # A number at the end of a name that does not speak of probabilities counts something else.
    ends = [w for w in labels.words if _ends_with_word(text, w) and (name.numeric or not w.isdecimal())]
    if ends:  # of "no event" and "event" the longer one
        return _negated(text, len(text) - len(max(ends, key=len)))
    cut = max(text.rfind(sign) for sign in "_ ./")
    cut = max(cut, text.find("-", cut + 2))  # a sign in "m1_-1", a separator in "m1-no"
    last = text[cut + 1 :]
    negates = cut > 0 and polarity(last) and not last.isdecimal()
    return _negated(text, cut + 1) if negates else class_within(text)


def _negated(text: str, start: int) -> str:
    """The end of a name, with the word before it if that turns it round: "not ill" of "p_not_ill"."""
    before = tokens(text[:start])
    while len(before) > 1 and before[-1].text in CONNECTING:  # "pas de récidive"
        before.pop()
    return text[before[-1].start :] if before and before[-1].text in NEGATING else text[start:]


def _ends_with_word(text: str, word: str) -> bool:
    """Whether a name ends with a label behind a sign."""
    before = text[: len(text) - len(word)]
    return text.casefold().endswith(word.casefold()) and bool(before) and before[-1] in "_ ./-:"


def by_options(labels: Words, class_options: ClassOptions) -> Way | None:
    """As the user says, if that says it."""
    names, base = class_options.names, class_options.base
    places = places_of(labels.words, names or ())
    if min(places, default=-1) >= 0:
        return Way(_first(labels.words, places, 1), "names", "as asked")
    if labels.all_integers and base is not None:
        labels.refuse(labels.counted_from(base), 2, f"Expected labels {base} and {base + 1}, as asked.")
        return Way(_first(labels.words, labels.integers, base + 1), f"{base}-based", f"label {base + 1}")
    if names and not labels.all_integers and labels.truths is None:
        labels.refuse(places, 2, f"The classes are {listed(names)}.")
    return by_convention(labels, UNNAMED, "") if names else None


def by_class(labels: Words, inner: str, numeric: bool) -> Way | None:
    """The label that the column is named after, or that is as positive or negative as its name."""
    if not inner:
        return None
    exact = [word for word in labels.words if loose(word) == loose(inner)]
    words = tokens(inner)
    if not exact and len(words) > 1 and words[0].text in NEGATING and len(labels.words) == 2:
        rest = [word for word in labels.words if loose(word) != loose(inner[words[1].start :])]
        exact = rest if len(rest) == 1 else []
    if not exact:  # "P_BAD1" of the label 1
        ends = [word for word in labels.words if _is_glued(inner, word, labels.where, numeric)]
        exact = sorted(ends, key=len, reverse=True)
    if exact:
        return Way(exact[0], "names", "the column is named after it", named=True, exact=True)
    coded = labels.truths is not None or labels.all_integers
    parsed = parse(labels.name)
    own = parsed.inner or parsed.text
    signs = _signs(labels)
    if coded and signs and loose(own) == loose(inner):  # "p_relapse2" beside "relapse2"
        why = f"the labels are named after {quote(inner)}"
        return Way(_first(signs, signs.values(), 1), _coding(labels), why, named=True)
    sign, label_sign = polarity(inner), sign_of_label(own)
    if not sign or not signs:
        return None
    if coded and label_sign:  # 1 of "survived" is the opposite of "died"
        signs = {word: sign * label_sign for word, sign in signs.items()}
    why = f"the column is named after {quote(inner)}"
    # Which of "benign" and its opposite is 1 is not said by either.
    sure = not coded or bool(label_sign) or is_answer(inner) or (sign > 0 and -1 not in labels.integers)
    return Way(_first(signs, signs.values(), sign), _coding(labels), why, sure, named=True)


def _coding(labels: Words) -> str:
    return "boolean" if labels.truths is not None else "0-based" if 0 in labels.integers else "names"


def _is_glued(inner: str, word: str, where: str, numeric: bool) -> bool:
    """Whether a name ends with a label: one that is a number, but not a part of a longer one, or one behind
    the name of the column of labels. What else ends with it may be its opposite, as "unaffected" does.
    """
    inner, word = inner.casefold(), word.casefold()
    before = inner[: -len(word)]
    if not inner.endswith(word) or not before.replace("_", "").isalnum():
        return False
    if word.isdecimal():
        return numeric and not before[-1].isdecimal()
    return before.strip("_") in {token.text for token in tokens(where)}


def _signs(labels: Words) -> dict[str, int] | None:
    """Which label is looked for (1) and which is its opposite (-1), if that is known."""
    if labels.truths is not None:
        return {word: 1 if value else -1 for word, value in zip(labels.words, labels.truths, strict=True)}
    if labels.all_integers:  # of 1 and 2, or of 1 alone, nobody knows
        known = {0, -1} & set(labels.integers) and set(labels.integers) <= {-1, 0, 1}
        return {word: 1 if int(word) == 1 else -1 for word in labels.words} if known else None
    signs = {word: polarity(word) for word in labels.words}
    if len(signs) == 1:
        return signs if all(signs.values()) else None
    first, second = signs.values()
    if first * second < 0:
        return signs
    if first and second:
        return None
    (known_word,) = [word for word, sign in signs.items() if sign] or [""]
    if len(known_word) < 2 or known_word.isdecimal():  # "f" beside "m" is not the opposite of true
        return None
    return {word: sign or -signs[known_word] for word, sign in signs.items()}


_CENSORED = frozenset(("censored", "censor", "cens", "zensiert"))


def by_convention(labels: Words, name: Name, inner: str) -> Way | None:
    """Probabilities are those of 1, True, yes."""
    sure = not inner and (name == UNNAMED or name.speaks_of_predictions)
    own = parse(labels.name)
    sure = sure and sign_of_label(own.inner or own.text) >= 0  # risk, and who survived
    censored = not _CENSORED.isdisjoint(token.text for token in tokens(labels.name))
    if censored and labels.all_integers and set(labels.integers) == {0, 1}:
        return Way("0", "0-based", "1 is censored", False)  # nobody predicts who is censored
    if labels.all_integers:
        if labels.integers == [1]:
            return None
        for (low, high), kind in _PAIRS:
            if set(labels.integers) <= {low, high}:
                why = f"label {high} of {low} and {high}"
                return Way(_first(labels.words, labels.integers, high), kind, why, sure and kind != "1-based")
        expected = "Expected labels 0 and 1, or 1 and 2, for one column of probabilities."
        labels.refuse(labels.integers, 2, expected)
    if labels.truths is not None:
        return Way(_first(labels.words, labels.truths, True), "boolean", "True", sure)
    signs = _signs(labels)
    if signs is None or inner:
        return None
    positive = _first(signs, signs.values(), 1)
    named = polarity(positive) if positive else 0
    return Way(positive, "names", "by its name" if named else "the other one is negative by its name", sure)


def _first(words: Iterable[str], values: Iterable[int], wanted: int) -> str:
    """The first word with this value; "" if there is none."""
    return next((word for word, value in zip(words, values, strict=True) if value == wanted), "")


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
    labels: Words, name: Name, class_options: ClassOptions, probs: Float, level: str
) -> tuple[Meaning, ...]:
    """Every way in which labels go with one column of probabilities; its own class is class 0 of the result.

    ``name`` is that of the column; ``probs`` (r,) are its numbers in the rows of the
    labels' sample; ``level`` is the label that the file says in every row that they are those of.
    :class:`InputError` if there is no way.
    """
    values = [word for word in labels.words if word.lower() not in NO_VALUE]
    if len(labels.words) > 2 and len(values) == 2:
        labels.refuse([values.index(word) if word in values else -1 for word in labels.words], 2, _EXPECTED)
    if len(labels.words) > 2:
        raise OtherValuesError(
            f"{capitalised(labels.where)} has {len(labels.words):,} different labels, "
            f"{listed(sorted(labels.words), 5)}, "
            "and there is one column of probabilities; expected two labels, or one column a class."
        )
    labels = _decoded(labels, class_options)
    inner = class_of(name, labels)
    if chosen := by_options(labels, class_options):
        return (_meaning(labels, chosen, inner, class_options.names),)
    if inner not in labels.words and not any(char.isalnum() for word in labels.words for char in word):
        return _either(labels, None, inner)  # "+" and "-", which also stand in names for nothing
    if level in labels.words and level:
        way: Way | None = Way(level, "names", f"{quote(LEVEL)} is {level}", named=True)
    elif name.codes and (coded := _by_codes(labels, name.codes)):
        return (_meaning(labels, coded, inner, name.codes),)
    else:
        if is_spread(name.inner):  # "p_min" is about no class, and may be a bound
            name = replace(name, role="other")
        way = by_class(labels, inner, name.numeric) or by_convention(labels, name, inner)
        way = _as_coded(labels, way)
    if way and _holds(labels, way, name, inner, probs):
        return (_meaning(labels, way, inner, class_options.names),)
    return _either(labels, way, inner, _WHATEVER if np.min(probs) >= 0.5 else "")


def _decoded(labels: Words, class_options: ClassOptions) -> Words:
    """Labels 0 and 1 as the words that the name of their column has for them, unless the user says others."""
    decoded = labels.decoded() if class_options.base is None else None
    names = class_options.names
    return decoded if decoded and (names is None or covers(names, decoded.words)) else labels


def _by_codes(labels: Words, codes: tuple[str, ...]) -> Way | None:
    """The label of 1 in "prediction_0_for_no_1_for_yes"."""
    why = "the name of the column says what 1 is"
    if set(labels.integers) <= {0, 1} and labels.all_integers:
        return Way("1" if "1" in labels.words else "", "0-based", why, named=True)
    if labels.truths is not None:
        return Way(_first(labels.words, labels.truths, True), "boolean", why, named=True)
    places = places_of(labels.words, codes)
    known = min(places, default=-1) >= 0
    return Way(_first(labels.words, places, 1), "names", why, named=True) if known else None


def _as_coded(labels: Words, way: Way | None) -> Way | None:
    """The same beside labels whose column says what 0 and 1 are: of 1, or of what its word says."""
    codes = parse(labels.name).codes
    if not codes or labels.all_integers or (way and way.named):
        return way
    places = places_of(labels.words, codes)
    if min(places, default=-1) < 0:
        return way
    event = _first(labels.words, places, 1)
    if way is None:
        return Way(event, "names", "its code is 1")
    return way if way.positive == event else replace(way, sure=False)


def _holds(labels: Words, way: Way, name: Name, inner: str, probs: Float) -> bool:
    """Whether a reading needs no question: names decide, or the predictions speak for a convention.

    Of few cases the predictions say nothing.
    """
    # The probability of whatever class is the likelier is never below one half.
    likelier = bool(np.min(probs) >= 0.5)
    surely = likelier and len(probs) >= _ENOUGH
    classes = labels.sampled([int(word == way.positive) for word in labels.words])
    both = both_classes(probs)
    if way.exact and is_counted_zero(inner, labels.words):  # "lgbm_0" may be the first of some models
        return agreement.is_clear(both, classes, 1 - classes)
    if way.exact and (name == UNNAMED or name.numeric or not surely):  # a number may count something else
        return not (way.positive.isdecimal() and agreement.speak_against(both, classes))
    if surely or name.role in ("confidence", "other"):
        return False
    if likelier and not inner and len(probs) >= _SOME_ROWS:
        return False
    if inner and polarity(inner) < 0 and not way.named:
        return False
    if not way.sure:
        return agreement.is_clear(both, classes, 1 - classes)
    if name.role == "predicted" and len(probs) >= agreement.FEW:
        return agreement.advantage(both, classes, 1 - classes) > agreement.SOME
    return not agreement.speak_against(both, classes)


def _either(labels: Words, way: Way | None, inner: str, more: str = "") -> tuple[Meaning, ...]:
    """Both ways, to choose from."""
    if labels.all_integers and labels.integers == [1]:
        doubt = (
            f"Every label in {labels.where} is 1, so it is open whether that is the positive class of 0 "
            "and 1 or the negative class of 1 and 2."
        )
        zero, one_based = Way("1", "0-based", "label 1"), Way("", "1-based", "label 2")
        positive, negative = "It is the positive class of 0 and 1", "It is the negative class of 1 and 2"
        return (
            _meaning(labels, zero, inner, None, doubt, positive, {"label_base": 0}),
            _meaning(labels, one_based, inner, None, doubt, negative, {"label_base": 1}),
        )
    doubt = (
        f"The labels in {labels.where} are {listed(sorted(labels.words))}, and nothing says which of them "
        f"the column of probabilities is about.{more}"
    )
    if len(labels.words) == 1:  # which of two classes always happened
        (word,) = labels.words
        other = {"0": "1", "-1": "1"}.get(word, f"not {word}")
        pairs = [(word, (other, word)), ("", (word, other))]
    else:
        first, second = sorted(labels.words, key=lambda word: (way is None or word != way.positive, word))
        pairs = [(first, (second, first)), (second, (first, second))]
    return tuple(
        _meaning(
            labels, Way(word, "names", "as asked"), "", names, doubt,
            f"It holds the probabilities of {quote(names[1])}", {"class_names": names},
        )
        for word, names in pairs
    )  # fmt: skip


def _meaning(
    labels: Words,
    way: Way,
    inner: str,
    class_names: tuple[str, ...] | None,
    doubt: str = "",
    words: str = "",
    change: Mapping[str, Any] | None = None,
) -> Meaning:
    positive, negative = class_names[::-1] if class_names else _names(labels, way, inner)
    note = (
        f"One column of probabilities: those of the positive class {quote(positive)} ({way.why}), which is "
        f"put last; the first class, {quote(negative)}, has the rest to 1."
    )
    numbers = tuple(int(word == way.positive) for word in labels.words)
    return Meaning(numbers, (negative, positive), way.kind, (note,), change or {}, words, doubt)


def _names(labels: Words, way: Way, inner: str) -> tuple[str, str]:
    """(positive, negative)."""
    positive = way.positive
    other = next((word for word in labels.words if word != positive), "")
    if way.kind == "boolean":
        return ("False", "True") if positive.lower() == "false" else ("True", "False")
    if labels.all_integers:
        if inner and not INTEGER.fullmatch(inner):
            return inner, f"not {inner}"
        if positive and other:
            return positive, other
        first, second = ("2", "1") if way.kind == "1-based" else ("1", "0")
        return positive or first, other or (second if (positive or first) != second else f"not {positive}")
    return positive or f"not {other}", other or f"not {positive}"
