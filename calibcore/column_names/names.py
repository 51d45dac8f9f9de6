"""What the name of a column says: that it holds probabilities, labels or something else, and of which class.

Every function here takes time linear in the name, of which only the beginning counts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import LONGEST, Token, plain, tokens
from calibcore.column_names.no_classes import coded

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}


@dataclass(frozen=True)
class Name:
    """What the name of a column says."""

    text: str  # the name, trimmed
    # "probability", "logit", "log" (what stands before or after the name of a class, or alone),
    # "predicted", "confidence", "truth", "label", "other"; "" if it says nothing
    role: str
    inner: str = ""  # the name of the class, "" if there is none
    shape: str = ""  # what stands around it, alike in columns that belong together
    strong: bool = False  # whether it says so in a word that means probability and nothing else
    percent: bool = False  # whether it says that the numbers are percent
    codes: tuple[str, ...] = ()  # what 0 and 1 stand for, if it says so

    @property
    def numeric(self) -> bool:
        """Whether it says that the numbers are predictions."""
        return self.role in ("probability", "logit", "log")

    @property
    def speaks_of_predictions(self) -> bool:
        """Whether it says that they are predictions, be it numbers or decisions."""
        return self.numeric or self.role == "predicted"

    @property
    def speaks_of_outcomes(self) -> bool:
        """Whether it says that they are labels."""
        return self.role in ("truth", "label")

    @property
    def speaks_of_scores(self) -> bool:
        """Whether it says that they are logits or logarithms."""
        return self.role in ("logit", "log")


UNNAMED = Name("", "")
"""What a column says that has no name."""
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
_CONTENT = _BEFORE - lexicon.CONNECTING - lexicon.LOG
"""Of them those that say something."""


@lru_cache(maxsize=20_000)
def parse(name: str, with_percent: bool = False) -> Name:
    """What a name says; ``with_percent``: a percent sign in it is part of the name of the class."""
    if codes := coded(name):
        return replace(parse(codes[0], with_percent), codes=codes[1])
    text = name.strip()[:LONGEST]
    parts = _joined([part for token in tokens(text) for part in _parts(token)])
    if written := "predicted" if _OF_MODELER.match(text) else lexicon.WRITTEN.get(text):
        return Name(text, written)
    percent = "%" in text or any(token.text in lexicon.PERCENT for token in parts)
    if percent and not with_percent:
        text, parts = _without_percent(text, parts)
    words = [token.text for token in parts]
    head, tail = _affix(words)
    inner = _inner(text, parts, head, tail)
    if inner and head and len(words) == head + 1 and words[-1] in lexicon.BOUNDS - _LEVELS:
        return Name(text, "other", percent=percent)
    before, behind = words[:head], words[len(words) - tail :]
    role = _role_beside_class([*before, *behind]) if inner else ""
    if role and not _is_about_no_class(words):
        strong = bool(lexicon.PROBABILITY & {*before, *behind})
        return Name(text, role, inner, "_".join((*before, "…", *behind)), strong, percent)
    role = _role_alone(words)
    inner, shape = _label_inner(text, parts, role)
    strong = role == "probability" and bool(lexicon.PROBABILITY & set(words))
    return Name(text, role, inner, shape, strong, percent)


_TAGS = lexicon.words_of("""
    tag tags topics genres keywords findings diagnoses diseases conditions pathologies abnormalities symptoms
    categories annotations
