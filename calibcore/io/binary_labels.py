"""Labels of a model with one column of probabilities: which label is the positive class."""

from calibcore.errors import InputError, Remedy
from calibcore.io.affixes import BINARY_NAMES, NEGATIVE, POSITIVE, normal, probability_affix
from calibcore.io.labels import INTEGER, Outcomes, Words, places_of
from calibcore.io.tables import Column, listed, quoted


def read_binary(
    column: Column,
    where: str,
    name: str | None,
    class_names: tuple[str, ...] | None,
    base: int | None,
) -> Outcomes:
    """Labels of a model with one column of probabilities; class 0 of the result is the positive class.

    ``name`` is the column's name, ``class_names`` the (negative, positive) names.
    """
    found = Words(column, where)
    if len(found.words) > 2:
        raise InputError(
            f"{where[0].upper() + where[1:]} has {len(found.words):,} different labels, "
            f"{listed(sorted(found.words), 5)}, "
            "and there is one column of probabilities; expected two labels, or one column a class."
        )
    inner = None
    if name and normal(name) not in BINARY_NAMES:
        affix = probability_affix(name)
        inner = affix[1] if affix else name
    positive, kind, why = _positive(found, inner, class_names, base)
    labels = 1 - found.mapped([int(word == positive) for word in found.words])
    names = _binary_names(found, positive, inner, class_names, kind)
    note = (
        f"One column of probabilities: those of the positive class {quoted(names[0])} ({why}), which is "
        f"put first; the second class, {quoted(names[1])}, has the rest to 1."
    )
    return Outcomes(labels, names, kind, (note,))


def _positive(
    found: Words, inner: str | None, class_names: tuple[str, ...] | None, base: int | None
) -> tuple[str, str, str]:
    """The label of the positive class (which may not occur), what the labels are, and why this one."""
    words = found.words
    if class_names and min(places_of(words, class_names), default=-1) >= 0:
        places = places_of(words, class_names)
        return next((w for w, k in zip(words, places, strict=True) if k == 1), ""), "names", "as asked"
    if found.all_integers and base is not None:
        if not set(found.integers) <= {base, base + 1}:
            numbers = [i - base for i in found.integers]
            found.refuse(numbers, 2, f"Expected labels {base} and {base + 1}, as asked.")
        return _word(found, base + 1), f"{base}-based", f"label {base + 1}"
    for word in words:
        if inner is not None and word.lower() == inner.lower():
            return word, "names", "the column is named after it"
    if found.all_integers:
        for pair, one, kind in (((0, 1), 1, "0-based"), ((1, 2), 2, "1-based"), ((-1, 1), 1, "names")):
            if set(found.integers) <= set(pair) and (found.integers != [1]):
                return _word(found, one), kind, f"label {one} of {pair[0]} and {pair[1]}"
        if found.integers == [1]:
            raise InputError(
                f"Every label in {found.where} is 1, so it is open whether that is the positive class of 0 "
                "and 1 or the negative class of 1 and 2.",
                (
                    Remedy("It is the positive class of 0 and 1", {"label_base": 0}),
                    Remedy("It is the negative class of 1 and 2", {"label_base": 1}),
                ),
            )
        found.refuse(
            [i if i in (0, 1) else -1 for i in found.integers],
            2,
            "Expected labels 0 and 1, or 1 and 2, for one column of probabilities.",
        )
    if found.all_bool:
        return next((w for w in words if w.lower() == "true"), ""), "boolean", "True"
    if class_names:
        found.refuse(places_of(words, class_names), 2, f"The classes are {listed(class_names)}.")
    plain = [word for word in words if word.lower() in POSITIVE]
    if len(plain) == 1:
        return plain[0], "names", "by its name"
    negative = [word for word in words if word.lower() in NEGATIVE]
    if len(negative) == 1 and len(words) == 2:
        return (
            next(word for word in words if word not in negative),
            "names",
            "the other one is negative by its name",
        )
    raise InputError(
        f"The labels in {found.where} are {listed(sorted(words))}, and nothing says which of them the "
        "column of probabilities is about.",
        [
            Remedy(
                f"It holds the probabilities of {quoted(word)}",
                {"class_names": (next((w for w in words if w != word), f"not {word}"), word)},
            )
            for word in sorted(words)
        ],
    )


def _word(found: Words, integer: int) -> str:
    return next((word for word in found.words if int(word) == integer), "")


def _binary_names(
    found: Words, positive: str, inner: str | None, class_names: tuple[str, ...] | None, kind: str
) -> tuple[str, str]:
    """(positive, negative)."""
    if class_names:
        return class_names[1], class_names[0]
    other = next((word for word in found.words if word != positive), "")
    if kind == "boolean":
        return "True", "False"
    if found.all_integers:
        if inner is not None and not INTEGER.fullmatch(inner):
            return inner, f"not {inner}"
        if positive and other:
            return positive, other
        first, second = {"1-based": ("2", "1")}.get(kind, ("1", "0"))
        return positive or first, other or (second if (positive or first) != second else f"not {positive}")
    return positive or f"not {other}", other or f"not {positive}"
