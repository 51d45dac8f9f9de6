"""Which column may hold the labels: by its name, and by what stands in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io import agreement
from calibcore.io.label_places import ANY, BESIDE, BY_NAME, BY_PREDICTIONS, LABEL, TRUTH, Place
from calibcore.io.look import MOST_OFFERED, Look
from calibcore.io.meaning import Meaning
from calibcore.io.name_words import loose
from calibcore.io.tables import is_bool_column, listed
from calibcore.numerics.types import Float, Int


@dataclass(frozen=True)
class LabelFit:
    """Labels and what they stand for; ``doubt`` is why a person is asked whether these are the labels."""

    place: Place
    meaning: Meaning
    doubt: str = ""


@dataclass(frozen=True)
class How:
    """How labels are looked for.

    Attributes
    ----------
    m : classes
    own_file : whether they are in a file of their own
    named : whether names of columns say anything
    """

    m: int
    own_file: bool
    named: bool


Understand = Callable[[int], tuple[Meaning, ...]]
"""What the labels of a column stand for, in every way that fits; :class:`InputError` if none does."""


def choose(
    look: Look, places: Sequence[Place], understand: Understand, probs: Float, how: How
) -> tuple[LabelFit, ...]:
    """The labels that fit (r, m) predictions; several, or one in doubt, are a question.

    Raises
    ------
    InputError : there are none; names what there is.
    """
    places = [place for place in places if not _tells_rows_apart(look, place, how.m)] or places
    best = max((place.rank for place in places), default=ANY)
    if best >= LABEL:
        return _named(look, places, best, understand, probs, how.m)
    unnamed = [place for place in places if place.rank == ANY]
    fits, refusal = _fitting(unnamed, understand)
    if len({fit.place for fit in fits}) > 1:  # any text of so many words might be of other classes
        fits = [fit for fit in fits if not fit.meaning.open]
        fits = [fit for fit in fits if not fit.meaning.doubt] or fits
    fits = _of_different_contents(look, fits)
    chosen = _by_words(look, fits, probs, how.own_file) if how.named else _by_position(look, fits, probs)
    if chosen and how.named and not any(fit.doubt for fit in chosen):
        beside = _fitting([place for place in places if place.rank == BESIDE], understand)[0]
        rivals = [fit for fit in beside if _holds_names(look, fit) and not _is_constant(look, fit)]
        different = _of_different_contents(look, [*chosen, *rivals])
        if len({fit.place for fit in different}) > 1:
            return _several(look, different)
    if chosen:
        return chosen
    others, _ = _fitting([place for place in places if place.rank < ANY], understand)
    text = len(unnamed) == 1 and not look.numeric[unnamed[0].columns[0]]
    if refusal and text and not any(_holds_names(look, fit) for fit in others):
        raise refusal  # the only column of text: what is wrong with it is worth more than that there is none
    offered = columns_of_labels(look, [fit.place.columns[0] for fit in others])
    if how.own_file:
        raise InputError(
            f"No column of the file of labels may be the labels. Its columns are {listed(look.names)}.",
            offered,
        )
    raise NoLabelsError(
        f"No column of labels was found. The columns are {listed(look.names)}. If the labels are in "
        "a file of their own, give that too.",
        offered,
    )


def _fitting(places: Sequence[Place], understand: Understand) -> tuple[list[LabelFit], InputError | None]:
    """Every way in which the labels of these columns fit; the first refusal."""
    fits: list[LabelFit] = []
    refusal = None
    for place in places:
        try:
            fits += [LabelFit(place, meaning) for meaning in understand(place.columns[0])]
        except InputError as error:
            refusal = refusal or error
    return fits, refusal


def _named(
    look: Look, places: Sequence[Place], best: int, understand: Understand, probs: Float, m: int
) -> tuple[LabelFit, ...]:
    """Labels by their names. What is named like labels and holds no classes is refused, not passed over."""
    named = [place for place in places if place.rank == best]
    fits, refusal = _fitting([place for place in named if _like_classes(look, place, m)] or named, understand)
    if not fits:
        assert refusal is not None
        raise refusal
    fits = _of_different_contents(look, fits)
    if len({fit.place for fit in fits}) > 1:
        return _several(look, fits)
    if best == TRUTH or fits[0].meaning.doubt:
        return tuple(fits)
    return _if_no_guess(look, fits, places, understand, probs)


def _several(look: Look, fits: Sequence[LabelFit]) -> tuple[LabelFit, ...]:
    where = sorted({fit.place.columns[0] for fit in fits})
    doubt = f"The columns {listed([look.names[j] for j in where])} could all be the labels."
    return tuple(replace(fit, doubt=doubt) for fit in fits)


def _if_no_guess(
    look: Look, fits: Sequence[LabelFit], places: Sequence[Place], understand: Understand, probs: Float
) -> tuple[LabelFit, ...]:
    """ "label" or "class" that is always the likeliest class may be what the model said."""
    (own,) = fits[0].place.columns
    labels = _sampled(look, fits[0])
    constant = _is_constant(look, fits[0]) and len(labels) > 1
    # "Tree" of "Tree (cat)" may as well be what the tree said.
    learner = fits[0].place.why == BY_PREDICTIONS
    if not (agreement.is_guess(probs, labels) or constant or learner):
        return tuple(fits)
    words = {loose(word) for word in look.words(own).words}
    others = [
        fit
        for fit in _fitting([place for place in places if place.rank in (ANY, BESIDE)], understand)[0]
        if (constant or words & {loose(word) for word in look.words(fit.place.columns[0]).words})
        and not _is_constant(look, fit)
        and not agreement.is_guess(probs, _sampled(look, fit))
        and ((fit.place.rank == ANY and not learner) or _holds_names(look, fit))
    ]
    if not others and not agreement.is_surely_guess(probs, labels):
        return tuple(fits)
    if not agreement.is_guess(probs, labels) and not constant:
        return _several(look, (*fits, *others))
    doubt = f"{_where(look, own)} says the same in every row." if constant and others else _always(look, own)
    return tuple(replace(fit, doubt=doubt) for fit in (*fits, *others))


def _always(look: Look, j: int) -> str:
    return f"{_where(look, j)} is the likeliest class in every row, as a prediction would be."


def _where(look: Look, j: int) -> str:
    where = look.table.where(j)
    return where[0].upper() + where[1:]


def _guess_doubt(look: Look, fit: LabelFit, probs: Float) -> str:
    """Why labels whose name says nothing may be what a model said; "" if nothing speaks for it."""
    (j,) = fit.place.columns
    labels = _sampled(look, fit)
    if agreement.is_surely_guess(probs, labels):
        return _always(look, j)
    never = agreement.is_never_guess(probs, labels)
    return f"{_where(look, j)} is never the likeliest class." if never else ""


def _sampled(look: Look, fit: LabelFit) -> Int:
    """The labels of the sample's rows."""
    return look.words(fit.place.columns[0]).sampled(fit.meaning.numbers)


