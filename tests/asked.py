"""A small result of every question, for tests of what all of them have to do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from calibcore import (
    ClassLens,
    Comparison,
    Decisions,
    DiagnosisSpec,
    GroupSurvey,
    Monitoring,
    Plan,
    Predictions,
    Recalibration,
    TrainingRun,
    WrongLabels,
    compare,
    decide,
    explain_by_wrong_labels,
    monitor,
    plan,
    recalibrate,
    survey_groups,
    track_training,
)

G = np.random.default_rng(0).dirichlet(np.ones(2), 60)
A, B = (
    Predictions.from_arrays(
        g, (G[:, 0] < 0.5).astype(int), ["a", "b"], {"site": list("xy") * 30}, renormalise=True
    )
    for g in (G, np.square(G))
)
SMALL = DiagnosisSpec(resamples=99, estimates=(), tests=("exact-omnibus",), tolerance=0.2)
THROUGH_A = replace(SMALL, lens=ClassLens("a"))
ASKED: dict[type, Callable[[], Any]] = {
    Comparison: lambda: compare([A, B], SMALL, betting=True),
    TrainingRun: lambda: track_training({1: A, 2: B}, SMALL),
    Recalibration: lambda: recalibrate(A, ["temperature"], SMALL),
    GroupSurvey: lambda: survey_groups(A, ["site"], SMALL, worst=True),
    Monitoring: lambda: monitor(A, SMALL, window=20),
    Decisions: lambda: decide(A, THROUGH_A, [0.2, 0.5]),
    Plan: lambda: plan("beta:2,5", SMALL),
    WrongLabels: lambda: explain_by_wrong_labels(A, SMALL),
}
"""Type of a result -> what makes a small one."""
