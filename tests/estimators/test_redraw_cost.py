"""What a redraw is said to cost, beside the operations of its formula counted one by one."""

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.estimators import Estimator
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.numerics import engine

N, M, B = 60, 3, 99
DRAWING = 4 + M
"""Of a label, as all redraws cost."""
KERNEL = ExponentialKernel(0.4)


class Asked:
    """An engine that takes nothing, and remembers what it was offered."""

    def __init__(self) -> None:
        self.costs: list[float] = []

    def worth(self, cost: float) -> bool:
        self.costs.append(cost)
        return False


def offered(estimator: Estimator) -> float:
    """The cost at which a test offers its redraws."""
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(M), size=N), rng.integers(0, M, N))
    asked = Asked()
    with engine.using(asked):  # type: ignore[arg-type]
        ExactTest(estimator, B)(p, np.random.default_rng(0))
    (cost,) = asked.costs
    return cost


@pytest.mark.parametrize("s", [2, 5, 10, 30])
def test_blocks_of_rows(s: int) -> None:
    """A look-up (κg)_{y} a case, κ·M[y, y'] a pair of a block, and the sum of all."""
    operations = N
    for first in range(0, N, s):
        for i in range(first, first + s):
            for _ in range(i + 1, first + s):
                operations += 2
    assert offered(SKCE(KERNEL, "block", s)) == B * (N * DRAWING + operations)


def test_linear() -> None:
    assert offered(SKCE(KERNEL, "linear")) == offered(SKCE(KERNEL, "block", 2))


@pytest.mark.parametrize("locations", [1, 10, 40])
def test_locations(locations: int) -> None:
    """κ(g_i, t_j)·M[y_i, c_j] for each case and location, and their sum."""
    operations = sum(2 for _case in range(N) for _location in range(locations))
    assert offered(UCME(KERNEL, locations)) == B * (N * DRAWING + operations)


def test_bins() -> None:
    assert offered(ECE()) == B * N * DRAWING
