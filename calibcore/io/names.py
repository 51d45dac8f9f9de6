"""What the name of a column says: that it holds probabilities, labels or something else, and of which class.

Every function here takes time linear in the name, of which only the beginning counts.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from calibcore.io import lexicon

LONGEST = 1_000
"""Characters of a name that are looked at."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """A word of a name in small letters without accents, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Name:
    """What the name of a column says.

    Attributes
    ----------
    text : the name, trimmed
    role : "probability", "logit", "log" (what stands before or after the name of a class, or alone),
        "predicted", "confidence", "truth", "label", "other"; "" if it says nothing
    inner : the name of the class, "" if there is none
    shape : what stands around it, alike in columns that belong together
    strong : whether it says so in a word that means probability and nothing else
    percent : whether it says that the numbers are percent
    """

    text: str
    role: str
    inner: str = ""
    shape: str = ""
    strong: bool = False
    percent: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it says that the numbers are predictions."""
        return self.role in ("probability", "logit", "log")

    @property
    def speaks_of_predictions(self) -> bool:
        """Whether it says that they are predictions, be it numbers or decisions."""
        return self.numeric or self.role == "predicted"


def plain(text: str) -> str:
    """Small letters without accents: "Négatif " -> "negatif"."""
    folded = unicodedata.normalize("NFKD", text[:LONGEST].strip().casefold().replace("ß", "ss"))
    return "".join(c for c in folded if not unicodedata.combining(c))[: 2 * LONGEST]


def tokens(text: str) -> list[Token]:
    """Words of a name: letters, digits, or a sign alone; "TrueClass2" -> true, class, 2."""
    found: list[Token] = []
    start, before = 0, ""
    for i, char in enumerate(f"{text[:LONGEST]} "):
        kind = _kind(char)
        if kind == "a" and before == "A":  # of "YTrue" the last capital letter begins a word
            if i - start > 1:
                found.append(Token(plain(text[start : i - 1]), start, i - 1))
                start = i - 1
            before = kind
            continue
        if i and kind != before:
            if before in "aA0z" and before:
                found.append(Token(plain(text[start:i]), start, i))
            start = i
        before = kind
    return found


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    if not char.isalpha():
        return " "
    if ord(char) >= 0x2E80:  # letters of words that are written without spaces
        return "z"
    return "A" if char.isupper() else "a"


_CLASS_WORDS = frozenset(["class", "klasse", "classe", "clase"])
_LEVELS = frozenset(("low", "high", "min", "max"))
"""Bounds that are names of classes, too."""
_PARTS = frozenset(["test", "train", "val", "valid", "validation"])
_NUMBERS = frozenset(["id", "ids", "idx", "index", "nummer", "number", "num", "nr", "no", "key", "code"])
_CASES = frozenset(["obs", "observation", "observations", "ref", "reference", "referenz", "gt"])
"""Words of the truth that also stand for a case: "obs_id" numbers cases."""
_BEFORE = (
    lexicon.PROBABILITY | lexicon.WEAK | lexicon.PREDICTED | lexicon.CONFIDENCE | lexicon.LOGIT
    | lexicon.LOG | lexicon.LOG_PROBABILITY | lexicon.CONNECTING
)  # fmt: skip
_BEHIND = _BEFORE - _CLASS_WORDS - lexicon.CONNECTING - lexicon.LOG
_SAYING = _BEFORE - lexicon.CONNECTING - lexicon.LOG
"""Of them those that say something."""


@lru_cache(maxsize=20_000)
def parse(name: str, with_percent: bool = False) -> Name:
    """What a name says; ``with_percent``: a percent sign in it is part of the name of the class."""
    text = name.strip()[:LONGEST]
    found = _joined([part for token in tokens(text) for part in _parts(token)])
    percent = "%" in text or any(token.text in lexicon.PERCENT for token in found)
    if percent and not with_percent:
        text, found = _without_percent(text, found)
    words = [token.text for token in found]
    head, tail = _affix(words)
    inner = _inner(text, found, head, tail)
    if inner and head and len(words) == head + 1 and words[-1] in lexicon.BOUNDS - _LEVELS:
        return Name(text, "other", percent=percent)
    if inner:
        around = [*words[:head], *words[len(words) - tail :]]
        role = _role_beside_class(around)
        if role and not _is_about_no_class(words):
            shape = "_".join((*words[:head], "…", *words[len(words) - tail :]))
            strong = any(word in lexicon.PROBABILITY for word in around)
            return Name(text, role, inner, shape, strong, percent)
    role = _role_alone(words)
    inner, shape = _label_inner(text, found, role)
    strong = role == "probability" and any(word in lexicon.PROBABILITY for word in words)
    return Name(text, role, inner, shape, strong, percent)


_HATS = {"y": "yhat", "p": "phat"}


def _joined(found: Sequence[Token]) -> list[Token]:
    """ "y_hat" is one word."""
    joined: list[Token] = []
    for token in found:
        if token.text == "hat" and joined and joined[-1].text in _HATS:
            joined[-1] = Token(_HATS[joined[-1].text], joined[-1].start, token.end)
        else:
            joined.append(token)
    return joined


def _without_percent(text: str, found: Sequence[Token]) -> tuple[str, list[Token]]:
    """ "cat (%)" -> "cat"; "risk in percent" -> "risk"."""
    cut = list(text.replace("%", " "))
    kept = []
    for token in found:
        if token.text in lexicon.PERCENT or token.text == "in":
            cut[token.start : token.end] = " " * (token.end - token.start)
        else:
            kept.append(token)
    blank = _EMPTY_BRACKETS.sub(lambda pair: " " * len(pair[0]), "".join(cut)) if kept else "".join(cut)
    whole = blank.strip(_AROUND + "-") if kept else _unwrapped(blank)
    at = blank.find(whole)
    return whole, [Token(t.text, t.start - at, t.end - at) for t in kept]


def _parts(token: Token) -> list[Token]:
    """A word of a script without spaces, cut before or after what is known: 猫概率 -> 猫, 概率."""
    text, start, end = token
    if not text or ord(text[0]) < 0x2E80 or len(text) != end - start:
        return [token]
    known = _SAYING | lexicon.TRUTH | lexicon.LABEL | lexicon.OTHER
    for length in range(min(len(text) - 1, 5), 1, -1):
        if text[:length] in known:
            return [Token(text[:length], start, start + length), Token(text[length:], start + length, end)]
        if text[-length:] in known:
            return [Token(text[:-length], start, end - length), Token(text[-length:], end - length, end)]
    return [token]


def _affix(words: Sequence[str]) -> tuple[int, int]:
    """How many words stand before the name of a class and behind it, that say what the column is."""
    head = tail = 0
    if len(words) > 1 and words[0] == "y" and words[1] in _SAYING:
        head = 1
    while head < len(words) and words[head] in _BEFORE:
        head += 1
    while head and not any(word in _SAYING for word in words[:head]):
        head -= 1
    if head == len(words) and head > 1 and words[-1] not in _SAYING:
        head -= 1  # "p_de" is about the class "de"
    while not head and tail < len(words) and words[len(words) - 1 - tail] in _BEHIND:
        tail += 1
    return head, tail


def _inner(text: str, found: Sequence[Token], head: int, tail: int) -> str:
    """What is left of a name without the words around the class: "P(y=cat|x)" -> "cat"."""
    if not head and not tail:
        return ""
    if tail:
        end = found[len(found) - tail].start
        last = found[-1].text
        apart = not text[end - 1 : end].isalnum() or len(last) > _SHORT or not last.isascii()
        return text[:end].strip().rstrip(_AROUND + "-") if apart else ""
    rest = text[found[head - 1].end :]
    before, equals, behind = rest.partition("=")
    known = plain(before.strip(_AROUND + "([{")) in lexicon.LABEL | lexicon.TRUTH
    if equals and behind.strip() and (known or before.strip()[:1] in _BRACKETS):
        rest = behind.lstrip("=")
        before, bar, behind = rest.rpartition("|")
        rest = before if bar and behind.strip(" )]}") in ("x", "X") else rest
    return _opened(text, rest.removeprefix("-"))  # a separator in "p-1"; a sign in "p_-1"


_SHORT = 3
"""Letters of a word that stands behind the name of a class only with a sign between."""
_AROUND = " _.:/|,;=?\"'`\t"
_EMPTY_BRACKETS = re.compile(r"[(\[{] *+[)\]}]")


def _opened(name: str, rest: str) -> str:
    """The rest of a name, after the words before a class, without separators and the brackets around it."""
    rest = rest.lstrip(_AROUND).rstrip()
    if rest[:1] == "-" and not rest[1:2].isdigit():
        rest = rest[1:].lstrip(_AROUND)
    for sign in "\"'`":
        rest = rest.removesuffix(sign) if rest.count(sign) == 1 and name.count(sign) == 2 else rest
    if rest[:1] in _BRACKETS:
        return _unbracketed(rest)
    opening = {closing: opening for opening, closing in _BRACKETS.items()}.get(rest[-1:])
    closed = (
        opening and name.count(opening) == name.count(rest[-1]) and rest.count(opening) < rest.count(rest[-1])
    )
    return rest[:-1].rstrip(_AROUND) if closed else rest


def _unwrapped(text: str) -> str:
    """Without separators and brackets around it; "-1" keeps its sign."""
    text = text.strip(_AROUND)
    if text[:1] in _BRACKETS:
        text = _unbracketed(text)
    elif text[-1:] in (")", "]", "}") and text.count(text[-1]) > text.count("([{"[")]}".index(text[-1])]):
        text = text[:-1].rstrip(_AROUND)
    signed = text[:1] == "-" and text[1:2].isdigit()
    return text.strip(_AROUND + "-") if not signed else text.rstrip(_AROUND + "-")


def _unbracketed(text: str) -> str:
    """ "(T1 (left))" -> "T1 (left)"; "(a) b" stays."""
    opening, closing = text[0], _BRACKETS[text[0]]
    depth = 0
    for i, char in enumerate(text):
        depth += (char == opening) - (char == closing)
        if not depth:
            return text[1:-1].strip(_AROUND) if i == len(text) - 1 else text
    return text[1:].strip(_AROUND)


def _role_beside_class(words: Sequence[str]) -> str:
    known = set(words)
    if known & lexicon.LOG_PROBABILITY or (known & lexicon.LOG and known & lexicon.PROBABILITY):
        return "log"
    if known & lexicon.LOGIT:
        return "logit"
    return "probability" if known & _SAYING else ""


def _is_about_no_class(words: Sequence[str]) -> bool:
    """Whether a name of several words is one of what a model said or is sure of, or of the truth."""
    known = set(words) - lexicon.CONNECTING
    if known & lexicon.PREDICTED and known <= lexicon.PREDICTED | lexicon.LABEL | _CLASS_WORDS:
        return True
    if words in (["p", "value"], ["p", "val"]) or known <= _CLASS_WORDS | _NUMBERS:
        return True
    if known & lexicon.HIGHEST and known & _SAYING and len(known) <= 3:
        return True
    return bool(known & lexicon.TRUTH) and not known & (lexicon.PROBABILITY | lexicon.LOGIT)


def _role_alone(words: Sequence[str]) -> str:
    """What a name without a class says."""
    known = set(words)
    if len(words) == 2 and words[0] == "top" and words[1].isdecimal():
        return "predicted"
    if len(words) == 2 and words[0] == "y" and words[1] in _PARTS:
        return "truth"
    if words in (["p", "value"], ["p", "val"]):
        return "other"
    saying = known & (lexicon.PROBABILITY | lexicon.WEAK) - _CLASS_WORDS
    if known & (lexicon.CONFIDENCE | lexicon.SUREST) or (
        known & lexicon.HIGHEST and (saying or known & lexicon.PREDICTED)
    ):
        return "confidence"
    if known & lexicon.LOGIT and not known & (lexicon.TRUTH | lexicon.LABEL):
        return "logit"
    if known & lexicon.PREDICTED and not saying:
        return "predicted"
    if known & lexicon.TRUTH:
        numbers = known & _NUMBERS and known & lexicon.TRUTH <= _CASES
        return "other" if numbers else "truth"
    others = known & lexicon.OTHER
    if len(words) > 1 and others <= lexicon.ONE_OF_MANY:
        others = set()
    if others or (len(words) > 1 and words[0] in lexicon.COUNTED):
        labels = known & (lexicon.LABEL | _CLASS_WORDS)
        return "label" if labels and (known & _NUMBERS or others <= lexicon.RATER) else "other"
    if beside := _role_beside_class(words):
        if known & _SAYING <= _CLASS_WORDS:  # "iris class"
            return "label"
        return beside
    return "label" if known & lexicon.LABEL else ""


def _label_inner(text: str, found: Sequence[Token], role: str) -> tuple[str, str]:
    """Of "true_cat" or "y_cat" the class and what stands before it: one column of one-hot labels."""
    if role not in ("truth", "label", "predicted"):
        return "", ""
    known = lexicon.TRUTH | lexicon.LABEL | lexicon.PREDICTED | lexicon.CONNECTING
    head = 0
    while head < len(found) and found[head].text in known:
        head += 1
    if not head or head == len(found):
        return "", ""
    return _opened(text, text[found[head - 1].end :]), "_".join(t.text for t in found[:head]) + "_…"


def covers(names: Collection[str], labels: Collection[str]) -> bool:
    """Whether every label is one of the names, in any case of letters."""
    if not labels:
        return False
    known = {loose(name) for name in names}
    if all(loose(label) in known for label in labels):
        return True
    short = [squashed(name) for name in names]
    return len(set(short)) == len(short) and all(squashed(label) in short for label in labels)


def loose(name: str) -> str:
    """ "Cat " and "cat" are one class; so are "01" and "1"."""
    name = name.strip().casefold()
    digits = name.removeprefix("+").removeprefix("-")
    return str(int(name)) if digits.isdecimal() and len(digits) <= 15 else name


def squashed(name: str) -> str:
    """The letters and digits of a name alone: of "BI-RADS 2", which R writes as "BI.RADS.2".

    A name without a letter, such as "-1", stays as it is.
    """
    short = "".join(char for char in plain(name) if char.isalnum())
    return name if short.isdecimal() or not short else short


def names_an_event(name: str) -> bool:
    """Whether a column is named after a class that is looked for: "died", "is_fraud"."""
    words = [token.text for token in tokens(name)]
    if words and words[0] in ("is", "has", "was", "had", "any"):
        words = words[1:]
    return bool(words) and all(word in lexicon.POSITIVE and len(word) > 2 for word in words)


def polarity(name: str) -> int:
    """1 for the name of a class that is looked for ("yes"), -1 for its opposite ("no"), 0 for any other."""
    text = plain(name)
    if text in lexicon.POSITIVE:
        return 1
    if text in lexicon.NEGATIVE:
        return -1
    words = tokens(name)
    if len(words) > 1 and words[0].text in lexicon.NEGATING:
        return 1 if polarity(name[words[1].start :]) < 0 else -1
    return 0


def class_forms(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What the classes may be called after the names of their columns, all of one set: the names as they are,
    without percent, without the words around the class, and without what they share. Cost O(letters).
    """
    forms = [tuple(names)]
    percent = all(parse(name).percent for name in names)
    for with_percent in (True, False) if percent else (True,):
        parsed = [parse(name, with_percent) for name in names]
        texts = tuple(name.text for name in parsed)
        forms.append(texts)
        if has_one_shape(names):
            forms.append(tuple(name.inner for name in parsed))
        forms += _without_shared(texts)
    forms += _numbers_behind(names)
    kept: list[tuple[str, ...]] = []
    for form in forms:
        if form not in kept and all(form) and len({loose(name) for name in form}) == len(form):
            kept.append(form)
    return tuple(kept) or (tuple(names),)


