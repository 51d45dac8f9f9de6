"""What every binning is."""

from dataclasses import fields
from typing import Any, ClassVar, Protocol, Self, cast

from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.strategies import Strategies

BINNINGS = Strategies("binning")
MOST_BINS = 100_000


def check_number(n_bins: int) -> None:
    """Raises :class:`InputError` for a number of bins that nobody can mean."""
    if not 1 <= n_bins <= MOST_BINS:
        raise InputError(f"The number of bins is {shown(n_bins)}; expected 1 or more, {MOST_BINS:,} at most.")


class Binning(Protocol):
    """A binning never sees labels, and says how it is called.

    One more is a file in this folder: a frozen dataclass of this class, its first field a whole number,
    entered by ``@BINNINGS.enter``.
    """

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "Equally wide"."""
    size_label: ClassVar[str]
    """What its first field is, in the side bar: "Number of bins"."""
    edge_rule: ClassVar[str]
    """Where a value on the edge of two bins belongs, as part of a sentence."""
    adaptive: ClassVar[bool] = False
    """Whether the bin of a case depends on the other cases."""
    syntax: ClassVar[str] = ":N"
    """What follows the kind on the command line."""
    smallest: ClassVar[int] = 1
    """Of its first field."""

    def assign(self, probs: Float) -> Int:
        """(n, m) -> (n,) bin indices from 0. Those without cases may be left out of the numbering."""
        ...

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        """How cases of ``m`` classes are binned, as part of a sentence."""
        ...

    def fits(self, m: int) -> bool:
        """Whether ``m`` classes can be binned."""
        return True

    @classmethod
    def suggested(cls, n: int) -> Self:
        """The one to begin with for ``n`` cases."""
        return cls()

    @property
    def size_field(self) -> str:
        """The name of its first field."""
        return fields(cast(Any, self))[0].name


def binning_syntax() -> str:
    """All binnings as the command line takes them: "uniform:N, …"."""
    kinds = ", ".join(f"{kind}{cls.syntax}" for kind, cls in BINNINGS.items())
    return f"{kinds} (each number optional)"
