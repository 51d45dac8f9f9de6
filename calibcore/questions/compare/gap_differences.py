r"""Which of two models is better calibrated: the difference of their squared binned errors, with its error.

Through one lens model M has residuals $r_i = e_{y_i} - g_i$ and bins of its own. Its squared error
$\theta_M = \sum_b P(b)\,\|E[r \mid b]\|^2$ is what the typical gap $\sqrt{\theta_M / 2}$ estimates. With
$w_b = (n-1)/(n_b-1)$, 0 for bins of one case, and
$d_{ij} = 1[\text{same A-bin}]\,w\,r^A_i \cdot r^A_j - 1[\text{same B-bin}]\,w\,r^B_i \cdot r^B_j$,

$$D_i = \sum_{j \ne i} \frac{d_{ij}}{n-1}, \quad U = \bar D = \hat\theta_A - \hat\theta_B, \quad
V_J = \frac{4(n-1)}{n(n-2)^2} \sum_i (D_i - U)^2, \quad
V_2 = \frac{2}{(n(n-1))^2} \sum_{i \ne j} d_{ij}^2 .$$

$V_J$, the jackknife of U, is too large by $V_2$ (Efron & Stein 1981). Where both models are calibrated U is
degenerate and $V_J$ may lie near 0 by chance: $V = \max(V_J - V_2, V_2)$ prevents the false alarms of that.
Nothing of it needs pairs: sums over the cells that a bin of A and a bin of B share are enough.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from calibcore.bounds import Nonnegative, Share
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import bins_of
from calibcore.diagram.gap_bins import FEWEST_BINS, bins_beside_ties, number_of_bins, parts_of, smallest_bin
from calibcore.diagram.gap_sizes import NORMAL
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

FEWEST = 50
"""Cases that a p-value needs: a choice. At 60 the level was .001 of .05."""
FEWEST_OF_A_BIN = 10
"""Cases of every bin that a p-value needs: what happens rarely is not seen in fewer."""

OTHER_WAY = "in the bins of the comparison the one with the smaller typical gap is further off"
"""Why there is no p where squared gaps and typical gaps point in other directions."""


@dataclass(frozen=True)
class GapDifference:
    """How far two models differ in their squared binned errors; asymptotic, for independent cases.

    Attributes
    ----------
    difference : U, the estimate of θ_A − θ_B; below 0 where A is better calibrated
    variance, jackknife_variance, pair_variance : V, V_J and V_2
    z, pvalue : U/√V and two-sided p; 0 and 1 where V is 0
    low, high : 95 % interval of θ_A − θ_B
    """

    difference: float
    variance: Nonnegative
    jackknife_variance: float
    pair_variance: float
    z: float
    pvalue: Share
    low: float
    high: float

    @property
    def standard_error(self) -> float:
        """√V."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, eq=False)
class BinnedResiduals:
    """What a model brings to every comparison: residuals, its bins, and the sums within them.

    residuals : (n, m); bins : (n,) bin of each case; weights : (n_bins,) w_b, 0 for bins of one case;
    projections : (n,) ``r_i·(S_b − r_i)/(n_b − 1)``; own : Σ over pairs of (w r_i·r_j)²; smallest_bin : cases
    """

    residuals: Float
    bins: Int
    weights: Float
    projections: Float
    own: float
    smallest_bin: int

    @classmethod
    def of(cls, induced: Predictions, binning: Binning | None = None) -> "BinnedResiduals":
        """Of what a lens made of a model. Cost O(n·m·min(m, cases in a bin)).

        binning : of two classes, in place of :func:`compared_bins`
        """
        n = induced.n
        groups = compared_bins(induced, binning)
        bins = np.empty(n, np.int64)
        for number, rows in enumerate(groups):
            bins[rows] = number
        residuals = induced.onehot() - induced.probs
        sizes = np.bincount(bins)
        sums = np.zeros((len(groups), induced.m))
        np.add.at(sums, bins, residuals)
        n_others = np.maximum(sizes - 1, 1)
        projections = np.einsum("ij,ij->i", residuals, sums[bins] - residuals) / n_others[bins]
        weights = np.where(sizes > 1, (n - 1) / n_others, 0.0)
        projections[weights[bins] == 0] = 0.0
        own = float(np.square(weights) @ _pair_products(residuals, residuals, bins, len(groups)))
        return cls(residuals, bins, weights, projections, own, int(sizes.min()))


