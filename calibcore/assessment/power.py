"""The smallest miscalibration that a test would have shown: what is found of it.

Patterns and their sizes are those of :mod:`calibcore.assessment.alternatives`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from calibcore.bounds import Count, OneOf, Share
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError

POWER = 0.8
N_SIMULATED = 400


@dataclass(frozen=True)
class Detectable:
    """What one pattern of miscalibration must measure to be seen 8 times in 10.

    Attributes
    ----------
    pattern : "overconfidence", "bias" or "uneven"
    class_name : towards which class, for a bias; else empty
    size : d80, mean total variation as a probability; None where even λ = 1 falls short
    share : λ at which the test reaches that power; None likewise
    power : share of the simulated label sets that were rejected at ``share`` (at λ = 1 where size is
        None; near ``share`` for a pattern that was not simulated to the end)
    largest : the size at λ = 1: with these predictions the pattern cannot measure more
    n_simulated : label sets that were drawn at ``share``
    """

    pattern: Annotated[str, OneOf("overconfidence", "bias", "uneven")]
    class_name: str
    size: Share | None
    share: Share | None
    power: Share
    largest: Share = 1.0
    n_simulated: Count = N_SIMULATED


def counting(seen: Sequence[Detectable], tolerance: float) -> Sequence[Detectable]:
    """The patterns that could exceed ``tolerance``; where none could, all.

    An error that cannot matter does not count.
    """
    return [alternative for alternative in seen if alternative.largest > tolerance] or seen


def smallest(seen: Sequence[Detectable], tolerance: float) -> float | None:
    """D80: the largest size of the patterns that count; None if one of them cannot be seen at all."""
    sizes = [alternative.size for alternative in counting(seen, tolerance)]
    return max((s for s in sizes if s is not None), default=None) if None not in sizes else None


def check_cases(predictions: Predictions) -> None:
    """Raises :class:`InputError` for weighted and for pooled predictions."""
    refuse_untested(predictions)
    if predictions.pooled_from is not None:
        raise InputError(
            "Pooled pairs of one case depend on each other: what could be seen in them is not known, and "
            "there is no verdict on them. Look through the canonical lens."
        )
