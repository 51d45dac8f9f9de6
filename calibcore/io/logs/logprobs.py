"""Records with the log-probabilities of answers, as OpenAI's services and many others give them.

A record is a line of somebody's own file. Beside its log-probabilities stand what was asked, what was true,
and what else is known. Columns are found by their names, as of any table.
"""

import math
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

import numpy as np

from calibcore import limits
from calibcore.column_names.names import parse
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.logs.log import LOGS, MATRIX, Log, columns_beside, log_number, remaining, softmax_of
from calibcore.io.logs.nested import (
    MOST_DEPTH,
    Tokens,
    answer_place,
    by_word,
    flat,
    places_of,
    scores_of,
    word_of,
)
from calibcore.io.options import ReadOptions
from calibcore.io.roles.varying_options import COUNT, options_note, place_names
from calibcore.io.tables import Columns, Table, column_of
from calibcore.numerics.types import Float
from calibcore.wording import quote

_LIKELIHOODS = ("loglikelihoods", "log_likelihoods", "lls")
_KEYS = (
    *_LIKELIHOODS, "top_logprobs", "topLogprobs", "logprobs", "log_probs", "logprob", "option_logprobs",
    "choice_logprobs",
)  # fmt: skip
"""Where records hold them, the ways that are looked for first."""
_OPTIONS = ("choices", "options", "candidates", "answers")
_MOST = 26
"""Different answers in a log whose records do not list their options."""


@LOGS.enter
class LogProbabilities(Log):
    """Of answers by one token, or of options that are named."""

    kind = "logprobs"
    place = 90
    label = "answers with log-probabilities"
    file = "`*.jsonl` with `logprobs`"
    reads: ClassVar[str] = (
        'Records with `"logprobs": {"A": -0.1, …}`, lists of `top_logprobs`, or a whole response of a '
        "service. The column of the truth is found by its name."
    )

    @classmethod
    def fits(cls, value: Any) -> bool:
        first = value[0] if isinstance(value, list) and value else None
        if not isinstance(first, dict):
            return False
        logs = _found(first, MOST_DEPTH)
        if not _are_numbers(logs):
            return logs is not None
        if any(isinstance(first.get(key), list) for key in _LIKELIHOODS):
            return True
        # Lists of one length are columns, and what they hold is asked as of any table.
        rows = [_found(record, MOST_DEPTH) for record in value if isinstance(record, dict)]
        return len({len(row) for row in rows if isinstance(row, list)}) > 1

    @classmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        value = remaining(value, options)
        if not value:
            raise InputError("There are no cases; expected at least 2 rows.")
        odd = [i for i, record in enumerate(value) if not isinstance(record, dict)]
        if odd:
            raise InputError(f"{list_rows(odd, lambda _: 'is no object')} Expected one question a row.")
        logs = [_found(record, MOST_DEPTH) for record in value]
        cells = [_cells(record) for record in value]
        lists = [record if _are_numbers(record) else None for record in logs]
        if all(record is not None for record in lists):
            return _table_of_lists([list(map(log_number, record or ())) for record in lists], cells)
        places = [places_of(record) for record in logs]
        bad = [i for i, record in enumerate(places) if not any(record)]
        if bad:
            raise InputError(
                f"{list_rows(bad, lambda _: 'holds no log-probabilities')} Expected them in every row.",
                leaving_out(bad, len(value)),
            )
        by_name = all(
            isinstance(record, dict) and None not in map(log_number, record.values()) for record in logs
        )
        return _table_of_tokens(value, places, cells, by_name)


_MOST_TOGETHER = 1.02
"""What tokens of one place have together at most, in numbers that were rounded to half precision."""


def _found(record: Mapping[str, Any], depth: int) -> Any:
    """The log-probabilities within a record, those nearest to its top; None if there are none."""
    for key in _KEYS:
        cell = record.get(key)
        if (isinstance(cell, dict | list) and any(places_of(cell))) or _are_numbers(cell):
            return cell
    if not depth:
        return None
    for cell in record.values():
        inner = cell[0] if isinstance(cell, list) and cell else cell  # the first choice of a response
        if isinstance(inner, dict):
            result = _found(inner, depth - 1)
            if result is not None:
                return result
    return None


def _are_numbers(cell: Any) -> bool:
    """Whether these are log-likelihoods of options, in a list."""
    numbers = list(map(log_number, cell)) if isinstance(cell, list) and len(cell) > 1 else [None]
    return all(number is not None and number <= 0 for number in numbers)


