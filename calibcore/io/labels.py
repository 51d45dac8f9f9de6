"""What labels stand for: label -> class, and the names of the classes; every way that fits.

Names decide before numbers that name classes, these before polarity ("yes" is 1), and that before counting.
What rests on a convention is compared with the predictions: where they speak against it, a person is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calibcore.checks import Float, Int, leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io import agreement
from calibcore.io.label_words import INTEGER, Words
from calibcore.io.names import class_forms, class_names_of, ends_of, loose, polarity
from calibcore.io.tables import MOST_NAMES_LISTED, Array, listed, quoted

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
    """

    numbers: tuple[int, ...]
    class_names: tuple[str, ...]
    kind: str
    notes: tuple[str, ...] = ()
    change: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    doubt: str = ""


@dataclass(frozen=True)
class Given:
    """What the user, or the file beside its arrays, says about classes.

    Attributes
    ----------
    names : of the classes; of one column of probabilities the negative class, then the positive one
    base : the integer that stands for the first class
    """

    names: tuple[str, ...] | None = None
    base: int | None = None


def meanings(found: Words, columns: Sequence[str] | None, given: Given, probs: Float) -> tuple[Meaning, ...]:
    """Every way in which labels go with m ≥ 2 columns of predictions; the likeliest first.

    Parameters
    ----------
    columns : names of the columns of predictions; None if the file gives none
    probs : (r, m) probabilities of the rows of the labels' sample

    Raises
    ------
    InputError : there is none.
    """
    m = probs.shape[1]
    names = given.names or (class_names_of(columns, found.words) if columns else None)
    if given.base is not None and found.all_integers:
        return (_asked_base(found, names, given.base, m),)
    if names:
        named = _by_name(found, names, columns)
        if named:
            return (named,)
        if found.all_integers and not given.names:
            _refuse_other_digits(found, names, m)
    if found.all_integers or (found.truths and m == 2):
        return _by_number(found, names, given, probs)
    if columns and m == 2 and len(found.words) == 2 and not given.names:
        opposite = _by_opposites(found, columns)
        if opposite:
            return (opposite,)
    raise _unknown(found, names, m)


def _asked_base(found: Words, names: tuple[str, ...] | None, base: int, m: int) -> Meaning:
    numbers = [i - base for i in found.integers]
    found.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, counted from {base} as asked.")
    known = names or counted(m, base)
    said = f"Labels count from {base}, as asked: {base} is the first class, {quoted(known[0])}."
    return Meaning(tuple(numbers), known, f"{base}-based", (said,))


def _by_name(found: Words, names: tuple[str, ...], columns: Sequence[str] | None) -> Meaning | None:
    forms = [names, *(class_forms(columns) if columns else ())]
    if columns:
        forms.append(class_names_of(columns, found.words))
    for form in forms:
        numbers = places_of(found.words, form)
        if len(form) == len(names) and min(numbers, default=-1) >= 0:
            decided = _names_decide(names) if found.all_integers else ()
            return Meaning(tuple(numbers), names, "names", decided)
    return None


def _names_decide(names: Sequence[str]) -> tuple[str, ...]:
    return (f"The labels are integers and name the classes {listed(names, 5)}; they were not counted.",)


def _refuse_other_digits(found: Words, names: tuple[str, ...], m: int) -> None:
    """Numbers in the names of columns count for more than their order: if they are others, nobody counts."""
    forms = [form for form in class_forms(names) if all(INTEGER.fullmatch(name) for name in form)]
    if not forms:
        return
    fitting = [b for b in (0, 1) if b <= min(found.integers) and max(found.integers) < b + m]
    found.refuse(
        places_of(found.words, forms[0]),
        m,
        f"The classes are named {listed(names)}.",
        tuple(Remedy(f"The labels count the columns from {b}", {"label_base": b}) for b in fitting),
    )


def _by_number(
    found: Words, names: tuple[str, ...] | None, given: Given, probs: Float
) -> tuple[Meaning, ...]:
    """Integers that count the columns, -1 and 1, or truth values."""
    m = probs.shape[1]
    if found.truths is not None:
        numbers, kind, own = tuple(map(int, found.truths)), "boolean", ("False", "True")
    elif m == 2 and -1 in found.integers and set(found.integers) <= {-1, 1}:
        numbers, kind, own = tuple(int(i > 0) for i in found.integers), "names", ("-1", "1")
    else:
        return _counting(found, names, given, probs)
    return _placed(found, numbers, names or own, kind, given, probs, bool(names))


