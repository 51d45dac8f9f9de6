"""Probabilities by class inside the records of a JSON: an object, a list of pairs, or two lists a case."""

from collections.abc import Mapping
from typing import Any

from calibcore.io.name_words import loose
from calibcore.io.names import parse

_NEAR = 0.02
_MOST = 0.9
"""Share of the cases whose numbers add up."""


def spread(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The same columns; one that holds probabilities by class becomes one a class: "probs cat", "probs dog".

    Where the classes stand in another order from case to case, as the likeliest first, their order says
    nothing, so that all labels have to be names of classes. What is something else stays as it is.
    """
    result: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        values = [_values_of(cell) for cell in cells]
        by_class = [_by_class(value) for value in values] if _by_class(values[0]) else []
        cases = [one for one in by_class if one is not None]
        if len(cases) < len(values) or not _are_probabilities(cases):
            result[name] = values
            continue
        alike = all(list(one) == list(cases[0]) for one in cases)
        if not alike and not _labels_are_names(columns, name, set(cases[0])):
            result[name] = values
            continue
        own = next(reversed(name.split(".")))
        classes = list(cases[0]) if alike else sorted(cases[0])
        by_name = {f"{own} {key}": [one[key] for one in cases] for key in classes}
        if by_name.keys() & (columns.keys() | result.keys()):
            result[name] = values
        else:
            result |= by_name
    return _opened(result) if len(result) > len(columns) else result


def _values_of(cell: object) -> Any:
    """The list in a vector of Spark, {"type": 1, "values": […]}; else the cell itself."""
    return cell["values"] if isinstance(cell, dict) and cell.keys() == {"type", "values"} else cell


def _opened(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The same columns; one of objects with the same names, of one value each, becomes one a name."""
    result: dict[str, list[Any]] = {}
    for name, values in columns.items():
        objects = [value for value in values if isinstance(value, dict)]
        plain = len(objects) == len(values) and all(
            value.keys() == values[0].keys()
            and not any(isinstance(cell, dict | list) for cell in value.values())
            for value in objects
        )
        if plain and not values[0].keys() & (columns.keys() | result.keys()):
            result |= {key: [value[key] for value in values] for key in values[0]}
        else:
            result[name] = values
    return result


def _by_class(value: object) -> dict[str, float] | None:
    """The numbers of one case by class; None if these are no such numbers."""
    if isinstance(value, list):
        pairs = [_pair(one) for one in value]
        return _of_pairs([pair for pair in pairs if pair]) if all(pairs) else None
    if not isinstance(value, dict):
        return None
    if all(_is_number(one) for one in value.values()):
        return _of_pairs(list(value.items()))
    lists = [one for one in value.values() if isinstance(one, list) and one]
    words = [one for one in lists if all(isinstance(cell, str) for cell in one)]
    numbers = [one for one in lists if all(map(_is_number, one))]
    if len(words) == len(numbers) == 1 and len(words[0]) == len(numbers[0]):
        return _of_pairs(list(zip(words[0], numbers[0], strict=True)))
    return None


def _pair(one: object) -> tuple[str, float] | None:
    """{"label": "cat", "score": 0.9} -> "cat", 0.9."""
    if not isinstance(one, dict) or len(one) != 2:
        return None
    words = [cell for cell in one.values() if isinstance(cell, str)]
    numbers = [cell for cell in one.values() if _is_number(cell)]
    return (words[0], float(numbers[0])) if len(words) == len(numbers) == 1 else None


def _of_pairs(pairs: list[tuple[str, float]]) -> dict[str, float] | None:
    by_class = dict(pairs)
    return by_class if len(by_class) == len(pairs) > 1 else None


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _are_probabilities(cases: list[dict[str, float]]) -> bool:
    """Whether all cases have the same classes, and their numbers add up."""
    if not cases or any(one.keys() != cases[0].keys() for one in cases):
        return False
    sums = [sum(one.values()) for one in cases]
    return any(sum(abs(one / scale - 1) <= _NEAR for one in sums) >= _MOST * len(sums) for scale in (1, 100))


def _labels_are_names(columns: Mapping[str, list[Any]], own: str, classes: set[str]) -> bool:
    """Whether every column that is named like labels holds names of classes, and there is one; if none is
    named so, whether another column holds nothing else.
    """
    known = {loose(name) for name in classes}
    roles = {name: parse(name).role for name in columns if name != own}
    labels = [columns[name] for name, role in roles.items() if role in ("truth", "label")]
    others = [columns[name] for name, role in roles.items() if role != "predicted"]
    are_names = [
        all(isinstance(value, str) and loose(value) in known for value in values)
        for values in labels or others
    ]
    return (bool(labels) and all(are_names)) or (not labels and any(are_names))
