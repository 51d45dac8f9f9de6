"""JSON -> :class:`Table`."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from calibcore import limits
from calibcore.column_names.name_words import loose
from calibcore.column_names.names import parse
from calibcore.data.row_numbers import list_rows, rows_left_out
from calibcore.errors import InputError
from calibcore.io.arrays import rows_to_array, table_of_arrays
from calibcore.io.cells import table_of_cells
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.logs import log_of
from calibcore.io.options import ReadOptions
from calibcore.io.roles.sums import MOST, NEAR
from calibcore.io.roles.token_lists import numbers_of_tokens
from calibcore.io.roles.varying_options import place_names
from calibcore.io.tables import (
    Array,
    Columns,
    Table,
    check_rows,
    check_width,
    column_of,
    most_columns,
    refuse_ragged,
)
from calibcore.wording import listed, quote

_EXPECTED = (
    "expected a list of records, a list of rows, columns by name, or "
    '{"probs": [[…], …], "labels": […]}'
)  # fmt: skip


@FORMATS.enter
class JSON(Format):
    """JSON, or JSON lines. A parsed number takes twice as much memory as in other texts, and counts so."""

    kind = "json"
    place = 60
    label = "JSON"
    reads = (
        "Records, rows, columns by name, arrays by name, or one value a line. Logs of language models, see "
        "[below](#logs-of-language-models)."
    )
    endings = (".json", ".jsonl", ".eval")
    magic = (b"[", b"{")
    text = True
    weight = 2

    @classmethod
    def read(cls, content: Content) -> Table:
        options = content.options
        value = _parsed(content.data)
        log = None if content.want_labels else log_of(value)
        if log is not None:  # which leaves out rows itself: they may be what it cannot read
            with rows_left_out(options.leave_out_rows):
                return log.read(value, content.name, options)
        return _table_of(value, options, content.want_labels).without(options.leave_out_rows)


def _parsed(data: bytes) -> Any:
    """What a JSON holds; a list where each line is one. Cost O(bytes)."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"Byte {error.start + 1:,} of the JSON is not UTF-8. Save the file as UTF-8."
        ) from None
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"The JSON is nested too deeply; {_EXPECTED}.") from None
    except ValueError as error:
        value = _json_lines(text)
        if value is None:
            line, character = getattr(error, "lineno", 1), getattr(error, "colno", 1)
            raise InputError(
                f"The JSON is damaged or cut off at line {line:,}, character {character:,}. Save it again."
            ) from None
    return value


