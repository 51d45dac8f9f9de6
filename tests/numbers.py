"""A generator whose numbers are known."""

import numpy as np

BELOW_1 = np.nextafter(1.0, 0.0)


class Numbers:
    """Stands in for a generator and gives the numbers of a list, case by case, again and again."""

    bit_generator = None

    def __init__(self, *u: float) -> None:
        self.u = u

    def random(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.resize(self.u, shape)
