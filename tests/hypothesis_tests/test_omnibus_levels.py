"""Level and power of the exact omnibus test, simulated."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import ks_2samp

from calibcore import Predictions
from calibcore.assessment.defaults import default_lenses
from calibcore.assessment.verdict_tests import VERDICT_TEST
from calibcore.estimators._omnibus import statistics_of
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.hypothesis_tests.omnibus import log_tails
from calibcore.hypothesis_tests.result import monte_carlo_pvalue
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float

ALPHA, REDRAWS = 0.05, 199
Rng = np.random.Generator


def _dirichlet(m: int, concentration: float) -> Callable[[int, Rng], Float]:
    return lambda n, rng: rng.dirichlet(np.full(m, concentration), n)


def _very_sure(n: int, rng: Rng) -> Float:
    first = np.where(rng.random(n) < 0.75, 1e-7 * rng.random(n), rng.random(n))
    return np.column_stack([first, 1 - first])


def _tied(n: int, rng: Rng) -> Float:
    return np.array([[0.7, 0.2, 0.1], [0.2, 0.2, 0.6]])[rng.integers(2, size=n)]


def _one_prediction(n: int, rng: Rng) -> Float:
    return np.tile([0.3, 0.7], (n, 1))


def _rounded(n: int, rng: Rng) -> Float:
    first = np.round(rng.beta(0.6, 0.6, n), 1)
    return np.column_stack([first, 1 - first])


def _rare(n: int, rng: Rng) -> Float:
    first = 0.02 * rng.random(n)
    return np.column_stack([first, 1 - first])


def _certain_halves(n: int, rng: Rng) -> Float:
    return np.eye(4)[rng.integers(4, size=n)] * 0.5 + 0.125


SHAPES: dict[str, tuple[int, Callable[[int, Rng], Float]]] = {
    "very sure": (1_000, _very_sure),
    "two predictions": (200, _tied),
    "one prediction": (100, _one_prediction),
    "rounded to one digit": (300, _rounded),
    "99 : 1": (1_000, _rare),
    "four predictions, as sure": (150, _certain_halves),
    "m = 2, n = 10": (10, _dirichlet(2, 1.0)),
    "m = 2, n = 2,000": (2_000, _dirichlet(2, 0.5)),
    "m = 2, in bins": (6_000, _dirichlet(2, 0.5)),
    "very sure, in bins": (6_000, _very_sure),
    "99 : 1, in bins": (6_000, _rare),
    "rounded to one digit, in bins": (6_000, _rounded),
    "m = 3, n = 10": (10, _dirichlet(3, 1.0)),
    "m = 3, n = 300": (300, _dirichlet(3, 1.0)),
    "m = 3, n = 2,000": (2_000, _dirichlet(3, 0.5)),
    "m = 10, n = 100": (100, _dirichlet(10, 0.3)),
    "m = 10, n = 1,000": (1_000, _dirichlet(10, 0.3)),
    "m = 50, n = 300": (300, _dirichlet(50, 0.1)),
}


def rejected(n: int, shape: Callable[[int, Rng], Float], truth: Callable[[Float], Float], sets: int) -> float:
    """The share of data sets on which the test rejects; ``truth`` makes chances of predictions."""
    rng = np.random.default_rng([n, sets])
    count = 0
    for seed in range(sets):
        g = shape(n, rng)
        p = Predictions.from_arrays(g, draw_labels(truth(g), rng))
        count += ExactOmnibusTest(n_resamples=REDRAWS)(p, np.random.default_rng(seed)).pvalue <= ALPHA
    return count / sets


@pytest.mark.parametrize("shape", ["very sure", "99 : 1", "m = 3, n = 10"])
@pytest.mark.slow
def test_calibrated_models_are_seldom_rejected(shape: str) -> None:
    n, make = SHAPES[shape]
    assert rejected(n, make, lambda g: g, 60) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 60)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_level_holds_in_every_shape(shape: str) -> None:
    n, make = SHAPES[shape]
    share = rejected(n, make, lambda g: g, 600)
    print(f"{shape}: {share:.3f}")
    assert share <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 600)


# --- many cases of ten classes, and the verdict's family of lenses ------------------

FILES = 12
"""Label sets of the same predictions, each with redraws of its own: independent given the predictions."""
TENS = (_dirichlet(10, 0.1), _dirichlet(10, 0.5))


def _pvalues(g: Float, seed: int, redraws: int) -> Float:
    """(FILES, lenses) p of the verdict's test through each default lens; prepared once for all files."""
    rng = np.random.default_rng([3_000, seed])
    files = [
        Predictions.from_arrays(g, draw_labels(g, rng), [str(k) for k in range(10)]) for _ in range(FILES)
    ]
    found = []
    for lens in default_lenses(files[0]):
        through = [lens(one) for one in files]
        statistics = statistics_of(through[0], ExponentialKernel())
        observed = statistics.evaluate(np.array([one.labels for one in through]))
        for i in range(FILES):
            drawn = statistics.draw(through[0].probs, redraws, stream(FILES * seed + i, VERDICT_TEST))
            tails = log_tails(np.column_stack([observed[:, i], drawn])).max(axis=0)
            found.append(monte_carlo_pvalue(float(tails[0]), tails[1:]))
    return np.reshape(found, (-1, FILES)).T


