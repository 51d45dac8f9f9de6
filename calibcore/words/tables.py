"""Tables, and tables as CSV: full precision, and no cell that a spreadsheet would take for a formula."""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.data.checks import visible

Row = dict[str, Any]
"""Head -> cell."""
Rows = list[Row]
Cells = list[dict[str, str]]
"""Rows of text alone."""
FORMULA = frozenset("=+-@")
"""What a spreadsheet takes for a formula at the beginning of a cell, in any width of letters."""
_BEGINNINGS = re.compile(r"(?:^|(?<=[\n\t;]))(\s*)(\S)")
"""Where a cell begins: where the text does, and where a spreadsheet of other settings separates cells."""


def csv_of(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows with the same keys as a CSV with a line of names; no rows give an empty line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(safe_cell, rows[0] if rows else ()))
    writer.writerows(map(safe_cell, row.values()) for row in rows)
    return out.getvalue()


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula, with a ' in front; numbers as they are.

    Neither blanks before it nor letters of full width hide a formula. A return becomes a line break, which is
    quoted: unquoted, what follows would begin a row. What else cannot be seen, such as the control sequences
    of terminals, becomes blanks.
    """
    if not isinstance(value, str):
        return value
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    text = "\n".join("\t".join(map(visible, line.split("\t"))) for line in lines)
    guarded = _BEGINNINGS.sub(_guarded, text)
    return f"'{text}" if text[:1] in ("\t", "\n") and guarded == text else guarded


def _guarded(match: re.Match[str]) -> str:
    blanks, first = match.groups()
    formula = unicodedata.normalize("NFKC", first)[:1] in FORMULA
    return f"'{blanks}{first}" if formula else match[0]
