"""What predictions must be for a test to hold."""

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError


def refuse_pooled(predictions: Predictions, test: str) -> None:
    """Raises :class:`InputError` for pooled predictions; ``test`` is the name in the sentence."""
    if predictions.pooled_from is not None:
        raise InputError(
            f"The {test} test needs independent rows, and the pooled pairs of one case depend on each other. "
            "The exact test takes them."
        )


def needs_independent_rows(predictions: Predictions, test: str) -> None:
    """Raises :class:`InputError` unless every row is one case of its own."""
    refuse_untested(predictions)
    refuse_pooled(predictions, test)
