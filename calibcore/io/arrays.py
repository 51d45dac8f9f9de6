"""Named arrays (NPZ, JSON with arrays) -> :class:`Table`, and arrays of NumPy. Nothing is ever unpickled."""

import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from calibcore import limits
from calibcore.column_names.names import parse
from calibcore.data.outside_text import is_text
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.tables import (
    Array,
    Columns,
    Table,
    check_rows,
    check_size,
    column_of_array,
    is_bool_column,
    is_number_column,
)
from calibcore.io.turning import adds_up, looks_transposed, transposed, turned_note
from calibcore.wording import listed, quote

CLASS_NAMES = ("class_names", "classes", "class_labels", "target_names", "label_names", "names", "categories")
_HEADER_BYTES = 1_000_000
_MOST_HEADER = 10_000
"""Characters of a header, which is a Python expression: NumPy's own limit."""


def without_single_axes(array: Array, most: int) -> Array:
    """An array of more than ``most`` dimensions without axes of length 1, the last ones first, as networks
    leave them: (n, m, 1, 1) -> (n, m)."""
    for axis in reversed(range(array.ndim)):
        if array.ndim > most and array.shape[axis] == 1:
            array = array.squeeze(axis)
    return array


def other_dimensions(what: str, array: Array) -> InputError:
    """What is wrong with an array that is no matrix."""
    size = " × ".join(map(str, array.shape)) or "a single value"
    dimensions = "dimension" if array.ndim == 1 else "dimensions"
    return InputError(
        f"{what} has {array.ndim} {dimensions} ({size}); expected 2, one row per case and one column per "
        "class."
    )


def checked_array(stream: IO[bytes], size: int, what: str) -> Array:
    """An array whose header declares what fits into its ``size`` bytes and into the limits."""
    check_size(size, f"{what} declares")
    head = stream.read(min(size, _HEADER_BYTES))
    peek = io.BytesIO(head)
    try:
        version = npy.read_magic(peek)
        counted = 2 if version == (1, 0) else 4
        length = int.from_bytes(head[peek.tell() :][:counted], "little")
        if length > _MOST_HEADER:
            raise InputError(
                f"{what} tells its columns in {length:,} characters; the limit is {_MOST_HEADER:,}. Use "
                "fewer columns, or save them as Parquet."
            )
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read_header(peek)
    except InputError:
        raise
    except Exception:
        raise InputError(f"{what} has a damaged header, or is cut off. Save it again.") from None
    if dtype.hasobject:
        raise InputError(
            f"{what} holds pickled Python objects, which are never loaded, since they can run programs. "
            "Save numbers, or text as an array of type str."
        )
    declared = math.prod(shape) * dtype.itemsize
    check_size(max(declared, 8 * math.prod(shape)), f"{what} declares")  # as float64, which they become
    if declared > size:
        raise InputError(
            f"{what} declares {declared:,} bytes and holds at most {size:,}: the file is cut off. Save it "
            "again."
        )
    body = head[peek.tell() :] + stream.read()
    if len(body) < declared:
        raise InputError(f"{what} is cut off: {len(body):,} of {declared:,} bytes are there. Save it again.")
    if not declared:
        return np.zeros(shape, dtype=dtype)
    flat = np.frombuffer(body, dtype=dtype, count=math.prod(shape))
    if not is_text(flat):
        raise InputError(f"{what} is damaged: its text holds what is no character. Save it again.")
    return flat.reshape(shape, order="F" if fortran else "C")