""")


def may_list_labels(name: str) -> bool:
    """Whether a column of lists may hold the labels by its name: "labels" or "tags"."""
    return parse(name).speaks_of_outcomes or not _TAGS.isdisjoint(token.text for token in tokens(name))


_OF_MODELER = re.compile(r"\$(?:[A-Z]|XF)-")
"""Before the name of the target: what a model of SPSS Modeler said."""
_COMPLEMENT = re.compile(r"1 ?[-\u2013\u2212] ?(?=[^\W\d])")


def complemented(name: str) -> str:
    """ "p" of "1 - p", which is about another class than "p" is; "" if a name is no such difference."""
    text = name.strip()[:LONGEST]
    sign = _COMPLEMENT.match(text)
    rest = text[sign.end() :] if sign else ""
    return rest if rest and parse(rest).speaks_of_predictions else ""


_HATS = {"y": "yhat", "p": "phat"}


def _joined(parts: Sequence[Token]) -> list[Token]:
    """ "y_hat" is one word, and so is "30d", "1y", "raw_score" or "log_odds"."""
    joined: list[Token] = []
    for token in parts:
        text, start, end = joined[-1] if joined else ("", 0, 0)
        if token.text in lexicon.UNITS and text.isdecimal() and end == token.start:
            joined[-1] = Token(text + token.text, start, token.end)
        elif token.text == "hat" and text in _HATS:
            joined[-1] = Token(_HATS[text], start, token.end)
        elif text and text + token.text in lexicon.LOGIT:
            joined[-1] = Token(text + token.text, start, token.end)
        else:
            joined.append(token)
    return joined


def _without_percent(text: str, parts: Sequence[Token]) -> tuple[str, list[Token]]:
    """ "cat (%)" -> "cat"; "risk in percent" -> "risk"."""
    cut = list(text.replace("%", " "))
    cut_off = []
    for token in parts:
        if token.text in lexicon.PERCENT or token.text == "in":
            cut[token.start : token.end] = " " * (token.end - token.start)
        else:
            cut_off.append(token)
    blank = _EMPTY_BRACKETS.sub(lambda pair: " " * len(pair[0]), "".join(cut)) if cut_off else "".join(cut)
    name = blank.strip(AROUND + "-") if cut_off else unwrapped(blank)
    start = blank.find(name)
    return name, [Token(t.text, t.start - start, t.end - start) for t in cut_off]


def _parts(token: Token) -> list[Token]:
    """A word of a script without spaces, cut before or after what is known: 猫概率 -> 猫, 概率."""
    text, start, end = token
    if not text or ord(text[0]) < 0x2E80 or len(text) != end - start:
        return [token]
    known = _CONTENT | lexicon.TRUTH | lexicon.LABEL | lexicon.OTHER
    for length in range(min(len(text) - 1, 5), 1, -1):
        if text[:length] in known:
            return [Token(text[:length], start, start + length), Token(text[length:], start + length, end)]
        if text[-length:] in known:
            return [Token(text[:-length], start, end - length), Token(text[-length:], end - length, end)]
    return [token]


def _affix(words: Sequence[str]) -> tuple[int, int]:
    """How many words stand before the name of a class and behind it, that say what the column is."""
    head = tail = 0
    if len(words) > 1 and words[0] == "y" and words[1] in _CONTENT:
        head = 1
    while head < len(words) and words[head] in _BEFORE:
        head += 1
    if _CONTENT.isdisjoint(words[:head]):
        head = 0
    if head == len(words) and head > 1 and words[-1] not in _CONTENT:
        head -= 1  # "p_de" is about the class "de"
    if words[:1] and words[0] in lexicon.CONNECTING:
        head = 0  # "de_prob" is about the class "de"
    if set(words[:head]) <= _CLASS_WORDS and words[-1:] and words[-1] in lexicon.PROBABILITY:
        head = 0  # "class_b probability" is about "class_b"
    while not head and tail < len(words) and words[len(words) - 1 - tail] in _BEHIND:
        tail += 1
    return head, tail


def _inner(text: str, parts: Sequence[Token], head: int, tail: int) -> str:
    """What is left of a name without the words around the class: "P(y=cat|x)" -> "cat"."""
    if not head and not tail:
        return ""
    if tail:
        end = parts[len(parts) - tail].start
        last = parts[-1].text
        apart = not text[end - 1 : end].isalnum() or len(last) > _SHORT or not last.isascii()
        return text[:end].strip().rstrip(AROUND + "-") if apart else ""
    rest = text[parts[head - 1].end :]
    before, equals, behind = rest.partition("=")
    known = plain(before.strip(AROUND + "([{")) in lexicon.LABEL | lexicon.TRUTH
    if equals and behind.strip() and (known or before.strip()[:1] in _BRACKETS):
        rest = behind.lstrip("=")
        before, bar, behind = rest.rpartition("|")
        rest = before if bar and behind.strip(" )]}") in ("x", "X") else rest
    return _opened(text, rest.removeprefix("-"))  # a separator in "p-1"; a sign in "p_-1"


_SHORT = 3
"""Letters of a word that stands behind the name of a class only with a sign between."""
AROUND = " _.:/|,;=?\"'`\t"
_EMPTY_BRACKETS = re.compile(r"[(\[{] *+[)\]}]")


def _opened(name: str, rest: str) -> str:
    """The rest of a name, after the words before a class, without separators and the brackets around it."""
    rest = rest.lstrip(AROUND).rstrip()
    if rest[:1] == "-" and not rest[1:2].isdigit():
        rest = rest[1:].lstrip(AROUND)
    for sign in "\"'`":
        rest = rest.removesuffix(sign) if rest.count(sign) == 1 and name.count(sign) == 2 else rest
    if rest[:1] in _BRACKETS:
        return _unbracketed(rest)
    opening = _CLOSING.get(rest[-1:])
    paired = opening and name.count(opening) == name.count(rest[-1])
    return rest[:-1].rstrip(AROUND) if paired and _lacks(rest, opening) else rest


def _lacks(text: str, opening: str | None) -> bool:
    """Whether the bracket with which a text ends is opened before it."""
    return opening is not None and text.count(opening) < text.count(text[-1])


def unwrapped(text: str) -> str:
    """Without separators and brackets around it; "-1" keeps its sign."""
    text = text.strip(AROUND)
    if text[:1] in _BRACKETS:
        text = _unbracketed(text)
    elif _lacks(text, _CLOSING.get(text[-1:])):
        text = text[:-1].rstrip(AROUND)
    signed = text[:1] == "-" and text[1:2].isdigit()
    return text.strip(AROUND + "-") if not signed else text.rstrip(AROUND + "-")


def _unbracketed(text: str) -> str:
    """ "(T1 (left))" -> "T1 (left)"; "(a) b" stays."""
    opening, closing = text[0], _BRACKETS[text[0]]
    depth = 0
    for i, char in enumerate(text):
        depth += (char == opening) - (char == closing)
        if not depth:
            return text[1:-1].strip(AROUND) if i == len(text) - 1 else text
    return text[1:].strip(AROUND)


def _role_beside_class(words: Sequence[str]) -> str:
    known = set(words)
    if known & lexicon.LOG_PROBABILITY or (known & lexicon.LOG and known & lexicon.PROBABILITY):
        return "log"
    if known & lexicon.LOGIT:
        return "logit"
    return "probability" if known & _CONTENT else ""


def _is_about_no_class(words: Sequence[str]) -> bool:
    """Whether a name of several words is one of what a model said or is sure of, or of the truth."""
    known = set(words) - lexicon.CONNECTING
    if known & lexicon.PREDICTED and known <= lexicon.PREDICTED | lexicon.LABEL | _CLASS_WORDS:
        return True
    if words in (["p", "value"], ["p", "val"]) or known <= _CLASS_WORDS | lexicon.LABEL | _NUMBERS:
        return True
    if known & lexicon.HIGHEST and known & _CONTENT and len(known) <= 3:
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
    scores = known & (lexicon.PROBABILITY | lexicon.WEAK) - _CLASS_WORDS
    highest, classes = known & lexicon.HIGHEST, known & (lexicon.LABEL | _CLASS_WORDS)
    if known & (lexicon.CONFIDENCE | lexicon.SUREST) or (highest and (scores or known & lexicon.PREDICTED)):
        return "confidence"
    if highest and classes:
        return "predicted"
    if known & lexicon.LOGIT and not known & (lexicon.TRUTH | lexicon.LABEL):
        return "logit"
    if known & lexicon.PREDICTED and not scores:
        return "predicted"
    if known & lexicon.RIGHT and classes:
        return "truth"
    if truths := known & lexicon.TRUTH:
        return "other" if known & _NUMBERS and truths <= _CASES else "truth"
    with_others = known & lexicon.OTHER
    if len(words) > 1 and with_others <= lexicon.ONE_OF_MANY:
        with_others = set()
    if with_others or (len(words) > 1 and words[0] in lexicon.COUNTED):
        by_rater = with_others and with_others <= lexicon.RATER
        return "label" if classes and (known & _NUMBERS or by_rater) else "other"
    if beside := _role_beside_class(words):
        return "label" if known & _CONTENT <= _CLASS_WORDS else beside  # "iris class"
    return "label" if known & lexicon.LABEL else ""


def _label_inner(text: str, parts: Sequence[Token], role: str) -> tuple[str, str]:
    """Of "true_cat" or "y_cat" the class and what stands before it: one column of one-hot labels."""
    if role not in ("truth", "label", "predicted"):
        return "", ""
    known = lexicon.TRUTH | lexicon.LABEL | lexicon.PREDICTED | lexicon.CONNECTING
    before = list(takewhile(lambda token: token.text in known, parts))
    if not before or len(before) == len(parts):
        return "", ""
    return _opened(text, text[before[-1].end :]), "_".join(token.text for token in before) + "_…"
