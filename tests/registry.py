"""The estimators there are, and what may not change each of them: a new one joins by one line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.corp import CORPMiscalibration
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.mmce import MMCE
from calibcore.estimators.scores import accuracy, brier, log_loss, spherical
from calibcore.estimators.skce import SKCE
from calibcore.estimators.smooth_ece import SmoothECE
from calibcore.estimators.ucme import UCME
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics.distances import DISTANCES

ANY = (2, 12)


@dataclass(frozen=True)
class Entry:
    """An estimator or score and its properties.

    ``fits``: smallest and largest number of classes it takes. ``least``: cases it needs. ``low``, ``high``:
    its range. ``row_order``: the order of the rows does not matter. ``class_order``: nor does that of the
    classes, from how many classes on, for any predictions and for those without ties of any kind (None:
    never). ``copies``: all rows twice change nothing. ``unseen``: nor does a class of probability 0 that
    never happens, from three classes on. ``of_right``: its value where every prediction is certain and right.
    """

    name: str
    estimate: Callable[[Predictions], float]
    low: float = -np.inf
    high: float = np.inf
    fits: tuple[int, int] = ANY
    least: int = 1
    row_order: bool = True
    class_order: tuple[int | None, int | None] = (2, 2)
    copies: bool = False
    unseen: bool = True
    of_right: float = 0.0

    @property
    def redrawn(self) -> Callable[..., np.ndarray] | None:
        """(predictions, (B, n) labels) -> (B,), where there is such a thing."""
        return getattr(self.estimate, "redrawn", None)


def _binned() -> Iterator[Entry]:
    uniform = UniformBinning(10)
    for cls in (ECE, MCE):
        for distance, measure in DISTANCES.items():
            name = f"{cls.__name__} {distance}"
            # Of two classes the first is binned, closed on the right: the other would close the other side.
            yield Entry(name, cls(uniform, distance), 0, measure.largest, class_order=(3, 2), copies=True)
        for binning, fits, order, copies, unseen in (
            (EqualMassBinning(4), (2, 2), None, True, False),
            (SimplexBinning(5), (3, 3), 3, True, False),
            (MedianVarianceBinning(3), ANY, 3, False, True),
            (MedianVarianceBinning(1, max_bins=5), ANY, 3, False, True),
            (MeanVarianceBinning(6), ANY, 2, False, True),
        ):
            e = cls(binning)
            yield Entry(
                f"{cls.__name__} {binning}", e, 0, 1, fits,
                class_order=(None, order), copies=copies, unseen=unseen,
            )  # fmt: skip


def _reduced_by_class_and_smooth() -> Iterator[Entry]:
    for method in ("brocker", "pairwise"):
        yield Entry(f"ECE {method}", BiasReducedECE(method=method), -1, 2, class_order=(3, 2))
    # The mean over the classes counts one more.
    yield Entry("classwise ECE", ClasswiseECE(), 0, 1, copies=True, unseen=False)
    yield Entry("top-label ECE", TopLabelECE(), 0, 1, class_order=(None, 2), copies=True)
    yield Entry("CORP miscalibration", CORPMiscalibration(), 0, 2, (2, 2), copies=True, unseen=False)
    # Its grid is not symmetric to the last digit.
    yield Entry("smooth ECE", SmoothECE(), 0, 1, (2, 2), class_order=(None, None), copies=True, unseen=False)


def _kernel() -> Iterator[Entry]:
    for kernel in (
        ExponentialKernel(0.4),
        ExponentialKernel("median-with-diagonal", "total-variation"),
        ExponentialKernel("median"),
        GaussianKernel(0.3),
    ):
        # The median over pairs of different rows changes when rows come twice; with the diagonal it does not.
        same = kernel.bandwidth != "median"
        yield Entry(f"SKCE_b {kernel}", SKCE(kernel, "biased"), 0, 2, copies=same, least=2)
        yield Entry(f"SKCE_uq {kernel}", SKCE(kernel, "unbiased"), -2, 2, least=2)
        yield Entry(f"SKCE_ul {kernel}", SKCE(kernel, "linear"), -2, 2, least=2, row_order=False)
        block = SKCE(kernel, "block", 3)
        yield Entry(f"SKCE_block {kernel}", block, -2, 2, least=3, row_order=False)
    yield Entry("MMCE", MMCE(), 0, 1, class_order=(None, 2), copies=True)
    # The locations are drawn from the sorted rows.
    yield Entry("UCME", UCME(ExponentialKernel(0.4)), 0, 1, class_order=(None, None), copies=True)


def _scores() -> Iterator[Entry]:
    yield Entry("Brier", brier, 0, 2, copies=True)
    yield Entry("log loss", log_loss, 0, 745, copies=True)
    yield Entry("spherical score", spherical, 0, 1, copies=True, of_right=1.0)
    yield Entry("accuracy", accuracy, 0, 1, class_order=(None, 2), copies=True, of_right=1.0)


ENTRIES = [*_binned(), *_reduced_by_class_and_smooth(), *_kernel(), *_scores()]
