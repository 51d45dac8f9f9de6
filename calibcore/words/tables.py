"""Tables, and tables as CSV: full precision, and no cell that a spreadsheet would take for a formula."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]
"""Head -> cell."""
Rows = list[Row]
Cells = list[dict[str, str]]
"""Rows of text alone."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula at the beginning of a cell."""


def csv_of(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows with the same keys as a CSV with a line of names; no rows give an empty line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(safe_cell, rows[0] if rows else ()))
    writer.writerows(map(safe_cell, row.values()) for row in rows)
    return out.getvalue()


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula, with a ' in front; numbers as they are.

    A return becomes a line break, which is quoted: unquoted, what follows would begin a row.
    """
    if not isinstance(value, str):
        return value
    text = f"'{value}" if value.startswith(FORMULA) else value
    return text.replace("\r\n", "\n").replace("\r", "\n")
