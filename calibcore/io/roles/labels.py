"""What labels stand for: label -> class, and the names of the classes; every way that fits.

Names decide before numbers that name classes, these before polarity ("yes" is 1), and that before counting.
What rests on a convention is compared with the predictions: where they speak against it, a person is asked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibcore.column_names.class_forms import class_forms, class_names_of, ends_of
from calibcore.column_names.name_words import covers, is_answer, loose, pieces, polarity, sign_of_label
from calibcore.column_names.names import parse
from calibcore.errors import InputError, OtherValuesError
from calibcore.io.roles import agreement
from calibcore.io.roles.meaning import (
    ASK_NAMES,
    INTEGER,
    ClassOptions,
    Meaning,
    Words,
    counted,
    pairs_in_words,
    places_of,
)
from calibcore.io.tables import MOST_NAMES_LISTED, capitalised
from calibcore.numerics.types import Float
from calibcore.wording import count, listed, quote


def meanings(
    labels: Words, columns: Sequence[str] | None, class_options: ClassOptions, probs: Float
) -> tuple[Meaning, ...]:
    """Every way in which labels go with m ≥ 2 columns of predictions; the likeliest first.

    ``columns`` are their names, None if the file gives none; ``probs`` (r, m) are the probabilities of the
    rows of the labels' sample. :class:`InputError` if there is no way.
    """
    m = probs.shape[1]
    decoded = labels.decoded() if columns and not class_options.names and class_options.base is None else None
    if decoded and any(covers(form, decoded.words) for form in class_forms(columns or ())):
        labels = decoded
    names = class_options.names or (class_names_of(columns, labels.words) if columns else None)
    if class_options.base is not None and labels.all_integers:
        return (_from_chosen_base(labels, names, class_options.base, m),)
    if names:
        if named := _by_name(labels, names, columns):
            return (named,)
        if labels.all_integers and not class_options.names and (other := _by_other_digits(labels, names, m)):
            return other
    if labels.all_integers or (labels.truths and m == 2):
        return _by_number(labels, names, class_options, probs)
    two = m == len(labels.words) == 2 and not class_options.names
    if columns and two and (opposite := by_opposites(labels, columns)):
        return (opposite,)
    return other_names(labels, names, m)


def _from_chosen_base(labels: Words, names: tuple[str, ...] | None, base: int, m: int) -> Meaning:
    numbers = labels.counted_from(base)
    labels.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, counted from {base} as asked.")
    known = names or counted(m, base)
    note = f"Labels count from {base}, as asked: {base} is the first class, {quote(known[0])}."
    return Meaning(numbers, known, f"{base}-based", (note,))


def _by_name(labels: Words, names: tuple[str, ...], columns: Sequence[str] | None) -> Meaning | None:
    forms = [names, *((*class_forms(columns), class_names_of(columns, labels.words)) if columns else ())]
    for form in forms:
        numbers = places_of(labels.words, form)
        if len(form) == len(names) and min(numbers, default=-1) >= 0:
            note = f"The labels are integers and name the classes {listed(names, 5)}; they were not counted."
            return Meaning(tuple(numbers), names, "names", (note,) if labels.all_integers else ())
    return _by_beginnings(labels, names)


def _by_beginnings(labels: Words, names: tuple[str, ...]) -> Meaning | None:
    """ "hem" beside a class "hem (all)", where the other labels are classes."""
    numbers = places_of(labels.words, names)
    if labels.all_integers or max(numbers, default=-1) < 0:
        return None
    for i, word in enumerate(labels.words):
        if numbers[i] < 0:
            rest = [k for k in range(len(names)) if k not in numbers and _begins_alike(word, names[k])]
            if len(rest) != 1:
                return None
            numbers[i] = rest[0]
    return Meaning(tuple(numbers), names, "names")


def _begins_alike(word: str, other: str) -> bool:
    """Whether one of two names is the other and more words."""
    short, long = sorted((word.casefold(), other.casefold()), key=len)
    return len(short) > 1 and long.startswith(short) and not long[len(short) :][:1].isalnum()


def _by_other_digits(labels: Words, names: tuple[str, ...], m: int) -> tuple[Meaning, ...]:
    """Numbers in the names of columns count for more than their order: if they are others, nobody counts."""
    forms = [form for form in class_forms(names) if all(INTEGER.fullmatch(name) for name in form)]
    if not forms:
        return ()
    try:
        labels.refuse(places_of(labels.words, forms[0]), m, f"The classes are named {listed(names)}.")
    except InputError as error:
        bases = [b for b in (0, 1) if b <= min(labels.integers) and max(labels.integers) < b + m]
        if not bases and max(places_of(labels.words, forms[0])) < 0 and not _is_called_labels(labels):
            raise OtherValuesError(_other_values(labels, names, m)) from None
        if not bases:
            raise
        return tuple(_from_base(labels, names, b, str(error)) for b in bases)
    note = f"The labels are the numbers in the names {listed(names, 5)}; they were not counted."
    return (Meaning(tuple(places_of(labels.words, forms[0])), names, "names", (note,)),)


def _from_base(labels: Words, names: tuple[str, ...], base: int, doubt: str) -> Meaning:
    words, change = f"The labels count from {base}", {"label_base": base}
    numbers = labels.counted_from(base)
    return Meaning(numbers, names, f"{base}-based", change=change, words=words, doubt=doubt)


def _by_number(
    labels: Words, names: tuple[str, ...] | None, class_options: ClassOptions, probs: Float
) -> tuple[Meaning, ...]:
    """Integers that count the columns, -1 and 1, or truth values."""
    m = probs.shape[1]
    if names and not class_options.names and (meaning := _by_own_name(labels, names)):
        return (meaning,)
    if labels.truths is not None:
        numbers, kind, own = tuple(map(int, labels.truths)), "boolean", ("False", "True")
    elif m == 2 and -1 in labels.integers and set(labels.integers) <= {-1, 1}:
        numbers, kind, own = tuple(int(i > 0) for i in labels.integers), "names", ("-1", "1")
    else:
        return _counting(labels, names, class_options, probs)
    return _placed(labels, numbers, names, own, kind, class_options, probs)


def _by_own_name(labels: Words, names: tuple[str, ...]) -> Meaning | None:
    """Labels 0 and 1 of a column that is named after a class, as "is_fraud": 1 is that class."""
    if not (labels.truths is not None or set(labels.integers) <= {0, 1}):
        return None
    parsed = parse(labels.name)
    keys = {loose(text) for text in (parsed.text, parsed.inner, pieces(parsed.text)[1]) if text}
    own = [k for k, name in enumerate(names) if loose(name) in keys and not INTEGER.fullmatch(name)]
    if not own and len(names) == 2 and (sign := sign_of_label(parsed.inner or parsed.text)):
        signs = signs_among((*class_forms(names), ends_of(names)))  # "survived" beside "alive" and "dead"
        own = [k for k in (0, 1) if signs and signs[0][k] == sign]
    if len(own) != 1:
        return None
    (k,) = own
    if len(names) > 2:
        raise InputError(
            f"The labels in {labels.where} say whether a row is {quote(names[k])}, and not which of the "
            f"other {len(names) - 1} classes it is. Expected one column with the class of every row, or one "
            "a class."
        )
    values = labels.truths or [word == "1" for word in labels.words]
    numbers = tuple(k if value else 1 - k for value in values)
    pairs = pairs_in_words(labels, numbers, names)
    kind = "boolean" if labels.truths is not None else "0-based"
    return Meaning(numbers, names, kind, (f"Of the labels, {pairs}, by the name of their column.",))


def _counting(
    labels: Words, names: tuple[str, ...] | None, class_options: ClassOptions, probs: Float
) -> tuple[Meaning, ...]:
    """Integers that count the columns, from 0 or from 1."""
    m = probs.shape[1]
    low, high = min(labels.integers), max(labels.integers)
    if low == 0 and high == m:
        raise InputError(
            f"The labels in {labels.where} run from 0 to {m}, which are {m + 1} classes for {m} columns of "
            "predictions. Expected as many. A column may be missing, or one label stand for something else."
        )
    order = tuple(map(str, sorted(labels.integers)))
    run_of_others = high - low == m - 1 and low not in (0, 1)
    none_counts = names is None and not set(labels.integers) & set(range(m + 1))
    if len(order) == m and (run_of_others or none_counts):
        doubt = (
            f"The labels in {labels.where} are {listed(order)}, and the {m} columns of predictions are not "
            "named after them, so it is open which column is which class."
        )
        return (in_order(labels, order, doubt),)
    base = 0 if low <= 0 else 1 if high >= m else None
    if base is None:
        run = f"are all {low}" if low == high else f"run from {low} to {high}"
        doubt = (
            f"The labels in {labels.where} {run} with {m} classes: neither 0 nor {m} "
            "occurs, so it is open whether they count from 0 or from 1."
        )
        return tuple(_from_base(labels, names or counted(m, b), b, doubt) for b in (0, 1))
    numbers = labels.counted_from(base)
    if names and not any(0 <= k < m for k in numbers) and not _is_called_labels(labels):
        raise OtherValuesError(_other_values(labels, names, m))
    among = f" The classes are {listed(names)}." if names else ""
    labels.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, one for each column.{among}")
    return _placed(labels, numbers, names, counted(m, base), f"{base}-based", class_options, probs)


def _placed(
    labels: Words,
    numbers: tuple[int, ...],
    named: tuple[str, ...] | None,
    own: tuple[str, ...],
    kind: str,
    class_options: ClassOptions,
    probs: Float,
) -> tuple[Meaning, ...]:
    """Labels in the order of the columns, if nothing speaks for another order.

    Classes without a name are called by their ``own`` labels.
    """
    names = named or own
    counted_alone = not named and kind.endswith("-based")
    change: dict[str, Any] = {"label_base": int(kind[0])} if counted_alone else {"class_names": names}
    words = capitalised(pairs_in_words(labels, numbers, names))
    by_place = Meaning(numbers, names, kind, (_place_note(names, kind),), change, words)
    if class_options.names:
        return (by_place,)
    classes, m = labels.sampled(numbers), len(names)
    if named and m == 2:
        opposites = signs_among((*class_forms(names), ends_of(names)))
        if opposites and not (kind == "1-based" and opposites[0][0] > 0):
            return _by_signs(labels, by_place, *opposites, probs)
        reverse = polarity(names[0]) > 0 or polarity(names[1]) < 0
        if reverse or agreement.is_unclear(probs, classes, 1 - classes):
            return _two_orders(labels, by_place, (1, 0))
    # Encoders number classes in the order of the alphabet, and this one may be another.
    if named and list(names) not in (sorted(names), sorted(names, key=str.casefold)):
        alphabetical = tuple(sorted(range(m), key=lambda k: names[k]))
        other = np.asarray(alphabetical, dtype=np.int64)[classes]
        if agreement.advantage(probs, classes, other) < agreement.CLEAR:
            return _two_orders(labels, by_place, alphabetical)
    better = agreement.better_order(probs, classes)
    if better is None:
        return (by_place,)
    doubt = (
        f"Counted in the order of the columns, the labels in {labels.where} do not go with the predictions; "
        "in another order they would."
    )
    return _two_orders(labels, by_place, tuple(better.tolist()), doubt)


def _two_orders(
    labels: Words, by_place: Meaning, order: tuple[int, ...], doubt: str = ""
) -> tuple[Meaning, Meaning]:
    """In the order of the columns, or in another one: a person decides."""
    doubt = doubt or (
        f"The labels in {labels.where} are {listed(sorted(labels.words), 5)}, and the columns are "
        f"{listed(by_place.class_names, 5)}: it is open which label stands for which column."
    )
    return replace(by_place, doubt=doubt), replace(_in_other_order(labels, by_place, order), doubt=doubt)


def _by_signs(
    labels: Words, by_place: Meaning, signs: tuple[int, int], words: tuple[str, ...], probs: Float
) -> tuple[Meaning, ...]:
    """0 and 1 for columns of which one is the opposite of the other: 1 is what is looked for.

    Who numbered the classes in the order of the columns, or 1 for yes and 2 for no, may have meant the other:
    then the predictions have to speak for it. Where they plainly speak against it, a person is asked.
    """
    reverse = signs[0] > 0
    likelier = by_place
    if reverse:  # the second class of the columns is the one that 0 (or False) stands for: its name says so
        likelier = _in_other_order(labels, by_place, (1, 0), ", by the names of the columns")
    answers = all(map(is_answer, words)) or by_place.kind == "boolean"
    classes = labels.sampled(likelier.numbers)
    if by_place.kind == "1-based" or (reverse and not answers):
        sure = agreement.is_clear(probs, classes, 1 - classes)
    else:
        sure = not agreement.speak_against(probs, classes)
    if sure:
        return (likelier,)
    both = _two_orders(labels, by_place, (1, 0))
    return both[::-1] if reverse else both


def _place_note(names: Sequence[str], kind: str) -> str:
    if not kind.endswith("-based"):
        low, high = ("False", "True") if kind == "boolean" else ("-1", "1")
        return f"{low} is the first class, {quote(names[0])}, and {high} is the second, {quote(names[1])}."
    base = int(kind[0])
    why = "0 occurs" if base == 0 else f"{len(names)} occurs and 0 does not"
    return f"Labels count the columns from {base} ({why}): {base} is the first class, {quote(names[0])}."


def _in_other_order(labels: Words, by_place: Meaning, order: tuple[int, ...], why: str = "") -> Meaning:
    """The same labels, of which the k-th in their own order stands for the column ``order[k]``."""
    numbers = tuple(order[k] for k in by_place.numbers)
    names = by_place.class_names
    pairs, change = pairs_in_words(labels, numbers, names), {"class_names": tuple(names[k] for k in order)}
    notes = (f"Of the labels, {pairs}{why}.",)
    return Meaning(numbers, names, by_place.kind, notes, change, capitalised(pairs))


def signs_of(names: Sequence[str]) -> tuple[int, int] | None:
    """The polarity of two names if one is the opposite of the other."""
    first, second = polarity(names[0]), polarity(names[1])
    return (first, second) if first * second == -1 else None


def signs_among(forms: Iterable[Sequence[str]]) -> tuple[tuple[int, int], tuple[str, ...]] | None:
    """The polarity of two names in the first of the forms in which one is the opposite of the other."""
    return next(((signs, tuple(form)) for form in forms if (signs := signs_of(form))), None)


def by_opposites(labels: Words, columns: Sequence[str]) -> Meaning | None:
    """ "ill" and "healthy" for the columns "p_1" and "p_0": each side says which class is looked for."""
    words, opposites = signs_of(labels.words), signs_among(class_forms(columns))
    if words is None or opposites is None:
        return None
    signs, form = opposites
    numbers = tuple(signs.index(sign) for sign in words)
    names = tuple(labels.words[words.index(sign)] for sign in signs)
    pairs = ", ".join(f"{quote(form[k])} is {quote(names[k])}" for k in (0, 1))
    return Meaning(numbers, names, "names", (f"Of the columns, {pairs}, by their names.",))


def other_names(labels: Words, names: tuple[str, ...] | None, m: int) -> tuple[Meaning, ...]:
    """The orders in which the labels may be the classes of the columns, each in doubt.

    :class:`InputError` if some labels are classes and others are not, or they are not as many as the columns.
    Then they are the classes under other names only if some may not occur: of as many labels as columns, or
    of fewer where the column is called the labels.
    """
    known = sorted(labels.words)
    if not names:
        doubt = (
            f"The labels in {labels.where} are {listed(known)}, and the {m} columns of predictions have no "
            "names, so it is open which column is which class."
        )
    elif max(places_of(labels.words, names)) < 0:
        doubt = (
            f"The labels in {labels.where} are {listed(known, 5)}, and none of them is a class; the classes "
            f"are {listed(names)}."
        )
    else:
        labels.refuse(places_of(labels.words, names), m, f"The classes are {listed(names)}.")
        raise InputError(
            f"The labels in {labels.where} cannot be told apart: two classes differ only in capital letters."
        )
    unseen = len(known) < m and (not names or _is_called_labels(labels))
    if len(known) != m and not unseen:
        raise OtherValuesError(_other_values(labels, names, m))
    if unseen or m > MOST_NAMES_LISTED:
        raise InputError(doubt, (ASK_NAMES,))
    return tuple(in_order(labels, order, doubt) for order in _orders(labels.words, names or ()))


def _is_called_labels(labels: Words) -> bool:
    """Whether the name of their column says that they are labels."""
    return parse(labels.name).speaks_of_outcomes


def _other_values(labels: Words, names: tuple[str, ...] | None, m: int) -> str:
    """What a column holds that holds no class, and what the classes are."""
    known = sorted(labels.words, key=int) if labels.all_integers else sorted(labels.words)
    different = count(len(known), "different value" if len(known) > 1 else "value")
    holds = f"{capitalised(labels.where)} holds {different}, {listed(known, 5)}"
    if not names:
        return f"{holds}, and there are {m:,} columns of predictions, one a class."
    return f"{holds}, and none of them is a class. The {m:,} classes are {listed(names)}."


def in_order(labels: Words, order: tuple[str, ...], doubt: str) -> Meaning:
    """The labels are the classes of the columns, in this order."""
    numbers = tuple(order.index(word) for word in labels.words)
    words, change = f"The columns are {listed(order)}", {"class_names": order}
    return Meaning(numbers, order, "names", change=change, words=words, doubt=doubt, open=True)


def _orders(words: Sequence[str], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """As the names of the columns begin, as the alphabet has them, as they come; both of two."""
    numbers = all(word.removeprefix("-").isdecimal() for word in words)
    known = sorted(words, key=int) if numbers else sorted(words)
    starts = [[word for word in words if name.casefold().startswith(word.casefold())] for name in names]
    alike = tuple(words[0] for words in starts if len(words) == 1)
    orders = [alike] if len(set(alike)) == len(known) else []
    orders += [tuple(known), tuple(known[::-1]) if len(known) == 2 else tuple(words)]
    return tuple(dict.fromkeys(orders))
