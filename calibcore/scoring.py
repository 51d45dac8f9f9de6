"""A scorer for scikit-learn."""

from dataclasses import dataclass
from typing import Any

from calibcore.data.predictions import Predictions
from calibcore.diagnose import typical_gap_for
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, Lens


@dataclass(frozen=True)
class CalibrationScorer:
    """Minus the typical gap of a classifier, for ``scoring=`` of ``cross_val_score`` and ``GridSearchCV``.

    Higher is better: near 0 where nothing is seen beyond chance, −0.05 where predicted and happened are
    typically 5 points apart among similar cases. scikit-learn needs no telling, and is not needed here.

    - A model that gives every case the same, correct share is calibrated and useless. Choose models by a
      proper score ("neg_log_loss"), and read this one beside it.
    - Folds of few cases are noisy: what chance leaves of the signed gap counts. Take some 500 cases a fold.
    - A model that was chosen by its score has seen these cases: test it on others, by
      :func:`~calibcore.assert_calibrated`.

    lens : what is looked at: all classes together, or ``TopKLens(1)`` for confidence alone

    >>> from types import SimpleNamespace
    >>> from calibcore import CalibrationScorer
    >>> sure = SimpleNamespace(classes_=["ill", "well"], predict_proba=lambda X: [[0.9, 0.1]] * len(X))
    >>> round(CalibrationScorer()(sure, range(100), ["ill", "well"] * 50), 3)  # scoring=CalibrationScorer()
    -0.4
    """

    lens: Lens = CanonicalLens()

    def __call__(self, classifier: Any, X: Any, y: Any) -> float:
        """The score of a fitted classifier on n cases ``X`` with classes ``y``.

        Raises
        ------
        InputError : as :meth:`Predictions.from_estimator`.
        """
        predictions = Predictions.from_estimator(classifier, X, y)
        return -typical_gap_for(predictions, DiagnosisSpec(lens=self.lens)).value