def _numbers_behind(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The numbers with which all names end behind the same letters: "y1" and "y0" -> "1", "0"."""
    heads = {name.rstrip("0123456789") for name in names}
    if len(heads) != 1 or not names[0].isascii():
        return []
    (head,) = heads
    return [tuple(name[len(head) :] for name in names)]


def _without_shared(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Texts without what they all begin and end with, up to a separator: as much as possible, then less."""
    if len(texts) < 2:
        return []
    starts = _shared_starts(texts)
    backs = _shared_starts([text[::-1] for text in texts])
    found = []
    for start in starts:
        for back in backs:
            parts = [text[start : max(start, len(text) - back)].strip() for text in texts]
            found.append(tuple(part.lstrip(_AROUND) if start else part for part in parts))
            found.append(tuple(_unwrapped(part) for part in parts))
    return found


def has_one_shape(names: Sequence[str]) -> bool:
    """Whether all names say that they hold probabilities (or scores) of a class, in one way."""
    parsed = [parse(name) for name in names]
    return all(name.inner and name.numeric for name in parsed) and len({name.shape for name in parsed}) == 1


def class_names_of(names: Sequence[str], labels: Collection[str] = ()) -> tuple[str, ...]:
    """Class names from the names of a set of columns: the form that names the labels, else without the words
    around the class if all have them, else as they are.
    """
    forms = class_forms(names)
    found = next((form for form in (*forms, *_glued(names, labels)) if covers(form, labels)), None)
    if found:
        return found
    percent = all(parse(name).percent for name in names)
    parsed = [parse(name, not percent) for name in names]
    inner = tuple(name.inner for name in parsed)
    if has_one_shape(names) and inner in forms:
        return inner
    texts = tuple(name.text for name in parsed)
    return texts if texts in forms else tuple(names)


_MOST_GLUED = 200


def _glued(names: Sequence[str], labels: Collection[str]) -> list[tuple[str, ...]]:
    """Names without a beginning that they share and no sign ends: "P_targetcat", of the label "cat"."""
    if len(names) < 2 or not labels or any(len(name) > _MOST_GLUED for name in names):
        return []
    low, high = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    longest = min(_MOST_GLUED, max(len(label) for label in labels))
    forms = [tuple(name[start:] for name in names) for start in range(max(0, same - longest), same + 1)]
    return [form for form in forms if all(form) and len({loose(name) for name in form}) == len(form)]


_MOST_CUTS = 3


def ends_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names without what they begin with alike, letter by letter: "P_ayes", "P_ano" -> "yes", "no"."""
    low, high = min(names), max(names)
    same = next(
        (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high))
    )
    return tuple(name[same:] for name in names)


def _shared_starts(names: Sequence[str]) -> list[int]:
    """Lengths of what all names begin with, up to a separator: the longest first, at last 0."""
    low, high = min(names), max(names)
    same = next(
        (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high))
    )
    cuts = [i + 1 for i in range(same - 1, -1, -1) if low[i] in _SEPARATORS]
    return [*cuts[:_MOST_CUTS], 0]


_SEPARATORS = " _.-:/([{|=?%"


def pieces(name: str) -> tuple[str, str]:
    """What stands before the first separator of a name, and behind its last; "" if there is none."""
    text = name.strip()[:LONGEST]
    first = next((i for i, char in enumerate(text) if char in _SEPARATORS), 0)
    last = next((i for i in range(len(text) - 1, -1, -1) if text[i] in _SEPARATORS), len(text) - 1)
    return text[:first], text[last + 1 :]


def counts_up(names: Sequence[str]) -> bool:
    """Whether the names only count the columns: 0, 1, 2, … or V1, V2, …"""
    parts = []
    for name in names:
        digits = len(name) - len(name.rstrip("0123456789"))
        if not 1 <= digits <= 6 or not name.isascii():
            return False
        parts.append((name[:-digits], int(name[-digits:])))
    if len(parts) < 2 or len({head for head, _ in parts}) > 1:
        return False
    first = parts[0][1]
    return first in (0, 1) and [number for _, number in parts] == list(range(first, first + len(parts)))
