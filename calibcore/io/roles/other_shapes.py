"""Tables that are not one row a case and one column a class: refused, each in a sentence."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from calibcore.column_names.class_forms import count_up
from calibcore.column_names.name_words import RIGHT, loose, says_of_answers
from calibcore.column_names.names import may_list_labels
from calibcore.errors import InputError, Remedy, SeveralLabelsError
from calibcore.io.roles.cumulative import refuse_cumulative
from calibcore.io.roles.look import MOST_OFFERED, Look
from calibcore.io.roles.meaning import Words
from calibcore.io.roles.other_tables import refuse_other_tables
from calibcore.io.roles.several_labels import NONE_TRUE, exclude_each_other, pairs_of
from calibcore.io.roles.sums import MOST, NEAR
from calibcore.io.roles.token_lists import refuse_token_arrays
from calibcore.io.tables import MOST_NAMES_LISTED, Array, capitalised
from calibcore.numerics.types import Float
from calibcore.wording import listed, quote

_MOST_COLUMNS = 12
"""Columns at most of a table that may hold one row a class: it has a few, whatever the classes."""
_MOST_GUESSES = 30
_NUMBERED = re.compile(r"([^0-9]*)([0-9]{1,2})([^0-9]*)")
"""The only number of a name, and what stands around it."""


def refuse_other_shapes(look: Look, label_look: Look) -> None:
    """InputError for one row a class and case, for ranked guesses, and for several labels a case.

    ``label_look``: at the file of labels, if they have one of their own, else the same. Cost O(n) a column.
    """
    refuse_token_arrays(look)
    _refuse_lists_of_labels(look, label_look)
    _refuse_lists_of_names(look, label_look)
    own_file = label_look is not look
    if not look.table.blocks:
        _refuse_rows_of_classes(look)
        if look.table.named:
            _refuse_ranked(look)
            refuse_cumulative(look)
            if not own_file:
                _refuse_several_labels(look)
                refuse_other_tables(look)
    _refuse_labels_by_name(look, label_look)


def _refuse_rows_of_classes(look: Look) -> None:
    """A row a class, as a table is after melting: the rows of a case sum to 1, each of another class."""
    table = look.table
    columns = range(len(look.names))
    fractions = [j for j in columns if look.unit[j] and not look.integral[j]]
    if len(columns) > _MOST_COLUMNS or not fractions or table.n < 4:
        return
    codes = [_codes(look, j) for j in columns if j not in fractions]
    classes = [key for key in codes if 1 < key.max() + 1 <= table.n // 2]
    keys = [key for key in classes if (np.bincount(key) > 1).all()]
    for j in fractions:
        values = table.numbers(j).astype(np.float64)
        for key in (*keys, *_blocks(table.n, classes)):
            sums = np.bincount(key, np.nan_to_num(values))
            if (np.abs(sums - 1) > NEAR).mean() > 1 - MOST:
                continue
            if any(column is not key and _each_once(key, column) for column in classes):
                raise InputError(
                    f"The rows seem to hold one class each: {table.where(j)} sums to 1 over "
                    f"{np.bincount(key)[0]:,} rows of a case. Expected one row a case, with one column of "
                    "probabilities a class."
                )


def _codes(look: Look, j: int) -> Array:
    """(n,) the number of each cell among those of its column."""
    return pd.factorize(look.table.columns[j], use_na_sentinel=False)[0]


def _each_once(key: Array, codes: Array) -> bool:
    """Whether the rows of a case have each another class."""
    pairs = key.astype(np.int64) * (int(codes.max()) + 1) + codes
    return len(np.unique(pairs)) == len(pairs)


def _blocks(n: int, classes: Sequence[Array]) -> list[Array]:
    """Cases of rows that follow each other, where one column goes through its values again and again, and
    another one is the same in all rows of a case.
    """
    counts = {
        m for codes in classes if n % (m := int(codes.max()) + 1) == 0 and (codes == np.arange(n) % m).all()
    }
    return [
        np.repeat(np.arange(n // m), m)
        for m in counts
        if any((codes.reshape(-1, m) == codes[::m, None]).all() for codes in classes)
    ]


def _refuse_ranked(look: Look) -> None:
    """The likeliest class, the second one, …: "pred1", "prob1", "pred2", "prob2", …"""
    groups: dict[tuple[str, str], dict[int, int]] = {}
    for j, name in enumerate(look.names):
        if match := _NUMBERED.fullmatch(name.strip().casefold()[:100]):
            groups.setdefault((match[1], match[3]), {})[int(match[2])] = j
    ranked = [group for group in groups.values() if _falls(look, group)]
    for group in ranked:
        columns = [group[k] for k in sorted(group)]
        beside = [rival for rival in groups.values() if rival is not group and set(rival) == set(group)]
        named = any(word in look.names[columns[0]].casefold() for word in ("top", "rank"))
        if named or any(_are_different(look, [rival[k] for k in sorted(rival)]) for rival in beside):
            names = look.table.names_of(columns)
            raise InputError(
                f"The columns {listed(names, 5)} seem to hold the probabilities of the likeliest class, of "
                "the second one, and so on: they fall in every row. Expected one column of probabilities a "
                "class."
            )


def _falls(look: Look, group: dict[int, int]) -> bool:
    """Whether numbered columns hold fractions that fall from the first to the last in every row."""
    numbers = sorted(group)
    if not (1 < len(numbers) <= _MOST_GUESSES and count_up(numbers)):
        return False
    columns = [group[k] for k in numbers]
    if not look.numeric[columns].all() or look.integral[columns].all():
        return False
    part = look.sample[:, columns]
    return len(part) > 1 and bool((np.diff(part, axis=1) <= 0).all())


def _are_different(look: Look, columns: Sequence[int]) -> bool:
    """Whether columns hold another class each, in every row."""
    if look.fractional[list(columns)].any():
        return False
    cells = np.column_stack([look.table.columns[j].iloc[look.rows].astype(str) for j in columns])
    return all(len(set(row)) == len(row) for row in cells.tolist())


def _refuse_several_labels(look: Look) -> None:
    """ "prob_normal" beside "normal", "prob_covid" beside "covid", and cases that are both, or none."""
    ones = {loose(parsed.inner or parsed.text): j for j, parsed in enumerate(look.parsed) if look.binary[j]}
    pairs = [
        (j, ones[loose(parsed.inner)])
        for j, parsed in enumerate(look.parsed)
        if parsed.numeric and parsed.inner and not look.integral[j] and loose(parsed.inner) in ones
    ]
    pairs = pairs if len(pairs) > len(look.outcomes) else [(owner, j) for j, owner in look.outcomes.items()]
    if len(pairs) < 2 or _are_of_onehot(look, [column for _, column in pairs]):
        return
    labels = look.sample[:, [column for _, column in pairs]]
    if np.mean(labels.sum(axis=1) == 1) < MOST and look.share([j for j, _ in pairs]) < MOST:
        names = look.table.names_of(column for _, column in pairs)
        complete = all(np.isfinite(look.table.numbers(column)).all() for _, column in pairs)
        by_label = [] if complete else [pair.name for pair in pairs_of(look, look)]
        raise SeveralLabelsError(
            f"The columns {listed(names, 5)} are each a label of its own, with a column of probabilities "
            f"such as {quote(look.names[pairs[0][0]])}: a case may be several of them, or none. Expected "
            "one class a case, or one of these pairs.",
            _of_labels(by_label) or [_of_pair(look, j, column) for j, column in pairs[:MOST_OFFERED]],
        )


def _of_labels(names: Sequence[str]) -> list[Remedy]:
    """Each label by its name: then a case whose outcome is not known is left out of it."""
    return [Remedy(f"Read the label {quote(name)}", {"label": name}) for name in names[:MOST_OFFERED]]


def _refuse_labels_by_name(look: Look, label_look: Look) -> None:
    """The same where outcomes stand in a file of their own, or where some are not known or −1."""
    pairs = pairs_of(look, label_look)
    if not pairs or exclude_each_other(look, label_look, pairs, MOST):
        return
    if label_look is look and all(look.binary[pair.outcomes] for pair in pairs):
        return  # which the sentence above is about
    names = [pair.name for pair in pairs]
    where = " in the file of labels" if label_look is not look else ""
    raise SeveralLabelsError(
        f"{listed(names, 5)} have a column of probabilities each, and one of outcomes{where}, such as "
        f"{quote(label_look.names[pairs[0].outcomes])}: a case may be several of them, or none. Expected "
        "one class a case, or one of these labels.",
        _of_labels(names),
    )


def _are_of_onehot(look: Look, labels: Sequence[int]) -> bool:
    """Whether some columns of 0 and 1 and others of their form have exactly one 1 a row."""
    ones = [j for j in range(len(look.names)) if look.binary[j]]
    groups = [group for group in look.name_groups(ones).values() if set(labels) <= set(group)]
    return any(look.one_hot_share(group) == 1 for group in groups)


def _of_pair(look: Look, probs: int, label: int, label_look: Look | None = None) -> Remedy:
    own = label_look or look
    where, label_where = look.table.where(probs), own.table.where(label)
    words = f"Take the probabilities from {where} and the labels from {label_where}"
    change = {"probability_columns": (look.names[probs],), "label_column": own.names[label]}
    return Remedy(words, change, rows=look.first_rows([probs, label]) if own is look else ())


_PLACE = re.compile(r"(.+)\[\d+\]")


def _refuse_lists_of_labels(look: Look, label_look: Look) -> None:
    """Labels as a list of 0 and 1 in each row, a place a class: cases that are several classes, or none."""
    groups: dict[str, list[int]] = {}
    for j, name in enumerate(label_look.names):
        if label_look.binary[j] and (match := _PLACE.fullmatch(name)) and may_list_labels(match[1]):
            groups.setdefault(match[1], []).append(j)
    for name, labels in groups.items():
        probs = [block for block in look.table.blocks if len(block) == len(labels)]
        unit = tuple(
            j
            for j, parsed in enumerate(look.parsed)
            if look.unit[j] and not look.integral[j] and parsed.role not in ("other", "confidence")
        )
        columns = probs[0] if probs else unit
        ones = label_look.sample[:, labels].sum(axis=1)
        if len(columns) != len(labels) or np.mean(ones == 1) >= MOST:
            continue
        raise SeveralLabelsError(
            f"{quote(name)} holds {len(labels):,} labels a row, each 0 or 1, beside as many columns of "
            "probabilities: a case may be several of them, or none. Expected one class a case, or one label "
            "with its probabilities.",
            [
                _that_is_yes(look, j, _of_pair(look, j, label, label_look))
                for j, label in list(zip(columns, labels, strict=True))[:MOST_OFFERED]
            ],
        )


def _that_is_yes(look: Look, probs: int, remedy: Remedy) -> Remedy:
    """The same where 1 in a list of labels says that a case is of the class of a column."""
    parsed = look.parsed[probs]
    name = parsed.inner or parsed.text
    return (
        remedy
        if look.table.blocks
        else replace(remedy, change={**remedy.change, "class_names": (f"not {name}", name)})
    )


_BETWEEN = re.compile(r"\s*[|;,]\s*|\s+")


def _refuse_lists_of_names(look: Look, label_look: Look) -> None:
    """Labels such as "A|B" or "['A', 'B']": the names of several columns of probabilities in one cell."""
    known = {loose(name.inner or name.text) for j, name in enumerate(look.parsed) if look.unit[j]} - {""}
    for j, parsed in enumerate(label_look.parsed):
        listing = parsed.speaks_of_outcomes or may_list_labels(label_look.names[j])
        if label_look.numeric[j] or not listing or len(known) < 2:
            continue
        cells = [str(cell).strip() for cell in label_look.table.columns[j].iloc[label_look.rows].unique()]
        lists = [cell for cell in cells if loose(cell) not in known | NONE_TRUE]
        parts = [
            [loose(part.strip("'\"")) for part in _BETWEEN.split(cell.strip("[](){}"))] for cell in lists
        ]
        several = [words for words in parts if len(words) > 1]
        if several and all(part in known for words in several for part in words):
            raise SeveralLabelsError(
                f"{capitalised(label_look.table.where(j))} holds several classes in one cell, such as "
                f"{quote(lists[parts.index(several[0])])}: a case may be several of them, or none. Expected "
                "one class a case. Look at one class at a time: give its probabilities, and 0 or 1."
            )


_MANY = 20
"""Rows from which on it is no chance that no probability is below one half."""


def refuse_surest(look: Look, probs: int, label: int, positive: Float) -> None:
    """InputError for how sure a model is of whichever of two classes it predicts, beside what happened.

    ``positive``: (r,) the numbers of the sample as probabilities. Never below one half, and beside labels or
    decisions, they are about one class in some rows and about the other in the rest.
    """
    if look.parsed[probs].role != "confidence" or not len(positive) or positive.min() < 0.5:
        return
    if says_of_answers(look.names[label]):
        return
    decided = any(parsed.role == "predicted" for j, parsed in enumerate(look.parsed) if j != probs)
    called = look.parsed[label].speaks_of_outcomes and len(positive) >= _MANY
    if not (decided or called):
        return
    answers = [
        j for j in range(len(look.names)) if look.binary[j] and says_of_answers(look.names[j]) == RIGHT
    ]
    raise InputError(
        f"{capitalised(look.table.where(probs))} seems to be how sure the model is of whatever it predicts: "
        "none of its values is below 0.5. That is not the probability of one class. Expected what was "
        "predicted beside it, or whether that was right; or the probability of one class.",
        [_of_answers(look, j) for j in answers[:1]],
    )


def _of_answers(look: Look, j: int) -> Remedy:
    """Whether the model was right is what its confidence can be compared with."""
    words = f"Compare it with whether the answers were right, {look.table.where(j)}"
    return Remedy(words, {"label_column": look.names[j]}, rows=look.first_rows([j]))


def refuse_third_class(look: Look, probs: int, labels: Words) -> None:
    """InputError if labels beside how sure a model is, or decisions beside one column of probabilities, say
    more classes than two.
    """
    if look.parsed[probs].role == "confidence" and len(labels.words) > 2:
        raise InputError(
            f"{capitalised(look.table.where(probs))} seems to be how sure the model is of whatever it "
            f"predicts, and {labels.where} has {len(labels.words):,} different labels. That is not the "
            "probability of each class. Expected what was predicted beside it, or whether that was right."
        )
    for j, parsed in enumerate(look.parsed):
        if j == probs or look.numeric[j]:
            continue
        try:
            own = look.words(j).known
        except InputError:
            continue
        words = own | labels.known
        decides = own & labels.known if parsed.role == "predicted" else labels.known < own
        if decides and 2 < len(words) <= MOST_NAMES_LISTED:
            raise InputError(
                f"{capitalised(look.table.where(j))} and the labels say {len(words):,} classes, "
                f"{listed(sorted(words))}, and there is one column of probabilities. Expected one column of "
                "probabilities a class."
            )
