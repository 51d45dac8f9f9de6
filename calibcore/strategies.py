"""Strategies of one sort, each entered once, where it is defined.

A lens, a binning, a kernel or a null hypothesis enters itself by a decorator. Settings, JSON, the command
line, the side bar and the tests know it from there, so that one more is one file more.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from calibcore.errors import InputError
from calibcore.wording import quote

C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class NumberField:
    """A field of a strategy that is a number, as an interface offers it; ``share``: in per cent."""

    name: str
    label: str
    low: float
    high: float
    step: float
    share: bool = False


@dataclass(frozen=True)
class ClassField:
    """A field that is the name of a class, or one of ``words``, with what they are called."""

    name: str
    label: str
    words: Mapping[str, str]


Field = NumberField | ClassField


class Strategies(Mapping[str, Any]):
    """Kind, as JSON and the command line write it -> the class.

    In the order of their ``place``; those without come last, as they were entered.
    """

    def __init__(self, sort: str) -> None:
        self.sort = sort
        """What one of them is called in a sentence: "lens"."""
        self._classes: dict[str, type] = {}

    def enter(self, cls: C) -> C:
        """Decorator of a class with a ``kind``. Raises :class:`TypeError` where that is missing or taken."""
        kind = getattr(cls, "kind", None)
        if not isinstance(kind, str) or not kind:
            raise TypeError(f"{cls.__name__} has no kind; expected a word such as 'uniform'.")
        other = self._classes.get(kind)
        if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"{cls.__name__} and {other.__name__} are both of kind {kind!r}.")
        self._classes[kind] = cls
        self._classes = dict(sorted(self._classes.items(), key=lambda item: _place(item[1])))
        return cls

    def leave(self, kind: str) -> None:
        """Forget a kind: for tests that enter one of their own."""
        del self._classes[kind]

    def __getitem__(self, kind: str) -> Any:
        return self._classes[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


def _place(cls: type) -> float:
    return getattr(cls, "place", math.inf)


def import_all(package: str, folder: Iterable[str]) -> None:
    """Import every module of a package's folder, so that what it defines is entered."""
    for module in iter_modules(folder):
        import_module(f"{package}.{module.name}")


def words_of(strategy: Any) -> str:
    """A strategy's kind and the values of its fields as the command line takes most: "temperature:1.5"."""
    values = (getattr(strategy, f.name) for f in fields(strategy))
    return ":".join([strategy.kind, *(str(value) for value in values if value is not None)])


def whole_number(text: str, words: str) -> int:
    """A number out of ``words`` of the command line. Raises :class:`InputError` for anything else."""
    if not text.isdecimal() or len(text) > 18:
        raise InputError(f"In {quote(words)}, {quote(text)} is not a whole number.")
    return int(text)
