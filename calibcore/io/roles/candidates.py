"""What may be the predictions of a table; of two classes, the one column of probabilities."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import loose, loose_words, pieces, polarity, says_of_answers, tokens
from calibcore.column_names.names import Name
from calibcore.column_names.no_classes import class_within
from calibcore.io.roles.look import Look
from calibcore.io.tables import capitalised
from calibcore.wording import listed


@dataclass(frozen=True)
class Candidate:
    """Columns that may be the predictions, in the order of the classes."""

    columns: tuple[int, ...]
    why: str  # the reason, for a note
    rank: float = 0  # how much the names of the columns say so
    doubt: str = ""  # why a person is asked, although nothing else is likelier


DECISIONS = ", as decisions do: a decision is no probability."
"""How a doubt ends that a column holds probabilities at all."""
_ZERO = 1e-9
_SOME_ROWS = 3
_LARGEST_CODE = 12
"""Whole numbers up to it may number groups."""


def without_settings(look: Look, free: list[int], labels: Sequence[Collection[str]]) -> list[int]:
    """Without columns that say the same number in every row, as "lambda" does, and have no label's name."""
    words = loose_words(labels)
    if not look.table.named or len(look.sample) < _SOME_ROWS:
        return free
    spread = np.ptp(look.sample, axis=0)

    def is_setting(j: int) -> bool:
        named = look.parsed[j].role or loose(look.parsed[j].text) in words
        return bool(not named and spread[j] == 0 and look.sample[0, j] > _ZERO)

    left = [j for j in free if not is_setting(j)]
    return left if any(look.unit[j] and not look.integral[j] and spread[j] > 0 for j in left) else free


OF_A_LABEL, OF_A_WORD, OF_A_PREDICTION, UNKNOWN = 4.0, 3.0, 2.0, 1.0
"""Ranks by name: of a label or a class that is known; "p_x" or "risk"; "prediction"; anything."""
_LOGARITHM, _UNNAMED, _CONFIDENCE, _WHOLE, BESIDE = 0.5, -0.5, -1.0, -2.0, -3.0
"""By name: logits where nobody said so; whole numbers that may be percent; how sure the model is; decisions;
something else."""


def lone_columns(
    look: Look, free: Sequence[int], labels: Sequence[Collection[str]], logits: bool
) -> tuple[Candidate, ...]:
    """The likeliest of the columns ``free``; several are a question.

    ``labels``: words of columns that may be the labels; ``logits``: the user calls the numbers scores.
    """
    words = loose_words(labels)
    ranks = {j: _rank(look, j, words, logits) for j in free if _may_be(look, j, logits)}
    _level_numbered(look, ranks, words)
    best = max(ranks.values(), default=0)
    why = "one column of probabilities"
    return tuple(Candidate((j,), why, best, doubt_of(look, j)) for j, rank in ranks.items() if rank == best)


def _level_numbered(look: Look, ranks: dict[int, float], words: set[str]) -> None:
    """Of "prob_1" and "prob_2" beside labels 0 and 1, or of "prob_x" and "prob_y", none is about a class:
    what stands behind tells models apart.
    """
    alike: dict[str, list[int]] = {}
    for j, rank in ranks.items():
        if rank > 0:
            alike.setdefault(look.parsed[j].shape, []).append(j)
    for columns in alike.values():
        if len(columns) > 1 and not all(_is_class(look.parsed[j], words) for j in columns):
            ranks |= {j: OF_A_WORD for j in columns if look.parsed[j].inner and ranks[j] > OF_A_WORD}


def _is_class(parsed: Name, words: set[str]) -> bool:
    """Whether what a name is about is a label, or one of two opposites."""
    inner = loose(parsed.inner)
    return inner in words or (polarity(parsed.inner) != 0 and inner not in ("y", "n"))


def _may_be(look: Look, j: int, logits: bool) -> bool:
    """Whether the numbers may be probabilities or percent."""
    part = look.sample[:, j]
    finite = part[np.isfinite(part)]
    if not len(finite) or not (logits or np.mean((finite >= 0) & (finite <= 100)) > 0.5):
        return False
    parsed = look.parsed[j]
    if not logits and is_something_else(look, j):
        return False
    return not look.integral[j] or parsed.speaks_of_predictions or parsed.percent or not look.counts_rows(j)


