"""What every format of files has to do, and an example file of each: a new one is tested by its own."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import limits
from calibcore.errors import InputError
from calibcore.extras import EXTRAS
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.contents import ZIP
from calibcore.io.formats import FORMATS, expected, known_names, people_say
from tests.hostile.invariants import one_sentence

Example = Callable[[pd.DataFrame], bytes]
EXAMPLES: dict[str, Example] = {}
"""Kind of a format -> a table with the columns a, b, c and label, or with label alone, as such a file."""
RNG = np.random.default_rng(8)
PROBS = RNG.multinomial(1000, [0.2, 0.3, 0.5], size=40) / 1000
LABELS = np.r_[0, 1, 2, RNG.integers(0, 3, 37)]
TABLE = pd.DataFrame(PROBS, columns=list("abc")).assign(label=np.array(list("abc"))[LABELS])
DOCS = Path(__file__).parents[2] / "docs" / "files.md"
TRIES = 12
"""Damaged files of each format in ``make test``."""


def example(kind: str) -> Callable[[Example], Example]:
    """Decorator of what writes a table in the format of this kind."""

    def enter(write: Example) -> Example:
        EXAMPLES[kind] = write
        return write

    return enter


def example_of(kind: str) -> Example:
    """What writes a file of this format."""
    write = EXAMPLES.get(kind)
    assert write is not None, (
        f"The format {kind!r} has no example file: write one under @example({kind!r}), as in "
        "tests/io/format_battery.py."
    )
    return write


def check_format(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a format has to do, but for being uploaded and typed."""
    form, write = FORMATS[kind], example_of(kind)
    data = write(TABLE)
    assert form.text or form.magic or form.inside, f"Nothing tells that a file is {form.label}."
    assert form.endings
    assert all(ending == ending.lower() and ending[0] == "." for ending in form.endings)
    assert not form.extra or form.extra in EXTRAS
    for ending in (*form.endings, *map(str.upper, form.endings), "", ".dat"):
        _same(read(data, name=f"table{ending}"))
    if not data.startswith(ZIP):  # what is packed already may not be packed again
        _same(read(gzip.compress(data), name=f"table{form.endings[0]}.gz"))
        packed, name = io.BytesIO(), f"table{form.endings[0]}"
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, data)
        if not any(one.inside and name.endswith(one.inside) for one in FORMATS.values()):
            _same(read(packed.getvalue(), name="table.zip"))
    _same(read(write(TABLE[["a", "b", "c"]]), labels=write(TABLE[["label"]])))
    left = read(data, options=ReadOptions(leave_out_rows=(2, 5)))
    assert_allclose(left.predictions.probs, np.delete(PROBS, [1, 4], axis=0), atol=1e-12)
    check_damage(kind, TRIES)
    _check_limits(kind, data, monkeypatch)
    check_lists(kind)


def _same(reading: Reading) -> None:
    assert_allclose(reading.predictions.probs, PROBS, atol=1e-12)
    assert_array_equal(reading.predictions.labels, LABELS)
    assert reading.predictions.class_names == ("a", "b", "c")


def check_damage(kind: str, tries: int) -> None:
    """So many files, cut off or with some bytes changed: predictions, or one sentence."""
    rng, data = np.random.default_rng(1), example_of(kind)(TABLE)
    for i in range(tries):
        changed = bytearray(data[: 1 + len(data) * i // tries] if i < tries // 2 else data)
        for at in rng.integers(0, len(changed), 1 + i % 4):
            changed[at] ^= int(rng.integers(1, 256))
        try:
            read(bytes(changed), name=f"table{FORMATS[kind].endings[0]}")
        except InputError as error:
            one_sentence(str(error))


def _check_limits(kind: str, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ({"max_rows": 39}, {"max_unpacked_mb": 0}):
        with monkeypatch.context() as patch:
            patch.setattr(limits, "LIMITS", replace(limits.LIMITS, **limit))
            try:
                read(data)
            except InputError as error:
                one_sentence(str(error))
            else:
                pytest.fail(
                    f"The format {kind!r} reads more than {next(iter(limit))} allows: call check_rows and "
                    "check_declared of calibcore/io/tables.py with what the file declares, before it is read."
                )


def check_lists(kind: str) -> None:
    """Sentences and the documentation name it."""
    form = FORMATS[kind]
    names = form.names or (form.label,)
    assert set(names) <= set(known_names().replace(" or ", ", ").split(", "))
    assert (form.expected or form.label) in expected()
    assert (form.common or form.label) in people_say()
    row = row_of(kind)
    assert row in DOCS.read_text(encoding="utf-8").splitlines(), f"docs/files.md lacks this row:\n{row}"


def row_of(kind: str) -> str:
    """The row of a format in the table of docs/files.md."""
    form = FORMATS[kind]
    needs = f" Needs the extra `{form.extra}`." * bool(form.extra)
    names = ", ".join(form.names or (form.label,))
    return f"| {names} | {' '.join(f'`{ending}`' for ending in form.endings)} | {form.reads}{needs} |"


def written(write: Callable[..., object], *arguments: object, **others: object) -> bytes:
    """What a writer of files writes."""
    buffer = io.BytesIO()
    write(buffer, *arguments, **others)
    return buffer.getvalue()


@example("text")
def _text(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


@example("parquet")
def _parquet(table: pd.DataFrame) -> bytes:
    return written(table.to_parquet)


@example("feather")
def _feather(table: pd.DataFrame) -> bytes:
    return written(table.to_feather)


@example("npz")
def _npz(table: pd.DataFrame) -> bytes:
    arrays = {"labels": table["label"].to_numpy(str)} if "label" in table else {}
    if "a" in table:
        arrays |= {"probs": table[["a", "b", "c"]].to_numpy(), "class_names": np.array(list("abc"))}
    return written(np.savez_compressed, **arrays)


@example("npy")
def _npy(table: pd.DataFrame) -> bytes:
    return written(np.save, table.to_records(index=False, column_dtypes={"label": "U1"}))


@example("json")
def _json(table: pd.DataFrame) -> bytes:
    return json.dumps(table.to_dict("records")).encode()


@example("xlsx")
def _xlsx(table: pd.DataFrame) -> bytes:
    return written(table.to_excel, index=False)
