"""Weighted cases give estimates, and no redraws, as nothing says how their outcomes vary together."""

from calibcore.data.cross_fitted import CROSS_FITTED_REFUSED
from calibcore.data.label_pairs import PAIRS_REFUSED
from calibcore.data.several_labels import Cases
from calibcore.errors import InputError


def refuse_weights(predictions: Cases) -> None:
    """Raises :class:`InputError` for weighted predictions."""
    if predictions.weights is not None:
        raise InputError(
            "The cases are weighted: weights give estimates only. Rows that stand for identical independent "
            "cases can be given as counts, which give tests too."
        )


def refuse_untested(predictions: Cases) -> None:
    """Raises :class:`InputError` for weighted predictions, for recalibrated ones of these same cases, and for
    pairs of a case and a label."""
    refuse_weights(predictions)
    if predictions.cross_fitted:
        raise InputError(CROSS_FITTED_REFUSED)
    if predictions.case_of is not None:
        raise InputError(PAIRS_REFUSED)