def _tells_rows_apart(look: Look, place: Place, m: int) -> bool:
    """Whether every row has a value of its own, and far more rows than classes: "reference" of a case."""
    cells = look.table.columns[place.columns[0]]
    return place.why == BY_NAME and len(cells) > 2 * m + 10 and bool(cells.nunique() == len(cells))


def _like_classes(look: Look, place: Place, m: int) -> bool:
    """Whether there are not many more different values than classes."""
    (j,) = place.columns
    if look.table.n > 2 and look.counts_rows(j):
        return False
    try:
        return len(look.words(j).words) <= max(2 * m, m + 5)
    except InputError:
        return True


def _of_different_contents(look: Look, fits: Sequence[LabelFit]) -> list[LabelFit]:
    """Without columns that say the same as another one: as names, and as numbers."""
    left: list[LabelFit] = []
    for fit in fits:
        own = look.words(fit.place.columns[0]).mapped(fit.meaning.numbers)
        others = (one for one in left if one.place != fit.place)
        if not any(
            np.array_equal(own, look.words(one.place.columns[0]).mapped(one.meaning.numbers))
            for one in others
        ):
            left.append(fit)
    return left


def _by_words(look: Look, fits: Sequence[LabelFit], probs: Float, own_file: bool) -> tuple[LabelFit, ...]:
    """Without a name that says so: the one column of text that holds the names of the classes; else ask."""
    texts = [fit for fit in fits if _holds_names(look, fit)]
    likely = texts or fits
    if len({fit.place for fit in likely}) > 1:
        return _several(look, likely)
    if not likely:
        return ()
    (j,) = likely[0].place.columns
    why = "its values are the names of the classes" if texts else "the only column that may be"
    chosen = [replace(fit, place=replace(fit.place, why=why)) for fit in likely]
    doubt = _guess_doubt(look, likely[0], probs)
    labels = _sampled(look, likely[0])
    if not doubt and len(labels) >= agreement.FEW and agreement.is_guess(probs, labels):
        doubt = _always(look, j)
    if not doubt and agreement.is_surely_split(probs, labels):
        doubt = f"{_where(look, j)} goes with the predictions in every row, as a decision would."
    if not doubt and not texts and not own_file:
        doubt = f"Only {look.table.where(j)} may be the labels, and its name does not say so."
    return tuple(replace(fit, doubt=doubt) for fit in chosen)


def _by_position(look: Look, fits: Sequence[LabelFit], probs: Float) -> tuple[LabelFit, ...]:
    """In a table without names: the one column that may be the labels, the first or the last one."""
    if len({fit.place for fit in fits}) > 1:
        return _several(look, fits)
    if not fits:
        return ()
    (j,) = fits[0].place.columns
    ends = {0: "first", len(look.names) - 1: "last"}
    doubt = "" if fits[0].meaning.doubt else _guess_doubt(look, fits[0], probs)
    if not look.numeric[j]:
        why = "the only column of text"
    elif j in ends:
        why = f"the {ends[j]} column, which holds whole numbers while the others hold fractions"
    else:
        why, doubt = "the only column that may be", f"Only {look.names[j]} may be the labels."
    return tuple(replace(fit, place=replace(fit.place, why=why), doubt=doubt) for fit in fits)


def _holds_names(look: Look, fit: LabelFit) -> bool:
    """Whether a column of text holds the names of the classes."""
    (j,) = fit.place.columns
    text = not look.numeric[j] and not is_bool_column(look.table.columns[j])
    return text and fit.meaning.kind == "names"


def _is_constant(look: Look, fit: LabelFit) -> bool:
    """Whether it says the same in every row."""
    return len(look.words(fit.place.columns[0]).words) == 1


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
