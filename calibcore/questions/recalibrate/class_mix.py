r"""Is it only the class mix? An exact test of "calibrated but for another prevalence" (label shift).

The hypothesis is $P(Y = k \mid g) \propto g_k e^{\theta_k}$ with θ unknown. The class counts N are sufficient
for θ: given N the law of the labels does not depend on it. $\hat g \propto g e^{\hat\theta}$ with
$\sum_i \hat g_{ik} = N_k$ is a function of N, so any statistic of $\hat g$ and the labels may be compared
with its values for labels that are redrawn given N. These are drawn by exchanging labels: a sweep pairs all
cases at random, and a pair with labels a ≠ b exchanges them with the probability
$g_{ib} g_{ja} / (g_{ib} g_{ja} + g_{ia} g_{jb})$. S sweeps lead from the observed labels to a set y⁰, from
which B chains of the same S sweeps in reverse lead to the redraws. Whatever S is, the p-value is exact (Besag
& Clifford 1989, in parallel). More sweeps only add power.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal, cast

import numpy as np

from calibcore.bounds import Count, Share
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.estimators._omnibus import statistics_of
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.omnibus import log_tails, omnibus_result
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics import loops
from calibcore.numerics.progress import Report
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.class_mix import tilt_of, tilted
from calibcore.settings.codec import Partly

SWEEPS = 50
STREAM = "class-mix-exchanges"
_CHAINS = 32
"""Chains of a task."""
_LABELS = 250_000_000
"""Labels that are there at a time."""
_PAIRS = 1_024
"""Pairs whose random numbers are drawn together."""


@dataclass(frozen=True, eq=False)
class ClassMixTest(Partly):
    """Whether the model is calibrated but for how common each class is.

    Attributes
    ----------
    pvalue, statistic : exact, given how often each class happened
    tilt : (m,) θ̂, which sums to 0; 0 for classes that never happened
    n_resamples, sweeps : B and S
    at_floor : whether no redraw was as extreme
    """

    NAMES: ClassVar = {"pvalue": "p_value"}

    pvalue: Share
    statistic: float
    tilt: tuple[float, ...]
    n_resamples: Count
    sweeps: Count
    at_floor: bool


def class_mix_test(
    predictions: Predictions,
    kernel: Kernel | None = None,
    *,
    statistic: Literal["omnibus", "skce"] = "omnibus",
    n_resamples: int = 999,
    sweeps: int = SWEEPS,
    seed: int = 0,
    report: Report = lambda _: None,
) -> ClassMixTest:
    """Test that nothing is wrong but the class mix. Cost O(BSn) to exchange labels, 5 ns a case and sweep.

    Parameters
    ----------
    kernel : of the statistic; ``statistic`` "skce" is its unbiased error, "omnibus" that of the omnibus test

    Raises
    ------
    InputError : one class alone happened, an outcome that was given probability 0; weighted or cross-fitted
        predictions.
    """
    refuse_untested(predictions)
    predictions = predictions.without_kept
    counts = predictions.class_counts
    present = np.flatnonzero(counts)
    if len(present) < 2:
        raise InputError("One class alone happened: another mix cannot be told from anything else.")
    if predictions.impossible_outcomes:
        raise InputError("An outcome was given probability 0: no other mix makes it possible.")
    probs = predictions.probs[:, present]
    probs = probs / probs.sum(axis=1, keepdims=True)
    theta = tilt_of(probs, counts[present].astype(np.float64))
    labels = np.searchsorted(present, predictions.labels)
    names = [predictions.class_names[k] for k in present]
    adjusted = Predictions.from_arrays(tilted(probs, theta), labels, names, renormalise=True)
    kernel = kernel or ExponentialKernel()
    blocks = redrawn_given_counts(probs, labels, n_resamples, sweeps, stream(seed, STREAM), report)
    every = chain([cast(Labels, labels[None].astype(_kind_of(probs)))], blocks)
    if statistic == "skce":
        values = np.hstack(list(map(SKCE(kernel.resolved(adjusted.probs)[0]).prepared(adjusted), every)))
        result = of_redraws(float(values[0]), values[1:])
    else:
        statistics = statistics_of(adjusted, kernel)
        components = np.hstack(list(map(statistics.evaluate, every)))
        result = omnibus_result(statistics, adjusted, components, log_tails(components))
    tilt = np.zeros(predictions.m)
    tilt[present] = theta
    return ClassMixTest(
        result.pvalue, result.statistic, tuple(map(float, tilt)), n_resamples, sweeps, result.at_floor
    )


def redrawn_given_counts(
    probs: Float,
    labels: Int,
    n_resamples: int,
    sweeps: int,
    rng: np.random.Generator,
    report: Report = lambda _: None,
) -> Iterator[Labels]:
    """Blocks (b, n) of B label sets with the class counts of ``labels``, exchangeable with it under the
    hypothesis.

    All chains pair the cases in the same ways, and the way to where they begin goes through these backwards:
    then, whatever the ways, what happened is to that beginning what each redraw is.
    """
    kind = _kind_of(probs)
    g = loops.read_only(probs)
    orders = [rng.permutation(len(g)) for _ in range(sweeps)]
    start = cast(Labels, labels.astype(kind)[:, None].copy())
    _exchange(g, start, orders[::-1], rng)
    firsts = range(0, n_resamples, _CHAINS)
    tasks = [
        (min(_CHAINS, n_resamples - first), stream)
        for first, stream in zip(firsts, rng.spawn(len(firsts)), strict=True)
    ]
    done = [0]

    def chains(task: tuple[int, np.random.Generator]) -> Labels:
        many, own = task
        sets = cast(Labels, np.repeat(start, many, axis=1))
        _exchange(g, sets, orders, own)
        done[0] += many
        report(done[0] / n_resamples)
        return cast(Labels, np.ascontiguousarray(sets.T))

    block = max(1, _LABELS // (_CHAINS * len(g)))
    for first in range(0, len(tasks), block):
        yield cast(Labels, np.concatenate(loops.in_threads(chains, tasks[first : first + block])))


def _kind_of(probs: Float) -> type[np.int8 | np.int16]:
    return np.int8 if probs.shape[1] < 128 else np.int16


def _exchange(g: Float, sets: Labels, orders: Sequence[Int], rng: np.random.Generator) -> None:
    """Sweeps over label sets (n, s), in place: each pairs the cases in one of the ``orders``."""
    half, chains = len(g) // 2, sets.shape[1]
    for order in orders:
        for first in range(0, half, _PAIRS):
            u = rng.random((min(_PAIRS, half - first), chains))
            _sweep(g, sets, order[2 * first :], u)


@loops.compiled
def _sweep(g: Float, sets: Labels, order: Int, u: Float) -> None:
    """Equal labels are exchanged too, which changes nothing: no processor can foresee which are."""
    for pair in range(u.shape[0]):
        i, j = order[2 * pair], order[2 * pair + 1]
        own, other, first, second = sets[i], sets[j], g[i], g[j]
        for s in range(u.shape[1]):
            a, b = own[s], other[s]
            exchanged = first[b] * second[a]
            swap = u[pair, s] * (exchanged + first[a] * second[b]) < exchanged
            own[s] = b if swap else a
            other[s] = a if swap else b
