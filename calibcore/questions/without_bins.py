"""Arrows or a curve without bins, with the settings of a look."""

from calibcore.data.predictions import Predictions
from calibcore.diagnose.parts import settings_for
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows, smooth_arrows
from calibcore.numerics.progress import Progress, telling
from calibcore.numerics.streams import stream
from calibcore.settings import DiagnosisSpec

STREAM = "smooth-arrows"


def average_without_bins(
    predictions: Predictions, spec: DiagnosisSpec | None = None, progress: Progress | None = None
) -> SmoothArrows:
    """What happened less what was predicted, averaged over similar predictions in place of bins.

    :func:`~calibcore.hypothesis_tests.smooth_arrows.smooth_arrows` by the lens, kernel, redraws, level and
    seed of ``spec``. Through a lens of two classes that is a curve with a band.

    Raises
    ------
    InputError : weighted or pooled cases, too few redraws for the level.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, average_without_bins
    >>> p, labels = np.tile([0.2, 0.8], 200), np.tile([1, 1, 1, 0], 100)
    >>> average_without_bins(Predictions.from_arrays(np.column_stack([p, 1 - p]), labels))
    SmoothArrows(400 cases, 2 places, p 0.001)
    """
    spec = settings_for("average_without_bins", predictions, spec)
    report = telling(progress, "redrawing outcomes for the arrows")
    rng = stream(spec.seed, STREAM)
    cases = spec.independent(predictions)
    return smooth_arrows(spec.lens(cases), spec.kernel, spec.resamples, spec.alpha, rng, report=report)