def table_of_arrays(
    arrays: Mapping[str, Array], source: str, options: ReadOptions, want_labels: bool
) -> Table:
    """Named arrays as the columns of a table: matrices that may be predictions, and what has as many rows.

    ``want_labels``: this is a file of labels, so predictions in it do not count.
    """
    shaped = {name: _squeezed(array) for name, array in arrays.items()}
    if options.transpose and not want_labels:
        shaped = _turned(shaped)
    key, class_names = _class_names(shaped), None
    if key is not None:
        class_names = tuple(map(str, column_of_array(shaped.pop(key)).tolist()))
    if want_labels:
        labels = {name: a for name, a in shaped.items() if a.ndim in (1, 2) and not _fractional(a)}
        if not labels:
            raise InputError(
                f"The file of labels holds the arrays {_described(shaped)}; none could be taken for the "
                "labels. Name one of them 'labels'."
            )
        return _table(labels, source, len(next(iter(labels.values()))), (), class_names)
    blocks = _blocks(shaped, options.values == "logits")
    large = [name for name, a in shaped.items() if a.ndim > 2 and parse(name).speaks_of_predictions]
    if large and not blocks:
        raise other_dimensions(f"The array {quote(large[0])}", shaped[large[0]])
    if blocks and not options.transpose:
        _refuse_transposed(blocks[0], shaped)
    lengths = Counter(len(array) for array in shaped.values() if array.ndim == 1)
    n = len(shaped[blocks[0]]) if blocks else max(lengths, key=lengths.__getitem__, default=0)
    if not n:
        raise InputError(
            f"The file holds the arrays {_described(shaped)}; none could be taken for the predictions. "
            "Name the array of n rows and m columns 'probs'."
        )
    for name, array in shaped.items():
        parsed = parse(name)
        if array.ndim == 1 and len(array) != n and parsed.speaks_of_outcomes and not parsed.inner:
            what = f"The array {quote(blocks[0])} has" if blocks else "Most arrays have"
            raise InputError(
                f"{what} {n:,} rows of predictions and the array {quote(name)} has "
                f"{len(array):,} labels; expected the same number of both."
            )
    columns = {name: a for name, a in shaped.items() if name in blocks or _is_beside(a, n, bool(blocks))}
    ignored = [name for name in shaped if name not in columns]
    source = f"{source} (not used: {listed(ignored)})" if ignored else source
    table = _table(columns, source, n, blocks, class_names)
    if not options.transpose:
        return table
    notes = tuple(turned_note(f"The array {quote(name)}", *shaped[name].shape[::-1]) for name in blocks)
    return replace(table, notes=(*table.notes, *notes), turned=True)


