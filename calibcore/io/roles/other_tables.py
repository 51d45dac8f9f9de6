"""Tables without a class a row: numbers that were predicted, and the bins of a calibration curve."""

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import says_of_answers, tokens
from calibcore.errors import InputError
from calibcore.io.roles.look import Look
from calibcore.io.tables import capitalised
from calibcore.numerics.types import Float

_SHARES = lexicon.words_of("""
    frac fraction fractions share proportion rate freq frequency frequencies observed obs empirical
    accuracy acc true actual positives positive events anteil haufigkeit
""")
"""Words for the share of cases in which something happened."""
_BINS = lexicon.words_of("bin bins bucket buckets decile deciles quantile quantiles klasseneinteilung")
_MOST_BINS = 500
_FEWEST_NUMBERS = 3
"""Different numbers from which on a truth is none of two classes written as 0.0 and 1.0."""
_RISING = 0.75
"""Share of the steps from row to row that go up, in bins that stand in order."""


def refuse_other_tables(look: Look) -> None:
    """InputError for bins of a calibration curve, and for numbers where classes are expected. Cost O(n)."""
    if not look.table.named or look.table.blocks:
        return
    _refuse_differences(look)
    if not _has_classes(look):
        _refuse_bins(look)
        _refuse_numbers(look)


def _has_classes(look: Look) -> bool:
    """Whether some column may say by its name what was so, or whether an answer was right, of each case."""
    return any(
        not look.fractional[j] and (parsed.speaks_of_outcomes or bool(says_of_answers(look.names[j])))
        for j, parsed in enumerate(look.parsed)
        if look.table.columns[j].nunique() > 1
    )


def _refuse_bins(look: Look) -> None:
    if look.table.n > _MOST_BINS:
        return
    words = [{token.text for token in tokens(name)} for name in look.names]
    inside = [j for j in range(len(look.names)) if look.unit[j] and look.fractional[j]]
    means = [
        j
        for j in inside
        if words[j] & (lexicon.PROBABILITY | lexicon.PREDICTED | lexicon.CONFIDENCE) and not words[j] & _BINS
    ]
    shares = [j for j in inside if words[j] & _SHARES and not words[j] & (lexicon.PREDICTED | _BINS)]
    pairs = [(p, s) for s in shares for p in means if p != s]
    binned = any(word & _BINS for word in words)
    for p, s in pairs:
        up = np.diff(look.table.numbers(p).astype(np.float64)) > 0
        if binned or (len(up) and up.mean() >= _RISING):
            raise InputError(
                f"The rows seem to be the bins of a calibration curve: {look.table.where(s)} holds the share "
                f"of cases in which it happened, beside {look.table.where(p)}. A share says nothing of one "
                "case. Expected the cases themselves, one row each, with what happened."
            )


def _refuse_numbers(look: Look) -> None:
    """ "y_true" and "y_pred" that are fractions, and nothing else that may be a class."""
    truths = [j for j in _of_role(look, "truth") if look.fractional[j]]
    predicted = [j for j in _of_role(look, "predicted") if look.fractional[j]]
    for j in truths if predicted else ():
        if len(np.unique(look.numbers(j))) >= _FEWEST_NUMBERS:
            raise _of_regression(look, j, predicted[0])


def _refuse_differences(look: Look) -> None:
    """Whole numbers, too, where a column says by how much a prediction was off."""
    for truth in _of_role(look, "truth", "label"):
        for predicted in _of_role(look, "predicted"):
            off = look.sample[:, predicted] - look.sample[:, truth]
            if len(np.unique(np.abs(off[np.isfinite(off)]))) < _FEWEST_NUMBERS:
                continue
            rest = (j for j in range(len(look.names)) if look.numeric[j] and j not in (truth, predicted))
            if any(_is_size_of(look.sample[:, j], off) for j in rest):
                raise _of_regression(look, truth, predicted)


def _of_role(look: Look, *roles: str) -> list[int]:
    return [j for j, parsed in enumerate(look.parsed) if parsed.role in roles and look.numeric[j]]


def _is_size_of(values: Float, off: Float) -> bool:
    """Whether numbers are as large as differences are, whatever their sign."""
    return bool(np.allclose(np.abs(values), np.abs(off), rtol=1e-3, atol=1e-3, equal_nan=True))


def _of_regression(look: Look, truth: int, predicted: int) -> InputError:
    return InputError(
        f"{capitalised(look.table.where(truth))} holds numbers, and no classes: "
        f"{look.table.where(predicted)} says how much was predicted, as a regression does, and not how "
        "likely anything is. Expected the class of every case, and its probability or how sure the model was."
    )
