"""The literal definition of each lens, binning, kernel, null and distance, by its kind.

One more is a file in this folder with a function under :func:`oracle`; the battery in
``tests/test_strategies.py`` finds it.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.numerics.distances import DISTANCES
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES
from calibcore.transforms.nulls import NULLS
from tests.oracles import literal_binning, literal_distances, literal_lenses
from tests.oracles.literal_binning import Partition, Rows

ORACLES: dict[tuple[str, str], Callable[..., Any]] = {}
F = TypeVar("F", bound=Callable[..., Any])


def oracle(sort: Strategies, kind: str) -> Callable[[F], F]:
    """Decorator: of a kernel (d/ν) -> κ, of a binning (exact rows, binning) -> the partition of the rows,
    of a lens (lens, g, y, class names) -> the induced prediction and label, None for a case left out,
    of a null (null, all rows, g, class names) -> the probabilities of outcomes, of a distance (p, q) -> d.
    """

    def enter(function: F) -> F:
        ORACLES[sort.sort, kind] = function
        return function

    return enter


def oracle_of(sort: Strategies, kind: str) -> Callable[..., Any]:
    found = ORACLES.get((sort.sort, kind))
    assert found, (
        f"The {sort.sort} {kind!r} has no oracle: write one in tests/oracles, see strategies.py there."
    )
    return found


@oracle(KERNELS, "exponential")
def exponential(u: float) -> float:
    return math.exp(-u)


@oracle(KERNELS, "gaussian")
def gaussian(u: float) -> float:
    return math.exp(-u * u / 2)


@oracle(KERNELS, "rational-quadratic")
def rational_quadratic(u: float) -> float:
    """Rasmussen & Williams 2006, eq. 4.19 with α = 2."""
    return (1 + u * u / (2 * 2)) ** -2


@oracle(KERNELS, "matern-3/2")
def matern_3(u: float) -> float:
    """Rasmussen & Williams 2006, eq. 4.17."""
    return (1 + math.sqrt(3) * u) * math.exp(-math.sqrt(3) * u)


@oracle(KERNELS, "matern-5/2")
def matern_5(u: float) -> float:
    """Rasmussen & Williams 2006, eq. 4.17."""
    return (1 + math.sqrt(5) * u + 5 * u * u / 3) * math.exp(-math.sqrt(5) * u)


@oracle(BINNINGS, "uniform")
def uniform(g: Rows, binning: Any) -> Partition:
    return literal_binning.uniform(g, binning.n_bins)


@oracle(BINNINGS, "equal-mass")
def equal_mass(g: Rows, binning: Any) -> Partition:
    return literal_binning.equal_mass(g, binning.n_bins)


@oracle(BINNINGS, "equally-uncertain")
def equally_uncertain(g: Rows, binning: Any) -> Partition:
    return literal_binning.equally_uncertain(g, binning.n_bins)


@oracle(BINNINGS, "simplex")
def simplex(g: Rows, binning: Any) -> Partition:
    return literal_binning.by_key([literal_binning.simplex(row, binning.k) for row in g])


@oracle(BINNINGS, "median-variance")
def median_variance(g: Rows, binning: Any) -> Partition:
    return literal_binning.median_variance(g, binning.min_size, binning.max_bins)


@oracle(BINNINGS, "mean-variance")
def mean_variance(g: Rows, binning: Any) -> Partition:
    return literal_binning.mean_variance(g, binning.threshold)


Names = Sequence[str]
Case = literal_lenses.Case | None


@oracle(LENSES, "canonical")
def canonical(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    return literal_lenses.canonical(g, y, names)


@oracle(LENSES, "top-k")
def top_k(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    return literal_lenses.top_k(g, y, lens.k)


@oracle(LENSES, "class")
def one_class(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    return literal_lenses.marginal(g, y, names.index(lens.class_name))


@oracle(LENSES, "groups")
def groups(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    return literal_lenses.groups(g, y, [[names.index(one) for one in part] for _, part in lens.groups])


@oracle(LENSES, "set")
def sets(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    return literal_lenses.inside(g, y, lens.level)


@oracle(LENSES, "region")
def region(lens: Any, g: Sequence[float], y: int, names: Names) -> Case:
    inside = lens.low <= g[names.index(lens.class_name)] <= lens.high
    return oracle_of(LENSES, lens.lens.kind)(lens.lens, g, y, names) if inside else None


@oracle(NULLS, "identity")
def identity(null: Any, rows: Any, g: Sequence[float], names: Names) -> list[float]:
    return list(g)


@oracle(NULLS, "temperature")
def temperature(null: Any, rows: Any, g: Sequence[float], names: Names) -> list[float]:
    powers = [p ** (1 / null.temperature) for p in g]
    return [power / sum(powers) for power in powers]


@oracle(NULLS, "mixture")
def mixture(null: Any, rows: Any, g: Sequence[float], names: Names) -> list[float]:
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    target = mean if null.towards == "mean" else [float(name == null.towards) for name in names]
    return [(1 - null.weight) * p + null.weight * t for p, t in zip(g, target, strict=True)]


@oracle(NULLS, "label-noise")
def label_noise(null: Any, rows: Any, g: Sequence[float], names: Names) -> list[float]:
    wrong = [sum(p for j, p in enumerate(g) if j != k) / (len(g) - 1) for k in range(len(g))]
    return [(1 - null.share) * p + null.share * w for p, w in zip(g, wrong, strict=True)]


for _kind, _literal in literal_distances.DISTANCES.items():
    oracle(DISTANCES, _kind)(_literal)


def exact(g: Any) -> Rows:
    """The fractions that were meant: 0.1 is 1/10."""
    return [[Fraction(p).limit_denominator(100_000) for p in row] for row in g.tolist()]