def compared_bins(induced: Predictions, binning: Binning | None = None) -> Sequence[Int]:
    """The rows of each bin in which models are compared; ``binning`` makes those of two classes.

    Equally many cases a bin along the probability of two classes, as many bins as the typical gap has, but of
    10 cases or more each where equal values allow it, see :func:`~.bins_beside_ties`. Of three and more
    classes the bins share the likeliest class, and classes that are the likeliest in fewer than 10 cases
    share one.
    """
    if induced.m > 2:
        return parts_of(
            induced.probs,
            max(FEWEST_OF_A_BIN, smallest_bin(induced.n)),
            FEWEST_OF_A_BIN - 1,
        )
    if binning is not None and binning.fits(2):
        return bins_of(induced.probs, binning).groups
    most = max(FEWEST_BINS, min(number_of_bins(induced.n), induced.n // FEWEST_OF_A_BIN))
    order, starts = bins_beside_ties(induced.probs[:, 0], most, FEWEST_OF_A_BIN)
    return np.split(order, starts[1:-1])


def gap_difference(a: BinnedResiduals, b: BinnedResiduals) -> GapDifference:
    """θ_A − θ_B of two models on the same cases. Cost O(n·m·min(m, cases in a cell))."""
    cells, number = np.unique(a.bins * len(b.weights) + b.bins, return_inverse=True)
    weights = a.weights[cells // len(b.weights)] * b.weights[cells % len(b.weights)]
    shared = float(weights @ _pair_products(a.residuals, b.residuals, number, len(cells)))
    squares = max(0.0, a.own + b.own - 2 * shared)
    if squares <= _ROUNDING * (a.own + b.own):
        squares = 0.0  # the same predictions, up to rounding
    return difference_of(a.projections - b.projections, squares)


def too_few(n: int, fewest: int = FEWEST) -> str:
    """Why nothing is said of so many cases; empty where they are enough."""
    return "" if n >= fewest else f"{n} cases are too few: expected {fewest} or more"


def too_small_bins(binned: Mapping[str, BinnedResiduals]) -> str:
    """Why two models have no p of their squared gaps, as a bin is too small; empty where none is.

    binned : of both, by what a sentence calls them
    """
    return " and ".join(
        f"a bin of {name} has fewer than {FEWEST_OF_A_BIN} cases"
        for name, bins in binned.items()
        if bins.smallest_bin < FEWEST_OF_A_BIN
    )


def points_the_other_way(
    gap: GapDifference, adjusted: float, typical: tuple[float, float], alpha: float
) -> bool:
    """Whether a p would tell two models apart against their typical gaps, which stand beside it.

    The bins of squared gaps and of typical gaps differ, so they may. Without such a p no more are told apart.

    typical : the typical gaps of A and of B, of which ``gap`` is A − B
    """
    return adjusted <= alpha and gap.difference * (typical[0] - typical[1]) <= 0


def difference_of(by_case: Float, squares: float) -> GapDifference:
    """U, its variance and what follows, of ``by_case (n,)``, D_i, and ``squares``, ``Σ_{i≠j} d_ij²``."""
    n = len(by_case)
    difference = float(by_case.mean())
    jackknife = 4 * (n - 1) / (n * (n - 2) ** 2) * float(np.square(by_case - difference).sum())
    pairs = 2 * squares / (n * (n - 1)) ** 2
    variance = max(jackknife - pairs, pairs)
    z = difference / math.sqrt(variance) if variance > 0 else 0.0
    half = NORMAL * math.sqrt(variance)
    return GapDifference(
        difference,
        variance,
        jackknife,
        pairs,
        z,
        float(2 * ndtr(-abs(z))) if variance > 0 else 1.0,
        difference - half,
        difference + half,
    )


_ROUNDING = 1e-14


def _pair_products(x: Float, y: Float, groups: Int, number: int) -> Float:
    """(number,) ``Σ_{i≠j} (x_i·x_j)(y_i·y_j)`` over the cases of each group, ``‖XᵀY‖_F² − Σ‖x_i‖²‖y_i‖²``."""
    order = np.argsort(groups, kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(groups, minlength=number)))
    out = np.empty(number)
    _add_products(loops.read_only(x[order]), loops.read_only(y[order]), loops.read_only(starts), out)
    return out


@loops.compiled_with_arrays
def _add_products(x: Float, y: Float, starts: Int, out: Float) -> None:
    """By pairs where a group has fewer cases than there are classes, else by the (m, m) matrix XᵀY."""
    m = x.shape[1]
    cross = np.empty((m, m))
    for b in range(len(starts) - 1):
        first, end = starts[b], starts[b + 1]
        total = 0.0
        if end - first <= m:
            for i in range(first, end):
                for j in range(i + 1, end):
                    of_x, of_y = 0.0, 0.0
                    for k in range(m):
                        of_x += x[i, k] * x[j, k]
                        of_y += y[i, k] * y[j, k]
                    total += 2 * of_x * of_y
        else:
            cross[:] = 0.0
            for i in range(first, end):
                of_x, of_y = 0.0, 0.0
                for k in range(m):
                    of_x += x[i, k] * x[i, k]
                    of_y += y[i, k] * y[i, k]
                    for c in range(m):
                        cross[k, c] += x[i, k] * y[i, c]
                total -= of_x * of_y
            for k in range(m):
                for c in range(m):
                    total += cross[k, c] * cross[k, c]
        out[b] = total
