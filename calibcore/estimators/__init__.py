"""Estimators of miscalibration: frozen dataclasses that are built, then called.

Every one has ``estimator(predictions) -> float`` and
``estimator.redrawn(predictions, labels (B, n)) -> (B,)``, the same number for
other labels, with bins or kernel built once.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibcore.predictions import Float, Predictions

Progress = Callable[[float], None]
"""Is told which fraction is done; may raise to stop the work."""


class Estimator(Protocol):
    """What every estimator does."""

    def __call__(self, predictions: Predictions) -> float: ...

    def redrawn(
        self, predictions: Predictions, labels: NDArray[np.integer], progress: Progress | None = None
    ) -> Float: ...
