"""The exact omnibus test: many ways to be wrong, one p-value, exact at any number of cases.

One kernel at one bandwidth sees errors of one scale. So statistics of several kinds are taken on the observed
labels and on B redraws alike, each is measured by how far out it lies among all B + 1 of its values, and the
farthest counts. Means, deviations and skewnesses are symmetric in all B + 1 label sets, so that under
calibration every one of them is as likely as any other to be the most extreme: the p-value is exact (Besag &
Clifford 1989). Schrab et al. (2023, MMDAgg) combine bandwidths too, by levels found on further redraws; here
one set of redraws serves for both.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, gammaln, log_ndtr

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.estimators import Progress
from calibcore.estimators._omnibus import Statistics, statistics_of, temperature_score
from calibcore.hypothesis_tests.exact import (
    Details,
    check_settings,
    how_redrawn,
    of_redraws,
)
from calibcore.hypothesis_tests.result import (
    NOISE,
    ROUNDING,
    TIE,
    Component,
    TestResult,
    deviation,
    stopped_at,
    tie_slack,
)
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics.engine import look_up
from calibcore.numerics.resampling import check_redraws
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float
from calibcore.transforms.nulls import Identity, Null
from calibcore.transforms.redraws import redrawn_labels

_NORMAL_BELOW = 0.05
"""Skewness under which the upper tail is taken for a normal one."""
_CONSTANT = 1e-12
_DEEP = 1e-280
"""Below it the upper tail of a gamma law comes from its continued fraction, in logs."""
_STEPS = 60
_MOMENTS = 499
"""Redraws that moments come from where the test may stop early; they are not counted."""
_FIRST_BATCH = 32


class Moments(NamedTuple):
    """(C, 1) mean, deviation and skewness of C statistics over ``size`` label sets; 0 for constant ones."""

    mean: Float
    sd: Float
    skewness: Float
    size: Float

    @classmethod
    def of(cls, values: Float) -> Self:
        """(C, S) values; infinite ones are left out. Cost O(CS)."""
        finite = [row[np.isfinite(row)] for row in values]
        mean, sd, skewness = np.array([_moments(row) for row in finite]).T[..., None]
        return cls(mean, sd, skewness, np.array([[float(len(row))] for row in finite]))

    def beside(self, values: Float) -> tuple[Float, Float, Float]:
        """(C, S) mean, deviation and skewness with each value as one more; an infinite one adds nothing."""
        finite, n = np.isfinite(values), self.size
        far = np.subtract(values, self.mean, out=np.zeros(values.shape), where=finite)
        unit = np.hypot(self.sd, far)
        scaled, sd = (np.divide(x, unit, out=np.zeros(far.shape), where=unit > 0) for x in (far, self.sd))
        shift = scaled / (n + 1)
        square = n * (sd**2 + scaled * shift) / (n + 1)
        cube = n * (self.skewness * sd**3 - 3 * shift * sd**2 + (n**2 - 1) * shift**3) / (n + 1)
        mean = self.mean + far / (n + 1)
        width = unit * np.sqrt(square)
        constant = ~(width > _CONSTANT * np.maximum(np.abs(mean), np.where(finite, np.abs(values), 0.0)))
        skewness = np.divide(cube, square**1.5, out=np.zeros(far.shape), where=~constant)
        return (
            np.where(finite, mean, self.mean),
            np.where(finite, np.where(constant, 0.0, width), self.sd),
            np.where(finite, skewness, self.skewness),
        )


def _moments(values: Float) -> tuple[float, float, float]:
    mean, sd = float(values.mean()), float(values.std())
    if not sd > _CONSTANT * max(abs(mean), float(np.abs(values).max())):
        return mean, 0.0, 0.0
    return mean, sd, float((((values - mean) / sd) ** 3).mean())


def log_tails(values: Float, moments: Moments | None = None) -> Float:
    """(C, S) values of C statistics -> (C, S) ``−log`` of the upper tail of Pearson's type III law.

    The law has the ``moments``, by default those of the values themselves; it is normal where the skewness is
    below 0.05. 0 where all values are one; infinite where a value is. Cost O(CS).
    """
    mean, sd, skewness, _ = Moments.of(values) if moments is None else moments
    return _log_tail(values, mean, sd, skewness)


class Beside:
    """What the test would find of label sets, each as if it were the observed one beside the same redraws.

    Each set takes part in the moments that it and the redraws are measured with, as in the test. Where it
    lies far out it makes the deviation larger: of the redraws too, which must not be forgotten.
    """

    def __init__(self, redraws: Float, level: float) -> None:
        """(C, B) components of the redraws."""
        self.moments = Moments.of(redraws)
        self.null = log_tails(redraws, self.moments).max(axis=0)
        self.deviation = deviation(self.null)
        self.most = math.floor(level * (len(self.null) + 1) * (1 + ROUNDING))
        """Rejected if fewer redraws than this are as extreme."""
        first = np.argsort(-redraws, axis=1, kind="stable")[:, : self.most]
        self.largest = np.take_along_axis(redraws, first, axis=1)
        """(C, most) the largest redraws of each component, falling: others never decide."""
        unique, place = np.unique(first, return_inverse=True)
        self.rank = np.full((len(redraws), len(unique)), self.most)
        """(C, U) of those U redraws, which one it is in each component."""
        np.put_along_axis(self.rank, place.reshape(first.shape), np.arange(self.most)[None], axis=1)

    def rejected(self, values: Float) -> NDArray[np.bool_]:
        """(C, S) components of label sets -> (S,) whether the exact p of each is at most the level.

        Cost O(CS·log B) tails and, where several components are about as far out, O(CSB) comparisons.
        """
        if not self.most:
            return np.zeros(values.shape[1], bool)
        moments = self.moments.beside(values)
        combined = _log_tail(values, *moments).max(axis=0)
        size = np.where(np.isfinite(combined), combined, 0.0)  # as in tie_slack
        bound = combined - (TIE * self.deviation + (ROUNDING * size + NOISE))
        low = np.zeros(values.shape, int)
        high = np.full(values.shape, self.most)
        while (open_ := low < high).any():
            middle = (low + high) // 2
            redraws = np.take_along_axis(self.largest, np.minimum(middle, self.most - 1), axis=1)
            extreme = _log_tail(redraws, *moments) >= bound
            low = np.where(open_ & extreme, middle + 1, low)
            high = np.where(open_ & ~extreme, middle, high)
        # As extreme in one component or another; fewer even if no redraw is in two.
        out: NDArray[np.bool_] = low.sum(axis=0) < self.most
        for s in np.flatnonzero(~out & (low.max(axis=0) < self.most)):
            out[s] = (self.rank < low[:, s, None]).any(axis=0).sum() < self.most
        return out


def _log_tail(values: Float, mean: Float, sd: Float, skewness: Float) -> Float:
    """(C, S) with the moments of each value, or of all of a statistic."""
    finite = np.isfinite(values)
    out = np.where(finite, 0.0, np.inf)
    mean, sd, skewness = (np.broadcast_to(moment, values.shape) for moment in (mean, sd, skewness))
    z = np.divide(values - mean, sd, out=np.zeros(values.shape), where=finite & (sd > 0))
    normal = finite & (sd > 0) & (skewness < _NORMAL_BELOW)
    skew = finite & (sd > 0) & ~normal
    out[normal] = -log_ndtr(-z[normal])
    shape = 4 / skewness[skew] ** 2
    out[skew] = -_log_gamma_tail(shape, np.maximum(shape + 2 * z[skew] / skewness[skew], 0.0))
    return out


def _log_gamma_tail(shape: Float, x: Float) -> Float:
    """``log Q(a, x)``, the upper tail of a gamma law, also where Q itself would be 0."""
    tail = gammaincc(shape, x)
    deep = tail < _DEEP
    with np.errstate(divide="ignore"):
        out = np.log(tail)
    if deep.any():
        y, shape = x[deep], shape[deep]
        # Q(a, x)·Γ(a)·e^x·x^−a = 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …)), from the far end.
        fraction = np.zeros(len(y))
        for k in range(_STEPS, 0, -1):
            fraction = k * (shape - k) / (y + 2 * k + 1 - shape + fraction)
        out[deep] = -y + shape * np.log(y) - gammaln(shape) - np.log(y + 1 - shape + fraction)
    return np.asarray(out)


@dataclass(frozen=True)
class ExactOmnibusTest:
    """Exact test against errors of any scale: kernels at five bandwidths, a temperature, the class mix.

    ============  ======================================================================================
    kernel-1 …    unbiased SKCE with the family, metric and class matrix of ``kernel`` at ν_j = D·4⁻ʲ,
    kernel-5      j = 0 … 4; D the range of the predictions. Above 500 cases of three and more classes the
                  exponential kernel is a mean over random partitions, made from the predictions alone
    temperature   ``|Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)|``, the score of a temperature
    class-mix     ``SᵀV⁺S``, ``S = Σ r_i``, ``V = Σ_i (diag g_i − g_i g_iᵀ)``
    confidence-1  three and more classes: unbiased SKCE of the confidence lens with the exponential kernel at
    confidence-2  ν = D/4 and D/64, D the range of the confidence. What holds of the likeliest class, sure and
                  unsure cases apart, is lost in the distances between many classes
    ============  ======================================================================================

    The statistic of a label set is the largest of its ``−log`` tails, see :func:`log_tails`. Level α at
    any n under the conditions of :class:`.ExactTest`. Cost: B redraws of O(n) each for two classes with the
    exponential kernel and above 500 cases, else of O(n²).

    stop_at : as of :class:`.ExactTest`; the moments then come from 499 further redraws, as later ones must
        not change what earlier ones are compared with
    null : as of :class:`.ExactTest`

    >>> import numpy as np
    >>> from calibcore import ExactOmnibusTest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> ExactOmnibusTest(n_resamples=99)(p, np.random.default_rng(0))
    TestResult(statistic=6.26949, pvalue=0.01, method='exact Monte Carlo', promise='exact', n_resamples=99)
    """

    kernel: Kernel = ExponentialKernel()
    n_resamples: int = 999
    stop_at: int | None = None
    null: Null = Identity()

    def __post_init__(self) -> None:
        check_settings(self.null, self.stop_at)

    def __call__(
        self, predictions: Predictions, rng: Seed = None, progress: Progress | None = None
    ) -> TestResult:
        """Promise "exact"; of pooled predictions for canonical calibration. ``components`` has them all.

        Raises :class:`InputError` if ``n_resamples`` is below 1, for fewer than 2 cases, for weighted ones.
        """
        progress, rng = progress or look_up, generator_of(rng)
        check_redraws(self.n_resamples)
        refuse_untested(predictions)
        if predictions.n < 2:
            raise InputError("There is 1 case; the exact omnibus test needs at least 2.")
        statistics = statistics_of(predictions, self.kernel)
        observed = observed_components(statistics, predictions)
        details: Details = {"kernels": statistics.how, "widest_bandwidth": statistics.bandwidths[0]}
        used = None
        if self.stop_at is None:
            redraws = self._redrawn(statistics, predictions, self.n_resamples, rng, progress)
            components = np.hstack([observed, redraws])
            tails = log_tails(components)
        else:
            components, tails, used = self._until_stopped(statistics, observed, predictions, rng, progress)
        progress(1.0)
        details |= how_redrawn(predictions, self.n_resamples, self.stop_at, self.null)
        return omnibus_result(statistics, predictions, components, tails, details, used)

    def redraws(self, predictions: Predictions, rng: Seed = None, progress: Progress | None = None) -> Float:
        """(C, B) components of all redraws, as of a call with a generator in this state; sees no label."""
        statistics = statistics_of(predictions, self.kernel)
        rng = generator_of(rng)
        return self._redrawn(statistics, predictions, self.n_resamples, rng, progress or look_up)

    def _redrawn(
        self,
        statistics: Statistics,
        predictions: Predictions,
        size: int,
        rng: np.random.Generator,
        progress: Progress,
    ) -> Float:
        """(C, size) statistics of redraws."""
        if predictions.rows_are_cases:
            of_calibration = isinstance(self.null, Identity)
            chances = predictions.chances if of_calibration else self.null.probs(predictions)
            return statistics.draw(chances, size, rng, progress)
        parts: list[Float] = []
        for labels in redrawn_labels(predictions, size, rng, self.null):
            done = sum(part.shape[1] for part in parts)

            def report(fraction: float, done: int = done, many: int = len(labels)) -> None:
                progress((done + fraction * many) / size)

            parts.append(statistics.evaluate(labels, report))
        return np.hstack(parts)

    def _until_stopped(
        self,
        statistics: Statistics,
        observed: Float,
        predictions: Predictions,
        rng: np.random.Generator,
        progress: Progress,
    ) -> tuple[Float, Float, int | None]:
        """(C, 1 + l) statistics of observed and redrawn labels, their tails, and l if it stopped there."""
        assert self.stop_at is not None
        moments = Moments.of(self._redrawn(statistics, predictions, _MOMENTS, rng, look_up))
        values, used = observed, None
        size = max(_FIRST_BATCH, 2 * self.stop_at)
        while used is None and (done := values.shape[1] - 1) < self.n_resamples:
            more = self._redrawn(statistics, predictions, min(size, self.n_resamples - done), rng, look_up)
            values = np.hstack([values, more])
            tails = log_tails(values, moments)
            combined = tails.max(axis=0)
            used = stopped_at(float(combined[0]), combined[1:], self.stop_at)
            progress((values.shape[1] - 1) / self.n_resamples)
            size *= 2
        return values, tails, used


def observed_components(statistics: Statistics, predictions: Predictions) -> Float:
    """(C, 1) statistics of the observed labels.

    Where probabilities were rounded, an outcome of probability 0 proves nothing and counts for nothing.
    """
    observed = statistics.evaluate(predictions.labels[None])
    if predictions.rounding is not None and predictions.impossible_outcomes:
        observed[statistics.names.index("temperature")] = abs(temperature_score(predictions))
    return observed


def omnibus_result(
    statistics: Statistics,
    predictions: Predictions,
    components: Float,
    tails: Float,
    details: Details | None = None,
    used: int | None = None,
) -> TestResult:
    """The test where the statistics (C, 1 + B) are there, the observed ones first, and their ``tails``."""
    largest, redraws = tails.max(axis=0), components[:, 1:]
    named = _components(statistics, predictions, components[:, 0], tails[:, 0], redraws[:, :used])
    return of_redraws(float(largest[0]), largest[1:], details, used, named, redraws)


def _components(
    statistics: Statistics, predictions: Predictions, observed: Float, tails: Float, redraws: Float
) -> tuple[Component, ...]:
    """Ties count as those of the test do: neither rounding nor a processor says what is as extreme, or which
    way a score of 0 points."""

    def component(name: str, value: float, tail: float, redraw: Float) -> Component:
        slack = tie_slack(value, deviation(redraw))
        direction = ""
        if name == "temperature" and abs(score := temperature_score(predictions)) > slack:
            direction = "too sure" if score < 0 else "too unsure"
        return Component(name, value, tail, direction, int(np.count_nonzero(redraw >= value - slack)))

    each = zip(statistics.names, observed, tails, redraws, strict=True)
    return tuple(component(name, float(value), float(tail), redraw) for name, value, tail, redraw in each)