def is_something_else(look: Look, j: int) -> bool:
    """Whether a column by its name holds no probabilities, though its values would do: "seconds", "correct",
    or an "id" up to 100."""
    parsed = look.parsed[j]
    if parsed.speaks_of_predictions or parsed.percent or parsed.role == "confidence":
        return False
    counts = not lexicon.QUANTITIES.isdisjoint(token.text for token in tokens(parsed.text))
    verdict = bool(says_of_answers(parsed.text)) and look.binary[j]
    return counts or bool(verdict) or (parsed.role == "other" and not look.unit[j])


def is_uncertainty(look: Look, j: int, labels: Sequence[Collection[str]] = ()) -> bool:
    """Whether a column by its name says how unsure a model was: an entropy, a variance, a margin from 0 to 1.

    ``labels``: words of columns that may be the labels; a class of such a name is one.
    """
    parsed = look.parsed[j]
    words = [token.text for token in tokens(parsed.text)]
    named = not lexicon.UNCERTAINTY.isdisjoint(words) or not lexicon.UNCERTAIN_PAIRS.isdisjoint(
        pairwise(words)
    )
    margin = bool(look.unit[j]) and "margin" in words
    return (
        look.table.named
        and (named or margin)
        and loose(parsed.inner or parsed.text) not in loose_words(labels)
    )


def is_lone_uncertainty(look: Look, j: int, labels: Sequence[Collection[str]]) -> bool:
    """The same of an "energy" or a "loss", which beside others may be a class."""
    words = {token.text for token in tokens(look.parsed[j].text)}
    called = bool(words & lexicon.UNCERTAIN_ALONE) and words <= lexicon.UNCERTAIN_ALONE | lexicon.OF_LOSSES
    return look.table.named and called and words.isdisjoint(loose_words(labels))


def no_probabilities(look: Look, columns: Sequence[int]) -> str:
    """That columns measure uncertainty, which is no probability."""
    if len(columns) > 1:
        names = listed(look.table.names_of(columns), 5)
        return f"The columns {names} are by their names measures of uncertainty, and no probabilities."
    where = capitalised(look.table.where(columns[0]))
    return f"{where} is by its name a measure of uncertainty, and no probability."


def _rank(look: Look, j: int, words: set[str], logits: bool) -> float:
    parsed = look.parsed[j]
    if parsed.role == "other":
        return BESIDE
    if parsed.role == "confidence":
        return _CONFIDENCE
    if _holds_decisions(look, j):
        return _WHOLE
    # A number at the end says of which class a probability is, and counts anything else.
    counted = bool(parsed.inner) and not class_within(parsed.inner)
    ends = [loose(end) for end in pieces(parsed.text) if end and not (counted and end.isdecimal())]
    own = {loose(parsed.inner or parsed.text), *(e for e in ends if parsed.numeric or not e.isdecimal())}
    if own & words or (parsed.numeric and parsed.inner and polarity(parsed.inner)):
        rank = OF_A_LABEL
    elif parsed.numeric:
        rank = OF_A_WORD if logits or parsed.role == "probability" else _LOGARITHM
    else:
        rank = OF_A_PREDICTION if parsed.role == "predicted" else UNKNOWN
    if logits and parsed.speaks_of_scores:
        rank += OF_A_LABEL
    # Percent that nobody calls so, and whole numbers of which nobody says that they are predictions.
    odd = not look.unit[j] and not parsed.percent
    if odd and rank == UNKNOWN:
        return BESIDE if _are_codes(look, j) else _UNNAMED
    return rank - 0.5 * odd - 0.25 * bool(look.integral[j])


def _are_codes(look: Look, j: int) -> bool:
    """Whether whole numbers are all small, as those of groups are: per cent would go further."""
    values = look.sample[:, j]
    return bool(look.integral[j] and np.nanmax(values) <= _LARGEST_CODE)


def _holds_decisions(look: Look, j: int) -> bool:
    return bool(look.integral[j] and (look.unit[j] or look.parsed[j].role == "predicted"))


def doubt_of(look: Look, j: int) -> str:
    """Why a person is asked whether a column holds probabilities; "" where nothing speaks against it."""
    where = look.table.where(j)
    if look.parsed[j].role == "confidence":
        return (
            f"{capitalised(where)} may be how sure the model is of whatever it predicts, which is "
            "not the probability of one class."
        )
    if _holds_decisions(look, j):
        what = "0 and 1" if look.binary[j] else "whole numbers"
        return f"{capitalised(where)} holds only {what}{DECISIONS}"
    return ""
