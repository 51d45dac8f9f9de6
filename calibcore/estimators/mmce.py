"""Maximum mean calibration error of the confidence (Kumar, Sarawagi & Jain 2018)."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.estimators.skce import SKCE
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Labels
from calibcore.transforms.lenses import TopKLens


@dataclass(frozen=True)
class MMCE(Estimator):
    r"""Maximum mean calibration error (Kumar, Sarawagi & Jain 2018), c the confidence and h = 1 for a hit.

    $$\mathrm{MMCE} = \sqrt{\frac{1}{n^2} \sum_{i,j} (c_i - h_i)(c_j - h_j)\, \kappa(c_i, c_j)}$$

    Equal to ``√(½·SKCE_b)`` through ``TopKLens(1)`` with M = I (W19 Example I.1); it looks
    through that lens itself. The kernel of the paper is ``e^{−|c − c′|/0.4}``, the default.
    Biased upwards, ≥ 0.

    >>> from calibcore import MMCE, Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["a", "b", "b"])
    >>> round(MMCE()(p), 3)
    0.176
    """

    kernel: Kernel = ExponentialKernel(0.4, "total-variation")

    def __post_init__(self) -> None:
        if self.kernel.class_matrix is not None:
            raise InputError("MMCE is defined without a class matrix; leave it out.")

    def __call__(self, predictions: Predictions) -> float:
        """A number from 0 to 1. Cost of a biased SKCE with two classes."""
        return float(_root(SKCE(self.kernel, "biased")(TopKLens(1)(predictions))))

    def prepared(self, predictions: Predictions) -> Prepared:
        """Confidence and kernel once; then (B, n) labels of the m classes -> (B,)."""
        confidence = SKCE(self.kernel, "biased").prepared(TopKLens(1)(predictions))
        predicted = likeliest(predictions.probs)  # of equal ones the first, as the lens has it
        draw_confidence = confidence.draw

        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            misses = np.asarray(labels != predicted, np.int8)
            return _root(confidence(misses, progress))

        def draw(size: int, rng: np.random.Generator, progress: Progress | None = None) -> Float:
            assert draw_confidence is not None
            return _root(draw_confidence(size, rng, progress))

        return Prepared(evaluate, confidence.details, draw if draw_confidence is not None else None)


def _root(skce: Float | float) -> Float:
    return np.sqrt(np.maximum(skce, 0.0) / 2)
