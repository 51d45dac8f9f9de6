"""How sure a model was of its answer, from 0 to 1: of fractions, per cent, logarithms and words."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from calibcore.column_names import lexicon
from calibcore.data.arrays import widened
from calibcore.data.checks import CLIPPED, clipped_note, snapped
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions, confidence_words_of
from calibcore.io.roles.large_numbers import as_something_else
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.roles.values import hundredths, written_with_percent
from calibcore.io.tables import Array, as_numbers, capitalised
from calibcore.numerics.types import Float
from calibcore.wording import listed

PERCENT = Remedy("These are per cent: divide them by 100", {"values": "percent"})
FRACTIONS = Remedy("These are numbers from 0 to 1", {"values": "probabilities"})
LOGARITHMS = Remedy("These are logarithms of probabilities", {"values": "log-probabilities"})
ASK_WORDS = Remedy("Say what each word stands for", asks="confidence_words")
_MOSTLY = 0.9
RATING = Remedy("Say what each number of the rating stands for", asks="confidence_words")
_HIGHEST_RATING = 10
"""Numbers up to it may be a rating as well as per cent: 8.5 of 10."""
_MOST_LISTED = 12


def read(look: Look, j: int, options: ReadOptions) -> tuple[Array, str, tuple[str, ...]]:
    """(n,) numbers from 0 to 1 of the column j, what they were, and sentences about it. Cost O(n).

    Raises
    ------
    InputError : a cell that is empty or holds no number, words that nobody explains, numbers outside the
        scale; a question where the numbers may be on more than one scale.
    """
    with _of_column(look.names[j]):
        return _read(look, j, options)


def _read(look: Look, j: int, options: ReadOptions) -> tuple[Array, str, tuple[str, ...]]:
    where = capitalised(look.table.where(j))
    values, worded, notes = _numbers(look, j, options, where)
    kind, why = options.values, "as asked"
    if kind == "auto":
        signed = worded is None and written_with_percent(look.table, (j,))
        kind, why = ("percent", "written with %") if signed else _scale(look, j, values, worded, where)
    sure = values if worded is None else values[~worded]
    if kind == "percent":
        sure = hundredths(widened(sure, 100))
        notes = (*notes, f"The confidences are per cent ({why}) and were divided by 100.")
    elif kind == "log-probabilities":
        _refuse(values > CLIPPED, values, "Expected logarithms of probabilities, which are 0 or less.")
        sure = np.exp(np.minimum(widened(sure), 0))
        notes = (*notes, f"The confidences are logarithms of probabilities ({why}).")
    out: Array = sure
    if worded is not None:
        out = values.astype(np.float64)
        out[~worded] = sure
    wrong = ~((out >= -CLIPPED) & (out <= 1 + CLIPPED))
    if wrong.any():
        scale = "per cent from 0 to 100" if kind == "percent" else "numbers from 0 to 1"
        other = PERCENT if kind == "probabilities" and values.min() >= 0 and values.max() <= 100 else None
        _refuse(wrong, values, f"Expected {scale}, how sure the model was of its answer.", other)
    over = np.maximum(out - 1, -out)
    outside = over > 0
    notes = (*notes, *clipped_note(int(outside.sum()), float(over[outside].max(initial=0))))
    return np.clip(out, 0, 1), kind, notes


def _refuse(bad: Array, values: Array, expected: str, other: Remedy | None = None) -> None:
    rows = np.flatnonzero(bad)
    if large := as_something_else(values.astype(np.float64)):
        raise InputError(
            f"The confidences go from {values.min():.10g} to {values.max():.10g}, as {large} do. {expected}"
        )
    if len(rows):
        where = list_rows(rows, lambda i: f"has the confidence {values[i]:.6g}")
        raise InputError(
            f"{where} {expected}", [*leaving_out(rows, len(values)), *([other] if other else [])]
        )


def _numbers(
    look: Look, j: int, options: ReadOptions, where: str
) -> tuple[Array, Array | None, tuple[str, ...]]:
    """(n,) numbers as they stand there, (n,) where a word stood for one (None: nowhere), and sentences."""
    column = look.table.columns[j]
    numbers, _ = as_numbers(column, look.table.decimal)
    given = confidence_words_of(options.confidence_words)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if not len(bad) and not given:
        return numbers, None, ()
    cells = [cell_text(cell) for cell in column]
    if given:
        return _by_words(numbers, cells, given, where)
    words = {cells[i] for i in bad if cells[i].lower() not in lexicon.NO_VALUE and np.isnan(numbers[i])}
    if words and 2 * len(bad) > len(cells) and len(words) <= _MOST_LISTED:
        raise InputError(
            f"{where} holds the words {listed(sorted(words))}. Expected numbers, or what each of these words "
            "stands for.",
            (replace(ASK_WORDS, each=tuple(sorted(words))),),
        )
    which = look.table.where(j)
    rows = list_rows(
        bad, lambda i: f"has {cells[i]!r:.60} in {which}" if cells[i] else f"is empty in {which}"
    )
    raise InputError(
        f"{rows} Expected a number in every cell{', or what each word stands for' if words else ''}.",
        [*leaving_out(bad, len(cells)), *([ASK_WORDS] if words else [])],
    )


def _by_words(
    numbers: Array, cells: list[str], given: Mapping[str, float], where: str
) -> tuple[Array, Array | None, tuple[str, ...]]:
    """The same where some words were said to stand for numbers."""
    folded = [cell.casefold() for cell in cells]
    worded = np.array([cell in given for cell in folded])
    values = numbers.astype(np.float64)
    values[worded] = [given[cell] for cell in folded if cell in given]
    bad = np.flatnonzero(~worded & ~np.isfinite(values))
    if len(bad):
        unexplained = sorted({cells[i] for i in bad} - {""})
        holds = (
            f"the words {listed(unexplained, 5)}, which nothing is said about"
            if unexplained
            else "empty cells"
        )
        raise InputError(
            f"{where} holds {holds}. {list_rows(bad, lambda i: f'has {cells[i]!r:.60}')} Expected what each "
            "word stands for.",
            [*leaving_out(bad, len(cells)), *([_of_each(given, unexplained)] if unexplained else [])],
        )
    used = {cell: given[cell] for cell in dict.fromkeys(folded) if cell in given}
    note = ", ".join(f"{word!r:.30} as {value:g}" for word, value in used.items())
    notes = (f"Words for the confidence were read as asked: {note}.",) if used else ()
    return values, worded if worded.any() else None, notes


def _scale(look: Look, j: int, values: Array, worded: Array | None, where: str) -> tuple[str, str]:
    """Whether numbers are fractions or per cent; a question where both may be."""
    numbers: Float = snapped((values if worded is None else values[~worded]).astype(np.float64))
    says_percent = look.parsed[j].percent
    if not len(numbers):
        return "probabilities", ""
    low, high = numbers.min(), numbers.max()
    both = [_with_rows(PERCENT, numbers, 100), _with_rows(FRACTIONS, numbers, 1)]
    if high <= 1:
        if high <= 0 and low < 0:
            raise InputError(
                f"The values of {look.table.where(j)} go from {low:.6g} to {high:.6g}. Expected numbers from "
                "0 to 1, how sure the model was of its answer; these look like logarithms.",
                (LOGARITHMS,),
            )
        if says_percent:
            raise InputError(
                f"The name of {look.table.where(j)} says per cent, and no value is above 1.", both
            )
        if ((numbers == 0) | (numbers == 1)).all() and len(numbers) > 1 and worded is None:
            raise InputError(
                f"{where} holds only 0 and 1, as decisions do: they may be not sure at all and certain, or 0 "
                "and 1 per cent.",
                both[::-1],
            )
        return "probabilities", ""
    integral = numbers == np.floor(numbers)
    if high > 100 or low < 0 or np.mean(numbers <= 1) >= _MOSTLY:
        return ("percent" if says_percent else "probabilities"), ""
    if says_percent:
        return "percent", "because of the name"
    if high <= _HIGHEST_RATING:
        few = len(np.unique(numbers)) <= _MOST_LISTED
        divide = "" if few else " Ratings are divided by the highest one in the file."
        raise InputError(
            f"{where} holds {'whole ' if integral.all() else ''}numbers up to {high:g}: they may be per "
            f"cent, or a rating such as 3 of 5.{divide}",
            (both[0], *((replace(RATING, each=_each(numbers)),) if few else ())),
        )
    between = (numbers > 0) & (numbers < 1)
    if between.any() and integral[~between].all():
        first = numbers[between][0]
        raise InputError(
            f"{where} holds whole numbers up to {high:g}, as per cent are, and {first:g}, which may be "
            f"{first:g} per cent or {100 * first:g} per cent.",
            (PERCENT, *leaving_out(np.flatnonzero(_of_all(between, worded)), len(values))),
        )
    return "percent", f"they go up to {high:g}"


def _of_each(given: Mapping[str, float], unexplained: list[str]) -> Remedy:
    """What all words stand for, where there are few: those that were said are asked again."""
    words = (*given, *unexplained)
    return replace(ASK_WORDS, each=words if len(words) <= _MOST_LISTED else ())


def _each(numbers: Float) -> tuple[str, ...]:
    return tuple(f"{number:g}" for number in np.unique(numbers).tolist())


def _of_all(part: Array, worded: Array | None) -> Array:
    if worded is None:
        return part
    out = np.zeros(len(worded), dtype=bool)
    out[~worded] = part
    return out


def _with_rows(remedy: Remedy, numbers: Float, scale: int) -> Remedy:
    """The same with what the first rows would be."""
    rows = tuple({"in the file": f"{x:g}", "sure": f"{x / scale:g}"} for x in numbers[:3].tolist())
    return Remedy(remedy.words, remedy.change, rows=rows)


@contextmanager
def _of_column(name: str) -> Iterator[None]:
    """Inside, what would mend the numbers says also of which column they are."""
    try:
        yield
    except InputError as error:
        error.remedies = tuple(
            replace(remedy, change={"confidence_column": name, **remedy.change})
            if "values" in remedy.change
            else remedy
            for remedy in error.remedies
        )
        raise
