"""What the tests of unreadable files share: a good table, and how a refusal is looked at."""

import io

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.io.options import FIELDS
from calibcore.words.readings import with_flags

GOOD = [["0.2", "0.3", "0.5", "a"], ["0.1", "0.1", "0.8", "c"], ["0.4", "0.5", "0.1", "b"]] * 4


def refusal(data: bytes, name: str = "x.csv", labels: bytes | None = None, **options) -> str:
    """What the command line says. Whatever is offered as a remedy leads to another answer."""
    asked = ReadOptions(**options)
    error = refused(data, name, labels, asked)
    assert error is not None
    for remedy in error.remedies:
        assert remedy.fields
        assert "--" not in remedy.words
        if remedy.change:
            after = refused(data, name, labels, asked.mended(remedy))
            assert after is None or str(after) != str(error), remedy
    return with_flags(error, asked)


def refused(data: bytes, name: str, labels: bytes | None, options: ReadOptions) -> InputError | None:
    """The error, whose sentence names no flag and no option; None if the file is read."""
    error = None
    try:
        read(data, name=name, labels=labels, labels_name="truth.csv", options=options)
    except InputError as found:
        error = found
    if error is not None:
        message = str(error)
        assert "Traceback" not in message
        assert error.__cause__ is None
        assert "--" not in message
        assert not [field for field in FIELDS if "_" in field and field in message]
    return error


def csv(*changes: tuple[int, int, str], header: str = "a,b,c,label") -> bytes:
    """The good table with some cells (row from 1, column from 1) changed."""
    rows = [list(row) for row in GOOD]
    for row, column, text in changes:
        rows[row - 1][column - 1] = text
    return ("\n".join([header, *map(",".join, rows)]) + "\n").encode()


def written(write, *arguments, **others) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *arguments, **others)
    return buffer.getvalue()
