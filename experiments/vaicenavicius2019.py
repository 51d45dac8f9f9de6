"""V19 §5.1: estimated and expected miscalibration in a one-dimensional Gaussian mixture.

y = ∓1 equally likely, x drawn from N(y, 1), predictions 1/(1 + exp(−(β0 + β1 x))); total variation.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import norm

from calibcore import ECE
from calibcore.data.examples import gaussian_mixture
from calibcore.diagram.binning import Binning, EqualMassBinning, MeanVarianceBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.numerics.types import Float
from experiments.processes import generator

Parameters = tuple[float, float]
PARAMETERS: tuple[Parameters, ...] = ((0.0, -2.0), (0.0, 0.0), (1.0, 1.0))
SIZES = (100, 250, 1_000, 2_500, 10_000)
BINNINGS: dict[str, Binning] = {
    "uniform:10": UniformBinning(10),
    "uniform:100": UniformBinning(100),
    "equal-mass:10": EqualMassBinning(10),
}
"""The two of V19 Figures 6 to 13, and bins of equal mass."""
DIAGRAM_BINNINGS: dict[str, Binning] = {
    "uniform:10": UniformBinning(10),
    "mean-variance:1000": MeanVarianceBinning(1_000),
}
"""Of Figures 8, 11 and 14: equally sized, and data-dependent as the paper's appendix B has it."""
DIAGRAM_CASES = 10_000
CHUNK = 50
"""Series that are one task."""
_FAR = 12.0
"""|x| beyond has probability below 1e-27."""


@dataclass(frozen=True, eq=False)
class Curves:
    """One (β0, β1): ``estimates (series, sizes, binnings)``, the expected miscalibration, and what the
    estimates tend to with ever more data, by binning (NaN where the bins move with the data)."""

    expected: float
    limits: tuple[float, ...]
    estimates: Float
    sizes: tuple[int, ...] = SIZES


def run(
    parameters: Parameters,
    series: int,
    pool: Executor,
    sizes: tuple[int, ...] = SIZES,
    chunk: int = CHUNK,
) -> Curves:
    """``series`` independent series of data sets, one of each size; ``chunk`` of them are one task."""
    chunks = [range(start, min(start + chunk, series)) for start in range(0, series, chunk)]
    estimates = np.concatenate(list(pool.map(partial(_some, parameters, sizes), chunks)))
    limits = tuple(limit(parameters, binning) for binning in BINNINGS.values())
    return Curves(expected_miscalibration(parameters), limits, estimates, sizes)


def _some(parameters: Parameters, sizes: tuple[int, ...], numbers: range) -> Float:
    return np.array([_series(parameters, sizes, number) for number in numbers])


def _series(parameters: Parameters, sizes: tuple[int, ...], number: int) -> list[list[float]]:
    rng = generator(2, PARAMETERS.index(parameters), number)
    samples = [gaussian_mixture(n, *parameters, rng) for n in sizes]
    return [[ECE(binning)(p) for binning in BINNINGS.values()] for p in samples]


def diagrams(parameters: Parameters) -> list[Reliability]:
    """Of one data set, by binning, the deviation of class "−1" with exact bars from 5 to 95 %."""
    p = gaussian_mixture(DIAGRAM_CASES, *parameters, generator(3, PARAMETERS.index(parameters)))
    return [reliability(p, binning) for binning in DIAGRAM_BINNINGS.values()]


def true_deviation(parameters: Parameters, predictions: Float) -> Float:
    """``P(Y = −1 | g(X) = q) − q`` of predictions q of class "−1"; a constant model makes but one."""
    beta0, beta1 = parameters
    if beta1 == 0:
        return 0.5 - predictions
    deviation: Float = expit(-2 * (logit(predictions) - beta0) / beta1) - predictions
    return deviation


def expected_miscalibration(parameters: Parameters) -> float:
    """``E ½‖r(g(X)) − g(X)‖₁``, by quadrature; x and g(x) tell the same, unless g is constant."""
    beta0, beta1 = parameters
    if beta1 == 0:
        return abs(0.5 - float(expit(beta0)))
    deviation = partial(_deviation, parameters)
    return sum(abs(_integral(deviation, a, b)) for a, b in _pieces(parameters, [-_FAR, _FAR]))


def limit(parameters: Parameters, binning: Binning) -> float:
    """The ECE with endless data in the same fixed bins: ``Σ_b |E (r(X) − g(X))·1[X in b]|``."""
    if not isinstance(binning, UniformBinning):
        return float("nan")
    if parameters[1] == 0:
        return expected_miscalibration(parameters)
    inner = (logit(np.arange(1, binning.n_bins) / binning.n_bins) - parameters[0]) / parameters[1]
    edges = [-_FAR, *sorted(np.clip(inner, -_FAR, _FAR)), _FAR]
    deviation = partial(_deviation, parameters)
    return sum(abs(_integral(deviation, a, b)) for a, b in pairwise(edges))


def _deviation(parameters: Parameters, x: float) -> float:
    """(P(Y = −1 | x) − g₁(x)) times the density of x."""
    density = (norm.pdf(x, -1) + norm.pdf(x, 1)) / 2
    return float((expit(-2 * x) - expit(parameters[0] + parameters[1] * x)) * density)


def _pieces(parameters: Parameters, edges: list[float]) -> list[tuple[float, float]]:
    """The same interval cut where the deviation changes its sign: −2x = β0 + β1 x."""
    beta0, beta1 = parameters
    cut = [] if beta1 == -2 else [-beta0 / (2 + beta1)]
    points = sorted([*edges, *cut])
    return list(pairwise(points))


def _integral(function: "partial[float]", low: float, high: float) -> float:
    return float(quad(function, low, high, limit=200)[0])
