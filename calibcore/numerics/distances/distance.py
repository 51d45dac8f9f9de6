"""What every distance between probability vectors is, and what it is called."""

from typing import ClassVar, Protocol

from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import Strategies

DEFAULT = "total-variation"
DISTANCES = Strategies("distance")


class Distance(Protocol):
    """A distance along the last axis, shapes (…, m) -> (…).

    One more is a file in this folder: a class of this one, entered by ``@DISTANCES.enter``.
    """

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "Total variation"."""
    phrase: ClassVar[str]
    """Within a sentence: "the total variation distance"."""
    largest: ClassVar[float]
    """Between two corners."""
    in_points: ClassVar[bool] = True
    """Whether it is in the unit of probabilities; a square is not."""

    def __call__(self, p: Float, q: Float) -> Float: ...


def distance(name: str) -> Distance:
    """The distance of that name; :class:`InputError` lists the names there are."""
    if name not in DISTANCES:
        raise InputError(f"There is no distance {name!r:.60}; expected one of {', '.join(DISTANCES)}.")
    measure: Distance = DISTANCES[name]()
    return measure
