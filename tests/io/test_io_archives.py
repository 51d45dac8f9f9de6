"""Archives and arrays: what is damaged, locked or packed otherwise, and what holds no whole numbers."""

import base64
import gzip
import io
import struct
import zipfile
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pyarrow.parquet.encryption
import pytest

from calibcore.errors import InputError
from calibcore.io import read
from calibcore.io.epochs import number_in, read_epochs
from tests.io.io_errors import csv, refusal, written

RNG = np.random.default_rng(0)
CUBE, LABELS = RNG.dirichlet([1, 1, 1], (4, 40)), RNG.integers(0, 3, 40)
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"


def changed(data: bytes, local: int, central: int, value: int) -> bytes:
    """An archive in which a field of two bytes of every entry is another, at both places where it stands."""
    whole = bytearray(data)
    for mark, offset in ((LOCAL, local), (CENTRAL, central)):
        at = -1
        while (at := whole.find(mark, at + 1)) >= 0:
            struct.pack_into("<H", whole, at + offset, value)
    return bytes(whole)


def run_of_files() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, probs in enumerate(CUBE):
            frame = pd.DataFrame(probs, columns=list("abc")).assign(label=np.array(list("abc"))[LABELS])
            archive.writestr(f"epoch_{number}.csv", frame.to_csv(index=False))
    return packed.getvalue()


ARCHIVES = {
    "run.npz": written(np.savez, probs=CUBE, labels=LABELS),
    "run.zip": run_of_files(),
    "one.npz": written(np.savez_compressed, probs=CUBE[0], labels=LABELS),
    "one.xlsx": written(
        pd.DataFrame(CUBE[0], columns=list("abc")).assign(label=LABELS).to_excel, index=False
    ),
}
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "another checksum": (lambda data: changed(data, 14, 16, 7), "is damaged or cut off"),
    "locked": (lambda data: changed(data, 6, 8, 1), "is encrypted. Save it without a password"),
    "strongly locked": (lambda data: changed(data, 6, 8, 0x41), "is encrypted. Save it without a password"),
    "AES": (lambda data: changed(data, 8, 10, 99), "is encrypted. Save it without a password"),
    "Zstandard": (lambda data: changed(data, 8, 10, 93), "is packed by method 93 (Zstandard), which is not"),
    "unheard of": (lambda data: changed(data, 8, 10, 200), "is packed by method 200, which is not known"),
    "called bzip2": (lambda data: changed(data, 8, 10, 12), "is damaged or cut off"),
    "called LZMA": (lambda data: changed(data, 8, 10, 14), "is damaged or cut off"),
    "a patch": (lambda data: changed(data, 6, 8, 0x20), "is damaged or cut off"),
    "cut off": (lambda data: data[: len(data) * 2 // 3], "is damaged or cut off"),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ARCHIVES)
def test_a_damaged_archive_is_one_sentence(name: str, damage: str) -> None:
    change, says = DAMAGE[damage]
    data = change(ARCHIVES[name])
    refusals = []
    with pytest.raises(InputError) as error:
        read_epochs([data], names=[name])
    refusals.append(str(error.value))
    if name.startswith("one."):
        refusals.append(refusal(data, name))
    for sentence in refusals:
        assert says in sentence
    if damage not in ("cut off", "another checksum"):
        assert "' in the archive " in refusals[0]


def test_an_archive_that_holds_an_array_twice() -> None:
    data = written(np.savez, probs=CUBE[0], probt=CUBE[1], labels=LABELS).replace(b"probt", b"probs")
    assert "The array 'probs' stands twice in the archive" in refusal(data)


def test_damaged_gzip() -> None:
    data = gzip.compress(csv())
    broken = bytearray(data)
    broken[-6] ^= 0xFF
    for one in (data[:-9], bytes(broken)):
        assert "The gzip file is damaged or cut off." in refusal(one, "x.csv.gz")


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "an Excel workbook with a password"),
        (b"PARE\0\0PARE", "an encrypted Parquet file"),
        (b"$FL2@(#) IBM SPSS", "an SPSS file"),
        (b"<stata_dta><header>", "a Stata file"),
        (b"RDX3\nX\n", "an R workspace"),
        (b"SQLite format 3\0", "an SQLite database"),
    ],
)
def test_other_kinds_are_called_by_their_name(start: bytes, says: str) -> None:
    assert f"This is {says}" in refusal(start, "x")


class _Keys(pyarrow.parquet.encryption.KmsClient):
    """Hands out what it was given."""

    def __init__(self, _connection: object) -> None:
        super().__init__()

    def wrap_key(self, key: bytes, _name: str) -> str:
        return base64.b64encode(key).decode()

    def unwrap_key(self, wrapped: str, _name: str) -> bytes:
        return base64.b64decode(wrapped)