def _counting(found: Words, names: tuple[str, ...] | None, given: Given, probs: Float) -> tuple[Meaning, ...]:
    """Integers that count the columns, from 0 or from 1."""
    m = probs.shape[1]
    low, high = min(found.integers), max(found.integers)
    if low == 0 and high == m:
        raise InputError(
            f"The labels in {found.where} run from 0 to {m}, which are {m + 1} classes for {m} columns of "
            "predictions. Expected as many. A column may be missing, or one label stand for something else."
        )
    if names is None and len(found.words) == m and not {low, high} & {0, m} and high - low >= m:
        order = tuple(str(i) for i in sorted(found.integers))
        raise InputError(
            f"The labels in {found.where} are {listed(order)}, and the {m} columns of predictions have no "
            "names, so it is open which column is which class.",
            (Remedy(f"The columns are {listed(order)}", {"class_names": order}), ASK_NAMES),
        )
    base = 0 if low <= 0 else 1 if high >= m else None
    if base is None:
        run = f"are all {low}" if low == high else f"run from {low} to {high}"
        doubt = (
            f"The labels in {found.where} {run} with {m} classes: neither 0 nor {m} "
            "occurs, so it is open whether they count from 0 or from 1."
        )
        return tuple(
            Meaning(
                tuple(i - b for i in found.integers),
                names or counted(m, b),
                f"{b}-based",
                change={"label_base": b},
                words=f"The labels count from {b}",
                doubt=doubt,
            )
            for b in (0, 1)
        )
    numbers = tuple(i - base for i in found.integers)
    among = f" The classes are {listed(names)}." if names else ""
    found.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, one for each column.{among}")
    return _placed(found, numbers, names or counted(m, base), f"{base}-based", given, probs, bool(names))


def _placed(
    found: Words,
    numbers: tuple[int, ...],
    names: tuple[str, ...],
    kind: str,
    given: Given,
    probs: Float,
    named: bool,
) -> tuple[Meaning, ...]:
    """Labels in the order of the columns, if nothing speaks for another order."""
    change = {"class_names": names} if named else _base_change(kind, names)
    notes, words = _place_notes(names, kind), _capital(_said(found, numbers, names))
    by_place = Meaning(numbers, names, kind, notes, change, words)
    if given.names:
        return (by_place,)
    labels, m = found.sampled(numbers), len(names)
    doubt = _open(found, names)
    if named and m == 2:
        signs = next(filter(None, map(_signs, (*class_forms(names), ends_of(names)))), None)
        one = [polarity(name) for name in names]
        if signs and not (kind == "1-based" and signs[0] > 0):
            return (by_place if signs[0] < 0 else _by_polarity(found, by_place),)
        if one[0] > 0 or one[1] < 0:
            return replace(by_place, doubt=doubt), _in_order(found, by_place, (1, 0), doubt)
    alphabetical = sorted(range(m), key=lambda k: names[k])
    in_small_letters = sorted(range(m), key=lambda k: names[k].casefold())
    if named and list(range(m)) not in (alphabetical, in_small_letters):
        # Encoders number classes in the order of the alphabet, and this one is another.
        other = np.asarray(alphabetical, dtype=np.int64)[labels]
        if agreement.advantage(probs, labels, other) < agreement.CLEAR:
            second = _in_order(found, by_place, tuple(alphabetical), doubt)
            return replace(by_place, doubt=doubt), second
    better = agreement.better_order(probs, labels)
    if better is None:
        return (by_place,)
    doubt = (
        f"Counted in the order of the columns, the labels in {found.where} do not go with the predictions; in "
        "another order they would."
    )
    return replace(by_place, doubt=doubt), _in_order(found, by_place, tuple(better.tolist()), doubt)


def _open(found: Words, names: Sequence[str]) -> str:
    return (
        f"The labels in {found.where} are {listed(sorted(found.words), 5)}, and the columns are "
        f"{listed(names, 5)}: it is open which label stands for which column."
    )


def _said(found: Words, numbers: Sequence[int], names: Sequence[str]) -> str:
    """ "0 is 'cat', 1 is 'dog'"."""
    pairs = sorted(zip(numbers, found.words, strict=True))[:5]
    more = "" if len(found.words) <= 5 else ", …"
    return ", ".join(f"label {word} is {quoted(names[k])}" for k, word in pairs) + more


def _base_change(kind: str, names: tuple[str, ...]) -> dict[str, Any]:
    return {"label_base": int(kind[0])} if kind.endswith("-based") else {"class_names": names}


def _place_notes(names: Sequence[str], kind: str) -> tuple[str, ...]:
    if kind == "boolean":
        return (f"False is the first class, {quoted(names[0])}, and True is the second, {quoted(names[1])}.",)
    if kind == "names":
        return (f"-1 is the first class, {quoted(names[0])}, and 1 is the second, {quoted(names[1])}.",)
    base = int(kind[0])
    why = "0 occurs" if base == 0 else f"{len(names)} occurs and 0 does not"
    return (f"Labels count the columns from {base} ({why}): {base} is the first class, {quoted(names[0])}.",)


