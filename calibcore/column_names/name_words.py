"""Words in names of columns and classes, and when two names are one.

Every function here takes time linear in the name, of which only the beginning counts.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import NamedTuple

from calibcore.column_names import lexicon

LONGEST = 1_000
"""Characters of a name that are looked at."""
SEPARATORS = " _.-:/([{|=?%"
_SEPARATOR = re.compile(f"[{re.escape(SEPARATORS)}]")
_SHORT = 2
"""Letters of words that say too little: "y" and "no"."""
_QUESTION_WORDS = ("is", "has", "was", "had", "any")
"""Before what a column of 0 and 1 says."""


class Token(NamedTuple):
    """A word of a name in small letters without accents, and where it stands."""

    text: str
    start: int
    end: int


def plain(text: str) -> str:
    """Small letters without accents: "Négatif " -> "negatif"."""
    folded = unicodedata.normalize("NFKD", text[:LONGEST].strip().casefold().replace("ß", "ss"))
    return "".join(c for c in folded if not unicodedata.combining(c))[: 2 * LONGEST]


def tokens(text: str) -> list[Token]:
    """Words of a name: letters, digits, or a sign alone; "TrueClass2" -> true, class, 2."""
    words: list[Token] = []
    start, before = 0, ""
    for i, char in enumerate(f"{text[:LONGEST]} "):
        kind = _kind(char)
        if kind == "a" and before == "A":  # of "YTrue" the last capital letter begins a word
            if i - start > 1:
                words.append(Token(plain(text[start : i - 1]), start, i - 1))
                start = i - 1
            before = kind
            continue
        if i and kind != before:
            if before in "aA0z" and before:
                words.append(Token(plain(text[start:i]), start, i))
            start = i
        before = kind
    return words


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    if not char.isalpha():
        return " "
    if ord(char) >= 0x2E80:  # letters of words that are written without spaces
        return "z"
    return "A" if char.isupper() else "a"


def covers(names: Collection[str], labels: Collection[str]) -> bool:
    """Whether every label is one of the names, in any case of letters."""
    return bool(labels) and set(map(loose, names)).issuperset(map(loose, labels))


def covers_but_for_signs(names: Collection[str], labels: Collection[str]) -> bool:
    """Whether every label is one of the names, whatever signs stand between its letters."""
    short = {squashed(name) for name in names}
    return bool(labels) and len(short) == len(names) and short.issuperset(map(squashed, labels))


def loose(name: str) -> str:
    """ "Cat " and "cat" are one class; so are "01" and "1", and "LABEL_1", as pipelines of transformers
    call the class 1 of a model without names."""
    name = name.strip().casefold()
    number = name.removeprefix("label_")
    digits = number.removeprefix("+").removeprefix("-")
    return str(int(number)) if digits.isdecimal() and len(digits) <= 15 else name


def loose_words(labels: Iterable[Iterable[str]]) -> set[str]:
    """The words of several columns of labels, each in one way."""
    return {loose(word) for known in labels for word in known}


def squashed(name: str) -> str:
    """The letters and digits of a name alone: of "BI-RADS 2", which R writes as "BI.RADS.2".

    A name without a letter, such as "-1", stays as it is.
    """
    short = "".join(char for char in plain(name) if char.isalnum())
    return name if short.isdecimal() or not short else short


_INDICATORS = frozenset(["flag", "indicator"])


def names_an_event(name: str) -> bool:
    """Whether a column is named after a class that is looked for: "died", "is_fraud", "default_flag"."""
    words = [token.text for token in tokens(name)]
    if words and words[0] in _QUESTION_WORDS:
        words = words[1:]
    if words[-1:] and words[-1] in _INDICATORS:
        words = words[:-1]
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


def is_answer(name: str) -> bool:
    """Whether a name is that of 1 or 0 whatever was asked: "yes", "positive"."""
    return plain(name) in lexicon.ANSWERS


def sign_of_label(name: str) -> int:
    """Polarity of the class that a column of 0 and 1 is named after: "survived", "is_fraud"; 0 if unknown."""
    words = tokens(name)
    if len(words) > 1 and words[0].text in _QUESTION_WORDS:
        words = words[1:]
    if not words:
        return 0
    sign = polarity(name[words[0].start :])
    telling = (word.text for word in words if len(word.text) > _SHORT and word.text not in lexicon.ANSWERS)
    signs = {polarity(text) for text in telling if not text.isdecimal()}
    signs.discard(0)
    if len(words) == 1 or not sign:  # "discharged_alive", "relapse_free"
        free = any(word.text in lexicon.FREE for word in words)
        return (-1 if free else 1) * signs.pop() if len(signs) == 1 else 0
    return sign


def pieces(name: str) -> tuple[str, str]:
    """What stands before the first separator of a name, and behind its last; "" if there is none."""
    text = name.strip()[:LONGEST]
    parts = _SEPARATOR.split(text)
    return (parts[0], parts[-1]) if len(parts) > 1 else ("", "")


_VERSIONS = lexicon.words_of(
    """
    x y a b old new corrected correct fixed clean cleaned original orig raw final noisy relabeled relabelled
    relabel adjudicated consensus updated revised first second third initial auto manual human weak expert
    before after copy majority merged rev revision reviewed checked verified curated amended
"""
)
_VERSION = re.compile(r"(.+?)(?:[_. -]+(v?[0-9]{1,2}|[^\W\d_]+)|([0-9])| ?[(]([0-9]{1,2})[)])")


def version_of(name: str) -> str:
    """ "label" of "label_x", "label (2)", "label_corrected", of which there are several; "" of others."""
    match = _VERSION.fullmatch(name.strip()[:LONGEST])
    if not match:
        return ""
    suffix = plain(match[2] or match[3] or match[4])
    return match[1] if suffix in _VERSIONS or suffix.removeprefix("v").isdecimal() else ""


_OUTCOMES = lexicon.TRUTH | lexicon.LABEL | lexicon.words_of("result results won win wins happened occurred")
_JOINED = "_. -:"


def outcomes_of(name: str) -> tuple[str, ...]:
    """ "prob1" of "prob1_outcome" or "actual_prob1": what a name is without words for outcomes at one end."""
    words = tokens(name)
    outcomes = []
    for cut in range(1, len(words)):
        if all(word.text in _OUTCOMES for word in words[-cut:]):
            outcomes.append(name[: words[-cut].start])
        if all(word.text in _OUTCOMES for word in words[:cut]):
            outcomes.append(name[words[cut].start :])
    return tuple(part.strip(_JOINED) for part in outcomes)


RIGHT, WRONG = "right", "wrong"
"""What a column says of answers that were given."""
_RIGHT = lexicon.RIGHT | lexicon.words_of("""
    correctly correctness hit hits acc accurate accuracy match matches matched agree agrees agreed agreement
    richtig korrekt juste correcto correctos acierto acerto corretto rights em
""")
_WRONG = lexicon.words_of("""
    wrong wrongly incorrect incorrectly error errors err misclassified mistake mistaken miss missed mismatch
    mismatched disagree falsch fehler erreur errore errado incorrecto
""")
_BESIDE = lexicon.PREDICTED | lexicon.words_of(
    "is was were the model answer answers answered response classified identified iscorrect of 0 1 pred llm "
    "judge judged exact graded marked flag"
)


def says_of_answers(name: str) -> str:
    """Whether a column is called as such that say an answer was right, or was wrong; "" for others."""
    words = {token.text for token in tokens(name)}
    for kind, known in ((RIGHT, _RIGHT), (WRONG, _WRONG)):
        if words & known and words <= known | _BESIDE:
            return kind
    return ""
