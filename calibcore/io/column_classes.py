"""Which of two labels a column of probabilities is about: by its name, or by convention."""

from dataclasses import dataclass

from calibcore.io.label_words import Words
from calibcore.io.lexicon import CONNECTING, NEGATING
from calibcore.io.meaning import Given, places_of
from calibcore.io.name_words import is_answer, loose, polarity, sign_of_label, tokens
from calibcore.io.names import Name, parse
from calibcore.io.tables import listed, quoted

_PAIRS = (((0, 1), "0-based"), ((1, 2), "1-based"), ((-1, 1), "names"))
"""Integers that stand for two classes: by convention probabilities are those of the second."""
_NAMED = "the column is named after it"
_PREDICTIONS = ("probability", "logit", "log", "predicted")


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


def class_of(name: Name | None, found: Words) -> str:
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
    if loose(text) in labels:
        return text
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
    while len(before) > 1 and before[-1].text in CONNECTING:  # "pas de récidive"
        before.pop()
    return text[before[-1].start :] if before and before[-1].text in NEGATING else text[start:]


def _ends_with_word(text: str, word: str) -> bool:
    """Whether a name ends with a label behind a sign."""
    before = text[: len(text) - len(word)]
    return text.casefold().endswith(word.casefold()) and bool(before) and before[-1] in "_ ./-:"


def as_given(found: Words, given: Given) -> Way | None:
    """As the user says, if that says it."""
    names = given.names
    if names and min(places_of(found.words, names), default=-1) >= 0:
        places = places_of(found.words, names)
        positive = next((w for w, k in zip(found.words, places, strict=True) if k == 1), "")
        return Way(positive, "names", "as asked")
    if found.all_integers and given.base is not None:
        base = given.base
        if not set(found.integers) <= {base, base + 1}:
            numbers = [i - base for i in found.integers]
            found.refuse(numbers, 2, f"Expected labels {base} and {base + 1}, as asked.")
        return Way(_word(found, base + 1), f"{base}-based", f"label {base + 1}")
    if names and found.all_integers:
        return by_convention(found, None, "")
    if names and found.truths is None:
        found.refuse(places_of(found.words, names), 2, f"The classes are {listed(names)}.")
    return by_convention(found, None, "") if names else None


def by_class(found: Words, inner: str, numeric: bool) -> Way | None:
    """The label that the column is named after, or that is as positive or negative as its name."""
    if not inner:
        return None
    for word in found.words:
        if loose(word) == loose(inner):
            return Way(word, "names", _NAMED, named=True, exact=True)
    words = tokens(inner)
    if len(words) > 1 and words[0].text in NEGATING:
        other = [word for word in found.words if loose(word) != loose(inner[words[1].start :])]
        if len(found.words) == 2 and len(other) == 1:
            return Way(other[0], "names", _NAMED, named=True, exact=True)
    ends = [
        word for word in found.words if _is_glued(inner.casefold(), word.casefold(), found.where, numeric)
    ]
    if ends:  # "P_BAD1" of the label 1
        return Way(max(ends, key=len), "names", _NAMED, named=True, exact=True)
    coded = found.truths is not None or found.all_integers
    said = parse(found.name)
    own = said.inner or said.text
    signs = _signs(found)
    if coded and signs and loose(own) == loose(inner):  # "p_relapse2" beside "relapse2"
        positive = next((word for word, one in signs.items() if one > 0), "")
        return Way(positive, _coding(found), f"the labels are named after {quoted(inner)}", named=True)
    sign, turned = polarity(inner), sign_of_label(own)
    if not sign or not signs:
        return None
    if coded and turned:  # 1 of "survived" is the opposite of "died"
        signs = {word: one * turned for word, one in signs.items()}
    positive = next((word for word, one in signs.items() if one == sign), "")
    why = f"the column is named after {quoted(inner)}"
    # Which of "benign" and its opposite is 1 is not said by either.
    sure = not coded or bool(turned) or is_answer(inner) or (sign > 0 and -1 not in found.integers)
    return Way(positive, _coding(found), why, sure, named=True)


def _coding(found: Words) -> str:
    return "boolean" if found.truths is not None else "0-based" if 0 in found.integers else "names"


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


def by_convention(found: Words, name: Name | None, inner: str) -> Way | None:
    """Probabilities are those of 1, True, yes."""
    sure = not inner and (name is None or name.role in _PREDICTIONS)
    own = parse(found.name)
    sure = sure and sign_of_label(own.inner or own.text) >= 0  # risk, and who survived
    if found.all_integers:
        if found.integers == [1]:
            return None
        for (low, high), kind in _PAIRS:
            if set(found.integers) <= {low, high}:
                why = f"label {high} of {low} and {high}"
                return Way(_word(found, high), kind, why, sure and kind != "1-based")
        found.refuse(
            [i if i in (0, 1) else -1 for i in found.integers],
            2,
            "Expected labels 0 and 1, or 1 and 2, for one column of probabilities.",
        )
    if found.truths is not None:
        return Way(next((w for w in found.words if w.lower() == "true"), ""), "boolean", "True", sure)
    signs = _signs(found)
    if signs is None or inner:
        return None
    positive = next((word for word, sign in signs.items() if sign > 0), "")
    named = polarity(positive) if positive else 0
    return Way(positive, "names", "by its name" if named else "the other one is negative by its name", sure)


def _word(found: Words, integer: int) -> str:
    return next((word for word in found.words if int(word) == integer), "")
