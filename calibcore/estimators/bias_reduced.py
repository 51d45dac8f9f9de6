"""Binned calibration error without most of its bias, squared Euclidean."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, UniformBinning
from calibcore.diagram.bins import bins_of
from calibcore.errors import InputError
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.numerics import loops
from calibcore.numerics.distances import squared_euclidean
from calibcore.numerics.types import Float, Labels

METHODS = ("brocker", "pairwise")


@dataclass(frozen=True)
class BiasReducedECE(Estimator):
    """``Σ_b (n_b/n)·e_b``, e_b the bin's squared distance ``‖r̂_b − ḡ_b‖²`` less what chance adds.

    ========  ================================================  ========================
    brocker   ``‖r̂ − ḡ‖² − Σ_k r̂_k(1 − r̂_k)/(n_b − 1)``          mean under calibration
              (Bröcker 2011; Ferro & Fricker 2012;               −var(g)/(n_b − 1), 0 if
              "debiased" in Kumar et al. 2019)                   predictions are equal
    pairwise  ``(‖Σr‖² − Σ‖r‖²)/(n_b(n_b − 1))``, ``r = e_y − g``   mean exactly 0
    ========  ================================================  ========================

    A bin of one case contributes 0 and keeps its weight. An estimate below 0 is
    shown as it is: it says that the bins deviate less than chance would have them.
    At most 2. Cost O(nm) beside the binning.
    """

    binning: Binning = UniformBinning(10)
    method: str = "brocker"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError(
                f"There is no way {shown(self.method)} to reduce the bias; "
                f"expected one of {', '.join(METHODS)}."
            )

    def prepared(self, predictions: Predictions) -> Prepared:
        """Bins once; then (B, n) labels -> (B,)."""
        bins = bins_of(predictions.probs, self.binning)
        weights = np.where(bins.counts > 1, bins.counts / predictions.n, 0.0)
        n_others = np.maximum(bins.counts - 1, 1)
        g, rows = predictions.probs, np.arange(predictions.n)
        norms = 1 + np.square(g).sum(axis=1)

        def squares(drawn: Labels) -> Float:
            """(B, n_bins) ``Σ‖e_y − g‖²`` over each bin's cases."""
            own = norms - 2 * g[rows, drawn]
            return np.asarray(np.add.reduceat(own[:, bins.rows], bins.starts, axis=-1))

        def evaluate(labels: Labels, _progress: Progress | None) -> Float:
            def value_of(drawn: Labels) -> Float:
                observed = bins.frequencies(drawn)
                distance = squared_euclidean(observed, bins.mean_prediction)
                if self.method == "brocker":
                    error = distance - (observed * (1 - observed)).sum(axis=-1) / n_others
                else:  # ‖Σr‖² is n_b²·distance
                    error = (bins.counts * distance - squares(drawn) / bins.counts) / n_others
                # Not a matrix product: its last bits depend on how many rows there are.
                return np.asarray((error * weights).sum(axis=-1))

            return np.concatenate(loops.in_threads(value_of, bins.in_parts(labels)))

        return Prepared(evaluate)
