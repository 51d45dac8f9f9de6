"""Named arrays (NPZ, NPY, JSON with arrays) -> :class:`Table`. Nothing is ever unpickled."""

import io
import math
import zipfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from calibcore.checks import is_text
from calibcore.io.tables import (
    LABEL_NAMES,
    Array,
    Column,
    Table,
    check_rows,
    check_size,
    check_width,
    column_of_array,
    is_bool_column,
    is_number_column,
    listed,
    position_name,
    quoted,
)
from calibcore.predictions import InputError

PROBABILITY_NAMES = (
    "probs", "prob", "probabilities", "probability", "y_prob", "y_proba", "proba", "y_probs", "p", "y_score",
    "softmax", "predictions", "prediction", "preds", "pred", "y_pred", "y_hat", "yhat", "forecasts",
    "scores", "outputs",
)  # fmt: skip
LOGIT_NAMES = ("logits", "logit", "y_logits")
CLASS_NAMES = ("class_names", "classes", "class_labels", "target_names", "label_names", "names", "categories")
_HEADER_BYTES = 1_000_000


def read_npy(data: bytes) -> Table:
    """A matrix, a vector, or a structured array with named columns."""
    array = _checked_array(io.BytesIO(data), len(data), "The array")
    if array.dtype.names:
        columns = tuple(column_of_array(_flat(array[name])) for name in array.dtype.names)
        return Table(
            columns,
            tuple(map(str, array.dtype.names)),
            True,
            "a NumPy array with named columns",
            missing="has nan",
        )
    array = array.reshape(-1, 1) if array.ndim == 1 else array
    if array.ndim != 2:
        raise InputError(
            f"The array has {array.ndim} dimensions; expected 2, one row per case and one column per class."
        )
    check_rows(array.shape[0])
    check_width(array.shape[1])
    columns = _columns_of(array)
    names = tuple(map(position_name, range(len(columns))))
    return Table(
        columns, names, False, f"a NumPy array of {array.shape[0]:,} × {array.shape[1]:,}", missing="has nan"
    )


def read_npz(archive: zipfile.ZipFile, prefer_logits: bool, want_labels: bool) -> Table:
    """Named NumPy arrays; sizes are checked before anything is unpacked."""
    arrays: dict[str, Array] = {}
    for entry in archive.infolist():
        if not entry.filename.endswith(".npy"):
            continue
        name = entry.filename.removesuffix(".npy")
        with archive.open(entry) as stream:
            arrays[name] = _checked_array(stream, entry.file_size, f"The array {quoted(name)}")
    return table_of_arrays(arrays, "NumPy arrays", prefer_logits, want_labels)


def _checked_array(stream: IO[bytes], size: int, what: str) -> Array:
    """An array whose header declares what fits into its ``size`` bytes and into the limits."""
    check_size(size, f"{what} declares")
    head = stream.read(min(size, _HEADER_BYTES))
    peek = io.BytesIO(head)
    try:
        version = npy.read_magic(peek)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read_header(peek)
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
    arrays: Mapping[str, Array], source: str, prefer_logits: bool, want_labels: bool
) -> Table:
    """Choose predictions, labels and class names among named arrays, by name, else by shape.

    ``want_labels``: this is a file of labels, so predictions in it do not count.
    """
    shaped = {name: _squeezed(array) for name, array in arrays.items()}
    by_name = {name.strip().lower(): name for name in shaped}
    class_names = _class_names(shaped, by_name)
    shaped = {name: array for name, array in shaped.items() if name != class_names}
    names_given = None
    if class_names is not None:
        column = column_of_array(_squeezed(arrays[class_names]))
        names_given = tuple(str(name) for name in column.tolist())
    if want_labels:
        label = _labels(shaped, by_name, None, None)
        if label is None:
            raise InputError(
                f"The file of labels holds the arrays {_described(shaped)}; none could be taken for the "
                "labels. Name one of them 'labels'."
            )
        return _table([(label, shaped[label])], source, label, None, names_given)
    block = _predictions(shaped, by_name, prefer_logits)
    if block is None:
        raise InputError(
            f"The file holds the arrays {_described(shaped)}; none could be taken for the predictions. "
            "Name the array of n rows and m columns 'probs'."
        )
    n = len(shaped[block])
    label = _labels(shaped, by_name, block, n)
    if label is not None and len(shaped[label]) != n:
        raise InputError(
            f"The array {quoted(block)} has {n:,} rows of predictions and the array {quoted(label)} has "
            f"{len(shaped[label]):,} labels; expected the same number of both."
        )
    rest = [name for name, array in shaped.items() if name not in (block, label)]
    used = [name for name in rest if shaped[name].ndim == 1 and len(shaped[name]) == n]
    ignored = [name for name in rest if name not in used]
    if ignored:
        source = f"{source} (not used: {listed(ignored)})"
    chosen = [(name, shaped[name]) for name in (block, *([label] if label else []), *used)]
    return _table(chosen, source, label, block, names_given)


