"""NPY, one array of NumPy -> :class:`Table`."""

import io

from calibcore.errors import InputError
from calibcore.io.arrays import checked_array, other_dimensions, without_single_axes
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import Array, Table, check_rows, check_width, column_of_array, position_name


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
        return _read(content.data)


def _read(data: bytes) -> Table:
    """A matrix, a vector, or a structured array with named columns."""
    array = checked_array(io.BytesIO(data), len(data), "The array")
    if array.dtype.names:
        columns = tuple(column_of_array(_flat(array[name])) for name in array.dtype.names)
        return Table(columns, array.dtype.names, True, "a NumPy array with named columns", missing="has nan")
    array = array.reshape(-1, 1) if array.ndim == 1 else without_single_axes(array, 2)
    if array.ndim != 2:
        raise other_dimensions("The array", array)
    n, k = array.shape
    check_rows(n)
    check_width(k)
    names = tuple(map(position_name, range(k)))
    columns = tuple(column_of_array(array[:, j]) for j in range(k))
    return Table(columns, names, False, f"a NumPy array of {n:,} × {k:,}", missing="has nan")


def _flat(array: Array) -> Array:
    if array.ndim != 1:
        raise InputError(f"A column of the array has {array.ndim} dimensions; expected one value a case.")
    return array