def _table_of(value: Any, options: ReadOptions, want_labels: bool) -> Table:
    """Records, rows, columns by name, arrays by name, or one JSON value a line."""
    if isinstance(value, dict):
        return replace(_of_object(value, options, want_labels), missing="has null or NaN")
    if isinstance(value, list) and value:
        return replace(_of_list(value, options.header), missing="has null or NaN")
    raise InputError(f"The JSON holds {'an empty list' if value == [] else quote(value)}; {_EXPECTED}.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, each of whose names stands once."""
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise InputError(f"The name {quote(twice)} stands twice in one object of the JSON; expected once.")
    return value


def _json_lines(text: str) -> list[Any] | None:
    # No other break of lines: a text in a line may hold what Unicode calls one.
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
    try:
        values = [json.loads(line, object_pairs_hook=_object) for line in lines]
    except InputError:
        raise
    except (ValueError, RecursionError):
        return None
    return values if len(values) > 1 else None


def _of_list(rows: list[Any], header: bool | None) -> Table:
    check_rows(len(rows) - 1)
    kinds = set(map(type, rows))
    if kinds == {dict}:
        return _of_records(rows)
    if kinds == {list}:
        refuse_ragged(list(map(len, rows)))
        if not rows[0]:
            raise InputError(f"The rows of the JSON are empty; {_EXPECTED}.")
        return table_of_cells(rows, header, "JSON, a list of rows")
    if kinds & {dict, list}:
        odd = [i for i, row in enumerate(rows) if type(row) is not type(rows[0])]
        where = list_rows(odd, lambda i: f"is {_kind(rows[i])}")
        raise InputError(f"{where} Expected {_kind(rows[0])} in every row, as in the first.")
    return table_of_cells([[row] for row in rows], header, "JSON, a list of values")


def _kind(value: object) -> str:
    words: dict[type, str] = {dict: "an object", list: "a list"}
    return words.get(type(value), "a single value")


def _of_records(rows: Sequence[dict[str, Any]]) -> Table:
    names = rows[0].keys()
    check_width(len(names))
    odd = [i for i, row in enumerate(rows) if row.keys() != names]

    def describe(i: int) -> str:
        lacking = [name for name in names if name not in rows[i]]
        further = [name for name in rows[i] if name not in names]
        return f"lacks {listed(lacking, 3)}" if lacking else f"has {listed(further, 3)} besides"

    if odd:
        raise InputError(
            f"{list_rows(odd, describe)} Expected the same names in every record as in the first."
        )
    check_width(len(names))
    columns = spread({name: [row[name] for row in rows] for name in names})
    check_width(len(columns))
    return _of_columns(columns, "JSON, a list of records")


def _of_object(value: dict[str, Any], options: ReadOptions, want_labels: bool) -> Table:
    if {"columns", "data"} <= value.keys() <= {"columns", "data", "index"} and _is_matrix(value["data"]):
        rows, names = value["data"], value["columns"]
        refuse_ragged(list(map(len, rows)), len(names))
        columns = table_of_cells(rows, False, "").columns
        return Table(columns, tuple(map(str, names)), True, "JSON, columns and data")
    lists = {name: v for name, v in _by_key(value).items() if isinstance(v, list)}
    check_width(len(lists))
    if not lists or not any(lists.values()):
        raise InputError(f"The JSON is an object with {listed(list(value)) or 'nothing in it'}; {_EXPECTED}.")
    lengths = {len(v) for v in lists.values()}
    if len(lengths) == 1 and any(_of_options(v) is not None for v in lists.values()):
        return _of_columns(lists, "JSON, columns by name")
    if any(map(_is_matrix, lists.values())) or len(lengths) > 1:
        arrays = {name: _array(name, v) for name, v in lists.items()}
        if len(lengths) > 1 and not any(a.ndim == 2 for a in arrays.values()):
            sizes = ", ".join(f"{quote(name)} {len(v):,}" for name, v in list(lists.items())[:10])
            raise InputError(f"The columns of the JSON differ in length: {sizes}. Expected one length.")
        return table_of_arrays(arrays, "JSON, arrays by name", options, want_labels)
    return _of_columns(lists, "JSON, columns by name")


def _by_key(value: dict[str, Any]) -> dict[str, Any]:
    """Columns whose values have keys, as lists: row by row the same key.

    :class:`InputError` if the keys differ, or it is open whether they or the names are those of columns.
    """
    keyed = {name: v for name, v in value.items() if isinstance(v, dict)}
    if not keyed:
        return value
    first = next(iter(keyed))
    keys = list(keyed[first])
    check_width(min(len(keyed), len(keys)))  # the others are rows
    for name, column in keyed.items():
        if column.keys() != keyed[first].keys():
            odd = next(key for key in (*column, *keys) if (key in column) != (key in keyed[first]))
            raise InputError(
                f"In the JSON, {quote(name)} and {quote(first)} have other keys: {quote(odd)} is only in "
                "one of them. Expected the same keys, one for each row."
            )
    plain = len(keyed) == len(value) and _is_plain(keyed[first])
    if plain and _say_more(keys, list(keyed)):
        return {key: [column[key] for column in keyed.values()] for key in keys}
    counting = keys in ([str(i) for i in range(start, start + len(keys))] for start in (0, 1))
    bare = [name for name, v in value.items() if isinstance(v, list) and len(v) == len(keys)]
    if bare and not counting:
        raise InputError(
            f"In the JSON, {quote(first)} has a key for each value, and {quote(bare[0])} has none. "
            "Expected keys in both, or in none."
        )
    return {name: [v[key] for key in keys] if name in keyed else v for name, v in value.items()}


def _is_plain(value: Mapping[str, Any]) -> bool:
    """Whether an object holds single values alone."""
    return not any(isinstance(cell, dict | list) for cell in value.values())


def _say_more(keys: list[str], names: list[str]) -> bool:
    """Whether the keys within objects name the columns, and the objects are rows."""
    if max(len(keys), len(names)) > most_columns():
        return len(names) > len(keys)
    inner, outer = (sum(bool(parse(name).role) for name in words) for words in (keys, names))
    counting = [all(name.isdecimal() for name in words) for words in (keys, names)]
    if counting[0] != counting[1]:
        return counting[1]
    if inner == outer:
        raise InputError(
            f"In the JSON it is open whether {listed(names, 3)} or {listed(keys, 3)} are the columns. Save "
            "it as a list of records."
        )
    return inner > outer


def _is_matrix(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, list) for row in value)


