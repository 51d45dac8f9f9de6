"""Labels that name other classes than the columns: opposites, else every order that may have been meant."""

from collections.abc import Iterable, Sequence

from calibcore.errors import InputError
from calibcore.io.class_forms import class_forms
from calibcore.io.label_words import Words
from calibcore.io.meaning import ASK_NAMES, Meaning, places_of
from calibcore.io.name_words import polarity
from calibcore.io.tables import MOST_NAMES_LISTED, listed, quoted


def signs_of(names: Sequence[str]) -> tuple[int, int] | None:
    """The polarity of two names if one is the opposite of the other."""
    first, second = polarity(names[0]), polarity(names[1])
    return (first, second) if first * second == -1 else None


def signs_among(forms: Iterable[Sequence[str]]) -> tuple[tuple[int, int], tuple[str, ...]] | None:
    """The polarity of two names in the first of the forms in which one is the opposite of the other."""
    return next(((signs, tuple(form)) for form in forms if (signs := signs_of(form))), None)


def by_opposites(labels: Words, columns: Sequence[str]) -> Meaning | None:
    """ "ill" and "healthy" for the columns "p_1" and "p_0": each side says which class is looked for."""
    words = signs_of(labels.words)
    if words is None:
        return None
    for form in class_forms(columns):
        signs = signs_of(form)
        if signs:
            numbers = tuple(signs.index(sign) for sign in words)
            names = tuple(labels.words[words.index(sign)] for sign in signs)
            pairs = ", ".join(f"{quoted(form[k])} is {quoted(names[k])}" for k in (0, 1))
            return Meaning(numbers, names, "names", (f"Of the columns, {pairs}, by their names.",))
    return None


def other_names(labels: Words, names: tuple[str, ...] | None, m: int) -> tuple[Meaning, ...]:
    """The orders in which the labels may be the classes of the columns, each in doubt.

    Raises
    ------
    InputError : some labels are classes and others are not, or they are not as many as the columns.
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
    if len(known) != m or m > MOST_NAMES_LISTED:
        raise InputError(doubt, (ASK_NAMES,))
    return tuple(in_order(labels, order, doubt) for order in _orders(labels.words, names or ()))


def in_order(labels: Words, order: tuple[str, ...], doubt: str) -> Meaning:
    """The labels are the classes of the columns, in this order."""
    numbers = tuple(order.index(word) for word in labels.words)
    words, change = f"The columns are {listed(order)}", {"class_names": order}
    return Meaning(numbers, order, "names", change=change, words=words, doubt=doubt, open=True)


def _orders(words: Sequence[str], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """As the names of the columns begin, as the alphabet has them, as they come; both of two."""
    numbers = all(word.removeprefix("-").isdecimal() for word in words)
    known = sorted(words, key=int) if numbers else sorted(words)
    begun = [[word for word in words if name.casefold().startswith(word.casefold())] for name in names]
    alike = tuple(some[0] for some in begun if len(some) == 1)
    orders = [alike] if len(set(alike)) == len(known) else []
    orders += [tuple(known), tuple(known[::-1]) if len(known) == 2 else tuple(words)]
    return tuple(dict.fromkeys(orders))
