"""Which columns may be the predictions: every set that fits, by what the names say and what adds up.

Names count for more than sums, and sums for more than position. Whole numbers are no probabilities while
there is anything else.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.class_forms import class_forms, has_one_shape
from calibcore.column_names.name_words import covers, covers_but_for_signs, loose, loose_words, pieces, tokens
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.roles.candidates import (
    BESIDE,
    DECISIONS,
    UNKNOWN,
    Candidate,
    doubt_of,
    is_lone_uncertainty,
    is_something_else,
    is_uncertainty,
    lone_columns,
    no_probabilities,
    without_settings,
)
from calibcore.io.roles.look import Look
from calibcore.io.roles.sums import MOST
from calibcore.io.roles.values import ASK_COLUMNS
from calibcore.io.tables import position_name
from calibcore.wording import listed, quote

_MOST_DROPPED = 20
"""Columns beside a run of predictions at most."""
_SOME = 0.5
"""Shares of rows that add up: in a file that is right, and in one with rows to be mended."""
_ZERO = 1e-9
_NAMED_LIKE_LABELS, _OF_ONE_FORM, _SOMETHING_ELSE = 4, 1, -8
_ENOUGH = 10
"""Rows from which on it is no chance that no score is outside 0 to 1."""
_ONLY = "Nothing says that this is the column of probabilities."
_EXPECTED = "Expected one column of probabilities a class."
_BESIDE = ("confidence", "other")
"""What is no prediction by its name."""
_ALSO_CLASSES = lexicon.words_of("loss losses hit hits error correct incorrect")
"""Of these, names of classes: numbers below 0 are their scores, and no losses or hits."""


def candidates(
    look: Look, free: Sequence[int], labels: Sequence[Collection[str]], options: ReadOptions
) -> list[tuple[Candidate, ...]]:
    """The likeliest sets of columns; then those that are considered where no labels go with these.

    ``free`` are the columns to choose from, ``labels`` the words of columns that may be the labels.
    :class:`InputError` if there is no column of numbers.
    """
    if options.probability_columns:
        columns = [look.table.find(name, "predictions") for name in options.probability_columns]
        return [(Candidate(tuple(columns), "as asked"),)]
    if options.class_names and (chosen := _of_classes(look, free, options.class_names)):
        return [(Candidate(chosen, "they have the names of the classes"),)]
    if look.table.blocks:
        return [tuple(Candidate(block, "the array of predictions") for block in look.table.blocks)]
    if not free:
        raise InputError(
            f"No column of numbers was found for the predictions. The columns are {listed(look.names)}. "
            + " ".join(["Expected one column of probabilities a class.", *look.table.notes])
        )
    uncertain = [j for j in free if is_uncertainty(look, j, labels)] if options.values == "auto" else []
    numbers = [j for j in free if look.fractional[j]]
    if len(numbers) == 1 and options.values == "auto" and is_lone_uncertainty(look, numbers[0], labels):
        uncertain += numbers
    free = [j for j in free if j not in uncertain]
    if not free:
        raise InputError(f"{no_probabilities(look, uncertain)} {_EXPECTED}", (ASK_COLUMNS,))
    free = [j for j in free if np.isfinite(look.sample[:, j]).any()] or list(free)
    free = without_settings(look, free, labels)
    logits = options.values == "logits"
    scored = _scores(look, [j for j in free if not _says_otherwise(look, j)], labels, logits)
    several = scored is not None and len(scored.columns) > 1
    if scored and not several and not logits and is_something_else(look, scored.columns[0]):
        scored = None
    if scored and not several and not logits:
        scored = replace(scored, doubt=doubt_of(look, scored.columns[0]))
    scores = (scored,) if scored else ()
    alone = lone_columns(look, free, labels, logits)
    if several and alone and alone[0].rank == UNKNOWN:
        alone = tuple(replace(candidate, doubt=candidate.doubt or _ONLY) for candidate in alone)
    if logits:
        return [scores] if several or not alone else [alone, scores]
    sets = _sets(look, free, labels)
    shares = {candidate: look.share(candidate.columns) for candidate in sets}
    adding = [candidate for candidate in sets if shares[candidate] >= MOST]
    adding = adding or [candidate for candidate in sets if shares[candidate] >= _SOME and candidate.rank >= 0]
    # 0 and 1 alone are labels or decisions, while there is anything else.
    binary = [candidate for candidate in adding if look.binary[list(candidate.columns)].all()]
    with_outcomes = [
        replace(candidate, rank=_NAMED_LIKE_LABELS)
        if _any_has_the_classes_of(look, binary, candidate)
        else candidate
        for candidate in adding
        if candidate not in binary
    ]
    fractions = _likeliest(_without_nested(look, with_outcomes))
    likely = alone if alone and alone[0].rank > 0 else ()
    if fractions and (fractions[0].rank >= 0 or not likely):
        return [fractions]
    if scored and several and _are_named_scores(look, scored, likely):
        return [scores]
    apart = not (scored and several) or all(look.unit[j] for j in scored.columns)
    decisions = [
        candidate
        for candidate in binary
        if not all(look.parsed[j].speaks_of_outcomes for j in candidate.columns)
        and not (scored and _have_the_classes_of(look, candidate, scored))
    ]
    if scores and alone and alone[0].rank <= BESIDE:
        alone = ()  # "age" is no prediction while anything else may be
    decisions = [
        candidate
        if all(look.parsed[j].strong for j in candidate.columns)
        else replace(candidate, doubt=_of_decisions(look, candidate.columns))
        for candidate in decisions
    ]
    rest = [alone if apart else (), scores]
    if scored and not several and _are_decisions(alone) and look.parsed[scored.columns[0]].numeric:
        rest = [scores]  # "y_score" of any size says more than "y_pred"
    tiers = [tier for tier in (likely, _likeliest(decisions), *rest) if tier]
    if not tiers:
        if uncertain:
            raise InputError(f"{no_probabilities(look, uncertain)} {_EXPECTED}", (ASK_COLUMNS,))
        raise InputError(
            f"The columns of numbers are {listed(look.table.names_of(free), 5)}, and none of them is called "
            f"as probabilities are. {_EXPECTED}",
            (ASK_COLUMNS,),
        )
    return tiers


def _are_decisions(alone: Sequence[Candidate]) -> bool:
    return bool(alone) and all(candidate.doubt.endswith(DECISIONS) for candidate in alone)


def _of_decisions(look: Look, columns: Sequence[int]) -> str:
    """Why a person is asked whether columns of 0 and 1 are predictions."""
    return f"The columns {listed(look.table.names_of(columns), 5)} hold only 0 and 1{DECISIONS}"


def _stands_beside(look: Look, j: int) -> bool:
    """Whether a column is no prediction by its name, nor the score of a class "loss" by its values."""
    parsed = look.parsed[j]
    scores = loose(parsed.text) in _ALSO_CLASSES and bool((look.sample[:, j] < 0).any())
    return parsed.role in _BESIDE and not scores


def _says_otherwise(look: Look, j: int) -> bool:
    """Whether a column is no score of a class by its name: a prediction, how sure that is, an id."""
    parsed = look.parsed[j]
    if not look.table.named or look.names[j] == position_name(j):
        return look.counts_rows(j)
    if _stands_beside(look, j) or (parsed.role == "predicted" and look.integral[j]):
        return True
    words = [token.text for token in tokens(parsed.text)] if look.integral[j] and not look.unit[j] else []
    return bool(words) and not parsed.inner and not lexicon.NUMBERING.isdisjoint((words[0], words[-1]))


def _are_named_scores(look: Look, scores: Candidate, alone: Sequence[Candidate]) -> bool:
    """Whether their names say that they are one column a class, though they do not add up.

    ``alone``: what may be one column of probabilities.
    """
    logits = all(look.parsed[j].speaks_of_scores for j in scores.columns)
    rivals = alone and alone[0].rank > UNKNOWN
    return logits or scores.rank >= (_NAMED_LIKE_LABELS if rivals else _OF_ONE_FORM)


def _have_the_classes_of(look: Look, ones: Candidate, scores: Candidate) -> bool:
    """Whether columns of 0 and 1 are named after the same classes as scores: these are their outcomes."""
    apart = set(ones.columns).isdisjoint(scores.columns)
    if not look.table.named or not apart or len(ones.columns) != len(scores.columns):
        return False
    known = {frozenset(map(loose, form)) for form in class_forms(look.table.names_of(ones.columns))}
    forms = class_forms(look.table.names_of(scores.columns))
    return any(frozenset(map(loose, form)) in known for form in forms)


def _any_has_the_classes_of(look: Look, binary: Sequence[Candidate], scores: Candidate) -> bool:
    return any(_have_the_classes_of(look, ones, scores) for ones in binary)


def in_order_of(look: Look, columns: tuple[int, ...], class_names: Sequence[str]) -> tuple[int, ...]:
    """The columns in the order of the classes that they are named after, if that is what names them."""
    if not look.table.named or len(columns) != len(class_names):
        return columns
    keys = [loose(name) for name in class_names]
    for form in class_forms(look.table.names_of(columns)):
        known = {loose(name): j for name, j in zip(form, columns, strict=True)}
        if set(keys) == set(known):
            return tuple(known[name] for name in keys)
    return columns


def _of_classes(look: Look, free: Sequence[int], class_names: Sequence[str]) -> tuple[int, ...]:
    """The columns named after the classes; none if not all are there."""
    by_name = {look.names[j]: j for j in free}
    by_class = {look.parsed[j].inner: j for j in free}
    for known in (by_name, by_class):
        if len(class_names) > 1 and all(name and name in known for name in class_names):
            return tuple(known[name] for name in class_names)
    return ()


def _sets(look: Look, free: Sequence[int], labels: Sequence[Collection[str]]) -> list[Candidate]:
    """Sets of two columns and more that may be the predictions, each once."""
    offered: list[tuple[Sequence[int], str]] = []
    if look.table.named:
        offered += _groups(look, free)
        owners = set(look.outcomes.values())
        offered.append(([j for j in free if j in owners], "each has an outcome of its own"))
        offered += [(_named_like(look, free, words), "they are named like the labels") for words in labels]
    plain = [j for j in free if not _stands_beside(look, j) and look.parsed[j].role != "predicted"]
    unit = [j for j in plain if look.unit[j]]
    offered += [
        ([j for j in unit if not look.integral[j]], "the columns with values from 0 to 1"),
        (unit, "the columns with values from 0 to 1"),
        ([j for j in plain if not look.integral[j]], "the columns of fractions"),
        (plain, "all other columns of numbers"),
        (free, "all other columns of numbers"),
    ]
    known: dict[frozenset[int], Candidate] = {}

    def add(columns: Sequence[int], why: str) -> None:
        if len(columns) > 1 and frozenset(columns) not in known:
            known[frozenset(columns)] = Candidate(tuple(columns), why, _rank(look, columns, labels))

    for columns, why in offered:
        add(columns, why)
    if not any(look.share(candidate.columns) >= MOST for candidate in known.values()):
        for run in (*_runs(look, free), *_runs(look, plain)):
            add(run, "columns side by side whose rows sum to 1 or 100")
    return list(known.values())


def _named_like(look: Look, free: Sequence[int], words: Collection[str]) -> list[int]:
    """The columns that have the names of labels."""
    return [j for j in free if covers(words, [look.parsed[j].text])]


def _groups(look: Look, free: Sequence[int]) -> list[tuple[list[int], str]]:
    """Columns whose names have one form, and such that begin or end alike."""
    groups = [([j for j in free if look.parsed[j].percent], "their names say percent")]
    groups.append(([j for j in free if look.parsed[j].text.isdecimal()], "their names are numbers"))
    shapes, alike = [], []
    for (side, key), group in look.name_groups(free).items():
        if side == 2:
            shapes.append((group, f"their names have the form {key}"))
        else:
            alike.append((group, f"their names {('begin', 'end')[side]} with {quote(key)}"))
    return shapes + groups + alike


def _rank(look: Look, columns: Sequence[int], labels: Sequence[Collection[str]]) -> float:
    """How much the names of some columns say that they are the predictions."""
    if not look.table.named:
        return 0
    names = look.table.names_of(columns)
    forms = class_forms(names)
    for is_named in (covers, covers_but_for_signs):
        if any(is_named(form, words) for form in forms for words in labels if len(words) > 1):
            return _NAMED_LIKE_LABELS
    rank = _OF_ONE_FORM if has_one_shape(names) else 0.0
    words = loose_words(labels)
    rest = [j for j in columns if loose(look.parsed[j].text) not in words]
    parsed = [look.parsed[j] for j in rest]
    heads = {pieces(name.text)[0] for name in parsed}
    if len(columns) > 2 and len(heads) == 1 and heads != {""}:
        return rank  # "xgb_win", "xgb_loss": whatever stands behind what they share is a class
    bare = any(name.speaks_of_predictions and not name.inner for name in parsed)
    if bare or any(_stands_beside(look, j) for j in rest):
        rank += _SOMETHING_ELSE  # "confidence", or "risk" alone, is no class
    elif any(name.inner for name in parsed) and not all(name.inner for name in parsed):
        rank += _SOMETHING_ELSE / 2
    return rank


def _runs(look: Look, free: Sequence[int]) -> list[list[int]]:
    """The longest runs of neighbours that add up in most rows."""
    part = look.sample[:, list(free)]
    outside = ~((part >= 0) & (part <= 100))
    ends = np.zeros((len(part), len(free) + 1))
    np.cumsum(np.where(outside, 1e6, part), axis=1, out=ends[:, 1:])  # 1e6: never part of a sum to 100
    for length in range(len(free) - 1, max(1, len(free) - _MOST_DROPPED - 1), -1):
        sums = ends[:, length:] - ends[:, :-length]
        shares = [np.mean(np.abs(sums - scale) <= 0.02 * scale, axis=0) for scale in (1, 100)]
        starts = np.flatnonzero(np.maximum(*shares) > _SOME)
        if len(starts):
            return [list(free[start : start + length]) for start in starts.tolist()]
    return []


def _without_nested(look: Look, sets: Sequence[Candidate]) -> list[Candidate]:
    """Of two sets of which one holds the other, and both add up, the one that is meant, if that is clear."""
    left = list(sets)
    for small in sets:
        for large in sets:
            if small in left and large in left and set(small.columns) < set(large.columns):
                left = [candidate for candidate in left if candidate not in _beaten(look, small, large)]
                if small in left and large in left:  # equal, so that both are shown
                    rank = max(small.rank, large.rank)
                    left = [
                        replace(candidate, rank=rank) if candidate in (small, large) else candidate
                        for candidate in left
                    ]
                    return _without_nested(look, left) if small.rank != large.rank else left
    return left


def _beaten(look: Look, small: Candidate, large: Candidate) -> tuple[Candidate, ...]:
    more = [j for j in large.columns if j not in small.columns]
    if np.nanmax(np.abs(look.sample[:, more])) > _ZERO:
        near, far = sorted((small, large), key=lambda candidate: _miss(look, candidate.columns))
        return (far,) if _miss(look, far.columns) > 2 * _miss(look, near.columns) else ()
    if has_one_shape(look.table.names_of(large.columns)):
        return (small,)
    if any(look.parsed[j].role for j in more):
        return (large,)
    inside = min(small.columns) < min(more) and max(more) < max(small.columns)
    return (small,) if inside and not look.table.named else ()


def _miss(look: Look, columns: Sequence[int]) -> float:
    sums = look.sample[:, list(columns)].sum(axis=1)
    return float(min(np.nanmean(np.abs(sums / scale - 1)) for scale in (1, 100)))


def _likeliest(sets: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those of the highest rank; several are a question."""
    best = max((candidate.rank for candidate in sets), default=0)
    return tuple(candidate for candidate in sets if candidate.rank == best)