def _are_words(rows: list[list[Any]]) -> bool:
    """Whether lists hold texts: the classes that a case is, or the one that it is."""
    return any(rows) and all(isinstance(cell, str) for row in rows for cell in row)


def _array(name: str, values: list[Any]) -> Array:
    if not _is_matrix(values):
        return column_of(values).to_numpy()
    try:
        refuse_ragged(list(map(len, values)))
    except InputError as error:
        raise InputError(f"In {quote(name)}: {error}") from None
    if not values[0]:
        raise InputError(f"The rows of {quote(name)} are empty; expected one number a class.")
    return rows_to_array(values)


def _of_columns(lists: Mapping[str, list[Any]], source: str) -> Table:
    """Columns by name; a column of lists of one length becomes one column a place."""
    columns = Columns()
    class_names: tuple[str, ...] | None = None
    of_tokens = numbers_of_tokens(lists)
    for name, values in lists.items():
        options = None if name in of_tokens else _of_options(values)
        if options is not None:
            columns.add_matrix(name, options)
            class_names = place_names(options.shape[1])
        elif _is_matrix(values) and name in of_tokens:  # a text has as many tokens as it has
            columns.add(name, column_of(list(map(str, values))))
        elif _is_matrix(values) and _are_words(values):
            alone = set(map(len, values)) == {1}
            columns.add(name, column_of([row[0] if alone else str(row) for row in values]))
        elif _is_matrix(values):
            matrix = _array(name, values)
            labels = parse(name).speaks_of_outcomes and bool(np.isin(matrix, (0, 1)).all())
            columns.add_matrix(name, matrix, predictions=not labels)
        else:
            columns.add(name, column_of(values))
    return columns.table(source, class_names=class_names)


def _of_options(values: list[Any]) -> Array | None:
    """(n, k) of lists that differ in length, each of which sums to 1; NaN where a row has no such option.
    None for anything else."""
    lengths = set(map(len, values)) if _is_matrix(values) else set()
    if len(lengths) < 2 or min(lengths) < 2 or max(lengths) > limits.LIMITS.max_classes:
        return None
    if not all(_is_number(cell) for row in values for cell in row):
        return None
    with suppress(OverflowError):
        if all(abs(sum(row) - 1) <= _EXACT and min(row) >= 0 for row in values):
            matrix = np.full((len(values), max(lengths)), np.nan)
            for i, row in enumerate(values):
                matrix[i, : len(row)] = row
            return matrix
    return None


