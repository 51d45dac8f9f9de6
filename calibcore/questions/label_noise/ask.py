r"""How many wrong labels would explain that a model looks miscalibrated?

If a share ε of the labels names another class, each as likely, a calibrated model's labels are drawn from
$\rho_k = (1 - \varepsilon) g_k + \varepsilon (1 - g_k)/(m - 1)$. For every ε this is tested exactly, as
calibration of ρ: the statistic looks at ρ and the labels alone. (Of deviations from g, as ``--null`` has
them, any would look small beside those of a large ε, also what no wrong label explains.) The shares that are
not rejected are an exact confidence set; its lower end is what has to be assumed at the least. The same
uniforms redraw the labels at every ε, so that p moves smoothly with it. The search takes p to rise up to a
share that is not rejected, and tells the lower end of what it has narrowed down.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from calibcore.assessment.defaults import resamples_needed
from calibcore.assessment.verdict_tests import VERDICT_TEST
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.parts import settings_for
from calibcore.errors import InputError
from calibcore.estimators.scores import SMALLEST
from calibcore.hypothesis_tests import ExactOmnibusTest, TestResult
from calibcore.numerics.progress import Progress, silent
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.questions.label_noise.result import WrongLabels
from calibcore.questions.recalibrate.gain import with_probabilities
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.nulls import LabelNoise
from calibcore.wording import percent

NARROW, NARROWEST = 0.04, 1e-6
"""How narrow a bracket of the share is enough: as a share of it, and where its ends are told apart."""


def explain_by_wrong_labels(
    predictions: Predictions, spec: DiagnosisSpec | None = None, progress: Progress | None = None
) -> WrongLabels:
    """The smallest share of wrong labels that would explain what happened, through ``spec.lens``.

    The labels of the model's own classes are wrong, and then looked at through the lens. Cost: ten to fifteen
    exact omnibus tests.

    Raises
    ------
    InputError : weighted cases, a lens in a region.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import DiagnosisSpec, Predictions, TopKLens, explain_by_wrong_labels
    >>> p = Predictions.from_arrays(np.tile([0.9, 0.1], (100, 1)), [0] * 9 * 10 + [1] * 10)
    >>> explain_by_wrong_labels(p, DiagnosisSpec(lens=TopKLens(1))).smallest
    0.0
    """
    spec = settings_for("explain_by_wrong_labels", predictions, spec)
    refuse_untested(predictions)
    tell = progress or silent
    if spec.lens.region:
        raise InputError(
            "Wrong labels are looked for in all cases, as they change which cases lie in a region. Take the "
            "lens without it."
        )
    predictions = spec.independent(predictions)
    spec = replace(spec, resamples=max(spec.resamples, resamples_needed(1, spec.alpha)))
    done = [0.0]

    def tested(share: float) -> TestResult:
        rho = LabelNoise(share).probs(predictions) if share else predictions.probs
        induced = spec.lens(with_probabilities(predictions, rho))
        kernel = spec.kernel.resolved(induced.probs)[0]
        # Where no label is wrong no redraw makes an outcome that was rounded to 0; a share of them does.
        judged = induced if share else induced.without_kept
        result = ExactOmnibusTest(kernel, spec.resamples)(judged, stream(spec.seed, VERDICT_TEST))
        done[0] += 0.15 * (1 - done[0])
        tell(done[0], "trying shares of wrong labels")
        return result

    none, estimate = tested(0.0), most_likely_share(predictions.probs, predictions.labels)
    at_estimate = none if estimate == 0 else tested(estimate)
    smallest: float | None = 0.0
    if none.pvalue <= spec.alpha:
        smallest = None
        fitting = estimate if at_estimate.pvalue > spec.alpha else None
        if fitting is None:  # what is likeliest need not be what the test likes best
            around = shares_around(predictions.probs, predictions.labels, estimate)
            fitting = next((share for share in around if tested(share).pvalue > spec.alpha), None)
        if fitting is not None:
            low, high = 0.0, fitting
            while high - low > NARROWEST and (high - low > NARROW * high or percent(low) != percent(high)):
                middle = (low + high) / 2
                if tested(middle).pvalue > spec.alpha:
                    high = middle
                else:
                    low = middle
            smallest = low or high
    tell(1.0, "done")
    return WrongLabels(
        spec,
        predictions.n,
        predictions.m,
        smallest,
        estimate,
        none.pvalue,
        none.at_floor,
        at_estimate.pvalue,
        predictions.class_names,
        looks_like_noise(predictions),
    )


def looks_like_noise(predictions: Predictions) -> float:
    """The share of wrong labels that rounding alone can look like, where probabilities were rounded to 0."""
    if predictions.rounding is None or not (predictions.probs == 0).any():
        return 0.0
    return (predictions.m - 1) * predictions.rounding.at_zero


def most_likely_share(probs: Float, labels: Int) -> float:
    """The ε of largest likelihood, up to (m − 1)/m, at which ρ knows nothing; ρ is linear in ε."""
    m = probs.shape[1]
    claimed = probs[np.arange(len(probs)), labels] / probs.sum(axis=1)

    def loss(share: float) -> float:
        rho = (1 - share) * claimed + share * (1 - claimed) / (m - 1)
        return -float(np.log(np.maximum(rho, SMALLEST)).sum())

    most: float = (m - 1) / m
    share = float(minimize_scalar(loss, bounds=(0.0, most), method="bounded", options={"xatol": 1e-6}).x)
    return min([0.0, share, most], key=loss)


def shares_around(probs: Float, labels: Int, share: float) -> list[float]:
    """Others within three standard errors of the likeliest share, half of one apart, the nearest first."""
    m = probs.shape[1]
    claimed = probs[np.arange(len(probs)), labels] / probs.sum(axis=1)
    other, most = (1 - claimed) / (m - 1), (m - 1) / m
    slopes = (other - claimed) / np.maximum((1 - share) * claimed + share * other, SMALLEST)
    error = 1 / max(float(np.linalg.norm(slopes)), 1 / most)
    steps = (sign * half * error / 2 for half in range(1, 7) for sign in (1, -1))
    return [around for step in steps if 0 < (around := share + step) <= most]
