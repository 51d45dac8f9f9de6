"""What the tests of unreadable files share: a good table, and how a refusal is looked at."""

import io

import pytest

from calibcore.io import ReadOptions, read
from calibcore.predictions import InputError

GOOD = [["0.2", "0.3", "0.5", "a"], ["0.1", "0.1", "0.8", "c"], ["0.4", "0.5", "0.1", "b"]] * 4


def refusal(data: bytes, name: str = "x.csv", labels: bytes | None = None, **options) -> str:
    with pytest.raises(InputError) as caught:
        read(data, name=name, labels=labels, labels_name="truth.csv", options=ReadOptions(**options))
    message = str(caught.value)
    assert "Traceback" not in message
    assert caught.value.__cause__ is None
    return message


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
