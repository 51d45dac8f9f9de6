"""Thresholds of each of several labels, as they are typed: ``effusion:0.2,mass:0.1``."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.data.outside_text import spelled_out
from calibcore.errors import InputError
from calibcore.flags import numbers_from_list

_WHAT, _EXPECTED = "The thresholds are", "numbers as in effusion:0.2,mass:0.1"


def thresholds_by_label(words: str | None) -> dict[str, tuple[float, ...]]:
    """``--thresholds`` where it names those of each label, also as a JSON object of lists; else empty."""
    if words is None or ":" not in words:
        return {}
    if words.lstrip().startswith("{"):
        return _from_json(words)
    of_each: dict[str, list[str]] = {}
    for name, _, number in (part.rpartition(":") for part in words.split(",")):
        of_each.setdefault(name.strip(), []).append(number)
    return {name: numbers_from_list(",".join(each), _WHAT, _EXPECTED) for name, each in of_each.items()}


def thresholds_in_words(thresholds: Mapping[str, Sequence[float]]) -> str:
    """The inverse of :func:`thresholds_by_label`: as JSON where a label's name holds a comma, say."""
    short = {label: tuple(float(f"{t:.12g}") for t in each) for label, each in thresholds.items()}
    words = ",".join(f"{label}:{t:.12g}" for label, each in short.items() for t in each)
    try:
        plain = thresholds_by_label(words) == short
    except InputError:
        plain = False
    return words if plain else spelled_out(json.dumps(short, ensure_ascii=False))


def _from_json(words: str) -> dict[str, tuple[float, ...]]:
    try:  # as pairs: a label that is named twice has the thresholds of both, as without JSON
        pairs: Any = json.loads(words, object_pairs_hook=list)
    except (ValueError, RecursionError):
        pairs = None
    if not pairs or not all(_numbers(each) for _, each in pairs):
        raise InputError(f'{_WHAT} {words!r:.60}; expected {_EXPECTED}, or JSON as in {{"mass": [0.1]}}.')
    of_each: dict[str, tuple[float, ...]] = {}
    for label, each in pairs:
        of_each[label] = (*of_each.get(label, ()), *map(float, each))
    return of_each


def _numbers(each: Any) -> bool:
    # A whole number may be larger than any float; no such is a threshold, nor is NaN.
    return isinstance(each, list) and bool(each) and all(type(t) in (int, float) and abs(t) < 2 for t in each)
