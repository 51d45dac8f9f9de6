"""Predictions at each epoch of a training run: many files, one archive, one array or one table."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibcore.data.outside_text import called, no_column
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io.archives import archive_of
from calibcore.io.arrays import without_single_axes
from calibcore.io.contents import ZIP
from calibcore.io.formats import endings
from calibcore.io.formats.npz import npz_arrays
from calibcore.io.options import ReadOptions
from calibcore.io.reader import read, refusing
from calibcore.io.roles.stacked import ALL
from calibcore.io.sources import File, Source, name_of
from calibcore.io.tables import Array, check_size
from calibcore.numerics.types import Int
from calibcore.wording import listed, quote

MOST_EPOCHS = 1_000
COLUMNS = ("epoch", "epochs", "step", "checkpoint", "iteration", "iter")
"""Names of the column that says the epoch, the likeliest first."""
MOST_DIGITS = 15
"""Digits of the number of an epoch, which a double holds exactly."""
_EPOCH = re.compile(r"(?:epoch|epo?|step|checkpoint|ckpt|iteration|iter)s?[-_ =.]{0,3}(\d++)", re.IGNORECASE)
_NUMBER = re.compile(r"\d++")
_LABELS = re.compile(r"^(?:labels?|y|y_true|targets?|truth)(?:[-_ ][a-z]+)?$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Epochs:
    """Number of the epoch -> predictions, in rising order; ``source`` says in words where they come from."""

    predictions: Mapping[int, Predictions]
    source: str


def read_epochs(
    sources: Sequence[Source],
    *,
    names: Sequence[str] | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
    epoch_column: str | None = None,
) -> Epochs:
    """Read a training run.

    One of: files with a number in each name; a folder or a ZIP of such files, labels beside them perhaps; an
    NPZ whose predictions have the shape (T, n, m); a table with a column of epochs. Cost: reading all.

    Parameters
    ----------
    names : of the files, where ``sources`` are their contents
    labels, labels_name : of the labels, if they are in a file of their own
    epoch_column : of one table; None: one of :data:`COLUMNS`

    Raises
    ------
    InputError : no number in a name, one number twice, fewer than 2 epochs, or what reading a file refuses.
    """
    file_names = [name_of(source) for source in sources] if names is None else names
    files = [File(source, name) for source, name in zip(sources, file_names, strict=True)]
    beside = None if labels is None else File(labels, labels_name or name_of(labels))
    with refusing("Expected the predictions of each epoch of a training run."):
        if len(files) == 1:
            return _of_one(files[0], beside, options, epoch_column)
        return _of_files(files, beside, options, "files")


def _of_one(file: File, labels: File | None, options: ReadOptions, column: str | None) -> Epochs:
    source = file.source
    if not isinstance(source, bytes) and Path(source).is_dir():
        inside = [File(path, path.name) for path in sorted(Path(source).iterdir()) if _is_table(path.name)]
        return _of_files(inside, labels, options, f"files of the folder {quote(file.name)}")
    data = source if isinstance(source, bytes) else _content(Path(source))
    if data.startswith(ZIP):
        with archive_of(data) as archive:
            entries = archive.infolist()
            if all(entry.filename.endswith(".npy") for entry in entries):
                arrays = {name: without_single_axes(a, 3) for name, a in npz_arrays(archive).items()}
                cubes = [name for name, array in arrays.items() if array.ndim == 3]
                if cubes:
                    return _of_array(arrays, cubes, labels, options)
            elif any(_is_table(Path(entry.filename).name) for entry in entries) and not _is_workbook(entries):
                inside = []
                for entry in entries:
                    if _is_table(Path(entry.filename).name):
                        check_size(entry.file_size, f"{quote(entry.filename)} has")
                        inside.append(File(archive.read(entry), Path(entry.filename).name))
                return _of_files(inside, labels, options, f"files of {quote(file.name)}")
    return _of_table(File(data, file.name), labels, options, column)


def _is_workbook(entries: Sequence[zipfile.ZipInfo]) -> bool:
    return any(entry.filename == "xl/workbook.xml" for entry in entries)


def _content(path: Path) -> bytes:
    try:
        check_size(path.stat().st_size, "The file has")
        return path.read_bytes()
    except OSError:
        raise InputError(f"The file {quote(path.name)} cannot be opened. Check the path.") from None


def _is_table(name: str) -> bool:
    return name.lower().endswith(endings()) and not name.startswith((".", "__"))


def _of_files(files: Sequence[File], labels: File | None, options: ReadOptions, source: str) -> Epochs:
    named = [file for file in files if _LABELS.match(Path(file.name).stem)]
    if labels is None and len(named) == 1:
        labels = named[0]
    numbered: dict[int, File] = {}
    for file in files:
        if file is labels:
            continue
        number = number_in(file.name)
        if number in numbered:
            raise InputError(
                f"{quote(numbered[number].name)} and {quote(file.name)} are both epoch {number}; expected "
                "one file an epoch."
            )
        numbered[number] = file
    _check_number(len(numbered))
    predictions = {n: _predictions(file, labels, options, file.name) for n, file in sorted(numbered.items())}
    return Epochs(predictions, source)


def _predictions(file: File, labels: File | None, options: ReadOptions, where: str = "") -> Predictions:
    """One file, read; an error begins with ``where``, if that is given."""
    second, second_name = (labels.source, labels.name) if labels else (None, None)
    try:
        reading = read(file.source, name=file.name, labels=second, labels_name=second_name, options=options)
    except InputError as error:
        if not where:
            raise
        raise error.reworded(f"{called(where)}: {error}") from None
    return reading.predictions


def packed(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Files of a run as one, an archive that :func:`read_epochs` takes; the same bytes for the same files.

    Raises
    ------
    InputError : two files of one name.
    """
    names = [name for name, _ in files]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"There are two files {quote(twice[0])}; expected one file an epoch.")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as entries:
        for name, data in files:
            entries.writestr(zipfile.ZipInfo(name), data)
    return archive.getvalue()


