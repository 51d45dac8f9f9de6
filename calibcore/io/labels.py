"""What labels stand for: label -> class, and the names of the classes; every way that fits.

Names decide before numbers that name classes, these before polarity ("yes" is 1), and that before counting.
What rests on a convention is compared with the predictions: where they speak against it, a person is asked.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibcore.errors import InputError
from calibcore.io import agreement
from calibcore.io.class_forms import class_forms, class_names_of, ends_of
from calibcore.io.label_orders import by_opposites, in_order, other_names, signs_among
from calibcore.io.label_words import INTEGER, Words
from calibcore.io.meaning import Given, Meaning, counted, pairs_in_words, places_of
from calibcore.io.name_words import is_answer, loose, pieces, polarity, sign_of_label
from calibcore.io.names import parse
from calibcore.io.tables import listed, quoted
from calibcore.numerics.types import Float


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
        if found.all_integers and not given.names and (other := _by_other_digits(found, names, m)):
            return other
    if found.all_integers or (found.truths and m == 2):
        return _by_number(found, names, given, probs)
    if columns and m == 2 and len(found.words) == 2 and not given.names:
        opposite = by_opposites(found, columns)
        if opposite:
            return (opposite,)
    return other_names(found, names, m)


def _asked_base(found: Words, names: tuple[str, ...] | None, base: int, m: int) -> Meaning:
    numbers = [i - base for i in found.integers]
    found.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, counted from {base} as asked.")
    known = names or counted(m, base)
    said = f"Labels count from {base}, as asked: {base} is the first class, {quoted(known[0])}."
    return Meaning(tuple(numbers), known, f"{base}-based", (said,))


def _by_name(found: Words, names: tuple[str, ...], columns: Sequence[str] | None) -> Meaning | None:
    forms = [names, *((*class_forms(columns), class_names_of(columns, found.words)) if columns else ())]
    for form in forms:
        numbers = places_of(found.words, form)
        if len(form) == len(names) and min(numbers, default=-1) >= 0:
            note = f"The labels are integers and name the classes {listed(names, 5)}; they were not counted."
            return Meaning(tuple(numbers), names, "names", (note,) if found.all_integers else ())
    return None


def _by_other_digits(found: Words, names: tuple[str, ...], m: int) -> tuple[Meaning, ...]:
    """Numbers in the names of columns count for more than their order: if they are others, nobody counts."""
    forms = [form for form in class_forms(names) if all(INTEGER.fullmatch(name) for name in form)]
    if not forms:
        return ()
    try:
        found.refuse(places_of(found.words, forms[0]), m, f"The classes are named {listed(names)}.")
    except InputError as error:
        bases = [b for b in (0, 1) if b <= min(found.integers) and max(found.integers) < b + m]
        if not bases:
            raise
        return tuple(_from_base(found, names, b, str(error)) for b in bases)
    return ()


def _from_base(found: Words, names: tuple[str, ...], base: int, doubt: str) -> Meaning:
    numbers = tuple(i - base for i in found.integers)
    words, change = f"The labels count from {base}", {"label_base": base}
    return Meaning(numbers, names, f"{base}-based", change=change, words=words, doubt=doubt)


def _by_number(
    found: Words, names: tuple[str, ...] | None, given: Given, probs: Float
) -> tuple[Meaning, ...]:
    """Integers that count the columns, -1 and 1, or truth values."""
    m = probs.shape[1]
    if names and not given.names and (meant := _by_own_name(found, names)):
        return (meant,)
    if found.truths is not None:
        numbers, kind, own = tuple(map(int, found.truths)), "boolean", ("False", "True")
    elif m == 2 and -1 in found.integers and set(found.integers) <= {-1, 1}:
        numbers, kind, own = tuple(int(i > 0) for i in found.integers), "names", ("-1", "1")
    else:
        return _counting(found, names, given, probs)
    return _placed(found, numbers, names or own, kind, given, probs, bool(names))


def _by_own_name(found: Words, names: tuple[str, ...]) -> Meaning | None:
    """Labels 0 and 1 of a column that is named after a class, as "is_fraud": 1 is that class."""
    if not (found.truths is not None or set(found.integers) <= {0, 1}):
        return None
    said = parse(found.name)
    called = {loose(text) for text in (said.text, said.inner, pieces(said.text)[1]) if text}
    own = [k for k, name in enumerate(names) if loose(name) in called and not INTEGER.fullmatch(name)]
    if not own and len(names) == 2 and (sign := sign_of_label(said.inner or said.text)):
        signs = signs_among((*class_forms(names), ends_of(names)))  # "survived" beside "alive" and "dead"
        own = [k for k in (0, 1) if signs and signs[0][k] == sign]
    if len(own) != 1:
        return None
    (k,) = own
    if len(names) > 2:
        raise InputError(
            f"The labels in {found.where} say whether a row is {quoted(names[k])}, and not which of the "
            f"other {len(names) - 1} classes it is. Expected one column with the class of every row, or one "
            "a class."
        )
    values = found.truths or [word == "1" for word in found.words]
    numbers = tuple(k if value else 1 - k for value in values)
    pairs = pairs_in_words(found, numbers, names)
    kind = "boolean" if found.truths is not None else "0-based"
    return Meaning(numbers, names, kind, (f"Of the labels, {pairs}, by the name of their column.",))


def _counting(found: Words, names: tuple[str, ...] | None, given: Given, probs: Float) -> tuple[Meaning, ...]:
    """Integers that count the columns, from 0 or from 1."""
    m = probs.shape[1]
    low, high = min(found.integers), max(found.integers)
    if low == 0 and high == m:
        raise InputError(
            f"The labels in {found.where} run from 0 to {m}, which are {m + 1} classes for {m} columns of "
            "predictions. Expected as many. A column may be missing, or one label stand for something else."
        )
    order = tuple(str(i) for i in sorted(found.integers))
    run_of_others = high - low == m - 1 and low not in (0, 1)
    if len(order) == m and (run_of_others or (names is None and not set(found.integers) & set(range(m + 1)))):
        doubt = (
            f"The labels in {found.where} are {listed(order)}, and the {m} columns of predictions are not "
            "named after them, so it is open which column is which class."
        )
        return (in_order(found, order, doubt),)
    base = 0 if low <= 0 else 1 if high >= m else None
    if base is None:
        run = f"are all {low}" if low == high else f"run from {low} to {high}"
        doubt = (
            f"The labels in {found.where} {run} with {m} classes: neither 0 nor {m} "
            "occurs, so it is open whether they count from 0 or from 1."
        )
        return tuple(_from_base(found, names or counted(m, b), b, doubt) for b in (0, 1))
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
    change: dict[str, Any] = {"class_names": names}
    if not named and kind.endswith("-based"):
        change = {"label_base": int(kind[0])}
    words = _capital(pairs_in_words(found, numbers, names))
    by_place = Meaning(numbers, names, kind, _place_notes(names, kind), change, words)
    if given.names:
        return (by_place,)
    labels, m = found.sampled(numbers), len(names)
    doubt = (
        f"The labels in {found.where} are {listed(sorted(found.words), 5)}, and the columns are "
        f"{listed(names, 5)}: it is open which label stands for which column."
    )
    if named and m == 2:
        found_signs = signs_among((*class_forms(names), ends_of(names)))
        one = [polarity(name) for name in names]
        if found_signs and not (kind == "1-based" and found_signs[0][0] > 0):
            return _by_signs(found, by_place, *found_signs, probs)
        if one[0] > 0 or one[1] < 0:
            return replace(by_place, doubt=doubt), _turned(found, by_place, (1, 0), doubt)
    if (
        named
        and m == 2
        and len(probs) >= agreement.FEW
        and agreement.advantage(probs, labels, 1 - labels) < agreement.CLEAR
    ):
        return replace(by_place, doubt=doubt), _turned(found, by_place, (1, 0), doubt)
    alphabetical = sorted(range(m), key=lambda k: names[k])
    in_small_letters = sorted(range(m), key=lambda k: names[k].casefold())
    if named and list(range(m)) not in (alphabetical, in_small_letters):
        # Encoders number classes in the order of the alphabet, and this one is another.
        other = np.asarray(alphabetical, dtype=np.int64)[labels]
        if agreement.advantage(probs, labels, other) < agreement.CLEAR:
            second = _turned(found, by_place, tuple(alphabetical), doubt)
            return replace(by_place, doubt=doubt), second
    better = agreement.better_order(probs, labels)
    if better is None:
        return (by_place,)
    doubt = (
        f"Counted in the order of the columns, the labels in {found.where} do not go with the predictions; "
        "in another order they would."
    )
    return replace(by_place, doubt=doubt), _turned(found, by_place, tuple(better.tolist()), doubt)


def _by_signs(
    found: Words, by_place: Meaning, signs: tuple[int, int], words: tuple[str, ...], probs: Float
) -> tuple[Meaning, ...]:
    """0 and 1 for columns of which one is the opposite of the other: 1 is what is looked for.

    Who numbered the classes in the order of the columns, or 1 for yes and 2 for no, may have meant the other:
    then the predictions have to speak for it. Where they plainly speak against it, a person is asked.
    """
    turned = signs[0] > 0
    meant = _by_polarity(found, by_place) if turned else by_place
    answers = all(map(is_answer, words)) or by_place.kind == "boolean"
    labels = found.sampled(meant.numbers)
    if by_place.kind == "1-based" or (turned and not answers):
        clear = len(probs) >= agreement.FEW
        sure = clear and agreement.advantage(probs, labels, 1 - labels) >= agreement.CLEAR
    else:
        sure = not agreement.speak_against(probs, labels)
    if sure:
        return (meant,)
    doubt = (
        f"The labels in {found.where} are {listed(sorted(found.words), 5)}, and the columns are "
        f"{listed(by_place.class_names, 5)}: it is open which label stands for which column."
    )
    both = (replace(by_place, doubt=doubt), _turned(found, by_place, (1, 0), doubt))
    return both[::-1] if turned else both


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _place_notes(names: Sequence[str], kind: str) -> tuple[str, ...]:
    if kind == "boolean":
        return (f"False is the first class, {quoted(names[0])}, and True is the second, {quoted(names[1])}.",)
    if kind == "names":
        return (f"-1 is the first class, {quoted(names[0])}, and 1 is the second, {quoted(names[1])}.",)
    base = int(kind[0])
    why = "0 occurs" if base == 0 else f"{len(names)} occurs and 0 does not"
    return (f"Labels count the columns from {base} ({why}): {base} is the first class, {quoted(names[0])}.",)


def _turned(found: Words, by_place: Meaning, order: tuple[int, ...], doubt: str = "") -> Meaning:
    """The same labels, of which the k-th in their own order stands for the column ``order[k]``."""
    numbers = tuple(order[k] for k in by_place.numbers)
    names = by_place.class_names
    said = pairs_in_words(found, numbers, names)
    change = {"class_names": tuple(names[k] for k in order)}
    return Meaning(numbers, names, by_place.kind, (f"Of the labels, {said}.",), change, _capital(said), doubt)


def _by_polarity(found: Words, by_place: Meaning) -> Meaning:
    """The second class of the columns is the one that 0 (or False) stands for: its name says so."""
    turned = _turned(found, by_place, (1, 0))
    said = pairs_in_words(found, turned.numbers, by_place.class_names)
    return replace(turned, notes=(f"Of the labels, {said}, by the names of the columns.",))
