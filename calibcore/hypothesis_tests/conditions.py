"""What predictions must be for a test to hold."""

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError


def needs_independent_rows(predictions: Predictions, test: str) -> None:
    """Raises :class:`InputError` unless every row is one case of its own; ``test`` is its name there."""
    refuse_untested(predictions)
    if predictions.pooled_from is not None:
        raise InputError(
            f"The {test} test needs independent rows, and the pooled pairs of one case depend on each other. "
            "The exact test takes them."
        )
