"""Tables of any library as narwhals reads them: pandas, polars, Arrow, DuckDB and others."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from calibcore.column_names.class_forms import has_one_shape
from calibcore.column_names.names import parse
from calibcore.data.arrays import as_array, widened
from calibcore.data.labels import name_of, named_places, some_names
from calibcore.data.outside_text import shown
from calibcore.errors import InputError


class Columns:
    """The columns of a table by their names, each as NumPy has it.

    Raises
    ------
    TypeError : no table.
    InputError : a column that stands twice.
    """

    def __init__(self, table: Any) -> None:
        try:
            read: Any = nw.from_native(table)
        except DuplicateError:
            raise InputError(
                f"The column {shown(_twice(table))} stands twice; columns must differ."
            ) from None
        except TypeError:
            raise TypeError(
                "from_frame takes a table, of pandas, polars or Arrow say, and was given an object of type "
                f"{type(table).__name__}."
            ) from None
        self._table: Any = read.collect() if isinstance(read, nw.LazyFrame) else read
        self.names: list[Any] = list(self._table.columns)

    def kind(self, name: Any) -> str:
        """What a column is called to hold, in small letters: "int64", "string"."""
        return str(self._table.get_column(name).dtype).lower()

    def __getitem__(self, name: Any) -> NDArray[Any]:
        """(n,) the values as they are."""
        return as_array(self._table.get_column(name).to_numpy(), f"values of {shown(name)}")

    def may_be_probabilities(self, name: Any) -> bool:
        """Whether a column that nobody named holds floats, or decimals: whole numbers may be anything."""
        kind = self._table.get_column(name).dtype
        if kind == nw.Unknown:  # floats that only NumPy has
            return self[name].dtype.kind == "f"
        return bool(kind.is_float() or kind.is_decimal())

    def may_be_numbers(self, name: Any) -> bool:
        """Whether a column holds numbers, and no text, truth values or dates."""
        kind = self._table.get_column(name).dtype
        if kind == nw.Unknown:
            return self[name].dtype.kind in "fiu"
        return bool(kind.is_numeric())

    def probabilities(self, names: Sequence[Any]) -> NDArray[Any]:
        """(n, m) as they are; NaN where one is missing. Of several kinds of floats each is widened by itself.

        Raises
        ------
        InputError : a column of something else than numbers.
        """
        columns = []
        for name in names:
            column = self._table.get_column(name)
            if column.dtype.is_decimal():
                column = column.cast(nw.Float64)
            values = as_array(column.to_numpy(), f"values of {shown(name)}")
            if values.dtype.kind not in "fiu":
                raise InputError(
                    f"The column {shown(name)} is of type {self.kind(name)}; expected numbers, which "
                    "probabilities are."
                )
            columns.append(values)
        if len({values.dtype for values in columns}) > 1:
            columns = [widened(values) for values in columns]
        return np.column_stack(columns)


def classes_of(
    table: Columns,
    label: object,
    labels: NDArray[Any],
    columns: Sequence[object] | Mapping[Any, object] | None,
    metadata: Sequence[object],
) -> tuple[list[object], list[Any]]:
    """The names of the classes, or of their columns, and the column of each.

    labels : (n,) what stands in the column ``label``

    Raises
    ------
    InputError : a column that is not there, or that may hold no probabilities.
    """
    if isinstance(columns, str) or isinstance(metadata, str):
        what = "columns" if isinstance(columns, str) else "metadata"
        raise InputError(f"There is one name where {what} are expected; put it in a list.")
    names = table.names
    given = [] if columns is None else list(columns.values() if isinstance(columns, Mapping) else columns)
    for name in [label, *metadata, *given]:
        if name not in names:
            raise InputError(f"There is no column {shown(name)}; the columns are {some_names(names)}.")
    if columns is None:
        numbers = [
            name for name in names if name != label and name not in metadata and table.may_be_numbers(name)
        ]
        if shaped := _called_like_classes(numbers, labels):
            return list(shaped), shaped
        places = numbers
        for name in places:  # all are taken, so all must look like probabilities
            if not table.may_be_probabilities(name):
                raise InputError(
                    f"The column {shown(name)} is of type {table.kind(name)}, so it may hold no "
                    "probabilities. Name the columns of probabilities (columns=[…]), one a class."
                )
        if not places:
            raise InputError(f"There is no column of numbers beside {shown(label)}; expected one a class.")
        return list(places), places
    if label in given:
        raise InputError(f"The column {shown(label)} is that of the labels; it holds no probabilities.")
    return list(columns), given


def _called_like_classes(numbers: Sequence[Any], labels: NDArray[Any]) -> list[Any]:
    """The columns whose names say in one way that they hold the probabilities of classes, among them those of
    all labels: "p_cat" and "p_dog" beside "age"; none if there are no such."""
    called = [name for name in numbers if parse(str(name)).numeric and parse(str(name)).inner]
    known = set(map(name_of, labels.tolist()))
    texts = list(map(str, called))
    return called if len(called) > 1 and has_one_shape(texts) and named_places(texts, known)[1] else []


def _twice(table: Any) -> Any:
    """The first name that two columns of a table have."""
    names: list[Any] = list(getattr(table, "column_names", getattr(table, "columns", ())))
    return next((name for i, name in enumerate(names) if name in names[:i]), "")
