"""Weighted cases give estimates, and no redraws, as nothing says how their outcomes vary together."""

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError


def refuse_weights(predictions: Predictions) -> None:
    """Raises :class:`InputError` for weighted predictions."""
    if predictions.weights is not None:
        raise InputError(
            "The cases are weighted: weights give estimates only. Rows that stand for identical independent "
            "cases can be given as counts, which give tests too."
        )
