"""The lowest and the highest prediction of a bin, as a report tells them."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose.without_cases import diagram_without_cases
from calibcore.diagram.binning import EqualMassBinning
from calibcore.diagram.reliability import reliability


def told(p: float) -> tuple[float, float]:
    """Of one bin in which all predictions are p."""
    g = np.full((4, 2), (p, 1 - p))
    found = reliability(Predictions.from_arrays(g, [0, 1, 0, 1]), EqualMassBinning(1))
    part = diagram_without_cases(found)
    return float(part.lowest[0]), float(part.highest[0])


def test_a_value_of_three_decimals_is_told_as_it_is() -> None:
    for thousandths in range(1, 1000, 7):
        p = thousandths / 1000
        assert told(p) == (p, p)


def test_sums_of_decimals_are_those_decimals() -> None:
    """0.1 + 0.2 is a little above 0.3, and 1 − 0.43 a little below 0.57."""
    assert told(0.1 + 0.2) == (0.3, 0.3)
    assert told(1 - 0.43) == (0.57, 0.57)


def test_more_decimals_stay_a_secret_and_inside() -> None:
    assert told(0.12345) == (0.123, 0.124)
