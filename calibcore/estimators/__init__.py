"""Estimators of miscalibration: frozen dataclasses that are built, then called.

Every one has ``estimator(predictions) -> float`` and
``estimator.redrawn(predictions, labels (B, n)) -> (B,)``, the same number for
other labels. ``estimator.prepared(predictions)`` does once whatever does not
see labels (bins, kernel) and gives a function of labels alone.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.numerics.engine import Progress as Progress
from calibcore.numerics.types import Float, Labels


class Draw(Protocol):
    """Estimates of redrawn labels, made without them."""

    def __call__(
        self, n_resamples: int, rng: np.random.Generator, progress: Progress | None = None, /
    ) -> Float: ...


@dataclass(frozen=True, eq=False)
class Prepared:
    """An estimator with fixed predictions: (B, n) labels -> (B,) estimates.

    ``details`` says what was decided on the way, as in ``TestResult.details``.
    """

    evaluate: Callable[[Labels, Progress | None], Float]
    details: Mapping[str, float | int | str] = field(default_factory=dict)
    draw: "Draw | None" = None
    """B, generator -> (B,) estimates under calibration; the same law as with redrawn labels, without them."""
    spread: bool = False
    """Whether it gives its work to the engine by itself, so that nobody else cuts it into redraws."""
    cost: float = 0.0
    """Multiplications and additions for a case in a redraw, beside drawing its label; 0: a few."""

    def __call__(self, labels: Labels, progress: Progress | None = None) -> Float:
        return self.evaluate(labels, progress)


class Estimator(Protocol):
    """What every estimator does. One that inherits from this gives ``prepared`` alone."""

    two_classes_only: ClassVar[bool] = False

    def __call__(self, predictions: Predictions) -> float:
        """The estimate; weighted predictions are refused."""
        return float(self.redrawn(predictions, predictions.labels[None])[0])

    @abstractmethod
    def prepared(self, predictions: Predictions) -> Prepared:
        """All that does not see labels, done once."""
        ...

    def redrawn(self, predictions: Predictions, labels: Labels, progress: Progress | None = None) -> Float:
        """(B, n) labels -> (B,) estimates with the same predictions; weighted ones are refused."""
        refuse_weights(predictions)
        return self.prepared(predictions)(labels, progress)
