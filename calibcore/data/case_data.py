"""What predictions and labels of cases share: read-only arrays, a row a case, columns and weights beside."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, check_same_order
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, quote

T = TypeVar("T", bound=NDArray[Any])
Columns = Mapping[str, NDArray[np.generic]]
Rows = Int | list[int] | slice


class CaseData(ABC):
    """Cases with their probabilities, a frozen dataclass: what it does alike whatever their outcomes are."""

    probs: Float
    metadata: Columns
    notes: tuple[str, ...]
    weights: Float | None
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @abstractmethod
    def __post_init__(self) -> None: ...

    def __len__(self) -> int:
        """Number of cases; of pooled pairs, as many as there are."""
        return self.n

    __iter__: ClassVar[None] = None
    """Nothing goes through them one by one: NumPy and others would take them for a list."""

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of; what was worked out of that since is worked out anew."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"metadata": dict(self.metadata)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What was read-only is so again: :mod:`pickle` and :mod:`copy` forget it."""
        self.__dict__.update({f.name: state[f.name] for f in fields(self)})
        self.__dict__["metadata"] = read_only_columns(self.metadata)
        for array in self._arrays():
            read_only(array)
        self.__post_init__()

    def noted(self, notes: tuple[str, ...]) -> Self:
        """The same with other notes."""
        return replace(self, notes=notes)

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.probs)

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return sum(array.nbytes for array in (*self._arrays(), *self.metadata.values()))

    @property
    def _how_many(self) -> str:
        """ "1,204 weighted cases"."""
        return count(self.n, "case" if self.weights is None else "weighted case")

    def _arrays(self) -> Iterator[NDArray[np.generic]]:
        """All but the columns."""
        values = (getattr(self, f.name) for f in fields(self))
        return (value for value in values if isinstance(value, np.ndarray))


def read_only(array: T) -> T:
    """The array itself, which nobody can write to from now on."""
    array.flags.writeable = False
    return array


def read_only_columns(columns: Columns) -> Columns:
    """The same columns, in a mapping of its own, which nobody can change from now on."""
    return MappingProxyType({name: read_only(column) for name, column in columns.items()})


def columns_of_rows(columns: Columns, rows: Rows) -> Columns:
    """Of each column these rows, in that order, read-only."""
    return read_only_columns({name: column[rows] for name, column in columns.items()})


def weights_of_rows(weights: Float | None, rows: Rows) -> Float | None:
    """(n′,) weights of these rows, in that order, with mean 1 again, read-only; None where there are none."""
    return None if weights is None else read_only(weights[rows] / weights[rows].mean())


def checked_columns(
    metadata: Mapping[str, ArrayLike] | None, n: int, probs: object = None, noun: str = "case"
) -> dict[str, NDArray[np.generic]]:
    """Copies of columns that go beside ``n`` rows; of tables, ``probs`` is what has to have the same index.

    noun : what a row is called

    Raises
    ------
    InputError : a column of another shape than (n,); an index in another order.
    """
    columns: dict[str, NDArray[np.generic]] = {}
    for name, values in (metadata or {}).items():
        check_same_order(probs, values, f"values of {quote(name)}")
        column = np.array(as_array(values, f"values of {quote(name)}"))
        if column.shape != (n,):
            raise InputError(
                f"Metadata column {quote(name)} has shape {column.shape}; expected ({n:,},), one value a "
                f"{noun}."
            )
        columns[str(name)] = column
    return columns
