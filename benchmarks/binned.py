"""Bins: lens, estimates, redraws and bars on a million cases.

Beside each what one writes in an afternoon with NumPy, and one sum over the predictions: the least that
reading them can cost.
"""

import numpy as np

from benchmarks.common import line, memory_line, overconfident, timed
from calibcore import ECE, ConsistencyTest, DiagnosisSpec, ExactTest, Predictions
from calibcore.data.examples import w19_model
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    UniformBinning,
)
from calibcore.diagram.reliability import reliability
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.transforms.lenses import ClassLens, TopKLens
from calibcore.transforms.redraws import redrawn_labels

MANY = 1_000_000
FIFTEEN = UniformBinning(15)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def afternoon_ece(p: Predictions) -> float:
    """Top-1 ECE with 15 bins in NumPy."""
    top = p.probs.argmax(axis=1)
    confidence = p.probs[np.arange(p.n), top]
    bins = np.digitize(confidence, np.linspace(0, 1, 16)[1:-1], right=True)
    gaps = np.bincount(bins, top == p.labels, 15) - np.bincount(bins, confidence, 15)
    return float(np.abs(gaps).sum() / p.n)


def afternoon_draw(x: np.ndarray, bins: np.ndarray, stream: np.random.Generator, resample: bool) -> float:
    """One redraw of it, of the labels or of the cases too."""
    if resample:
        rows = stream.integers(len(x), size=len(x))
        x, bins = x[rows], bins[rows]
    hits = stream.random(len(x)) < x
    return float(np.abs(np.bincount(bins, hits, 15) - np.bincount(bins, x, 15)).sum() / len(x))


def afternoon_law(p: np.ndarray) -> np.ndarray:
    """Poisson-binomial by its characteristic function, O(n²)."""
    t = 2j * np.pi * np.arange(len(p) + 1) / (len(p) + 1)
    values = np.ones(len(p) + 1, complex)
    for chance in p:
        values *= 1 + chance * (np.exp(t) - 1)
    return np.asarray(np.fft.fft(values).real / (len(p) + 1))


def estimates(p: Predictions) -> None:
    ece, floor = ECE(FIFTEEN), timed(lambda: p.probs.sum(), 9)

    def ours() -> float:
        return ece(TopKLens(1)(p))

    seconds = timed(ours, 15)
    line("ECE, 15 bins, top-1, 1,000,000 × 10", seconds, "NumPy", timed(lambda: afternoon_ece(p)))
    line("", seconds, "one sum over the predictions", floor)
    memory_line("its memory", ours, "the predictions", p.probs.nbytes / 1e6)
    for name, lens in (("top-1", TopKLens(1)), ("top-3", TopKLens(3)), ("class", ClassLens("3"))):
        line(f"lens {name}, the same", timed(lambda lens=lens: lens(p)), "one sum", floor)
    top = TopKLens(1)(p)
    for binning in (EqualMassBinning(15), MedianVarianceBinning(100), MeanVarianceBinning(1000)):
        line(f"{binning.kind} bins, top-1", timed(lambda b=binning: b.assign(top.probs), 1))
        if binning.fits(p.m):
            line(f"{binning.kind} bins, canonical", timed(lambda b=binning: b.assign(p.probs), 1))


def redraws(p: Predictions) -> None:
    ece, top = ECE(FIFTEEN), TopKLens(1)(p)
    x, bins = top.probs[:, 0].copy(), FIFTEEN.assign(top.probs)
    for name, resample in (("exact", False), ("consistency", True)):

        def ours(resample: bool = resample) -> object:
            if resample:
                return ConsistencyTest(ece, 1000)(top, rng())
            draw = ece.prepared(top).draw
            return draw(1000, rng()) if draw else None

        other = 1000 * timed(lambda r=resample: afternoon_draw(x, bins, rng(), r))
        line(f"{name} redraws of it, 1D, B = 1,000", timed(ours, 1), "NumPy, 1,000 times", other)
        memory_line("its memory", ours, "the 1D predictions", top.probs.nbytes / 1e6)
    few = p.with_rows(np.arange(10_000))
    for binning in (UniformBinning(10), MedianVarianceBinning(100)):
        test = ExactTest(ECE(binning), 999)
        line(f"exact ECE test, {binning.kind}, 10,000 × 10, B = 999", timed(lambda t=test: t(few, rng()), 1))
    line("their redrawn labels", timed(lambda: [None for _ in redrawn_labels(few, 999, rng())], 1))
    small = w19_model("M1", n=250)
    test = ConsistencyTest(ECE(UniformBinning(10)), 100)
    line("consistency resampling, 250 × 10, B = 100", timed(lambda: test(small, rng()), 9))


def laws(p: Predictions) -> None:
    x = TopKLens(1)(p).probs[:, 0]
    line("law of the hits, 5,000 cases", timed(lambda: hits_distribution(x[:5_000])), "NumPy, O(n²)",
         timed(lambda: afternoon_law(x[:5_000]), 1))  # fmt: skip
    before = None
    for n in (10_000, 100_000, MANY):
        seconds = timed(lambda n=n: hits_distribution(x[:n]))
        slope = "" if before is None else f", slope {np.log10(seconds / before):.2f}"
        line(f"law of the hits, {n:,} cases{slope}", seconds)
        before = seconds
    top = TopKLens(1)(p)
    line("reliability with exact bars, 15 bins, 1,000,000", timed(lambda: reliability(top, FIFTEEN)))
    memory_line("its memory", lambda: reliability(top, FIFTEEN))


def other_bins(p: Predictions) -> None:
    spec = DiagnosisSpec(lens=TopKLens(1))
    for n in (10_000, MANY):
        some = p.with_rows(np.arange(n))
        line(f"ECE over 152 ways of binning, top-1, {n:,} × 10, B = 499",
             timed(lambda q=some: binning_sensitivity(q, spec), 1))  # fmt: skip


def run() -> None:
    """All of it, about half a minute."""
    p = overconfident(MANY, 10, np.random.default_rng(1))
    estimates(p)
    redraws(p)
    laws(p)
    other_bins(p)


if __name__ == "__main__":
    run()
