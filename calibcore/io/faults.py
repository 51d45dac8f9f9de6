"""What is wrong with the rows of a file: every kind of it at once, and how a spreadsheet counts them."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions

MOST_KINDS = 4
"""Kinds of faults that one sentence after the other names."""
LARGE = 10_000_000
"""Bytes from which a file is not read again to look for more: it names one kind of fault at a time."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_FIRST_ROW = re.compile(r"\b[Rr]ow (\d[\d,]*)")


def raise_every_kind(
    error: InputError, again: Callable[[ReadOptions], object], options: ReadOptions
) -> NoReturn:
    """Raise ``error``, and with it what is wrong in other rows, which stays hidden behind it.

    Leaving rows out would mend it. The file is read ``again`` without them, as often as that names more rows:
    what a person would be told one click after the other. Cost: up to :data:`MOST_KINDS` readings.

    Raises
    ------
    InputError : the same, where there is no more to say; else all sentences, and one remedy for all rows.
    """
    rows, sentences = set(rows_to_leave_out(error)), [str(error)]
    elsewhere = [remedy for remedy in error.remedies if "leave_out_rows" not in remedy.change]
    while len(sentences) < MOST_KINDS:
        further = _refusal(again, replace(options, leave_out_rows=tuple({*options.leave_out_rows, *rows})))
        more = rows_to_leave_out(further) if further else ()
        if not further or not more:
            break
        rows |= set(more)
        sentences.append(str(further))
        elsewhere += [r for r in further.remedies if "leave_out_rows" not in r.change and r not in elsewhere]
    if len(sentences) == 1:
        raise error
    # Divided by its sum a row that sums to 1.2 is mended; one without a label, or with 1.7 in it, is not.
    elsewhere = [remedy for remedy in elsewhere if "renormalise" not in remedy.change]
    leave_out = Remedy(f"Leave out these {len(rows):,} rows", {"leave_out_rows": tuple(sorted(rows))})
    every = InputError(" ".join(sentences), (leave_out, *elsewhere))
    every.columns, every.label_columns, every.rows = error.columns, error.label_columns, error.rows
    every.kinds, every.lines_above = tuple(sentences), error.lines_above
    raise every from None


def _refusal(again: Callable[[ReadOptions], object], options: ReadOptions) -> InputError | None:
    try:
        again(options)
    except InputError as error:
        return error
    return None


def rows_to_leave_out(error: InputError) -> tuple[int, ...]:
    """The rows, numbered from 1, without which it would not have been raised; none if that is not known."""
    return next((r.change["leave_out_rows"] for r in error.remedies if "leave_out_rows" in r.change), ())


def name_spreadsheet_row(error: InputError) -> None:
    """Say what a spreadsheet calls the first row that an error names, where it counts otherwise."""
    above, error.lines_above = error.lines_above, 0
    row = _FIRST_ROW.search(_QUOTED.sub("", str(error)))
    if row and above:
        number = int(row[1].replace(",", ""))
        error.args = (
            f"{error} Rows are counted below the names: row {row[1]} is row {number + above:,} of a "
            "spreadsheet.",
        )
