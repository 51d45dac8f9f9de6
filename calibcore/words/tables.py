"""Tables, and tables as CSV: full precision, and no cell that a spreadsheet would take for a formula. Cells
that begin with a number, as numbers to sort by."""

import csv
import io
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

from calibcore.data.outside_text import visible
from calibcore.wording import joined

T = TypeVar("T")
Row = dict[str, Any]
"""Head -> cell."""
Rows = list[Row]
Cells = list[dict[str, str]]
"""Rows of text alone."""
FORMULA = frozenset("=+-@")
"""What a spreadsheet takes for a formula at the beginning of a cell, in any width of letters."""
_BEGINNINGS = re.compile(r"(?:^|(?<=[\n\t;]))(\s*)(\S)")
"""Where a cell begins: where the text does, and where a spreadsheet of other settings separates cells."""


MOST_NAMED = 5
"""Names of a list in a sentence."""


def named_few(names: Sequence[str]) -> str:
    """ "'a', 'b' and 'c'" of words in their order; of many the first ones, and how many more."""
    few = (
        list(names)
        if len(names) <= MOST_NAMED
        else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    )
    return joined(few)


def csv_of(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as a CSV with a line of names; what a row lacks is empty, and no rows give an empty line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer.writerow(map(safe_cell, names))
    writer.writerows([safe_cell(row.get(name)) for name in names] for row in rows)
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


STANDS_OUT = {"Stands out": "yes", "Outside": "yes", "Beyond chance": "yes", "Remark": "outside"}
"""Head -> cell of a row that stands out from chance."""


OFF = "Miscalibrated"
"""How the cell of a verdict begins that found a problem."""


def shortened(rows: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """So many rows, in their order: the first ones, but none that stands out gives way to one that does not.

    Of those that stand out the smallest adjusted p stay; so do they of all rows, where no column says which
    stand out.
    """
    heads = tuple(rows[0]) if rows else ()
    p = next((head for head in heads if "adjusted p" in head.lower()), "")
    by_p = not any(head in STANDS_OUT for head in heads)

    def weight(place: int) -> tuple[bool, float, int]:
        out = stands_out(rows[place])
        number = number_in(rows[place].get(p)) if p and (out or by_p) else 0.0
        return not out, math.inf if number is None else number, place

    return [rows[place] for place in sorted(sorted(range(len(rows)), key=weight)[:most])]


def spread(items: Sequence[T], most: int, outside: Callable[[T], bool]) -> list[T]:
    """So many items, in their order: those that are ``outside``, and of the others some that lie evenly, the
    last among them. Where too many are outside, of these some that lie evenly."""
    if len(items) <= most:
        return list(items)
    out = [place for place, item in enumerate(items) if outside(item)]
    rest = [place for place, item in enumerate(items) if not outside(item)]
    left = max(0, most - len(out))
    return [items[place] for place in sorted([*_evenly(out, most), *_evenly(rest, left)])]


def _evenly(places: Sequence[int], most: int) -> list[int]:
    """So many of them, the last among them."""
    if len(places) <= most:
        return list(places)
    return [places[-1 - (k * len(places)) // most] for k in range(most)]


def stands_out(row: Mapping[str, Any]) -> bool:
    """Whether a row stands out from chance, or is of a verdict that found a problem."""
    off = str(row.get("Verdict", "")).startswith(OFF)
    return off or any(row.get(head) == cell for head, cell in STANDS_OUT.items())


# --- cells that begin with a number ---------------------------------------------------


MOST_CELLS = 50_000
"""Of a table that is shown by its words and sorted by their numbers; of a larger one words are sorted."""
_NUMBER = re.compile(
    r"(?:'.*' )?\(?(?:p )?(?P<sign>[<>≤≥=]|about|fewer than|up to|above|at (?:most|least))?\s?"
    r"(?P<number>[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?=$|[\s%),;])"
    r"(?P<low>(?: points?)? too (?:low|unsure))?"
)
_BEST = re.compile(r"best estimate (?P<number>[+−-]?\d+(?:\.\d+)?)")
_POWER = re.compile(r"× 10(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_NO_NUMBER = re.compile(r"[–…]?|none|missing|withheld.*|(?:no|not) .*")
"""What stands in a column of numbers where there is none."""
_BESIDE = {"<": -0.001, "fewer than": -0.001, "up to": -0.001, ">": 0.001, "above": 0.001}
"""How far beside its number a cell is sorted, by the number's size."""
_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def number_in(cell: object) -> float | None:
    """What a cell is sorted by: the number that it begins with, the best estimate where that stands behind an
    interval; below 0 what is too low. "4.2 points (3.0 to 5.1)" -> 4.2, "3.6 too low (2.1 to 5.0)" -> -3.6,
    "< 0.0001" -> a little less, "–" -> infinity, "cat" -> None.
    """
    if not isinstance(cell, str):
        return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else None
    if _NO_NUMBER.fullmatch(cell):
        return math.inf
    match = _NUMBER.match(cell)
    if match is None:
        return None
    text = (_BEST.search(cell) or match)["number"]
    power = _POWER.search(cell)
    exponent = power["power"].translate(_DIGITS) if power else "0"
    value = float(f"{text.translate(_DIGITS).replace(',', '')}e{exponent}")
    value += abs(value) * _BESIDE.get(match["sign"] or "", 0.0)
    return float(f"{-value if match['low'] else value:.12g}")


def numbers_in(cells: Sequence[object]) -> list[float] | None:
    """What a column is sorted by; None where it is one of words, or of numbers already."""
    if not any(isinstance(cell, str) for cell in cells):
        return None
    numbers = [number_in(cell) for cell in cells]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) and any(map(math.isfinite, known)) else None


def columns_of_numbers(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Head -> what its cells are sorted by, of the columns that words would sort wrongly, as 13.3 before 8.7.

    None of a table that is too large.
    """
    heads = list(rows[0]) if rows else []
    if len(rows) * len(heads) > MOST_CELLS:
        return {}
    columns = {head: [row.get(head) for row in rows] for head in heads}
    return {head: numbers for head, cells in columns.items() if (numbers := numbers_in(cells)) is not None}


def sortable(rows: Sequence[Mapping[str, Any]], numbers: Mapping[str, Sequence[float]]) -> "Styler":
    """The rows as a data frame that sorts the columns of ``numbers`` by these.

    A table shows a cell's words, but sorts and reads aloud its value. So that is the words, too, behind a
    rank in white space, which nobody reads: of tabs and blanks, of which a browser sorts the tab first. (In
    Thai it would pass over white space, but for what ``assets/tab.js`` asks of it.)
    """
    import pandas as pd

    frame = pd.DataFrame({head: [row.get(head) for row in rows] for head in rows[0]})
    styler = frame.assign(
        **{head: _ranked(list(frame[head]), values) for head, values in numbers.items()}
    ).style.format(_as_it_is)
    for head, values in numbers.items():
        styler = styler.format(partial(_without_rank, _places(values)), subset=[head])
    return styler


def _places(numbers: Sequence[float]) -> int:
    """How many letters a rank has: as many as tell all numbers apart, one at least."""
    return max(1, (len(set(numbers)) - 1).bit_length())


def _ranked(cells: Sequence[object], numbers: Sequence[float]) -> list[str]:
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    places = _places(numbers)
    zero_one = str.maketrans("01", "\t ")
    return [
        f"{ranks[number]:0{places}b}".translate(zero_one) + str(cell)
        for cell, number in zip(cells, numbers, strict=True)
    ]


def _without_rank(places: int, cell: str) -> str:
    return cell[places:]


def _as_it_is(cell: object) -> str:
    return "" if cell is None or cell != cell else str(cell)
