"""What is redrawn for a diagnosis of slices, and what is made of it: diagram, estimates, tests."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from calibcore.diagnose import Estimate, NamedTest
from calibcore.diagnose.documents import bins_document
from calibcore.diagnose.estimates import level_of, names_for, with_level
from calibcore.diagnose.parts import stream_of_bars
from calibcore.diagnose.run import ORDERED, plan
from calibcore.diagram.bars import exact_bars, resampled_bars
from calibcore.diagram.bins import diagram_order
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE, Name
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    DistributionFreeSKCETest,
    TestResult,
)
from calibcore.hypothesis_tests.bins import BinPvalues, of_distances, of_laws, redraws_for_bins
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.families import Planned
from calibcore.kernels import Bandwidth, Kernel
from calibcore.numerics.draws import Draws
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.settings import DiagnosisSpec
from calibcore.streaming.bins import Binned
from calibcore.streaming.redrawn import BinJob, BlocksJob, Job, SingleBinsJob
from calibcore.streaming.supported import LEFT_OUT
from calibcore.streaming.totals import Totals


@dataclass(frozen=True, eq=False)
class Summary:
    """What is known before anything is redrawn; ``class_names`` are the lens's, the kernel has a number."""

    n: int
    class_names: tuple[str, ...]
    totals: Totals
    binned: Binned
    kernel: Kernel
    bandwidth: Bandwidth

    @property
    def m(self) -> int:
        """Classes that the lens shows."""
        return len(self.class_names)


def _of_bins(spec: DiagnosisSpec) -> dict[str, ECE | MCE]:
    return {"ece": ECE(spec.binning, spec.distance), "mce": MCE(spec.binning, spec.distance)}