def _table(
    arrays: Sequence[tuple[str, Array]],
    source: str,
    label: str | None,
    block: str | None,
    class_names: tuple[str, ...] | None,
) -> Table:
    columns: list[Column] = []
    names: list[str] = []
    block_at: tuple[int, ...] = ()
    label_at = None
    for name, array in arrays:
        if array.ndim == 1:
            if name == label:
                label_at = len(columns)
            if name == block:
                block_at = (len(columns),)
            columns.append(column_of_array(array))
            names.append(name)
            continue
        check_width(array.shape[1])
        at = range(len(columns), len(columns) + array.shape[1])
        columns.extend(_columns_of(array))
        names.extend(f"{name}[{j}]" for j in range(array.shape[1]))
        if name == block:
            block_at = tuple(at)
    check_rows(len(columns[0]) if columns else 0)
    return Table(
        tuple(columns),
        tuple(names),
        True,
        source,
        block=block_at,
        label=label_at,
        class_names=class_names,
        missing="has nan",
    )


def _columns_of(array: Array) -> tuple[Column, ...]:
    """Columns of a matrix; cells of mixed type each keep their own."""
    return tuple(column_of_array(array[:, j]) for j in range(array.shape[1]))


def _flat(array: Array) -> Array:
    if array.ndim != 1:
        raise InputError(f"A column of the array has {array.ndim} dimensions; expected one value a case.")
    return array


def _squeezed(array: Array) -> Array:
    """(n, 1) -> (n,)."""
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _is_text(array: Array) -> bool:
    if array.dtype.kind == "O":  # from JSON; a matrix of numbers may hold a word by mistake
        if array.ndim == 2:
            return False
        column = column_of_array(array)
        return not is_number_column(column) and not is_bool_column(column)
    return array.dtype.kind in "US"


def _class_names(arrays: Mapping[str, Array], by_name: Mapping[str, str]) -> str | None:
    for known in CLASS_NAMES:
        name = by_name.get(known)
        if name is not None and arrays[name].ndim == 1 and 2 <= len(arrays[name]) <= 100_000:
            lengths = {a.shape[-1] for other, a in arrays.items() if other != name and a.ndim == 2}
            if not lengths or len(arrays[name]) in lengths:
                return name
    return None


def _predictions(arrays: Mapping[str, Array], by_name: Mapping[str, str], prefer_logits: bool) -> str | None:
    known = (*LOGIT_NAMES, *PROBABILITY_NAMES) if prefer_logits else (*PROBABILITY_NAMES, *LOGIT_NAMES)
    named = [by_name[name] for name in known if name in by_name]
    fitting = [name for name in named if arrays[name].ndim in (1, 2) and not _is_text(arrays[name])]
    # "pred" beside a matrix is the predicted class: a matrix comes first.
    for name in sorted(fitting, key=lambda name: -arrays[name].ndim):
        return name
    matrices = [name for name, a in arrays.items() if a.ndim == 2 and not _is_text(a)]
    matrices = [name for name in matrices if name.lower() not in LABEL_NAMES] or matrices
    fractions = [name for name in matrices if arrays[name].dtype.kind in "fO"]
    for choice in (matrices, fractions):
        if len(choice) == 1:
            return choice[0]
    vectors = [name for name, a in arrays.items() if a.ndim == 1 and a.dtype.kind == "f"]
    return vectors[0] if len(vectors) == 1 and not matrices else None


def _labels(
    arrays: Mapping[str, Array], by_name: Mapping[str, str], block: str | None, n: int | None
) -> str | None:
    for known in (*LABEL_NAMES, "y_onehot", "onehot", "one_hot"):
        name = by_name.get(known)
        if name is not None and name in arrays and name != block and arrays[name].ndim in (1, 2):
            return name
    vectors = [
        name
        for name, a in arrays.items()
        if name != block and a.ndim == 1 and (n is None or len(a) == n) and not _fractional(a)
    ]
    if len(vectors) == 1:
        return vectors[0]
    matrices = [name for name, a in arrays.items() if name != block and a.ndim == 2]
    return matrices[0] if len(matrices) == 1 and not vectors and block is None else None


def _fractional(array: Array) -> bool:
    return array.dtype.kind == "f" and bool(np.any(array != np.floor(array)))


def _described(arrays: Mapping[str, Array]) -> str:
    if not arrays:
        return "(none)"
    shown = [
        f"{quoted(name)} ({' × '.join(map(str, a.shape)) or 'a single value'})"
        for name, a in list(arrays.items())[:10]
    ]
    more = len(arrays) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


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