@pytest.mark.slow
def test_ten_classes_and_3_000_cases_keep_the_level_lens_by_lens_and_together() -> None:
    """239 redraws: 12 hypotheses at α/12 need no more, and p is exact with any number."""
    rng = np.random.default_rng(10)
    p = np.vstack([_pvalues(TENS[i % 2](3_000, rng), i, 239) for i in range(20)])
    slack = 3 * math.sqrt(ALPHA * (1 - ALPHA) / len(p))
    for share in (p <= ALPHA).mean(axis=0)[:2]:  # the likeliest class, and all classes together
        assert share <= ALPHA + slack
    assert (p.min(axis=1) <= ALPHA / p.shape[1] * (1 + 1e-9)).mean() <= ALPHA + slack  # Holm's first step
    assert (p <= ALPHA).mean() <= ALPHA + slack


@pytest.mark.slow
@pytest.mark.parametrize("tens", TENS)
def test_labels_that_are_given_and_labels_that_are_drawn_have_one_law(
    tens: Callable[[int, Rng], Float],
) -> None:
    """All that exactness rests on, as nothing else sees labels: every component, 2,000 sets each way."""
    rng = np.random.default_rng(11)
    g = tens(3_000, rng)
    p = Predictions.from_arrays(g, draw_labels(g, rng), [str(k) for k in range(10)])
    for lens in default_lenses(p)[:3]:
        through = lens(p)
        statistics = statistics_of(through, ExponentialKernel())
        given = statistics.evaluate(np.array([draw_labels(through.probs, rng) for _ in range(2_000)]))
        drawn = statistics.draw(through.probs, 2_000, rng)
        for ours, theirs in zip(given, drawn, strict=True):
            assert ks_2samp(ours, theirs).pvalue > 1e-4


# --- power ------------------------------------------------------------------------


def _tempered(temperature: float) -> Callable[[Float], Float]:
    def chances(g: Float) -> Float:
        q = g ** (1 / temperature)
        return np.asarray(q / q.sum(axis=1, keepdims=True))

    return chances


def _shifted(share: float) -> Callable[[Float], Float]:
    return lambda g: (1 - share) * g + share * np.eye(g.shape[1])[0]


def _first_to(g: Float, new: Float) -> Float:
    """The first class with other chances, the others in proportion."""
    others = g[:, 1:] * ((1 - new) / np.maximum(1 - g[:, 0], 1e-12))[:, None]
    return np.column_stack([new, others])


def _uneven(g: Float) -> Float:
    """Sure cases too sure by ten points, the others too unsure by as many."""
    confidence, likeliest, rows = g.max(axis=1), g.argmax(axis=1), np.arange(len(g))
    new = np.clip(confidence + np.where(confidence > np.median(confidence), -0.1, 0.1), 0, 1)
    q = g * ((1 - new) / np.maximum(1 - confidence, 1e-12))[:, None]
    q[rows, likeliest] = new
    return q


def _waves(g: Float) -> Float:
    return _first_to(g, np.clip(g[:, 0] + 0.2 * np.sin(8 * np.pi * g[:, 0]), 0, 1))


PATTERNS: dict[str, tuple[int, Callable[[Float], Float], float]] = {
    "temperature 1.4, m = 3": (3, _tempered(1.4), 0.87),
    "temperature 1.2, m = 10": (10, _tempered(1.2), 0.45),
    "shift of 6 %, m = 3": (3, _shifted(0.06), 0.55),
    "uneven by 10 points, m = 3": (3, _uneven, 0.7),
    "waves of 20 points, m = 3": (3, _waves, 0.7),
    "two classes mixed up, m = 3": (3, lambda g: g[:, [1, 0, 2]], 1.0),
}
"""Classes, the truth, and the power at 300 cases of Dir(0.5), as measured."""


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_power(pattern: str) -> None:
    m, truth, expected = PATTERNS[pattern]
    share = rejected(300, _dirichlet(m, 0.5), truth, 200)
    print(f"{pattern}: {share:.2f}")
    assert share == pytest.approx(expected, abs=0.1)
