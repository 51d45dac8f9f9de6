"""The smallest miscalibration that a test would have shown, from the predictions alone.

Alternatives ``q_λ = (1 − λ)g + λτ`` with τ the mean prediction (*overconfidence*) or τ = e_c
(*bias* towards class c, W19's M2); their size is ``d(λ) = λ · mean TV(g_i, τ)``.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Detectable:
    """What one pattern of miscalibration must measure to be seen 8 times in 10.

    Attributes
    ----------
    pattern : "overconfidence" or "bias"
    class_name : towards which class, for a bias; else empty
    size : d80, mean total variation as a probability; None where even λ = 1 falls short
    share : λ at which the test reaches that power; None likewise
    power : share of the simulated label sets that were rejected at ``share`` (at λ = 1 where size is None)
    """

    pattern: str
    class_name: str
    size: float | None
    share: float | None
    power: float
