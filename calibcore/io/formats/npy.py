"""NPY, one array of NumPy -> :class:`Table`."""

import io

from calibcore.errors import InputError
from calibcore.io.arrays import checked_array, other_dimensions, without_single_axes
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import (
    Array,
    Table,
    check_rows,
    check_width,
    column_of_array,
    most_columns,
    position_name,
)
from calibcore.io.turning import looks_transposed, transposed, turned_note


@FORMATS.enter
class NPY(Format):
    """One array of NumPy."""

    kind = "npy"
    place = 50
    label = "NPY"
    common = "NumPy"
    reads = "A matrix, a vector, or a structured array with named columns. Nothing is unpickled."
    endings = (".npy",)
    magic = (b"\x93NUMPY",)

    @classmethod
    def read(cls, content: Content) -> Table:
        return _read(content.data, content.options.transpose and not content.want_labels)


def _read(data: bytes, turn: bool) -> Table:
    """A matrix, a vector, or a structured array with named columns; ``turn``: a row is a class."""
    array = checked_array(io.BytesIO(data), len(data), "The array")
    if array.dtype.names:
        columns = tuple(column_of_array(_flat(array[name])) for name in array.dtype.names)
        return Table(columns, array.dtype.names, True, "a NumPy array with named columns", missing="has nan")
    array = array.reshape(-1, 1) if array.ndim == 1 else without_single_axes(array, 2)
    if array.ndim != 2:
        raise other_dimensions("The array", array)
    notes = (turned_note("The array", *array.shape),) if turn else ()
    array = array.T if turn else array
    n, k = array.shape
    check_rows(n)
    if k > most_columns() and n > 1 and looks_transposed(array):
        raise transposed("The array", array, "")
    check_width(k)
    names = tuple(map(position_name, range(k)))
    columns = tuple(column_of_array(array[:, j]) for j in range(k))
    source = f"a NumPy array of {n:,} × {k:,}"
    return Table(columns, names, False, source, notes=notes, missing="has nan", turned=turn)


def _flat(array: Array) -> Array:
    if array.ndim != 1:
        raise InputError(f"A column of the array has {array.ndim} dimensions; expected one value a case.")
    return array
