"""One way to understand labels: which class each of them stands for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calibcore.errors import Remedy
from calibcore.io.label_words import Words
from calibcore.io.name_words import loose, squashed
from calibcore.io.tables import quoted

ASK_NAMES = Remedy("Name the classes in the order of the columns", asks="class_names")


@dataclass(frozen=True)
class Meaning:
    """One way to understand the labels.

    Attributes
    ----------
    numbers : the class of each of the labels' words; of a single column of probabilities 0 is its own class
    class_names : in the order of the columns
    kind : names, 0-based, 1-based, boolean or one-hot
    notes : sentences on why
    change : what a person says to have it so
    words : the same, as a button says it
    doubt : why it is not taken without a question, although nothing else is likelier
    open : whether the labels name other classes than the columns, so that any order of them might be meant
    """

    numbers: tuple[int, ...]
    class_names: tuple[str, ...]
    kind: str
    notes: tuple[str, ...] = ()
    change: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    doubt: str = ""
    open: bool = False


@dataclass(frozen=True)
class ClassOptions:
    """What the user, or the file beside its arrays, says about classes.

    Attributes
    ----------
    names : of the classes; of one column of probabilities the negative class, then the positive one
    base : the integer that stands for the first class
    """

    names: tuple[str, ...] | None = None
    base: int | None = None


def places_of(words: Sequence[str], names: Sequence[str]) -> list[int]:
    """Index of each word among the names; in any case of letters, then also with other signs between them, if
    that is unambiguous; -1 if none.
    """
    exact = {name.strip(): k for k, name in enumerate(names)}
    known, short = _only(map(loose, names)), _only(map(squashed, names))
    return [exact.get(word, known.get(loose(word), short.get(squashed(word), -1))) for word in words]


def _only(keys: Iterable[str]) -> dict[str, int]:
    """Where each key stands; -1 if it does twice."""
    places: dict[str, int] = {}
    for k, key in enumerate(keys):
        places[key] = k if key not in places else -1
    return places


def counted(m: int, base: int) -> tuple[str, ...]:
    """Names of classes that have none: "0", "1", … or "1", "2", …"""
    return tuple(str(k + base) for k in range(m))


def pairs_in_words(labels: Words, numbers: Sequence[int], names: Sequence[str]) -> str:
    """ "label 0 is 'cat', label 1 is 'dog'"."""
    pairs = sorted(zip(numbers, labels.words, strict=True))[:5]
    more = "" if len(labels.words) <= 5 else ", …"
    return ", ".join(f"label {word} is {quoted(names[k])}" for k, word in pairs) + more