def spread(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The same columns; one that holds probabilities by class becomes one a class: "probs cat", "probs dog".
    What nests besides becomes one column a way into it: "answer.label".

    Where the classes stand in another order from case to case, as the likeliest first, their order says
    nothing, so that all labels have to be names of classes. What is something else stays as it is.
    """
    result = _spread(columns)
    for _ in range(_MOST_DEPTH):
        if not any(map(_nests, result.values())):
            return result
        result = _spread(_unnested(result))
    name = next((name for name, cells in result.items() if _nests(cells)), None)
    if name is not None:
        raise InputError(
            f"The JSON nests more than {_MOST_DEPTH} objects within each other, as in {quote(name)}. "
            "Expected probabilities nearer to the top of each record."
        )
    return result


_MOST_DEPTH = 8
"""Objects within objects that are looked into."""


def _nests(cells: list[Any]) -> bool:
    """Whether a column holds objects, or nothing, and no other cells."""
    return any(isinstance(cell, dict) for cell in cells) and all(
        cell is None or isinstance(cell, dict) for cell in cells
    )


def _unnested(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The same columns; one of objects becomes one a name in them, "answer.label"."""
    result: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        parts: dict[str, list[Any]] = {name: cells}
        if _nests(cells):
            objects = [cell or {} for cell in cells]
            keys = dict.fromkeys(key for cell in objects for key in cell)
            check_width(len(result) + len(keys))
            parts = {f"{name}.{key}": [cell.get(key) for cell in objects] for key in keys}
        if twice := parts.keys() & (result.keys() | (columns.keys() - {name})):
            raise InputError(f"The name {quote(min(twice))} stands for two values of a record; expected one.")
        result |= parts
    return result


def _spread(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    result: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        values = list(map(_values_of, cells))
        by_class = _columns_by_class(columns, name, values)
        known = by_class.keys() & (columns.keys() | result.keys())
        result |= {name: values} if known or not by_class else by_class
        check_width(len(result))
    return _opened(result) if len(result) > len(columns) else result


def _columns_by_class(
    columns: Mapping[str, list[Any]], name: str, values: list[Any]
) -> dict[str, list[float | None]]:
    """Of one of the columns, which holds ``values``; none if it is something else."""
    cases = [case for case in map(_by_class, values) if case] if _by_class(values[0]) else []
    if len(cases) < len(values):
        return {}
    varied = any(case.keys() != cases[0].keys() for case in cases)
    if not (_are_of_options(values, cases) if varied else _are_probabilities(cases)):
        return {}
    alike = all(list(case) == list(cases[0]) for case in cases)
    classes = {key for case in cases for key in case}
    if not alike and not _labels_are_names(columns, name, classes):
        return {}
    check_width(len(classes))
    own = name.rpartition(".")[2]
    return {
        f"{own} {key}": [case.get(key) for case in cases] for key in (cases[0] if alike else sorted(classes))
    }


def _are_of_options(values: list[Any], cases: list[dict[str, float]]) -> bool:
    """Whether cases have other options each: objects, no lists that may hold the likeliest classes alone, and
    every one sums to 1.
    """
    pairs = zip(values, cases, strict=True)
    objects = all(isinstance(value, dict) and value.keys() == case.keys() for value, case in pairs)
    return objects and all(abs(sum(case.values()) - 1) <= _EXACT for case in cases)


_EXACT = 1e-3
"""How far from 1 the options of a case may sum that are not those of the others."""


def _values_of(cell: object) -> Any:
    """The list in a vector of Spark, {"type": 1, "values": […]}; else the cell itself."""
    return cell["values"] if isinstance(cell, dict) and cell.keys() == {"type", "values"} else cell


def _opened(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The same columns; one of objects with the same names, of one value each, becomes one a name."""
    result: dict[str, list[Any]] = {}
    for name, values in columns.items():
        objects = all(isinstance(value, dict) for value in values)
        plain = objects and all(_is_plain(value) and value.keys() == values[0].keys() for value in values)
        if plain and not values[0].keys() & (columns.keys() | result.keys()):
            result |= {key: [value[key] for value in values] for key in values[0]}
            check_width(len(result))
        else:
            result[name] = values
    return result


def _by_class(value: object) -> dict[str, float] | None:
    """The numbers of one case by class; None if these are no such numbers."""
    pairs: list[tuple[str, float]] = []
    if isinstance(value, list):
        known = list(map(_pair, value))
        pairs = [pair for pair in known if pair] if all(known) else []
    elif isinstance(value, dict) and all(map(_is_number, value.values())):
        pairs = list(value.items())
    elif isinstance(value, dict):
        lists = [values for values in value.values() if isinstance(values, list) and values]
        words = [values for values in lists if all(isinstance(cell, str) for cell in values)]
        numbers = [values for values in lists if all(map(_is_number, values))]
        if len(words) == len(numbers) == 1 and len(words[0]) == len(numbers[0]):
            pairs = list(zip(words[0], numbers[0], strict=True))
    by_class = dict(pairs)
    return by_class if len(by_class) == len(pairs) > 1 else None


def _pair(value: object) -> tuple[str, float] | None:
    """{"label": "cat", "score": 0.9} -> "cat", 0.9."""
    cells = list(value.values()) if isinstance(value, dict) and len(value) == 2 else []
    words = [cell for cell in cells if isinstance(cell, str)]
    numbers = [cell for cell in cells if _is_number(cell)]
    return (words[0], float(numbers[0])) if len(words) == len(numbers) == 1 else None


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _are_probabilities(cases: list[dict[str, float]]) -> bool:
    """Whether all cases have the same classes, and their numbers add up."""
    if not cases or any(case.keys() != cases[0].keys() for case in cases):
        return False
    sums = [sum(case.values()) for case in cases]
    return any(
        sum(abs(total / scale - 1) <= NEAR for total in sums) >= MOST * len(sums) for scale in (1, 100)
    )


def _labels_are_names(columns: Mapping[str, list[Any]], own: str, classes: set[str]) -> bool:
    """Whether every column that is named like labels holds names of classes, and there is one; if none is
    named so, whether another column holds nothing else.
    """
    known = {loose(name) for name in classes}
    parsed = {name: parse(name) for name in columns if name != own}
    labels = [columns[name] for name, meaning in parsed.items() if meaning.speaks_of_outcomes]
    rest = [columns[name] for name, meaning in parsed.items() if meaning.role != "predicted"]
    are_names = [all(isinstance(x, str) and loose(x) in known for x in column) for column in labels or rest]
    return all(are_names) if labels else any(are_names)
