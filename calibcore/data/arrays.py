"""What people hold as arrays: tensors, tables of any library, masked and narrow numbers -> NumPy, with what
their columns and rows are called. Nothing here looks at values beyond that.
"""

import contextlib
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError
from calibcore.numerics.types import Float

_NUMBERS = 1 << 20
"""Numbers that are looked at together, so that what is made of them needs little memory."""
_NAME = (str, int, float, np.generic)


def as_array(values: Any, what: str = "array") -> NDArray[Any]:
    """An array, a table, a tensor of torch wherever it is kept, a list of such, or a sparse array, as NumPy
    has it.

    Floats that NumPy does not know, such as bfloat16, become doubles, in which nothing is lost.
    :class:`InputError` if values are masked, as nobody knows what stands behind a mask, and if rows differ in
    length.
    """
    values = eager(values)
    if _is_tensor(values):
        tensor = values.detach().cpu()
        try:
            return np.asarray(tensor.numpy())
        except TypeError:  # a kind of floats that NumPy lacks
            return np.asarray(tensor.double().numpy())
    if isinstance(values, list | tuple) and len(values) and _is_tensor(values[0]):
        values = [as_array(value, what) for value in values]
    elif hasattr(values, "__cuda_array_interface__") and callable(getattr(values, "get", None)):
        values = values.get()  # CuPy copies nothing from its device unasked
    elif callable(getattr(values, "toarray", None)):
        values = values.toarray()
    if np.ma.isMaskedArray(values):
        rows = np.flatnonzero(np.ma.getmaskarray(values).reshape(len(values), -1).any(axis=1))
        if len(rows):
            raise InputError(
                f"The {what} are masked in {len(rows):,} of {len(values):,} rows, the first of them row "
                f"{rows[0] + 1:,}. Leave these rows out."
            )
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"The rows of {what} differ in length; expected one column a class.") from None
    if (narrow := _narrow(values)) is not None:
        with contextlib.suppress(TypeError):  # a missing value, which is refused as it is
            return array.astype(narrow)
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.type is not np.void:
        return array.astype(np.float64)
    return array


def eager(values: Any) -> Any:
    """What a lazy table of polars holds, worked out; anything else as it is."""
    lazy = callable(getattr(values, "collect", None)) and callable(getattr(values, "collect_schema", None))
    return values.collect() if lazy else values


def _is_tensor(values: Any) -> bool:
    """Whether torch would refuse to make it an array where it has a gradient or lies on a device."""
    return callable(getattr(values, "detach", None)) and callable(getattr(values, "cpu", None))


def _narrow(values: Any) -> "np.dtype[Any] | None":
    """The narrow floats that a table or a column of pandas holds in a type of its own, where it holds one."""
    held: Any = getattr(values, "dtypes", None)
    kinds = {getattr(kind, "numpy_dtype", None) for kind in (held if np.ndim(held) == 1 else [held])}
    (kind,) = kinds if len(kinds) == 1 else (None,)
    return kind if isinstance(kind, np.dtype) and kind.kind == "f" and kind.itemsize < 8 else None


def numbers_in(array: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all truth values, whole numbers, or numbers, as an array of such; else as it is.

    Columns of pandas that know missing values, and lists of Python's own numbers, come as objects.
    """
    if array.dtype.kind != "O" or not array.size:
        return array
    kinds = {type(value) for value in array.flat}
    for kind, dtype in (((bool, np.bool_), np.bool_), ((int, np.integer), np.int64), (Real, np.float64)):
        if all(issubclass(given, kind) and (dtype == np.bool_ or given is not bool) for given in kinds):
            try:
                return array.astype(dtype)
            except OverflowError:  # a whole number beyond 64 bits: as it is, it is refused
                return array
    return array


def widened(values: NDArray[Any], scale: int = 1) -> Float:
    """A fresh C-ordered float64 copy; narrow floats that are rounded decimals become those decimals.

    Half precision has few more numbers than three decimals: there all values have to be such, or none is.
    ``scale`` 100: percent, which have two decimals less.
    """
    out = np.array(values, dtype=np.float64, order="C")
    if values.dtype.kind != "f" or values.dtype.itemsize >= 8 or not values.size:
        return out
    half = values.dtype.itemsize == 2
    digits = (3 if half else 6) - (2 if scale == 100 else 0)
    step = max(1, _NUMBERS * len(values) // values.size)
    parts = [slice(first, first + step) for first in range(0, len(values), step)]

    def decimals(rows: slice) -> tuple[Float, NDArray[np.bool_]]:
        rounded = np.round(out[rows], digits)
        return rounded, rounded.astype(values.dtype) == values[rows]

    if not half or all(decimals(rows)[1].all() for rows in parts):
        for rows in parts:
            rounded, same = decimals(rows)
            np.copyto(out[rows], rounded, where=same)
    return out


def column_names(values: Any, m: int) -> list[Any] | None:
    """What the m columns of a table are called, in their order: of pandas, polars, Arrow, and of arrays whose
    second axis has names; None where nothing says it."""
    names = getattr(values, "column_names", None)
    if names is None:
        names = getattr(values, "columns", None)
    dims, coords = getattr(values, "dims", None), getattr(values, "coords", None)
    if names is None and isinstance(dims, tuple) and len(dims) == 2 and coords is not None:
        names = np.asarray(coords[dims[1]]).tolist() if dims[1] in coords else None
    if names is None or callable(names):
        return None
    try:
        known = list(names)
    except TypeError:
        return None
    if len(known) != m:
        return None
    known = [name.item() if isinstance(name, np.generic) else name for name in known]
    if not all(isinstance(name, (*_NAME, tuple)) for name in known) or known == list(range(len(known))):
        return None
    return known


def check_same_order(first: Any, second: Any, what: str) -> None:
    """InputError if two tables say by their indices that their rows stand in another order."""
    index: Any = getattr(first, "index", None)
    other: Any = getattr(second, "index", None)
    if not (hasattr(index, "equals") and hasattr(other, "equals") and len(index) == len(other)):
        return
    if index.equals(other) or not (index.is_unique and other.is_unique and bool(index.isin(other).all())):
        return
    raise InputError(
        f"By their index the {what} hold the rows of the predictions in another order. Bring both into one "
        "order (.loc), or give arrays (.to_numpy()) if they already stand in one."
    )
