"""What classes are called after the names of their columns."""

from collections.abc import Collection, Sequence
from itertools import chain
from os.path import commonprefix

from calibcore.column_names.name_words import SEPARATORS, covers, covers_but_for_signs, loose
from calibcore.column_names.names import AROUND, parse, unwrapped


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
    forms += _behind_a_word(names)
    return tuple(filter(_are_names, dict.fromkeys(forms))) or (tuple(names),)


def _are_names(form: Sequence[str]) -> bool:
    """Whether these could be the names of classes: none is empty, no two are one."""
    return all(form) and len(set(map(loose, form))) == len(form)


def _numbers_behind(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The numbers with which all names end behind the same letters: "y1" and "y0" -> "1", "0"."""
    heads = {name.rstrip("0123456789") for name in names}
    alike = len(heads) == 1 and names[0].isascii()
    return [tuple(name.removeprefix(*heads) for name in names)] if alike else []


def _behind_a_word(names: Sequence[str]) -> list[tuple[str, ...]]:
    """What is glued to "prob" in all names: "prob1" and "probtie" -> "1", "tie"."""
    for word in ("probability", "proba", "prob"):
        if len(names) > 1 and all(name.casefold().startswith(word) for name in names):
            return [tuple(unwrapped(name[len(word) :]) for name in names)]
    return []


def _without_shared(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Texts without what they all begin and end with, up to a separator: as much as possible, then less."""
    if len(texts) < 2:
        return []
    backs = _shared_starts([text[::-1] for text in texts])
    forms = []
    for start in _shared_starts(texts):
        for back in backs:
            parts = [text[start : max(start, len(text) - back)].strip() for text in texts]
            forms.append(tuple(part.lstrip(AROUND) if start else part for part in parts))
            forms.append(tuple(unwrapped(part) for part in parts))
    return forms


def has_one_shape(names: Sequence[str]) -> bool:
    """Whether all names say that they hold probabilities (or scores) of a class, in one way."""
    parsed = [parse(name) for name in names]
    return all(name.inner and name.numeric for name in parsed) and len({name.shape for name in parsed}) == 1


def class_names_of(names: Sequence[str], labels: Collection[str] = ()) -> tuple[str, ...]:
    """Class names from the names of a set of columns: the form that names the labels, else without the words
    around the class if all have them, else as they are.
    """
    forms = class_forms(names)
    named = (form for form in (*forms, *_glued(names, labels)) if covers(form, labels))
    but_for_signs = (form for form in forms if covers_but_for_signs(form, labels))
    if form := next(chain(named, but_for_signs), None):
        return form
    percent = all(parse(name).percent for name in names)
    parsed = [parse(name, not percent) for name in names]
    inner = tuple(name.inner for name in parsed)
    if has_one_shape(names) and inner in forms:
        return inner
    if behind := next((form for form in _behind_a_word(names) if form in forms), None):
        return behind
    texts = tuple(name.text for name in parsed)
    return texts if texts in forms else tuple(names)


_MOST_GLUED = 200


def _glued(names: Sequence[str], labels: Collection[str]) -> list[tuple[str, ...]]:
    """Names without a beginning that they share and no sign ends: "P_targetcat", of the label "cat"."""
    if len(names) < 2 or not labels or any(len(name) > _MOST_GLUED for name in names):
        return []
    same = _shared_start(names)
    longest = min(_MOST_GLUED, max(len(label) for label in labels))
    forms = [tuple(name[start:] for name in names) for start in range(max(0, same - longest), same + 1)]
    return list(filter(_are_names, forms))


_MOST_CUTS = 3


def ends_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names without what they begin with alike, letter by letter: "P_ayes", "P_ano" -> "yes", "no"."""
    same = _shared_start(names)
    return tuple(name[same:] for name in names)


def _shared_start(names: Sequence[str]) -> int:
    """How many letters all names begin with."""
    return len(commonprefix(names))  # noqa: RUF071 (letter by letter)


def _shared_starts(names: Sequence[str]) -> list[int]:
    """Lengths of what all names begin with, up to a separator: the longest first, at last 0."""
    cuts = [i for i in range(_shared_start(names), 0, -1) if names[0][i - 1] in SEPARATORS]
    return [*cuts[:_MOST_CUTS], 0]


def count_up(numbers: Sequence[float | None]) -> bool:
    """Whether these are 0, 1, 2, … or 1, 2, 3, …"""
    return any(list(numbers) == list(range(first, first + len(numbers))) for first in (0, 1))


def counts_up(names: Sequence[str]) -> bool:
    """Whether the names only count the columns: 0, 1, 2, … or V1, V2, …"""
    heads = {name.rstrip("0123456789") for name in names}
    if len(names) < 2 or len(heads) > 1 or not all(map(str.isascii, names)):
        return False
    numbers = [name.removeprefix(*heads) for name in names]
    return all(1 <= len(number) <= 6 for number in numbers) and count_up(list(map(int, numbers)))
