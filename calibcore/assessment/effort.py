"""How much is redrawn and simulated for a verdict, beside what the settings say."""

from dataclasses import dataclass

from calibcore.assessment.power import N_SIMULATED


@dataclass(frozen=True)
class Effort:
    """What verdicts are worked out with. Everybody gets :data:`USUAL`; less is rougher and takes less time.

    Attributes
    ----------
    below : redraws are raised until the smallest adjusted p may lie so many times below α
    label_sets : with so many the power of a test is simulated; four fifths of them have to be a whole number
    first_look : with so many first, to see which patterns may be the hardest to see
    """

    below: int = 10
    label_sets: int = N_SIMULATED
    first_look: int = 64


USUAL = Effort()
