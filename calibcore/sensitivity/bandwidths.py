"""How far the exact kernel test depends on its bandwidth: statistic and p over two decades of it.

W19 §7 takes the median heuristic; another bandwidth is another test. A p-value that is picked from
these, after they were seen, is exploratory.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.hypothesis_tests.result import NOISE, ROUNDING
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Progress, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.nulls import Identity

REACH = 10.0
"""From the median divided by this to the median times this."""
MOST_STEPS = 20
"""Steps on either side of the median, where a rule that lies far away makes the range longer."""
_PER_DECADE, _FEW_PER_DECADE = 10, 5
_ON_A_LINE, _ALL_PAIRS = 100_000, 2_000
"""Up to so many cases all redraws are made, and ten bandwidths a decade."""


@dataclass(frozen=True, eq=False)
class BandwidthSensitivity:
    """The exact kernel test at K bandwidths, on the same redraws.

    Attributes
    ----------
    spec : the settings; its lens, kernel, null, seed, precision and α matter here
    bandwidths : (K,) ν, rising
    statistic : (K,) SKCE_uq of the observed outcomes
    null_mean, null_sd, low, high : (K,) of the redraws: mean, deviation, 5 % and 95 % quantiles
    pvalue : (K,) ``(1 + k)/(B + 1)``
    n_resamples : B
    rules : name -> ν: "median", "mean", and the one in use, which may be "number"; each one of the K
    trace_left : (K,) what a kernel of low rank leaves out, 0 where none is taken
    """

    spec: DiagnosisSpec
    bandwidths: Float
    statistic: Float
    null_mean: Float
    null_sd: Float
    low: Float
    high: Float
    pvalue: Float
    n_resamples: int
    rules: Mapping[str, float]
    trace_left: Float

    @property
    def in_use(self) -> str:
        """Which of the ``rules`` the settings take."""
        rule = self.spec.kernel.bandwidth
        return rule if isinstance(rule, str) else "number"

    def at(self, rule: str) -> int:
        """Which of the K the rule gives."""
        return int(np.flatnonzero(self.bandwidths == self.rules[rule])[0])

    @cached_property
    def above(self) -> Float:
        """(K,) how far the statistic lies above the mean of the redraws, in their standard deviations.

        NaN where the redraws are all alike.
        """
        return self._scaled(self.statistic)

    @cached_property
    def range(self) -> tuple[Float, Float]:
        """Two (K,): the 5 % and 95 % quantiles of the redraws in the unit of :attr:`above`."""
        return self._scaled(self.low), self._scaled(self.high)

    def _scaled(self, values: Float) -> Float:
        alike = self.null_sd <= ROUNDING * np.abs(self.statistic) + NOISE
        return np.asarray((values - self.null_mean) / np.where(alike, np.nan, self.null_sd))


def planned(n: int, m: int, spec: DiagnosisSpec) -> tuple[int, int]:
    """Bandwidths a decade and redraws at each, for ``n`` cases through a lens of ``m`` classes.

    Fewer redraws where all pairs of many cases are to be looked at, but enough for B + 1 ≥ 10/α.
    """
    on_a_line = m == 2 and spec.kernel.kind == "exponential"
    if n <= (_ON_A_LINE if on_a_line else _ALL_PAIRS):
        return _PER_DECADE, spec.resamples
    return _FEW_PER_DECADE, min(spec.resamples, max(199, math.ceil(10 / spec.alpha - 1e-9) - 1))


def bandwidth_sensitivity(
    predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None
) -> BandwidthSensitivity:
    """The exact test of SKCE_uq through ``spec.lens`` at bandwidths around the median distance.

    From a tenth of it to ten times, further where the mean or the bandwidth in use lies there. Every
    bandwidth sees the redraws that the exact test of a diagnosis sees, in the same order, all of them:
    none stops early. Cost: one exact test a bandwidth, with :func:`planned` redraws.

    Raises
    ------
    InputError : all predictions are the same, or certain; fewer than two cases; weighted predictions.
    """
    induced = spec.induced(predictions)
    rules = _rules(induced, spec.kernel)
    per_decade, n_resamples = planned(induced.n, induced.m, spec)
    grid = _grid(rules, per_decade)
    tested = induced.without_kept if isinstance(spec.null, Identity) else induced
    columns = []
    for i, bandwidth in enumerate(grid.tolist()):
        report = telling(progress, f"bandwidth {i + 1} of {len(grid)}", i, len(grid))
        estimator = SKCE(replace(spec.kernel, bandwidth=bandwidth), precision=spec.precision)
        rng = stream(spec.seed, "exact-skce")
        test = ExactTest(estimator, n_resamples, null=spec.null)(tested, rng, report)
        redraws = test.null_distribution
        assert redraws is not None
        low, high = np.quantile(redraws, (0.05, 0.95), method="inverted_cdf")
        left = float(test.details.get("trace_left", 0.0))
        columns.append((test.statistic, redraws.mean(), redraws.std(), low, high, test.pvalue, left))
    statistic, mean, sd, low, high, pvalue, trace_left = map(np.array, zip(*columns, strict=True))
    found_at = BandwidthSensitivity(
        spec, grid, statistic, mean, sd, low, high, pvalue, n_resamples, rules, trace_left
    )
    if np.isnan(found_at.above).all():
        raise InputError(
            "The redraws are all alike at every bandwidth: where predictions are certain, chance leaves "
            "nothing to compare with."
        )
    return found_at


def _rules(induced: Predictions, kernel: Kernel) -> dict[str, float]:
    """The bandwidths of "median" and "mean", and the one in use."""
    rules: dict[str, float] = {}
    for rule in dict.fromkeys(("median", "mean", kernel.bandwidth)):
        _, resolved = replace(kernel, bandwidth=rule).resolved(induced.probs)
        if resolved.pairs == "same":
            raise InputError(
                f"All {induced.n:,} predictions are the same, so every bandwidth gives the same test."
            )
        rules[rule if isinstance(rule, str) else "number"] = resolved.value
    return rules


def _grid(rules: Mapping[str, float], per_decade: int) -> Float:
    """(K,) bandwidths from the median outwards, in equal ratios on either side, and those of the rules."""
    median = rules["median"]
    lowest = min(median / REACH, *(0.5 * bandwidth for bandwidth in rules.values()))
    highest = max(median * REACH, *(2 * bandwidth for bandwidth in rules.values()))
    sides = []
    for end in (lowest, highest):
        steps = min(MOST_STEPS, math.ceil(per_decade * abs(math.log10(end / median)) - 1e-9))
        sides.append(median * (end / median) ** (np.arange(1, steps + 1) / steps))
    return np.unique(np.concatenate([*sides, list(rules.values())]))
