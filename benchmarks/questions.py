"""Several models on the same cases, a training run, recalibration, beside what a user would pick instead."""

import time

import numpy as np

from benchmarks.common import line, timed
from calibcore import DiagnosisSpec, Predictions, compare, decide, recalibrate, track_training
from calibcore.assessment.temperature_set import temperature_set
from calibcore.questions.compare.gap_differences import BinnedResiduals, gap_difference
from calibcore.questions.compare.nested import held
from calibcore.transforms.lenses import ClassLens, TopKLens

MODELS, EPOCHS = 10, 100
SPEC = DiagnosisSpec(lens=TopKLens(1))
SAMPLES = 1_000


def models(number: int, n: int, m: int) -> list[Predictions]:
    """From too unsure to too sure, on the same cases."""
    rng = np.random.default_rng(20190501)
    truth = rng.dirichlet(np.full(m, 0.5), size=n)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    found = []
    for power in np.linspace(0.7, 2.0, number):
        said = (truth + 1e-6) ** power
        found.append(Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), labels))
    return found


def pairs_alone(some: list[Predictions]) -> None:
    """What a comparison adds to the verdicts: every pair's difference, and what each leaves out."""
    binned = [BinnedResiduals.of(SPEC.lens(p), SPEC.binning) for p in some]
    for i, a in enumerate(binned):
        for b in binned[:i]:
            gap_difference(a, b)
    for i, p in enumerate(some):
        held(p, [other for j, other in enumerate(some) if j != i], 3_599, 0)


def bootstrapped(a: Predictions, b: Predictions) -> None:
    """Percentiles of the difference of two ECEs over cases drawn with replacement, as NumPy makes them."""
    rng = np.random.default_rng(0)
    tops = [(p.probs.max(axis=1), p.probs.argmax(axis=1) == p.labels) for p in (a, b)]
    edges = np.linspace(0, 1, 11)[1:-1]
    for _ in range(SAMPLES):
        rows = rng.integers(a.n, size=a.n)
        for said, right in tops:
            bins = np.searchsorted(edges, said[rows])
            off = np.bincount(bins, said[rows] - right[rows], 10)
            float(np.abs(off).sum() / a.n)


def recalibrations(p: Predictions) -> None:
    """The temperature and all methods with exact p-values; the temperature of every survey."""
    recalibrate(p, ["temperature"], SPEC)
    line(
        "recalibration by a temperature, with class mix and split",
        timed(lambda: recalibrate(p, ["temperature"], SPEC), 1),
    )
    recalibrate(p, None, SPEC)
    line("by all methods", timed(lambda: recalibrate(p, None, SPEC), 1))
    line("the exact set of the temperature, in every survey", timed(lambda: temperature_set(p)))


def run() -> None:
    """All of it, two minutes on two cores."""
    some = models(MODELS, 10_000, 10)
    named = {str(i): p for i, p in enumerate(some)}
    one = timed(lambda: bootstrapped(some[0], some[1]), 1)
    pairs = MODELS * (MODELS - 1) // 2
    seconds = timed(lambda: pairs_alone(some))
    beside = f"bootstrapping {pairs} pairs of ECEs"
    line(f"{MODELS} models of 10,000 × 10, without verdicts", seconds, beside, one * pairs)
    line("the same with verdicts, confidence", timed(lambda: compare(named, SPEC), 1))
    recalibrations(some[0])
    (many,) = models(1, 100_000, 2)
    line("decisions of 100,000 × 2", timed(lambda: decide(many, DiagnosisSpec(lens=ClassLens("0"))), 1))
    epochs = dict(enumerate(models(EPOCHS, 10_000, 10), start=1))
    start = time.perf_counter()
    track_training(epochs, SPEC)
    line(f"{EPOCHS} epochs of 10,000 × 10, confidence", time.perf_counter() - start)


if __name__ == "__main__":
    run()
