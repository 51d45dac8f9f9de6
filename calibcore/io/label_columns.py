"""Which columns may be the labels: by their names, by what stands in them, or one-hot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.checks import Float
from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io import agreement
from calibcore.io.label_words import label_text
from calibcore.io.labels import Meaning
from calibcore.io.look import MOST_OFFERED, Look, find_column
from calibcore.io.names import class_forms, loose, names_an_event, parse, pieces
from calibcore.io.tables import is_bool_column, listed

TRUTH, LABEL, ANY, BESIDE, PREDICTED = 3, 2, 1, 0, -1
"""Ranks by name: what happened; what happened, or what was predicted; nothing; something else."""
_RANKS = {"truth": TRUTH, "label": LABEL, "other": BESIDE, "confidence": BESIDE, "predicted": PREDICTED}


@dataclass(frozen=True)
class Place:
    """Where labels may stand.

    Attributes
    ----------
    columns : one column, or one a class if they are one-hot
    rank : how much the names say so
    why : the reason, for a note
    """

    columns: tuple[int, ...]
    rank: int
    why: str

    @property
    def onehot(self) -> bool:
        return len(self.columns) > 1


@dataclass(frozen=True)
class LabelFit:
    """Labels and what they stand for; ``doubt`` is why a person is asked whether these are the labels."""

    place: Place
    meaning: Meaning
    doubt: str = ""


Understand = Callable[[int], tuple[Meaning, ...]]
"""What the labels of a column stand for, in every way that fits; :class:`InputError` if none does."""


def places(look: Look, asked: str | None, own_file: bool) -> tuple[Place, ...]:
    """The columns that may be the labels, the likeliest by name first.

    ``own_file``: they are in a file of their own.
    """
    if asked is not None:
        return (Place((find_column(look.table, asked),), TRUTH, "as asked"),)
    if look.table.label is not None:
        return (Place((look.table.label,), LABEL, "the array of labels"),)
    columns = [j for j in range(len(look.names)) if look.may_hold_labels(j)]
    if own_file and len(look.names) == 1 and look.said[0].role != "predicted":
        return (Place((0,), TRUTH, "the only column of the file"),)
    found = [Place((j,), _rank(look, j), "because of its name") for j in columns]
    return tuple(sorted(found, key=lambda place: -place.rank))


def _rank(look: Look, j: int) -> int:
    said = look.said[j]
    if not said.role and names_an_event(said.text) and _has_two_values(look, j):
        return LABEL
    if said.role == "label" and said.inner and look.numeric[j] and look.unit[j]:
        return ANY  # "y_cat" is one of one-hot labels
    return _RANKS.get(said.role, ANY)


def _has_two_values(look: Look, j: int) -> bool:
    return 0 < look.table.columns[j].iloc[look.rows].nunique() <= 2


def named_by_predictions(look: Look, found: Sequence[Place], names: Sequence[str]) -> tuple[Place, ...]:
    """The same; a column whose name stands in those of all predictions is what they predict: "P_BAD1" of "BAD"."""
    folded = [name.casefold() for name in names]
    better = []
    for place in found:
        own = look.names[place.columns[0]].casefold()
        inside = len(own) > 2 and all(own in name and own != name for name in folded)
        is_any = place.rank == ANY and look.table.named
        better.append(replace(place, rank=LABEL, why=_INSIDE) if inside and is_any else place)
    return tuple(better)


_INSIDE = "its name stands in those of the predictions"


def likely_words(look: Look, found: Sequence[Place]) -> list[frozenset[str]]:
    """The labels of the columns that are likeliest by name, or of all columns of text."""
    named = [place for place in found if place.rank >= LABEL]
    texts = [place for place in found if place.rank == ANY and not look.numeric[place.columns[0]]]
    words = []
    for place in named or texts:
        try:
            words.append(look.words(place.columns[0]).known)
        except InputError:
            continue
    return words


def choose(
    look: Look,
    found: Sequence[Place],
    understand: Understand,
    probs: Float,
    m: int,
    own_file: bool,
    named_table: bool,
) -> tuple[LabelFit, ...]:
    """The labels that fit (r, m) predictions; several, or one in doubt, are a question.

    Raises
    ------
    InputError : there are none; names what there is.
    """
    named = [place for place in found if place.rank >= LABEL]
    best = [place for place in named if place.rank == max((p.rank for p in named), default=0)]
    if best:
        return _named(look, best, found, understand, probs, m)
    unnamed = [place for place in found if place.rank == ANY]
    fits, refusal = _fitting(unnamed, understand)
    if not named_table:
        chosen = _by_position(look, fits, probs)
    else:
        chosen = _by_words(look, fits, probs, own_file)
    if chosen:
        return chosen
    if refusal and len(unnamed) == 1 and not look.numeric[unnamed[0].columns[0]]:
        raise refusal  # the only column of text: what is wrong with it is worth more than that there is none
    others, _ = _fitting([place for place in found if place.rank < ANY], understand)
    if own_file:
        raise InputError(
            f"No column of the file of labels may be the labels. Its columns are {listed(look.names)}.",
            columns_of_labels(look, [fit.place.columns[0] for fit in others]),
        )
    raise NoLabelsError(
        f"No column of labels was found. The columns are {listed(look.names)}. If the labels are in "
        "a file of their own, give that too.",
        columns_of_labels(
            look, [fit.place.columns[0] for fit in sorted(others, key=lambda f: -f.place.rank)]
        ),
    )


def _fitting(found: Sequence[Place], understand: Understand) -> tuple[list[LabelFit], InputError | None]:
    """Every way in which the labels of these columns fit; the first refusal."""
    fits: list[LabelFit] = []
    refusal = None
    for place in found:
        try:
            fits += [LabelFit(place, meaning) for meaning in understand(place.columns[0])]
        except InputError as error:
            refusal = refusal or error
    return fits, refusal


def _named(
    look: Look, best: Sequence[Place], found: Sequence[Place], understand: Understand, probs: Float, m: int
) -> tuple[LabelFit, ...]:
    """Labels by their names. What is named like labels and holds no classes is refused, not passed over."""
    like = [place for place in best if _like_classes(look, place, m)] or list(best)
    fits, refusal = _fitting(like, understand)
    if not fits:
        assert refusal is not None
        raise refusal
    fits = _of_equal_contents(look, fits)
    where = {fit.place.columns for fit in fits}
    if len(where) > 1:
        doubt = f"The columns {listed([look.names[c[0]] for c in sorted(where)])} could all be the labels."
        return tuple(replace(fit, doubt=doubt) for fit in fits)
    place = fits[0].place
    if place.rank == TRUTH or fits[0].meaning.doubt:
        return tuple(fits)
    return _if_no_guess(look, fits, found, understand, probs)


def _if_no_guess(
    look: Look, fits: list[LabelFit], found: Sequence[Place], understand: Understand, probs: Float
) -> tuple[LabelFit, ...]:
    """ "label" or "class" that is always the likeliest class may be what the model said."""
    (own,) = fits[0].place.columns
    words = look.words(own)
    labels = words.sampled(fits[0].meaning.numbers)
    surely = agreement.is_surely_guess(probs, labels)
    if not surely and not agreement.is_guess(probs, labels):
        return tuple(fits)
    others, _ = _fitting([place for place in found if place.rank == ANY], understand)
    others = [
        fit
        for fit in others
        if {loose(w) for w in look.words(fit.place.columns[0]).words} & {loose(w) for w in words.words}
        and not agreement.is_guess(probs, look.words(fit.place.columns[0]).sampled(fit.meaning.numbers))
    ]
    if not others and not surely:
        return tuple(fits)
    often = "every row, as a prediction would be" if agreement.is_guess(probs, labels) else "no row"
    doubt = f"{_sentence(look.table.where(own))} is the likeliest class in {often}."
    return tuple(replace(fit, doubt=doubt) for fit in (*fits, *others))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _like_classes(look: Look, place: Place, m: int) -> bool:
    """Whether there are not many more different values than classes."""
    (j,) = place.columns
    if look.table.n > 2 and look.counts_rows(j):
        return False
    try:
        return len(look.words(j).words) <= max(2 * m, m + 5)
    except InputError:
        return True


def _of_equal_contents(look: Look, fits: list[LabelFit]) -> list[LabelFit]:
    """Without columns that say the same as another one: as names, and as numbers."""
    left: list[LabelFit] = []
    for fit in fits:
        own = look.words(fit.place.columns[0]).mapped(fit.meaning.numbers)
        same = any(
            fit.place != other.place
            and np.array_equal(own, look.words(other.place.columns[0]).mapped(other.meaning.numbers))
            for other in left
        )
        if not same:
            left.append(fit)
    return left


def _by_words(look: Look, fits: list[LabelFit], probs: Float, own_file: bool) -> tuple[LabelFit, ...]:
    """Without a name that says so: the one column of text that holds the names of the classes; else ask."""
    fits = _of_equal_contents(look, fits)
    texts = [fit for fit in fits if fit.meaning.kind == "names" and not look.numeric[fit.place.columns[0]]
             and not is_bool_column(look.table.columns[fit.place.columns[0]])]  # fmt: skip
    likely = texts or fits
    where = {fit.place.columns for fit in likely}
    if len(where) == 1 and (texts or own_file):
        why = "its values are the names of the classes" if texts else "the only column that may be"
        sure = [replace(fit, place=replace(fit.place, why=why)) for fit in likely]
        numbers = look.words(likely[0].place.columns[0]).sampled(likely[0].meaning.numbers)
        if not agreement.is_surely_guess(probs, numbers):
            return tuple(sure)
    names = [look.names[c[0]] for c in sorted(where)]
    doubt = (
        f"The columns {listed(names)} could all be the labels."
        if len(names) > 1
        else f"Only {look.table.where(likely[0].place.columns[0])} may be the labels, and its name does not say so."
        if likely
        else ""
    )
    return tuple(replace(fit, doubt=doubt) for fit in likely)


def _by_position(look: Look, fits: list[LabelFit], probs: Float) -> tuple[LabelFit, ...]:
    """In a table without names: the one column that may be the labels, the first or the last one."""
    fits = _of_equal_contents(look, fits)
    where = sorted({fit.place.columns for fit in fits})
    if len(where) > 1:
        doubt = f"The columns {listed([look.names[c[0]] for c in where])} could all be the labels."
        return tuple(replace(fit, doubt=doubt) for fit in fits)
    if not fits:
        return ()
    (j,) = where[0]
    ends = {0: "first", len(look.names) - 1: "last"}
    if not look.numeric[j]:
        why = "the only column of text"
    elif j in ends:
        why = f"the {ends[j]} column, which holds whole numbers while the others hold fractions"
    else:
        return tuple(replace(fit, doubt=f"Only {look.names[j]} may be the labels.") for fit in fits)
    chosen = [replace(fit, place=replace(fit.place, why=why)) for fit in fits]
    numbers = look.words(j).sampled(fits[0].meaning.numbers)
    if not fits[0].meaning.doubt and agreement.is_surely_guess(probs, numbers):
        doubt = f"{_sentence(look.names[j])} is the likeliest class in every row, as a prediction would be."
        return tuple(replace(fit, doubt=doubt) for fit in chosen)
    return tuple(chosen)


def columns_of_labels(look: Look, candidates: Sequence[int]) -> tuple[Remedy, ...]:
    """The columns to choose the labels from; that a person has to name one, where they are too many."""
    candidates = list(dict.fromkeys(candidates))
    if not 0 < len(candidates) <= MOST_OFFERED:
        return (Remedy("Say which column holds the labels", asks="label_column"),)
    return tuple(
        Remedy(
            f"Take the labels from {look.table.where(j)}",
            {"label_column": look.names[j]},
            rows=look.first_rows([j]),
        )
        for j in candidates
    )


def onehot_places(
    look: Look, taken: Sequence[int], classes: Sequence[str] | None, m: int
) -> tuple[tuple[Place, tuple[int, ...]], ...]:
    """Sets of m columns of 0 and 1 with one 1 a row, and the class of each of their columns.

    By their names, if these are those of the ``classes``; else in the order of the file.
    """
    ones = [j for j in range(len(look.names)) if j not in taken and look.integral[j] and look.unit[j]]
    if len(ones) < m or m < 2:
        return ()
    found: dict[tuple[int, ...], tuple[Place, tuple[int, ...]]] = {}
    for group in _groups_of_ones(look, ones):
        if classes is not None and look.table.named:
            for part, order in _paired(look, group, classes):
                _add_onehot(look, found, part, order, "by their names")
    if not found:
        groups = [*_groups_of_ones(look, ones), *_runs(ones)]
        runs = [group for group in groups if len(group) == m]
        for run in runs:
            _add_onehot(look, found, run, tuple(range(m)), "in the same order")
    return tuple(found.values())


def _add_onehot(
    look: Look,
    found: dict[tuple[int, ...], tuple[Place, tuple[int, ...]]],
    columns: Sequence[int],
    order: tuple[int, ...],
    how: str,
) -> None:
    key = tuple(columns)
    part = look.sample[:, list(columns)]
    if key not in found and np.mean(np.nansum(part, axis=1) == 1) > 0.9:
        roles = {look.said[j].role for j in columns}
        rank = _RANKS.get(roles.pop(), ANY) if len(roles) == 1 else ANY
        rank = LABEL if rank in (ANY, BESIDE) and how == "by their names" else rank
        found[key] = Place(key, rank, how), order


def _groups_of_ones(look: Look, ones: Sequence[int]) -> list[list[int]]:
    groups: dict[tuple[str, int], list[int]] = {}
    for j in ones:
        said = look.said[j]
        if said.inner:
            groups.setdefault((said.shape, 2), []).append(j)
        for side, piece in enumerate(pieces(said.text)):
            if piece and piece != said.text:
                groups.setdefault((piece.casefold(), side), []).append(j)
    return [*groups.values(), list(ones)]


def _paired(
    look: Look, group: Sequence[int], classes: Sequence[str]
) -> list[tuple[list[int], tuple[int, ...]]]:
    """Columns of a group named after the classes, and the class of each."""
    wanted = {loose(name): k for k, name in enumerate(classes)}
    names = [look.names[j] for j in group]
    forms = [*class_forms(names), tuple(parse(name).inner for name in names)]
    found = []
    for form in forms:
        known = {loose(name): j for name, j in zip(form, group, strict=True) if name}
        if set(wanted) <= set(known):
            pairs = sorted((known[name], k) for name, k in wanted.items())
            found.append(([j for j, _ in pairs], tuple(k for _, k in pairs)))
    for form in forms if not found and len(group) == len(classes) else ():
        places = [[k for k, name in enumerate(classes) if _ends_with(name, word)] for word in form]
        if all(len(place) == 1 for place in places) and len({place[0] for place in places}) == len(classes):
            found.append((list(group), tuple(place[0] for place in places)))
    return found[:1]


def _ends_with(name: str, word: str) -> bool:
    """Whether the name of a class ends with a word, glued to it: "targetyes"."""
    return bool(word) and name.casefold().endswith(word.casefold())


def _runs(columns: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for j in columns:
        if runs and j == runs[-1][-1] + 1:
            runs[-1].append(j)
        else:
            runs.append([j])
    return runs


def first_labels(look: Look, place: Place, rows: Sequence[int]) -> list[str]:
    """The labels of some rows as text, for a person to choose by."""
    return [label_text(look.table.columns[place.columns[0]].iloc[i]) for i in rows]