@pytest.mark.parametrize("plaintext_footer", [True, False])
def test_encrypted_parquet(plaintext_footer: bool) -> None:
    encryption = pyarrow.parquet.encryption
    settings = encryption.EncryptionConfiguration(
        footer_key="f", column_keys={"c": ["p", "label"]}, plaintext_footer=plaintext_footer
    )
    keys = encryption.CryptoFactory(_Keys)
    properties = keys.file_encryption_properties(encryption.KmsConnectionConfig(), settings)
    table, file = pa.table({"p": [0.1, 0.9], "label": [0, 1]}), io.BytesIO()
    with pyarrow.parquet.ParquetWriter(file, table.schema, encryption_properties=properties) as out:
        out.write_table(table)
    assert refusal(file.getvalue(), "x.parquet") == (
        "This is an encrypted Parquet file. Save it without encryption."
    )


def test_words_that_begin_as_other_kinds_do() -> None:
    assert read(csv(header="PARENT,b,c,label").replace(b",a\n", b",PARENT\n")).predictions.n == 12


# --- the numbers of epochs ---------------------------------------------------------------

EPOCHS = {
    "a gap": ([1, np.nan, 3, 4], "has nan in place 2"),
    "infinity": ([1, 2, -np.inf, 4], "has -inf in place 3"),
    "more than there is": ([1, 1e300, 3, 4], "has 1e+300 in place 2"),
    "a half": ([1, 2, 3, 3.5], "has 3.5 in place 4"),
    "text": (["a", "b", "c", "d"], "holds text"),
    "complex": (np.array([1, 2, 3, 4 + 2j]), "holds complex numbers"),
    "true": ([True, False, True, False], "holds truth values"),
    "dates": (np.array(["2020", "2021", "2022", "2023"], "M8[D]"), "holds dates"),
    "the least": (np.array([-(2**63), 1, 2, 3]), "has -9.22337e+18 in place 1"),
    "the most": (np.array([1, 2, 3, 2**64 - 1], np.uint64), "has 1.84467e+19 in place 4"),
}


@pytest.mark.parametrize("name", EPOCHS)
def test_an_epoch_is_a_whole_number(name: str) -> None:
    values, says = EPOCHS[name]
    data = written(np.savez, probs=CUBE, labels=LABELS, epoch=np.array(values))
    with pytest.raises(InputError) as error:
        read_epochs([data], names=["run.npz"])
    assert f"The array 'epoch' {says}; expected a whole number" in str(error.value)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u8", ">i4", ">f8"])
def test_whole_numbers_of_any_type_are_epochs(kind: str) -> None:
    data = written(np.savez, probs=CUBE, labels=LABELS, epoch=np.array([10, 2, 30, 4], kind))
    assert list(read_epochs([data], names=["run.npz"]).predictions) == [2, 4, 10, 30]


@pytest.mark.parametrize(("odd", "says"), [("", "has nan in row 3"), ("1e300", "has 1e+300 in row 3")])
def test_a_column_of_epochs_is_of_whole_numbers(odd: str, says: str) -> None:
    rows = csv().decode().splitlines()
    lines = [f"{row},{'epoch' if not i else 1 + i % 2}" for i, row in enumerate(rows)]
    lines[3] = f"{rows[3]},{odd}"
    with pytest.raises(InputError, match=f"The column 'epoch' {says.replace('+', '[+]')}"):
        read_epochs(["\n".join(lines).encode()], names=["run.csv"])


def test_a_long_number_in_a_name_is_taken_whole() -> None:
    assert number_in("epoch_1000000001.csv") == 1_000_000_001
    assert number_in("20240101123000.csv") == 20_240_101_123_000
    assert number_in("step-0000000000000000000012.csv") == 12
    with pytest.raises(InputError, match="has 5,000 digits; expected that of the epoch, of at most 15"):
        number_in(f"epoch_{'9' * 5000}.csv")


# --- dimensions and types ----------------------------------------------------------------


@pytest.mark.parametrize("shape", [(40, 3, 1), (40, 3, 1, 1), (40, 1, 3), (1, 40, 3)])
def test_axes_of_length_1_are_left_out(shape: tuple[int, ...]) -> None:
    probs = CUBE[0].reshape(shape)
    data = written(np.savez, probs=probs, labels=LABELS.reshape(-1, 1, 1))
    assert np.array_equal(read(data).predictions.probs, CUBE[0])
    cube = written(np.savez, probs=CUBE.reshape(4, *shape), labels=LABELS)
    assert np.array_equal(read_epochs([cube], names=["run.npz"]).predictions[2].probs, CUBE[1])


@pytest.mark.parametrize(
    ("probs", "says"),
    [
        (np.zeros((2, 3, 4, 5)), "The array 'probs' has 4 dimensions (2 × 3 × 4 × 5); expected 2"),
        (CUBE, "The array 'probs' has 3 dimensions (4 × 40 × 3); expected 2"),
        (CUBE[0].astype(complex), "The array 'probs' holds complex numbers; expected numbers or text"),
        (np.zeros(40, [("a", "f8"), ("b", "f8")]), "The array 'probs' holds values of type"),
    ],
)
def test_arrays_that_are_no_matrix_of_numbers(probs: np.ndarray, says: str) -> None:
    assert says in refusal(written(np.savez, probs=probs, labels=LABELS))