@dataclass(frozen=True, eq=False)
class Redrawn:
    """The jobs of a diagnosis, each with the draws that ``diagnose`` takes; ``bins`` of all bins together."""

    spec: DiagnosisSpec
    summary: Summary
    bins: BinJob | None
    blocks: BlocksJob
    single: SingleBinsJob | None

    @classmethod
    def of(cls, spec: DiagnosisSpec, summary: Summary) -> "Redrawn":
        """Nothing is drawn yet. Two classes need no labels for their bins: the laws of the hits are there."""
        n, m, binned = summary.n, summary.m, summary.binned
        exact = "exact" in spec.tests

        def draws(name: str) -> Draws:
            return Draws(stream(spec.seed, name))

        statistics: dict[str, Callable[[Float], Float]] = {}
        if m > 2 or spec.bars == "resampled":
            statistics["bars"] = partial(binned.bins.distances, name=binned.bins.measure)
        if m > 2:
            for name, estimator in _of_bins(spec).items():
                statistics[name] = partial(estimator.of_frequencies, bins=binned.bins)
        bins = None
        if statistics:
            bins = BinJob(draws(stream_of_bars(m)), binned.bins, n, spec.resamples, statistics)
        block_draws = draws("skce-block") if exact or "skce-block" in spec.estimates else None
        blocks = BlocksJob(block_draws, summary.kernel, (2, spec.block_size), n, spec.resamples)
        single = None
        redraws = redraws_for_bins(binned.bins.n_bins, m, spec.resamples, spec.alpha) if exact else None
        if redraws:
            order = diagram_order(binned.bins)
            single = SingleBinsJob(draws("bins"), binned.bins, binned.hits, order, redraws)
        return cls(spec, summary, bins, blocks, single)

    @property
    def jobs(self) -> list[Job]:
        """All of them."""
        return [job for job in (self.bins, self.blocks, self.single) if job is not None]

    def _redrawn(self, name: str) -> Float | None:
        """What was made of all bins together; None where laws are known instead."""
        return None if self.bins is None else self.bins.values.get(name)

    def _calibration(self, name: str) -> TestResult:
        """The exact test of the ECE or MCE."""
        spec, binned, estimator = self.spec, self.summary.binned, _of_bins(self.spec)[name]
        observed = binned.hits / binned.bins.counts[:, None]
        redrawn = self._redrawn(name)
        if redrawn is None:
            firsts, cumulated = zip(*((first, np.cumsum(law)) for first, law in binned.laws), strict=True)
            rng = stream(spec.seed, f"exact-{name}")
            redrawn = estimator.of_drawn_hits(cumulated, np.array(firsts), binned.bins, spec.resamples, rng)
        return of_redraws(float(estimator.of_frequencies(observed, binned.bins)), redrawn)

    @property
    def calibration_error(self) -> dict[str, float]:
        """ECE and MCE with their levels under calibration."""
        errors: dict[str, float] = {}
        for name in ("ece", "mce"):
            errors |= with_level(name, self._calibration(name))
        return errors

    @property
    def skce(self) -> dict[str, float]:
        """The linear and the block estimate, where there are enough cases."""
        sizes, terms = {"linear": 2, "block": self.spec.block_size}, self.blocks.terms
        return {name: terms[size].mean for name, size in sizes.items() if size in terms}

    def reliability(self) -> Reliability:
        """The diagram."""
        spec, binned = self.spec, self.summary.binned
        observed = binned.hits / binned.bins.counts[:, None]
        deviation = binned.bins.distances(observed, binned.bins.measure)
        redraws, bars = self._redrawn("bars"), "exact"
        if redraws is None:
            limits = exact_bars(binned.laws, binned.hits[:, 0], binned.bins, spec.interval)
        else:
            bars = "resampled"
            limits = resampled_bars(deviation, redraws, spec.interval, self.summary.m == 2)
        low, high, outside, expected = limits
        return Reliability(
            self.summary.class_names, binned.bins.counts, binned.lowest, binned.highest,
            binned.bins.mean_prediction, observed, deviation, low, high, outside, binned.histogram,
            expected, spec.interval, bars,
        ).only(diagram_order(binned.bins))  # fmt: skip

    def bin_pvalues(self) -> dict[str, Any] | None:
        """Exact p-values of the bins, as a diagnosis holds them."""
        if self.summary.m == 2 and "exact" in self.spec.tests:
            return bins_document(self._of_laws())
        if self.single is None:
            return None
        n, m = self.summary.n, self.summary.m
        return bins_document(of_distances(self.single.values, n, m, self.spec.bin_adjustment))

    def _of_laws(self) -> BinPvalues:
        bins, hits = self.summary.binned.bins, self.summary.binned.hits[:, 0]
        order = diagram_order(bins)
        laws = [self.summary.binned.laws[b] for b in order]
        counts, mean = bins.counts[order], bins.mean_prediction[order, 0]
        return of_laws(laws, hits[order], counts, mean, self.spec.bin_adjustment)

    def estimates(self) -> tuple[Estimate, ...]:
        """Those of a diagnosis that take the cases one by one."""
        name = "skce-block"
        if name not in self.spec.estimates:
            return ()
        if self.summary.totals.ordered:
            return (Estimate(name, "lens", None, note=ORDERED),)
        try:
            result = self._exact_block("block")
        except InputError as error:
            return (Estimate(name, "lens", None, note=f"not made: {error}"),)
        assert result.null_distribution is not None
        level = level_of(result.null_distribution)
        return (Estimate(name, "lens", result.statistic, level, result.pvalue),)

    @property
    def left_out(self) -> tuple[str, ...]:
        """A sentence that names what a diagnosis in memory has besides, as its document calls it."""
        m = self.summary.m
        names = [p.name for p in self._planned() if p.name not in self._by_name()]
        names += [name for name in names_for(self.spec, m) if name != "skce-block"]
        names += ["typical gap", "frequencies", "skce biased", "skce unbiased", "decompositions"]
        names += ["recalibration"] if m == 2 else []
        return (f"{LEFT_OUT}: {', '.join(names)}.",)

    def _planned(self) -> list[Planned]:
        return plan(self.spec, self.summary.kernel, self.summary.m, {}, None)

    def _size(self, name: str) -> int:
        """Cases in a block of the linear or the block estimate, of which there is one at least."""
        size = 2 if name == "linear" else self.spec.block_size
        if size not in self.blocks.terms:
            raise InputError(f"the {name} estimate needs more cases, neither weighted nor pooled")
        return size

    def _exact_block(self, name: str) -> TestResult:
        size = self._size(name)
        estimates = self.blocks.values[size]
        return of_redraws(float(estimates[0]), estimates[1:], {"block_size": size})

    def _bound(self, name: Name) -> TestResult:
        test = DistributionFreeSKCETest(SKCE(self.summary.kernel, name, self.spec.block_size))
        return test.of_cases(self.summary.n, self.blocks.terms[self._size(name)].mean)

    def _asymptotic(self, name: Name) -> TestResult:
        test = AsymptoticBlockSKCETest(SKCE(self.summary.kernel, name, self.spec.block_size))
        test.check_cases(self.summary.n)
        return test.of_terms(self.blocks.terms[self._size(name)])

    def tests(self) -> tuple[NamedTest, ...]:
        """Those of a diagnosis that take the cases one by one, and exact ones of the linear and the block
        estimate."""
        by_name, named = self._by_name(), [(p.name, p.estimator, p.uses_order) for p in self._planned()]
        if "exact" in self.spec.tests:
            named[1:1] = [("exact-linear", "skce-linear", True), ("exact-block", "skce-block", True)]
        results = []
        for name, estimator, uses_order in named:
            if name not in by_name:
                continue
            result, note = None, ORDERED if uses_order and self.summary.totals.ordered else ""
            if not note:
                try:
                    result = by_name[name]()
                except InputError as error:
                    note = f"withheld: {error}"
            results.append(NamedTest(name, estimator, result, note))
        return tuple(results)

    def _by_name(self) -> dict[str, Callable[[], TestResult]]:
        return {
            "exact-ece": lambda: self._calibration("ece"),
            "exact-linear": lambda: self._exact_block("linear"),
            "exact-block": lambda: self._exact_block("block"),
            "distribution-free-linear": lambda: self._bound("linear"),
            "distribution-free-block": lambda: self._bound("block"),
            "asymptotic-linear": lambda: self._asymptotic("linear"),
            "asymptotic-block": lambda: self._asymptotic("block"),
            "spiegelhalter": self.summary.totals.spiegelhalter,
        }
