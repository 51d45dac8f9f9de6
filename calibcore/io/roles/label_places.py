"""Where labels may stand, by what the columns are called: in one column, or in one of 0 and 1 a class."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from calibcore.column_names import lexicon
from calibcore.column_names.class_forms import class_forms
from calibcore.column_names.name_words import loose, names_an_event, plain, tokens
from calibcore.column_names.names import parse
from calibcore.errors import InputError
from calibcore.io.options import names_from_words
from calibcore.io.roles.look import Look
from calibcore.io.roles.sums import MOST
from calibcore.io.tables import runs
from calibcore.wording import listed

PROVEN, TRUTH, LABEL, ANY, BESIDE, PREDICTED = 4, 3, 2, 1, 0, -1
"""Ranks: what a prediction is where it is right; then by name: what happened; what happened, or what was
predicted; nothing; something else."""
RANKS = {"truth": TRUTH, "label": LABEL, "other": BESIDE, "confidence": BESIDE, "predicted": PREDICTED}
"""Role of a name -> its rank."""
AS_ASKED, BY_PAIR = "as asked", "its name is that of the predictions and a word for outcomes"
BY_NAME, BY_PREDICTIONS = "because of its name", "its name stands in those of the predictions"


@dataclass(frozen=True)
class Place:
    """Where labels may stand."""

    columns: tuple[int, ...]  # one column, or one a class if they are one-hot
    rank: int  # how much the names say so
    why: str  # the reason, for a note

    @property
    def onehot(self) -> bool:
        return len(self.columns) > 1


def find_places(look: Look, name: str | None, own_file: bool) -> tuple[Place, ...]:
    """The columns that may be the labels, the likeliest by name first.

    ``own_file``: they are in a file of their own.
    """
    if name is not None:
        return (Place(_columns_asked(look, name), TRUTH, AS_ASKED),)
    if look.table.label is not None:
        return (Place((look.table.label,), LABEL, "the array of labels"),)
    if own_file and len(look.names) == 1 and look.parsed[0].role != "predicted":
        return (Place((0,), TRUTH, "the only column of the file"),)
    ranks = {j: _rank(look, j) for j in range(len(look.names)) if look.may_hold_labels(j)}
    first = {j: "".join(token.text for token in tokens(look.names[j])[:1]) for j in ranks}
    events = {first[j] for j, rank in ranks.items() if rank == LABEL and _is_event(look, j)}
    for j, rank in ranks.items():
        if rank == ANY and first[j] in events and _has_two_values(look, j):  # "died_30d" beside "died"
            ranks[j] = LABEL
        if look.names[j] == "Class" and _is_of_catboost(look.names):
            ranks[j] = PREDICTED
    for j in _called_like_labels(look, [j for j, rank in ranks.items() if rank >= LABEL]):
        if ranks.get(j) == LABEL:  # an event by its name, and one of the predictions beside the labels
            ranks[j] = ANY
    by_rank = sorted(ranks.items(), key=lambda item: -item[1])
    return tuple(Place((j,), rank, BY_NAME) for j, rank in by_rank)


def _called_like_labels(look: Look, labels: Sequence[int]) -> list[int]:
    """Columns of 0 and 1, one for each label of a column of words and called like it, as "no" and "yes"."""
    ones = [j for j in range(len(look.names)) if look.numeric[j] and look.binary[j]]
    columns: list[int] = []
    for label in labels:
        if look.table.named and not look.numeric[label]:
            with suppress(InputError):
                words = set(map(loose, look.words(label).known))
                called = [j for j in ones if loose(look.names[j]) in words]
                columns += called if len(called) == len(words) > 1 else []
    return columns


def _columns_asked(look: Look, words: str) -> tuple[int, ...]:
    """The column of this name; of names between commas, or in a JSON list, one-hot columns."""
    names = names_from_words(words) or (words,)
    try:
        return (look.table.find(words, "labels"),)
    except InputError:
        if names == (words.strip(),):
            raise
        return tuple(dict.fromkeys(look.table.find(name, "labels") for name in names))


def pair_of(look: Look, places: Sequence[Place], column: int) -> tuple[Place, ...]:
    """Where the outcome of one column of predictions is that is called after it, and what else is named as a
    label; else all places.
    """
    own = tuple(j for j, owner in look.outcomes.items() if owner == column)
    rest = tuple(p for p in places if p.rank >= LABEL and p.columns[0] not in look.outcomes)
    rank = max((place.rank for place in rest), default=TRUTH)
    return (*(Place((j,), rank, BY_PAIR) for j in own), *rest) if own else tuple(places)


def onehot_asked(
    look: Look, place: Place, classes: Sequence[str] | None, m: int
) -> tuple[Place, tuple[int, ...]]:
    """One-hot columns that a person names, and the class of each: by their names, else in their order."""
    names = look.table.names_of(place.columns)
    if len(names) != m:
        raise InputError(
            f"There are {len(names):,} columns of labels, {listed(names, 5)}, for {m:,} classes. Expected "
            "one column of labels, or one of 0 and 1 a class."
        )
    pair = _paired(look, place.columns, classes) if classes else None
    if pair:
        return Place(tuple(pair[0]), TRUTH, PAIRED_BY_NAME), pair[1]
    return replace(place, why=PAIRED_BY_ORDER), tuple(range(m))


def _is_of_catboost(names: Sequence[str]) -> bool:
    """Whether CatBoost wrote the columns: its "Class" is what it says, and "Label" what happened."""
    own = any(name == "Probability" or name.startswith("Probability:Class=") for name in names)
    return own and "Label" in names


def _rank(look: Look, j: int) -> int:
    parsed = look.parsed[j]
    if _is_event(look, j) and _has_two_values(look, j):
        return LABEL
    of_class = parsed.inner and plain(parsed.inner) not in lexicon.CODES  # "label_id" is of none
    if parsed.role == "label" and of_class and look.numeric[j] and look.unit[j]:
        return ANY  # "y_cat" is one of one-hot labels
    return RANKS.get(parsed.role, ANY)


def _is_event(look: Look, j: int) -> bool:
    return look.table.named and not look.parsed[j].role and names_an_event(look.parsed[j].text)


def _has_two_values(look: Look, j: int) -> bool:
    return 0 < look.table.columns[j].iloc[look.rows].nunique() <= 2


def named_by_predictions(look: Look, places: Sequence[Place], names: Sequence[str]) -> tuple[Place, ...]:
    """The same; a column whose name stands in those of all predictions, as "BAD" in "P_BAD1", is likelier."""
    folded = [name.casefold() for name in names]

    def better(place: Place) -> Place:
        own = look.names[place.columns[0]].casefold()
        inside = len(own) > 2 and all(own in name and own != name for name in folded)
        likelier = inside and place.rank == ANY and look.table.named
        return replace(place, rank=LABEL, why=BY_PREDICTIONS) if likelier else place

    return tuple(map(better, places))


def likely_words(look: Look, places: Sequence[Place]) -> list[frozenset[str]]:
    """The labels of the columns that are likeliest by name, or of all columns of text."""
    named = [place for place in places if place.rank >= LABEL]
    texts = [place for place in places if place.rank == ANY and not look.numeric[place.columns[0]]]
    words = []
    for place in [] if named and named[0].onehot else named or texts:
        with suppress(InputError):
            words.append(look.words(place.columns[0]).known)
    # Of columns of 0 and 1 that are named like labels the classes: "true_cat", "true_dog" -> cat, dog.
    groups: dict[str, set[str]] = {}
    for j, parsed in enumerate(look.parsed):
        if parsed.inner and parsed.speaks_of_outcomes and look.binary[j]:
            groups.setdefault(parsed.shape, set()).add(parsed.inner)
    return words + [frozenset(inner) for inner in groups.values() if len(inner) > 1]


PAIRED_BY_NAME, PAIRED_BY_ORDER = "by their names", "in the same order"
"""How their columns belong to the classes."""


def onehot_places(
    look: Look, predictions: Sequence[int], classes: Sequence[str] | None, m: int
) -> list[tuple[Place, tuple[int, ...]]]:
    """Sets of m columns of 0 and 1 with one 1 a row, and the class of each of their columns.

    By their names, if these are those of the ``classes``; else in the order of the file.
    """
    ones = [j for j in range(len(look.names)) if look.binary[j] and j not in predictions]
    if len(ones) < m or m < 2:
        return []
    groups = [*look.name_groups(ones).values(), ones]
    if classes is not None and look.table.named:
        paired = [pair for group in groups if (pair := _paired(look, group, classes))]
        if places := [
            _place(look, *pair, PAIRED_BY_NAME) for pair in paired if look.one_hot_share(pair[0]) >= MOST
        ]:
            return places
    share = 1.0 if predictions else MOST  # beside predictions two columns of 0 and 1 may be anything
    alike = [
        group for group in (*groups, *runs(ones)) if len(group) == m and look.one_hot_share(group) >= share
    ]
    return [_place(look, group, tuple(range(m)), PAIRED_BY_ORDER) for group in alike]


def _place(
    look: Look, columns: Sequence[int], order: tuple[int, ...], how: str
) -> tuple[Place, tuple[int, ...]]:
    roles = {look.parsed[j].role for j in columns}
    rank = RANKS.get(roles.pop(), ANY) if len(roles) == 1 else ANY
    named = rank in (ANY, BESIDE) and how == PAIRED_BY_NAME
    return Place(tuple(columns), LABEL if named else rank, how), order


def _paired(
    look: Look, group: Sequence[int], classes: Sequence[str]
) -> tuple[list[int], tuple[int, ...]] | None:
    """Columns of a group named after the classes, and the class of each."""
    keys = {loose(name): k for k, name in enumerate(classes)}
    names = look.table.names_of(group)
    forms = [*class_forms(names), tuple(parse(name).inner for name in names)]
    for form in forms:
        known = {loose(name): j for name, j in zip(form, group, strict=True) if name}
        if set(keys) <= set(known):
            pairs = sorted((known[name], k) for name, k in keys.items())
            return [j for j, _ in pairs], tuple(k for _, k in pairs)
    for form in forms if len(group) == len(classes) else ():
        places = [[k for k, name in enumerate(classes) if _ends_with(name, word)] for word in form]
        if all(len(place) == 1 for place in places) and len({place[0] for place in places}) == len(classes):
            return list(group), tuple(place[0] for place in places)
    return None


def _ends_with(name: str, word: str) -> bool:
    """Whether the name of a class ends with a word, glued to it: "targetyes"."""
    return bool(word) and name.casefold().endswith(word.casefold())