def _scores(
    look: Look, free: Sequence[int], labels: Sequence[Collection[str]], logits: bool
) -> Candidate | None:
    """Columns that do not add up, and may be scores: by name, else the fractions."""
    if not free:
        return None
    like: list[Candidate] = []
    for columns, why in _groups(look, free) if look.table.named else ():
        if len(columns) < 2 or look.binary[columns].all():
            continue
        rank = _rank(look, columns, labels)
        if rank >= _NAMED_LIKE_LABELS or has_one_shape(look.table.names_of(columns)):
            like.append(Candidate(tuple(columns), why, rank))
    for words in labels:
        known = _named_like(look, free, words)
        if len(known) > 1:
            columns = _alike(look, free, known)
            why = "columns of fractions named like the labels, and their like"
            like.append(Candidate(tuple(columns), why, _rank(look, columns, labels)))
    if like:
        of_scores = {
            candidate: all(look.parsed[j].speaks_of_scores for j in candidate.columns) for candidate in like
        }
        return max(
            like,
            key=lambda candidate: (candidate.rank, of_scores[candidate] == logits, len(candidate.columns)),
        )
    fractions = [j for j in free if not look.integral[j]]
    if len(fractions) > 1:
        return Candidate(tuple(fractions), "the columns of fractions")
    return Candidate(tuple(fractions or free), "all other columns of numbers")


def _alike(look: Look, free: Sequence[int], known: Sequence[int]) -> list[int]:
    """Columns named like labels, and those whose values are of the same size: classes that never occurred."""
    own = look.sample[:, list(known)]
    reach = np.nanmax(np.abs(own))
    scores = len(own) >= _ENOUGH and bool(np.nanmin(own) < 0 or np.nanmax(own) > 1)

    def is_alike(j: int) -> bool:
        if look.integral[j] or look.parsed[j].role:
            return False
        low, high = np.nanmin(look.sample[:, j]), np.nanmax(look.sample[:, j])
        confidence = scores and low >= 0 and high <= 1  # or an entropy
        return bool(not confidence and max(-low, high) / 2 <= reach)  # twice the largest may be no number

    return [j for j in free if j in known or is_alike(j)]