def _cells(record: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside the log-probabilities, by the ways there."""
    parts = flat({key: cell for key, cell in record.items() if key not in _KEYS})
    return {way: cell for way, cell in parts.items() if not any(key in way.split(".") for key in _KEYS)}


def _table_of_lists(lists: Sequence[Sequence[float | None]], cells: Sequence[Mapping[str, Any]]) -> Table:
    """Log-likelihoods of options by their places."""
    lengths = list(map(len, lists))
    most = limits.LIMITS.max_classes
    if max(lengths) > most:
        raise InputError(
            f"A row has {max(lengths):,} options; the limit is {most:,} (CALIBLENS_MAX_CLASSES)."
        )
    scores = np.full((len(lists), max(lengths)), np.nan)
    for i, row in enumerate(lists):
        scores[i, : len(row)] = [number for number in row if number is not None]
    note = "Probabilities are the softmax over the options of each row of their log-likelihoods."
    names = place_names(max(lengths)) if min(lengths) < max(lengths) else None
    return _table(scores, names, cells, [note])


def _table_of_tokens(
    records: Sequence[Mapping[str, Any]],
    places: Sequence[Sequence[Tokens]],
    cells: Sequence[Mapping[str, Any]],
    by_name: bool,
) -> Table:
    """Log-probabilities of answers by the words that stand for them."""
    own = _own_options(records)
    everything = by_name and all(len(record) == 1 for record in places) and _are_closed(places)
    known = [] if everything else _answers(places, cells)
    if all(len(tokens) <= 1 for record in places for tokens in record):
        return _table_of_answers(places, known, cells)
    rows: list[dict[str, float]] = []
    missing, bad = 0, []
    shares: dict[int, float] = {}
    for i, record in enumerate(places):
        if everything:
            rows.append(by_word(record[0]))
            continue
        options = known[: own[i]] if own[i] and known == list(ascii_uppercase[: len(known)]) else known
        tokens = answer_place(record, options)
        scores, unlisted = scores_of(tokens, options)
        if not tokens or unlisted == len(options):
            bad.append(i)
        missing += bool(unlisted)
        shares[i] = float(np.exp(scores).sum())
        rows.append(dict(zip(options, scores, strict=True)))
    if bad:
        raise InputError(
            f"{list_rows(bad, lambda _: 'lists none of the answers')} Expected one of {_words(known)} "
            "among the tokens.",
            leaving_out(bad, len(records)),
        )
    if over := [i for i, share in shares.items() if share > _MOST_TOGETHER]:
        raise InputError(
            f"{list_rows(over, lambda i: f'gives its answers {100 * shares[i]:.3g} % together')} Expected "
            "tokens of one place, each of them once, which have 100 % at most.",
            leaving_out(over, len(records)),
        )
    names = _names(rows)
    matrix = np.full((len(rows), len(names)), np.nan)
    index = {word: k for k, word in enumerate(names)}
    for i, row in enumerate(rows):
        matrix[i, [index[word] for word in row]] = list(row.values())
    notes = ["Probabilities are the softmax over the options of each row of their log-probabilities."]
    if shares:
        mean = 100 * float(np.mean(list(shares.values())))
        notes.append(
            f"Tokens that are no option were left out: options have {mean:.3g} % of "
            f"the probability on average, and at least {100 * min(shares.values()):.3g} %."
        )
    if missing:
        notes.append(
            f"In {missing:,} of {len(rows):,} rows an option is not among the listed tokens. It was "
            "given the most that it can have."
        )
    return _table(matrix, names, cells, notes)


def _table_of_answers(
    places: Sequence[Sequence[Tokens]], known: Sequence[str], cells: Sequence[Mapping[str, Any]]
) -> Table:
    """What was answered, and how sure the model was of that alone, where no other tokens were logged."""
    answered: list[str] = []
    sure: list[float] = []
    other: dict[int, str] = {}
    for i, record in enumerate(places):
        pairs = [(word_of(token), number) for tokens in record for token, number in tokens.items()]
        answer = next((pair for pair in pairs if pair[0] in known), None)
        if answer is None:
            other[i] = pairs[0][0]
            continue
        answered.append(answer[0])
        sure.append(min(1.0, math.exp(answer[1])))
    if other:
        rows = list_rows(list(other), lambda i: f"begins with {quote(other[i])}")
        raise InputError(
            f"{rows} Expected one of the answers {_words(known)} among the tokens.",
            leaving_out(list(other), len(places)),
        )
    columns = Columns()
    columns.add("prediction", column_of(answered))
    columns.add("confidence", column_of(sure))
    for name, column in columns_beside(cells, truths=True).items():
        if name not in columns.names:
            columns.add(name, column_of(column))
    note = "The log holds the probability of each answer alone, and not of the other options."
    return columns.table(f"JSON, {LogProbabilities.label}", notes=(note,))


def _are_closed(places: Sequence[Sequence[Tokens]]) -> bool:
    """Whether what is listed are the options: few words in all, and hardly any token besides."""
    words = {word for record in places for word in by_word(record[0])}
    return 2 <= len(words) <= _MOST and len({token for record in places for token in record[0]}) == len(words)


def _own_options(records: Sequence[Mapping[str, Any]]) -> list[int]:
    """How many options each record lists; 0 where it lists none."""
    counts = []
    for record in records:
        listed = next((record[key] for key in _OPTIONS if isinstance(record.get(key), list | dict)), ())
        plain = all(isinstance(cell, str | int | float) for cell in listed)
        counts.append(len(listed) if plain and len(listed) > 1 else 0)
    return counts


def _answers(places: Sequence[Sequence[Tokens]], cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """The answers that there are: the words of the column of the truth, and letters up to the last one."""
    words: set[str] = set()
    for name in dict.fromkeys(name for row in cells for name in row):
        parsed = parse(name.rpartition(".")[2])
        if not (parsed.speaks_of_outcomes or parsed.role == "predicted" or _is_answer(name)):
            continue
        column = [row.get(name) for row in cells]
        texts = {str(cell).strip() for cell in column if isinstance(cell, str | int)}
        listed = sum(any(not texts.isdisjoint(by_word(tokens)) for tokens in record) for record in places)
        if 1 <= len(texts) <= _MOST and 2 * listed >= len(places):
            words |= texts
    if words and words <= set(ascii_uppercase):
        listed_letters = {
            word
            for record in places
            for tokens in record
            for word in by_word(tokens, tuple(ascii_uppercase[:5]))
        }
        last = max(ascii_uppercase.index(word) for word in words)
        beside = [k for k, letter in enumerate(ascii_uppercase) if letter in listed_letters]
        while last + 1 in beside and last < 4:
            last += 1
        return list(ascii_uppercase[: max(last + 1, 2)])
    if len(words) < 2:
        raise InputError(
            "Nothing says which tokens are the answers. Expected the truth in a column such as "
            "'label', whose words are among the tokens."
        )
    return sorted(words)


def _is_answer(name: str) -> bool:
    return name.rpartition(".")[2].lower() in ("answer", "gold", "ideal", "expected", "correct_answer")


def _names(rows: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    alike = all(list(row) == list(rows[0]) for row in rows)
    return tuple(rows[0]) if alike else tuple(sorted({word for row in rows for word in row}))


def _words(known: Sequence[str]) -> str:
    return ", ".join(map(quote, known[:6]))


def _table(
    scores: Float,
    names: Sequence[str] | None,
    cells: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
) -> Table:
    counts = np.count_nonzero(~np.isnan(scores), axis=1)
    few = np.flatnonzero(counts < 2)
    if len(few):
        rows = list_rows(few, lambda i: "has 1 option" if counts[i] else "has no options")
        raise InputError(f"{rows} Expected two or more.", leaving_out(few, len(scores)))
    dead = np.flatnonzero(~np.isfinite(np.nanmax(scores, axis=1)))
    if len(dead):
        raise InputError(
            f"{list_rows(dead, lambda _: 'has no finite log-probability')} Expected at least one.",
            leaving_out(dead, len(scores)),
        )
    columns = Columns()
    columns.add_matrix(MATRIX, softmax_of(scores))
    for name, column in columns_beside(cells, truths=True).items():
        if name not in columns.names:
            columns.add(name, column_of(column))
    made = (counts != counts[0]).any() and COUNT not in columns.names
    if made:
        columns.add(COUNT, column_of(counts.tolist()))
    return columns.table(
        f"JSON, {LogProbabilities.label}",
        class_names=None if names is None else tuple(names),
        notes=(*notes, *options_note(counts)),
        made=frozenset([COUNT] if made else []),
    )