def number_in(name: str) -> int:
    """The epoch in the name of a file: behind a word such as "epoch", else the last number.

    :class:`InputError` if there is none.
    """
    stem = Path(name).stem
    numbers = _EPOCH.findall(stem) or _NUMBER.findall(stem)
    if not numbers:
        raise InputError(
            f"The name {quote(name)} holds no number; expected that of the epoch, as in epoch_03.csv."
        )
    digits = numbers[-1].lstrip("0") or "0"
    if len(digits) > MOST_DIGITS:
        raise InputError(
            f"The number in the name {quote(name)} has {len(digits):,} digits; expected that of the epoch, "
            f"of at most {MOST_DIGITS}."
        )
    return int(digits)


def _check_number(epochs: int) -> None:
    if not 2 <= epochs <= MOST_EPOCHS:
        raise InputError(
            f"There {'is 1 epoch' if epochs == 1 else f'are {epochs:,} epochs'}; expected 2 to "
            f"{MOST_EPOCHS:,}."
        )


def _of_array(
    arrays: Mapping[str, np.ndarray], cubes: Sequence[str], labels: File | None, options: ReadOptions
) -> Epochs:
    """Each epoch as the NPZ that it would be by itself, so that it is read as any other."""
    if len(cubes) > 1:
        raise InputError(
            f"The arrays {listed(tuple(cubes))} all have three dimensions; expected one, of epochs, cases "
            "and classes."
        )
    (own,) = cubes
    cube, rest = arrays[own], {name: array for name, array in arrays.items() if name != own}
    numbers = _numbers_of(rest, len(cube))
    _check_number(len(cube))
    predictions = {}
    for number, probs in zip(numbers, cube, strict=True):
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **{own: probs}, **rest)
        file = File(buffer.getvalue(), f"epoch {number}.npz")
        predictions[number] = _predictions(file, labels, options, f"Epoch {number}")
    return Epochs(dict(sorted(predictions.items())), f"the array {quote(own)}")


def _numbers_of(rest: dict[str, np.ndarray], epochs: int) -> list[int]:
    """The epochs' numbers, which an array beside the predictions may say; else from 1."""
    name = next((column for column in COLUMNS if column in rest and rest[column].shape == (epochs,)), None)
    if name is None:
        return list(range(1, epochs + 1))
    numbers: list[int] = _integers(rest.pop(name), f"The array {quote(name)}", "place").tolist()
    if len(set(numbers)) < epochs:
        raise InputError(f"The array {quote(name)} holds an epoch twice; expected each once.")
    return numbers


_NO_NUMBERS = {"b": "truth values", "c": "complex numbers", "M": "dates", "m": "spans of time"}


def _integers(values: Array, what: str, place: str) -> Int:
    """(k,) the numbers of epochs; :class:`InputError` for what is no whole number of at most 15 digits."""
    expected = f"expected a whole number of at most {MOST_DIGITS} digits in each {place}, that of the epoch."
    if values.dtype.kind not in "iuf":
        raise InputError(f"{what} holds {_NO_NUMBERS.get(values.dtype.kind, 'text')}; {expected}")
    with np.errstate(over="ignore"):
        numbers = values.astype(np.float64) if values.dtype.kind == "f" else values
    most = 10**MOST_DIGITS
    bad = ~((numbers > -most) & (numbers < most) & (np.floor(numbers) == numbers))
    if bad.any():
        i = int(np.argmax(bad))
        raise InputError(f"{what} has {numbers[i]:.6g} in {place} {i + 1:,}; {expected}")
    return numbers.astype(np.int64)


def _of_table(file: File, labels: File | None, options: ReadOptions, column: str | None) -> Epochs:
    # The rows of an epoch stand below those of another one on purpose: it is not asked which are meant.
    all_rows = (*(options.rows_where or ()), ALL)
    predictions = _predictions(file, labels, replace(options, rows_where=all_rows))
    by_name = {name.strip().lower(): name for name in predictions.metadata}
    names = COLUMNS if column is None else [column.strip().lower()]
    chosen = next((by_name[name] for name in names if name in by_name), None)
    if chosen is None:
        raise InputError(no_column("epoch" if column is None else column, predictions.metadata))
    values = predictions.metadata[chosen]
    numbers = _integers(values, f"The column {quote(chosen)}", "row")
    epochs, counts = np.unique(numbers, return_counts=True)
    _check_number(len(epochs))
    if (counts != counts[0]).any():
        other = int(np.argmax(counts != counts[0]))
        raise InputError(
            f"Epoch {epochs[0]} has {counts[0]:,} rows and epoch {epochs[other]} has {counts[other]:,}; "
            "expected the same cases in every epoch."
        )
    without = {name: array for name, array in predictions.metadata.items() if name != chosen}
    bare = replace(predictions, metadata=without)
    by_epoch = {int(epoch): bare.with_rows(np.flatnonzero(numbers == epoch)) for epoch in epochs}
    return Epochs(by_epoch, f"the column {quote(chosen)}")
