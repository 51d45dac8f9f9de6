"""Whether the groups of a column differ from each other in how far off they are on balance.

Residuals of the event or the confidence are ``r = y − g``. In group s of ``n_s`` cases ``d_s`` is their
mean, ``v_s`` its variance, and ``Q = Σ_s (d_s − d̄)²/v_s`` the heterogeneity of Cochran (1954). d̄ is the mean
weighted by ``1/v_s``. Where all groups are off alike, calibrated or not, Q of S groups follows χ² with S − 1
degrees of freedom as cases become many.

``v_s`` is that of the sample or, if larger, the one of predictions that are all off by the mean residual of
all cases; so a group in which nothing happened has one. It is never smaller than half a case squared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import chdtrc

from calibcore.bounds import AtLeastOne, Nonnegative, Share
from calibcore.data.predictions import Predictions
from calibcore.numerics.types import Int


@dataclass(frozen=True)
class Between:
    """How far the groups of a column lie apart.

    Attributes
    ----------
    groups : how many of them were tested, two at least
    statistic : Cochran's Q
    pvalue : of Q, approximate for large samples
    adjusted : that times the number of columns, 1 at most (Bonferroni)
    """

    NAMES: ClassVar[Mapping[str, str]] = {"pvalue": "p_value"}

    column: str
    groups: AtLeastOne
    statistic: Nonnegative
    pvalue: Share
    adjusted: Share


def between(two: Predictions, rows: Sequence[Int]) -> tuple[float, float]:
    """Q and its p. Cost O(n).

    two : two classes, of which the first is looked at
    rows : of each of two groups or more its rows, two at least
    """
    every = np.concatenate(rows)
    off = float((two.labels[every] == 0).mean() - two.probs[every, 0].mean())
    means, variances = [], []
    for of_group in rows:
        g, n = two.probs[of_group, 0], len(of_group)
        residuals, alike = (two.labels[of_group] == 0) - g, np.clip(g + off, 0.0, 1.0)
        variance = max(float(residuals.var(ddof=1)), float((alike * (1 - alike)).mean())) / n
        means.append(float(residuals.mean()))
        variances.append(max(variance, (0.5 / n) ** 2))
    d, weights = np.array(means), 1 / np.array(variances)
    q = float(weights @ np.square(d - weights @ d / weights.sum()))
    return q, float(chdtrc(len(rows) - 1, q))


def adjusted(of_columns: Sequence[tuple[str, int, float, float]]) -> tuple[Between, ...]:
    """Of each column its name, number of groups, Q and p; adjusted so that no p tells of another's."""
    return tuple(
        Between(name, groups, q, p, min(1.0, p * len(of_columns))) for name, groups, q, p in of_columns
    )
