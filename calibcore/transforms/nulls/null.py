"""What every null hypothesis is: which probabilities outcomes would have, and what is said of it."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar, Protocol, Self, cast

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import Field, Strategies

NULLS = Strategies("null")


class Null(Protocol):
    """What every null does. It never sees labels. Cost O(nm).

    One more is a file in this folder: a frozen dataclass of this class with ``kind``, ``label``, ``probs``,
    ``phrase``, and with fields also ``settings``, ``syntax``, ``usual`` and ``from_words``.
    """

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "Calibrated when mixed"."""
    syntax: ClassVar[str] = ""
    """What follows the kind on the command line: ":T"."""
    settings: ClassVar[Sequence[Field]] = ()
    """Its fields as the side bar offers them."""

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) the probabilities ρ(g_i) of the outcomes."""
        ...

    def phrase(self) -> str:
        """What outcomes are drawn from under it, as part of a sentence."""
        ...

    @classmethod
    def usual(cls) -> Self:
        """The one to begin with."""
        return cls()

    @classmethod
    def from_words(cls, rest: str) -> "Self | None":
        """The null of what follows its kind on the command line; None where that fits none.

        Raises
        ------
        ValueError : what should be a number is none.
        """
        return cls() if not rest else None

    def to_words(self) -> str:
        """The inverse of :meth:`from_words`, its kind first."""
        values = (getattr(self, f.name) for f in fields(cast(Any, self)))
        return ":".join([self.kind, *map(str, values)])


def check_null(null: object) -> None:
    """Raises :class:`InputError` for what cannot be written down as settings, such as a function."""
    if not isinstance(null, tuple(NULLS.values())):
        raise InputError(f"The null is a {type(null).__name__}; expected one of {', '.join(NULLS)}.")
