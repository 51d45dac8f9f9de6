"""The table of shapes in docs/files.md: every sample is read as it says."""

import re
import shlex
from pathlib import Path

import pytest

from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import first_rows

DOCS = Path(__file__).parents[2] / "docs" / "files.md"
HEAD = "| shape | three rows | flags | the first row, as read |"
LINES = DOCS.read_text(encoding="utf-8").splitlines()
START = LINES.index(HEAD) + 2
ROWS = [line.strip("| ").split(" | ") for line in LINES[START : LINES.index("", START)]]


def _samples(cell: str) -> list[bytes]:
    """The files of a cell: its lines, a second file behind "and"."""
    return ["\n".join(re.findall(r"`([^`]*)`", part)).encode() for part in cell.split(" and ")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_shape_of_the_docs_is_read_as_it_says(row: list[str]) -> None:
    _, cell, flags, first = row
    data, *labels = _samples(cell)
    assert all(len(file.splitlines()) == 3 + (not data.startswith(b"{")) for file in (data, *labels))
    words = shlex.split(flags.strip("`"))
    options = options_from(parser().parse_args(["survey", "x.csv", *words]))
    name = "x.jsonl" if data.startswith(b"{") else "x.csv"
    given = labels[0] if labels else None
    assert first_rows(read(data, name=name, labels=given, options=options))[0] == f"row 1: {first}"
    if words:  # a flag stands there because it is needed
        try:
            plain = first_rows(read(data, name=name, labels=given, options=ReadOptions()))[0]
        except InputError:
            return
        assert plain != f"row 1: {first}" or "rows-where" in flags or "count-column" in flags


def test_all_kinds_of_files_are_in_the_table() -> None:
    assert len(ROWS) > 20
    assert sum("sure" in row[-1] for row in ROWS) >= 7
