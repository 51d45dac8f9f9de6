"""Columns that say whether a prediction was right, and not what happened: "correct", "is_wrong"."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibcore.column_names.lexicon import NO_VALUE
from calibcore.column_names.name_words import RIGHT, WRONG, loose, polarity, says_of_answers
from calibcore.column_names.names import Name
from calibcore.column_names.no_classes import class_within
from calibcore.data.confidence import MARKS_RIGHT, MARKS_WRONG
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError, NoLabelsError
from calibcore.io.roles.agreement import FEW
from calibcore.io.roles.label_columns import LabelFit
from calibcore.io.roles.label_places import AS_ASKED, LABEL, PROVEN, TRUTH, Place
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import Meaning, Words, cell_text
from calibcore.io.tables import capitalised
from calibcore.numerics.types import Float, Int
from calibcore.wording import listed

OUTCOME = "outcome"
"""What a label says: what happened, and not whether the rounded answer was right, or wrong."""


def mark_of(word: str) -> str:
    """What a mark says that stands in a column of right answers: of "✓" or "ok" right; "" of any other."""
    folded = word.strip().casefold()
    return RIGHT if folded in MARKS_RIGHT else WRONG if folded in MARKS_WRONG else ""


def truths(labels: Words) -> tuple[int, ...] | None:
    """Of each label whether it says yes; None if that is not known."""
    if labels.all_integers:
        known_pairs = ({0, 1}, {-1, 1}, {0, 100})
        fits = any(set(labels.integers) <= pair for pair in known_pairs)
        return tuple(int(number > 0) for number in labels.integers) if fits else None
    if labels.truths is not None:
        return tuple(map(int, labels.truths))
    known = []
    for word in labels.words:
        role, sign = mark_of(word) or says_of_answers(word), polarity(word)
        known.append(1 if role == RIGHT or sign > 0 else 0 if role == WRONG or sign < 0 else -1)
    return (
        tuple(known) if len(known) <= 2 and set(known) <= {0, 1} and len(set(known)) == len(known) else None
    )


def places_of_answers(look: Look, places: Sequence[Place]) -> dict[Place, str]:
    """Those of some places that may say whether answers were right (or wrong)."""
    answers = {}
    for place in places:
        (j, *more) = place.columns
        role = says_of_answers(look.names[j]) if look.table.named and not more else ""
        words = look.table.columns[j].iloc[look.rows].unique()
        if not role and place.rank < LABEL and not look.numeric[j] and len(words) == 2:
            role = RIGHT if {says_of_answers(str(word)) for word in words} == {RIGHT, WRONG} else ""
        if role and len(words) <= 2:
            answers[place] = role
    return answers


def proven_truths(look: Look, places: Sequence[Place]) -> tuple[Place, ...]:
    """The same places; what a prediction is in exactly the rows that are said to be right is the truth.

    Said by a column such as "correct", which may have gaps, of ten rows or more, some right and some wrong.
    """
    if not look.table.named:
        return tuple(places)
    roles = [parsed.role for parsed in look.parsed]
    answers = [j for j, role in enumerate(roles) if role == "predicted" and not look.fractional[j]]
    free = [place for place in places if not place.onehot and roles[place.columns[0]] != "predicted"]
    free = [place for place in free if not says_of_answers(look.names[place.columns[0]])]
    proven: dict[Place, str] = {}
    for c in range(len(look.names)):
        right = _said_right(look, c)
        if right is None:
            continue
        known = right >= 0
        for a in answers:
            words = _cells(look, a)
            for place in free:
                same = words == _cells(look, place.columns[0])
                if (same[known] == (right[known] == 1)).all():
                    proven[place] = f"{look.table.where(a)} is the same where {look.table.where(c)} says so"
    ranked = [
        replace(place, rank=PROVEN, why=proven[place]) if place in proven else place for place in places
    ]
    return tuple(sorted(ranked, key=lambda place: -place.rank))


def _said_right(look: Look, j: int) -> Int | None:
    """(r,) 1 where an answer is said to be right, 0 where wrong, −1 where nothing is said; None for a column
    that says nothing of the kind, of too few rows, or the same of all."""
    role = says_of_answers(look.names[j])
    cells = look.table.columns[j].iloc[look.rows].map(cell_text)
    known = sorted({cell for cell in cells if cell.lower() not in NO_VALUE}) if role else []
    if len(known) != 2:
        return None
    signs = [polarity(word.removesuffix(".0")) or (1 if mark_of(word) == RIGHT else -1) for word in known]
    if sorted(signs) != [-1, 1]:
        return None
    says = dict(zip(known, signs, strict=True))
    right: Int = np.array([says.get(cell, 0) for cell in cells], dtype=np.int64)
    right = np.where(right == 0, -1, (right == 1) == (role == RIGHT)).astype(np.int64)
    return right if np.count_nonzero(right >= 0) >= FEW else None


def _cells(look: Look, j: int) -> NDArray[np.object_]:
    """(r,) the cells of a column, 1.0 as 1."""
    cells = look.table.columns[j].iloc[look.rows].map(cell_text)
    return np.array([loose(cell.removesuffix(".0")) for cell in cells], dtype=object)


def fit_of_answers(
    look: Look,
    place: Place,
    says: str,
    columns: Sequence[int],
    name: Name,
    names: Sequence[str] | None,
    probs: Float,
) -> LabelFit:
    """The labels of two classes of which ``place`` says whether the rounded answer was right.

    ``name`` is that of the column of probabilities, if there is one, and ``names`` are the classes of two.
    :class:`InputError` if it does not say so, or of another answer.
    """
    (j,) = place.columns
    labels = look.words(j)
    where = capitalised(labels.where)
    if probs.shape[1] > 2:
        raise NoLabelsError(
            f"{where} says whether the predictions were {says}, and not which of the {probs.shape[1]:,} "
            "classes it was. Expected a column with the class of every row. If the labels are in a file of "
            "their own, give that too."
        )
    numbers = truths(labels)
    if numbers is None:
        raise InputError(
            f"{where} holds {listed(sorted(labels.words), 5)}, which do not say whether answers were {says}. "
            "Expected 0 and 1, or yes and no."
        )
    _refuse_other_answers(look, where, columns, probs, says)
    inner = class_within(name.inner)
    classes = (
        tuple(names) if names else (f"not {inner}", inner) if inner and not inner.isdecimal() else ("0", "1")
    )
    note = (
        f"{where} says whether the rounded answer was {says}: what happened is that answer where it was "
        "right, and the other class where it was wrong."
    )
    words = f"It says whether the rounded answer was {says}"
    return LabelFit(
        replace(place, rank=TRUTH),
        Meaning(numbers, classes, "boolean", (note,), {"label_says": says}, words, says=says),
    )


def _refuse_other_answers(look: Look, where: str, columns: Sequence[int], probs: Float, says: str) -> None:
    """InputError if decisions stand beside the probabilities that are not these, rounded."""
    rounded = (probs[:, 1] > 0.5).astype(int)
    for j, parsed in enumerate(look.parsed):
        if parsed.role != "predicted" or j in columns or says_of_answers(look.names[j]):
            continue
        codes = look.table.columns[j].iloc[look.rows].astype(str).factorize()[0]
        if codes.max(initial=0) == 1 and len({*zip(codes.tolist(), rounded.tolist(), strict=True)}) > 2:
            raise InputError(
                f"{where} says whether an answer was {says}, and {look.table.where(j)}, which may be that "
                "answer, is not the rounded probability in every row. Expected a column that says what "
                "happened."
            )


def in_doubt(look: Look, place: Place, fits: Sequence[LabelFit], says: str) -> list[LabelFit]:
    """The same labels as whether an answer was right, or as what happened: a question."""
    where = capitalised(look.table.where(place.columns[0]))
    doubt = f"{where} may say whether the rounded answer was {says}, or what happened."
    asked = place.why == AS_ASKED
    doubtful = []
    for fit in fits:
        meaning = fit.meaning
        if meaning.says == OUTCOME:
            words = "; ".join(filter(None, ("It says what happened", meaning.words)))
            meaning = replace(meaning, words=words, change={**meaning.change, "label_says": OUTCOME})
        doubtful.append(replace(fit, meaning=replace(meaning, doubt=doubt), doubt="" if asked else doubt))
    return doubtful


def outcomes_of_answers(probs: Float, yes: Int, says: str) -> Int:
    """(n,) what happened, 0 or 1, where (n, 2) ``probs`` were rounded and ``yes`` says if that was right.

    :class:`InputError` where both classes are equally likely, so that nobody knows what the answer was.
    """
    even = np.flatnonzero(probs[:, 0] == probs[:, 1])
    if len(even):
        raise InputError(
            f"{list_rows(even, lambda i: f'has {probs[i, 1]:.6g} for both classes')} Whether the rounded "
            f"answer was {says} does not say what happened there.",
            leaving_out(even, len(probs)),
        )
    return rough_outcomes(probs, yes, says)


def rough_outcomes(probs: Float, yes: Int, says: str) -> Int:
    """The same, unchecked."""
    answer = (probs[:, 1] > probs[:, 0]).astype(np.int64)
    right = np.asarray(yes) == (says == RIGHT)
    return np.where(right, answer, 1 - answer)
