"""What a field of a document may hold, said at its annotation: ``n: Annotated[int, Within(0, 10)]``.

:mod:`calibcore.settings.codec` holds whatever is read back to it. What is computed here is not looked at
again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

MOST_COUNT = 10**15
"""Of whole numbers: doubles hold each of them, and sums of some thousands still fit into 64 bits."""
MOST_NUMBER = 1e100
"""Of numbers: their squares and products are still finite."""
MOST_TEXT = 20_000
"""Characters of a text."""
MOST_ITEMS = 1_000_000
"""Entries of a list."""


@dataclass(frozen=True)
class Within:
    """Numbers from ``least`` to ``most``, both included; ``strict``: above ``least``."""

    least: float
    most: float
    strict: bool = False


@dataclass(frozen=True)
class Length:
    """So many characters, or entries."""

    least: int = 0
    most: int = MOST_ITEMS


@dataclass(frozen=True)
class Shape:
    """The lengths of an array or a list, by name: what has the same name in one object has the same length.

    ``Shape("bins", "classes")`` is a list of lists that are equally long.
    """

    dims: tuple[str, ...]

    def __init__(self, *dims: str) -> None:
        object.__setattr__(self, "dims", dims)


@dataclass(frozen=True)
class NullIs:
    """JSON has no word for what is not finite: null stands for this."""

    value: float


@dataclass(frozen=True)
class OneOf:
    """The texts that are allowed."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)


@dataclass(frozen=True)
class Holds:
    """Keys that a mapping must have."""

    keys: tuple[str, ...]

    def __init__(self, *keys: str) -> None:
        object.__setattr__(self, "keys", keys)


@dataclass(frozen=True)
class As:
    """It stands in a document as this annotation says, of which type checkers see less, or nothing.

    made, stands : what makes the value of what stands there, and the other way round; None where they are one
    """

    kind: Any
    made: Callable[[Any], Any] | None = None
    stands: Callable[[Any], Any] = lambda value: value


Count = Annotated[int, Within(0, MOST_COUNT)]
AtLeastOne = Annotated[int, Within(1, MOST_COUNT)]
Share = Annotated[float, Within(0, 1)]
"""A probability, a p-value, a share of cases."""
Difference = Annotated[float, Within(-1, 1)]
"""Of two shares."""
Nonnegative = Annotated[float, Within(0, MOST_NUMBER)]
Names = Annotated[tuple[str, ...], Length(1)]
