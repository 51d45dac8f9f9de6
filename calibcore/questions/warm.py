"""Compiling ahead what questions need, after what every look needs."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose import warm as of_looks
from calibcore.questions.compare import compare
from calibcore.questions.recalibrate import recalibrate
from calibcore.questions.recalibrate.maps.scaling import Matrix
from calibcore.settings import DiagnosisSpec

_FEW = DiagnosisSpec(resamples=40, alpha=0.9)


def warm() -> None:
    """Run everything compiled once: first what a look needs, then each question on few cases."""
    of_looks.warm()
    for n, m in (60, 2), (60, 3), (150, 130):
        rng = np.random.default_rng(m)
        first, other = (
            Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), np.arange(n) % m) for _ in "ab"
        )
        compare({"a": first, "b": other}, _FEW)
        methods = ("class-mix",) if m > 100 else None
        recalibrate(first, methods, _FEW, folds=2)
    Matrix.fit(first.probs[:, :3], first.labels % 3)
