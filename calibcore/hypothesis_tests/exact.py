"""Exact Monte Carlo: labels redrawn from the *fixed* predictions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.hypothesis_tests.result import Component, TestResult, monte_carlo_pvalue, stopped_at
from calibcore.numerics.draws import advance
from calibcore.numerics.engine import look_up, ranges, taking
from calibcore.numerics.resampling import check_redraws
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Labels
from calibcore.transforms.nulls import Identity, Null, check_null
from calibcore.transforms.redraws import redrawn_labels

_BATCH_BYTES = 64_000_000
_FIRST_BATCH = 32
_DRAWING = 4
"""Cost of drawing a label, as :mod:`.engine` counts."""
Details = dict[str, float | int | str]


def of_redraws(
    statistic: float,
    redrawn: Float,
    details: Details | None = None,
    used: int | None = None,
    components: tuple[Component, ...] = (),
    component_redraws: Float | None = None,
) -> TestResult:
    """What an exact test finds by (B,) redrawn statistics; with ``used`` of them it stopped early."""
    details, redrawn = dict(details or {}), redrawn[:used]
    method = "exact Monte Carlo with early stopping" if "stop_at" in details else "exact Monte Carlo"
    pvalue = monte_carlo_pvalue(statistic, redrawn) if used is None else int(details["stop_at"]) / used
    return TestResult(
        statistic, pvalue, method, "exact", redrawn, len(redrawn), details=details, components=components,
        component_redraws=component_redraws,
    )  # fmt: skip


def how_redrawn(predictions: Predictions, n_resamples: int, stop_at: int | None, null: Null) -> Details:
    """What the details of a result say of its redraws."""
    details: Details = {}
    if stop_at is not None:
        details |= {"stop_at": stop_at, "most_resamples": n_resamples}
    if not isinstance(null, Identity):
        details |= {"null": null.kind} | vars(null)
    elif predictions.pooled_from is not None:
        details["tests"] = "canonical calibration"
    return details


def _observed(predictions: Predictions) -> Labels:
    """(1, n) the observed labels, as small as redrawn ones."""
    return predictions.labels[None].astype(np.int16 if predictions.m > 127 else np.int8)


def _evaluated(
    prepared: Prepared, blocks: Iterable[Labels], progress: Progress, done: int, total: int
) -> Float:
    """(B,) statistics of B label sets given in blocks, some 64 MB of labels at a time.

    ``done`` of all ``total`` label sets came before these.
    """
    parts: list[Float] = []
    batch: list[Labels] = []

    def evaluate() -> None:
        nonlocal done
        labels = np.concatenate(batch)

        def inner(fraction: float) -> None:
            progress((done + fraction * len(labels)) / total)

        parts.append(prepared(labels, inner))
        done += len(labels)
        inner(0.0)
        batch.clear()

    for block in blocks:
        batch.append(block)
        if sum(part.nbytes for part in batch) >= _BATCH_BYTES:
            evaluate()
    if batch:
        evaluate()
    return np.concatenate(parts)


def _redraws_from(
    predictions: Predictions, estimator: Estimator, null: Null, state: Any, span: tuple[int, int]
) -> Float:
    """The redraws from ``span[0]`` up to ``span[1]`` of a generator in that state."""
    bits = np.random.PCG64()
    bits.state = state
    rng = np.random.Generator(bits.advance(predictions.n * span[0]))
    blocks = redrawn_labels(predictions, span[1] - span[0], rng, null)
    prepared = estimator.prepared(predictions)
    return _evaluated(prepared, blocks, look_up, 0, span[1] - span[0])


def check_settings(null: Null, stop_at: int | None) -> None:
    """Raises :class:`InputError` for what no exact test can be asked for."""
    check_null(null)
    if stop_at is not None and stop_at < 1:
        raise InputError(f"The test stops at {stop_at} redraws as extreme; expected 1 or more.")


@dataclass(frozen=True)
class ExactTest:
    r"""Exact Monte Carlo: labels redrawn from the *fixed* predictions, any estimator.

    $$p = \frac{1 + \#\{b : T_b \ge T\}}{B + 1}$$

    Level α at any n if rows are independent and no label was used to train,
    recalibrate, or choose lens, bins or bandwidth. Cost: B redraws of the estimator.

    stop_at : stop at so many redraws as extreme as what was observed (10 is usual), p = stop_at / l
        after l redraws, else ``(1 + k)/(B + 1)`` (Besag & Clifford 1991); the level stays exact.
        None: never stop
    null : the probabilities ``ρ(g)`` that the outcomes have under the hypothesis (V19 §4.2); the
        statistic stays one of deviation from g, and large values count against the hypothesis

    >>> import numpy as np
    >>> from calibcore import ECE, ExactTest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> ExactTest(ECE(), n_resamples=99)(p, np.random.default_rng(0))
    TestResult(statistic=0.4, pvalue=0.01, method='exact Monte Carlo', promise='exact', n_resamples=99)
    """

    estimator: Estimator
    n_resamples: int = 999
    stop_at: int | None = None
    null: Null = Identity()

    def __post_init__(self) -> None:
        check_settings(self.null, self.stop_at)

    def __call__(
        self, predictions: Predictions, rng: Seed = None, progress: Progress | None = None
    ) -> TestResult:
        """Promise "exact"; of pooled predictions for canonical calibration.

        Raises :class:`InputError` if ``n_resamples`` is below 1, and for weighted predictions.
        """
        progress, rng = progress or look_up, generator_of(rng)
        check_redraws(self.n_resamples)
        refuse_untested(predictions)
        prepared = self.estimator.prepared(predictions)
        statistics = np.empty(0)
        used = None
        for batch in self._batches(prepared, predictions, rng, progress):
            statistics = np.append(statistics, batch)
            if self.stop_at is not None:
                used = stopped_at(float(statistics[0]), statistics[1:], self.stop_at)
                if used is not None:
                    break
        progress(1.0)
        details = dict(prepared.details) | how_redrawn(predictions, self.n_resamples, self.stop_at, self.null)
        return of_redraws(float(statistics[0]), statistics[1:], details, used)

    def _batches(
        self, prepared: Prepared, predictions: Predictions, rng: np.random.Generator, progress: Progress
    ) -> Iterator[Float]:
        """The observed statistic before the redrawn ones; in growing batches if the test may stop early."""
        of_calibration = isinstance(self.null, Identity)
        quick = of_calibration and predictions.rows_are_cases and not len(predictions.kept)
        draw = prepared.draw if quick else None
        most, done = self.n_resamples, 0
        size = most if self.stop_at is None else max(_FIRST_BATCH, 2 * self.stop_at)
        while done < most:
            size = min(size, most - done)

            def report(fraction: float, done: int = done, size: int = size) -> None:
                progress((done + fraction * size) / most)

            redrawn = None
            if draw is not None:
                redrawn = draw(size, rng, report)
            elif not prepared.spread:
                redrawn = self._elsewhere(prepared.cost, predictions, size, rng, report)
            if redrawn is not None:
                yield redrawn if done else np.append(prepared(_observed(predictions)), redrawn)
            else:
                labels = redrawn_labels(predictions, size, rng, self.null)
                blocks = labels if done else chain([_observed(predictions)], labels)
                yield _evaluated(prepared, blocks, progress, done and done + 1, most + 1)
            done += size
            size *= 2

    def _elsewhere(
        self, each: float, predictions: Predictions, size: int, rng: np.random.Generator, progress: Progress
    ) -> Float | None:
        """(B,) the same redraws by the engine in use, some in each of its tasks; None where it takes none.

        A redraw takes as many numbers of the generator as there are cases, so that each task begins where
        the one before it ends. ``each`` is what the estimator costs for a case in a redraw.
        """
        n, m = predictions.probs.shape
        cost, bits = float(n) * size * (_DRAWING + m + each), rng.bit_generator
        engine = taking(cost)
        if engine is None or not predictions.rows_are_cases or not isinstance(bits, np.random.PCG64):
            return None
        work = partial(_redraws_from, predictions.bare(), self.estimator, self.null, bits.state)
        statistics: Float = np.concatenate(list(engine.each(work, ranges(size, 1, cost), progress, cost)))
        advance(bits, n * size)
        return statistics