def _signs(names: Sequence[str]) -> tuple[int, int] | None:
    """The polarity of two names if one is the opposite of the other."""
    first, second = polarity(names[0]), polarity(names[1])
    return (first, second) if first * second == -1 else None


def _in_order(found: Words, by_place: Meaning, order: tuple[int, ...], doubt: str = "") -> Meaning:
    """The same labels, of which the k-th in their own order stands for the column ``order[k]``."""
    numbers = tuple(order[k] for k in by_place.numbers)
    names = by_place.class_names
    said = _said(found, numbers, names)
    change = {"class_names": tuple(names[k] for k in order)}
    return Meaning(numbers, names, by_place.kind, (f"Of the labels, {said}.",), change, _capital(said), doubt)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _by_polarity(found: Words, by_place: Meaning) -> Meaning:
    """The second class of the columns is the one that 0 (or False) stands for: its name says so."""
    turned = _in_order(found, by_place, (1, 0))
    said = _said(found, turned.numbers, by_place.class_names)
    return replace(turned, notes=(f"Of the labels, {said}, by the names of the columns.",))


def _by_opposites(found: Words, columns: Sequence[str]) -> Meaning | None:
    """ "ill" and "healthy" for columns "p_1" and "p_0": two classes, of which each side says which is looked for."""
    words = _signs(found.words)
    if words is None:
        return None
    for form in class_forms(columns):
        signs = _signs(form)
        if signs:
            numbers = tuple(signs.index(sign) for sign in words)
            names = tuple(found.words[words.index(sign)] for sign in signs)
            said = ", ".join(f"{quoted(form[k])} is {quoted(names[k])}" for k in (0, 1))
            return Meaning(numbers, names, "names", (f"Of the columns, {said}, by their names.",))
    return None


def _unknown(found: Words, names: tuple[str, ...] | None, m: int) -> InputError:
    """Labels that are no names of the classes."""
    if not names:
        return InputError(
            f"The labels in {found.where} are {listed(sorted(found.words))}, and the {m} columns of "
            "predictions have no names, so it is open which column is which class.",
            _orders(found.words, m),
        )
    places = places_of(found.words, names)
    if max(places) < 0:  # other names altogether: that needs no list of rows
        return InputError(
            f"The labels in {found.where} are {listed(sorted(found.words), 5)}, and none of them is a class; "
            f"the classes are {listed(names)}.",
            _orders(found.words, m),
        )
    try:
        found.refuse(places, m, f"The classes are {listed(names)}.")
    except InputError as error:
        return error
    return InputError(
        f"The labels in {found.where} cannot be told apart: two classes differ only in capital letters."
    )


def _orders(words: Sequence[str], m: int) -> tuple[Remedy, ...]:
    """In which order the columns may be the classes: both of two, else that of the alphabet, else as they come."""
    known, coming = sorted(words), list(words)
    if len(known) != m or m > MOST_NAMES_LISTED:
        return (ASK_NAMES,)
    orders = [known, known[::-1]] if m == 2 else [known, *([coming] if coming != known else [])]
    return (
        *(Remedy(f"The columns are {listed(order)}", {"class_names": tuple(order)}) for order in orders),
        *(() if m == 2 else (ASK_NAMES,)),
    )


def places_of(words: Sequence[str], names: Sequence[str]) -> list[int]:
    """Index of each word among the names, in any case of letters if that is unambiguous; -1 if none."""
    exact = {name.strip(): k for k, name in enumerate(names)}
    known: dict[str, int] = {}
    for k, name in enumerate(names):
        key = loose(name)
        known[key] = k if key not in known else -1
    return [exact.get(word, known.get(loose(word), -1)) for word in words]


def counted(m: int, base: int) -> tuple[str, ...]:
    """Names of classes that have none: "0", "1", … or "1", "2", …"""
    return tuple(str(k + base) for k in range(m))


def onehot_labels(matrix: Array, columns: Sequence[str], order: Sequence[int]) -> Int:
    """Labels as (n, m) zeros with exactly one 1 a row; ``order[k]`` is the class of column k.

    Raises
    ------
    InputError : names the rows with none or several.
    """
    ones = matrix == 1
    bad = np.flatnonzero((ones.sum(axis=1) != 1) | ~(ones | (matrix == 0)).all(axis=1))

    def describe(i: int) -> str:
        other = matrix[i][(matrix[i] != 0) & (matrix[i] != 1)]
        if len(other):
            return f"has {other[0]:.6g}"
        count = int(ones[i].sum())
        return f"has {count} {'one' if count == 1 else 'ones'}"

    if len(bad):
        raise InputError(
            f"{list_rows(bad, describe)} Expected exactly one 1, and zeros, in the one-hot labels "
            f"{listed(columns, 5)}.",
            leaving_out(bad, len(matrix)),
        )
    return np.asarray(order, dtype=np.int64)[np.argmax(ones, axis=1)]