def _turned(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The same, turned round: matrices of fractions, and whole numbers that have a column a case as well, as
    one-hot labels or labels in one row may have.
    """
    cases = {a.shape[1] for a in arrays.values() if a.ndim == 2 and _fractional(a)}
    if not cases:
        raise InputError(
            f"The file holds the arrays {_described(arrays)}; none could be turned round. Expected an array "
            "of predictions with a row per class and a column per case."
        )

    def has_row_a_class(array: Array) -> bool:
        if array.ndim != 2 or _fractional(array):
            return array.ndim == 2
        return array.shape[1] in cases and len(array) not in cases

    return {name: _squeezed(a.T) if has_row_a_class(a) else a for name, a in arrays.items()}


def _refuse_transposed(name: str, arrays: Mapping[str, Array]) -> None:
    """InputError if an array has a row a class: its columns sum to 1, or are as many as there are labels."""
    matrix = arrays[name]
    n, k = matrix.shape
    vectors = [other for other, a in arrays.items() if a.ndim == 1 and len(a) in (n, k)]
    as_columns = [other for other in vectors if len(arrays[other]) == k != n]
    labels = [other for other in as_columns if parse(other).speaks_of_outcomes]
    sure = n > 1 and looks_transposed(matrix)
    if (sure and (as_columns or (k > n and not vectors))) or (labels and not adds_up(matrix)):
        sentence = f" The array {quote(labels[0])} has {k:,} labels." if labels else ""
        raise transposed(f"The array {quote(name)}", matrix, sentence)


def _is_beside(array: Array, n: int, has_blocks: bool) -> bool:
    """Whether an array is a column, or one-hot labels, beside n predictions."""
    if array.ndim not in (1, 2) or len(array) != n:
        return False
    if array.ndim == 1:
        return True
    numbers = array.dtype.kind in "iubf" and array.shape[1] <= limits.LIMITS.max_classes
    return has_blocks and numbers and not _fractional(array)  # Keras makes one-hot labels of float32


def _table(
    arrays: Mapping[str, Array],
    source: str,
    n: int,
    blocks: Sequence[str],
    class_names: tuple[str, ...] | None,
) -> Table:
    columns = Columns()
    check_rows(n)
    for name in (*blocks, *(name for name in arrays if name not in blocks)):
        array = arrays[name]
        if array.ndim == 1:
            columns.add(name, column_of_array(array, f"The array {quote(name)}"))
        else:  # cells of mixed type each keep their own
            columns.add_matrix(name, array, name in blocks)
    label = _only_label(arrays, columns.names, blocks)
    return columns.table(source, label=label, of_arrays=True, class_names=class_names, missing="has nan")


def _only_label(arrays: Mapping[str, Array], names: Sequence[str], blocks: Sequence[str]) -> int | None:
    """Beside a matrix, the one vector that may be labels, whatever its name, if none says what it is."""
    vectors = [name for name, a in arrays.items() if a.ndim == 1 and not _fractional(a)]
    if not blocks or len(vectors) != 1 or parse(vectors[0]).role:
        return None
    return names.index(vectors[0])


def _squeezed(array: Array) -> Array:
    """(n, 1) -> (n,); (n, m, 1) -> (n, m)."""
    array = without_single_axes(array, 2)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _is_text(array: Array) -> bool:
    if array.dtype.kind == "O":  # from JSON; a matrix of numbers may hold a word by mistake
        if array.ndim == 2:
            return False
        column = column_of_array(array)
        return not is_number_column(column) and not is_bool_column(column)
    return array.dtype.kind in "US"


def _class_names(arrays: Mapping[str, Array]) -> str | None:
    """The name of the array that names the classes."""
    by_name = {name.strip().lower().rstrip("_"): name for name in arrays}  # "classes_" of scikit-learn
    for known in CLASS_NAMES:
        name = by_name.get(known)
        if name is not None and arrays[name].ndim == 1 and 2 <= len(arrays[name]) <= 100_000:
            lengths = {a.shape[-1] for other, a in arrays.items() if other != name and a.ndim == 2}
            if not lengths or len(arrays[name]) in lengths:
                return name
    return None


def _blocks(arrays: Mapping[str, Array], prefer_logits: bool) -> list[str]:
    """The matrices that may be the predictions: several are a question."""
    matrices = {name: a for name, a in arrays.items() if a.ndim == 2 and a.shape[1] > 1 and not _is_text(a)}
    fractions = [name for name, a in matrices.items() if _fractional(a) or a.dtype.kind == "O"]
    pool = fractions or [name for name in matrices if not parse(name).speaks_of_outcomes]
    if len(pool) < 2:
        return pool
    if prefer_logits:
        return ([name for name in pool if parse(name).speaks_of_scores] or pool)[:1]
    adding = [name for name in pool if adds_up(matrices[name])]
    strong = [name for name in adding if parse(name).strong]
    if adding:
        return strong if len(strong) == 1 else adding
    return [name for name in pool if parse(name).speaks_of_predictions][:1]


def _fractional(array: Array) -> bool:
    """Whether it holds other than whole numbers; of a matrix some outcomes may not be known."""
    if array.dtype.kind != "f":
        return False
    with np.errstate(invalid="ignore"):
        parts = array != np.floor(array)
    return bool(np.any(parts & ~np.isnan(array) if array.ndim == 2 else parts))


def _described(arrays: Mapping[str, Array]) -> str:
    sizes = [
        f"{quote(name)} ({' × '.join(map(str, a.shape)) or 'a single value'})" for name, a in arrays.items()
    ]
    more = f" and {len(sizes) - 10:,} more" if len(sizes) > 10 else ""
    return ", ".join(sizes[:10]) + more or "(none)"


def rows_to_array(rows: Sequence[Sequence[Any]]) -> Array:
    """Lists of one length -> (n, k): numbers if they all are, else objects."""
    try:
        array = np.array(rows)
    except (ValueError, OverflowError):
        array = np.array([], dtype=object)
    if array.ndim == 2 and array.dtype.kind in "fiub" and array.size:
        return array
    out = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        out[i, :] = list(row)
    return out
