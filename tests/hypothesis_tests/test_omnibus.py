"""The exact omnibus test against its literal definition, its exactness by enumeration, and its edges."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators._omnibus import PAIRS_UP_TO, statistics_of, temperature_score
from calibcore.estimators._tiles import STRIP
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.hypothesis_tests.omnibus import log_tails
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Kernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.numerics.resampling import draw_labels
from calibcore.transforms.lenses import PooledLens
from calibcore.transforms.nulls import Temperature
from tests.cases import each
from tests.oracles import literal_omnibus as literal


def predictions_like(kind: str, n: int, m: int, rng: np.random.Generator) -> np.ndarray:
    g = rng.dirichlet(np.full(m, 0.5), size=n)
    if kind == "rounded":
        g = np.round(g, 1) + 1e-3
        return g / g.sum(axis=1, keepdims=True)
    if kind == "certain":
        return np.eye(m)[rng.integers(m, size=n)]
    if kind == "tied":
        return g[rng.integers(max(1, n // 3), size=n)]
    if kind == "zeros":
        g[rng.random(g.shape) < 0.3] = 0.0
        g[g.sum(axis=1) == 0, 0] = 1.0
        return g / g.sum(axis=1, keepdims=True)
    if kind == "alike":
        return np.broadcast_to(g[0], g.shape).copy()
    return g


CASES = [
    (kind, n, m, metric)
    for kind in ("spread", "rounded", "certain", "tied", "zeros", "alike")
    for (n, m), metric in zip(
        [(2, 2), (17, 2), (60, 2), (2, 3), (23, 3), (40, 3), (3, 10), (31, 10), (50, 10)],
        itertools.cycle(["euclidean", "total-variation"]),
        strict=False,
    )
]


@each(("kind", "n", "m", "metric"), CASES)
def test_every_component_is_the_literal_one(kind: str, n: int, m: int, metric: str) -> None:
    rng = np.random.default_rng([n, m, len(kind)])
    g = predictions_like(kind, n, m, rng)
    labels = np.array([draw_labels(g, rng) for _ in range(2)] + [rng.integers(m, size=n)])
    p = Predictions.from_arrays(g, labels[0], [str(k) for k in range(m)])
    ours = statistics_of(p, ExponentialKernel(metric=metric)).evaluate(labels)
    expected = np.array([literal.statistics(g, list(y), "exponential", metric) for y in labels]).T
    # Fewer cases than classes: the covariances of the class mix have hardly more digits than that.
    digits = 1e-7 if n < m else 1e-10
    assert_allclose(ours, expected, rtol=digits, atol=digits)


@pytest.mark.parametrize("m", [2, 3, 10])
def test_over_several_strips_of_cases_it_is_the_literal_one(m: int) -> None:
    rng = np.random.default_rng(m)
    g = predictions_like("spread", STRIP + 12, m, rng)
    y = draw_labels(g, rng)
    p = Predictions.from_arrays(g, y, [str(k) for k in range(m)])
    ours = statistics_of(p, ExponentialKernel()).evaluate(y[None])[:, 0]
    assert_allclose(ours, literal.statistics(g, list(y)), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "kernel", [GaussianKernel(), RationalQuadraticKernel(), Matern32Kernel(), Matern52Kernel()]
)
@pytest.mark.parametrize("m", [2, 3])
def test_with_any_kernel_and_matrix(kernel: Kernel, m: int) -> None:
    rng = np.random.default_rng(8)
    g = predictions_like("spread", 25, m, rng)
    y = draw_labels(g, rng)
    p = Predictions.from_arrays(g, y, [str(k) for k in range(m)])
    ours = statistics_of(p, kernel).evaluate(y[None])[:, 0]
    assert_allclose(ours, literal.statistics(g, list(y), kernel.kind), rtol=1e-10, atol=1e-10)
    weighted = type(kernel)(class_matrix=tuple(range(1, m + 1)))
    ours = statistics_of(p, weighted).evaluate(y[None])[:, 0]
    matrix = np.diag(np.arange(1.0, m + 1))
    expected = literal.statistics(g, list(y), kernel.kind, matrix=matrix)
    assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


def test_the_exponential_kernel_on_a_line_takes_a_class_matrix() -> None:
    rng = np.random.default_rng(9)
    g = predictions_like("spread", 30, 2, rng)
    y = draw_labels(g, rng)
    p = Predictions.from_arrays(g, y, ["0", "1"])
    matrix = ((2.0, 0.5), (0.5, 1.0))
    ours = statistics_of(p, ExponentialKernel(class_matrix=matrix)).evaluate(y[None])[:, 0]
    assert_allclose(ours, literal.statistics(g, list(y), matrix=np.array(matrix)), rtol=1e-10, atol=1e-10)


def test_p_is_the_literal_one_on_the_same_redraws() -> None:
    for seed, m in enumerate((2, 2, 3, 3, 10)):
        rng = np.random.default_rng(seed)
        g = predictions_like("zeros" if seed % 2 else "spread", 30, m, rng)
        labels = np.array([draw_labels(g, rng) for _ in range(200)])
        p = Predictions.from_arrays(g, labels[0], [str(k) for k in range(m)])
        values = statistics_of(p, ExponentialKernel()).evaluate(labels)
        assert_allclose(log_tails(values), literal.tails(values), rtol=1e-9, atol=1e-10)
        combined = log_tails(values).max(axis=0)
        ours = (1 + np.sum(combined[1:] >= combined[0] - 1e-9 * combined[1:].std())) / len(combined)
        assert ours == literal.pvalue(values)


# --- exactness ------------------------------------------------------------------------


@pytest.mark.slow
def test_over_all_label_sets_the_level_holds() -> None:
    """n = 6: every label set, weighted by its probability, against redraws of its own."""
    rng = np.random.default_rng(1)
    for m, n in ((2, 6), (3, 4)):
        g = rng.dirichlet(np.ones(m), size=n)
        sets = np.array(list(itertools.product(range(m), repeat=n)))
        weights = np.prod(g[np.arange(n)[None], sets], axis=1)
        p = Predictions.from_arrays(g, sets[0], [str(k) for k in range(m)])
        values = statistics_of(p, ExponentialKernel()).evaluate(sets)
        pvalues = np.zeros((len(sets), 12))
        for repeat in range(pvalues.shape[1]):
            redraws = rng.choice(len(sets), size=99, p=weights)
            for first in range(len(sets)):
                combined = log_tails(values[:, np.append(first, redraws)]).max(axis=0)
                slack = 1e-9 * combined[1:].std() + 1e-12
                pvalues[first, repeat] = np.mean(combined >= combined[0] - slack)
        for alpha in (0.01, 0.05, 0.1, 0.2, 0.5):
            by_repeat = weights @ (pvalues <= alpha + 1e-12)
            error = by_repeat.std(ddof=1) / math.sqrt(len(by_repeat))
            assert by_repeat.mean() <= alpha + 3 * error


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("n", "m", "kind", "sets"),
    [
        (40, 2, "spread", 200),
        (60, 3, "tied", 200),
        pytest.param(PAIRS_UP_TO + 10, 3, "spread", 60, marks=pytest.mark.slow),
        pytest.param(700, 3, "spread", 200, marks=pytest.mark.slow),
        (700, 2, "rounded", 200),
    ],
)
def test_calibrated_models_are_rejected_as_often_as_said(n: int, m: int, kind: str, sets: int) -> None:
    rng = np.random.default_rng([n, m])
    g = predictions_like(kind, n, m, rng)
    pvalues = []
    for seed in range(sets):
        p = Predictions.from_arrays(g, draw_labels(g, rng), [str(k) for k in range(m)])
        pvalues.append(ExactOmnibusTest(n_resamples=39)(p, np.random.default_rng(seed)).pvalue)
    for alpha in (0.05, 0.2):
        error = math.sqrt(alpha * (1 - alpha) / len(pvalues))
        assert np.mean(np.array(pvalues) <= alpha) <= alpha + 3 * error


@pytest.mark.slow
def test_overwhelming_evidence_has_the_smallest_p() -> None:
    """A component far out must not hide by what it adds to its own moments."""
    for m in (2, 3, 10):
        g = np.random.default_rng(m).dirichlet(np.ones(m), size=1_000)
        y = g.argmin(axis=1)
        p = Predictions.from_arrays(g, y, [str(k) for k in range(m)])
        for resamples in (99, 4_399)[: 2 if m == 3 else 1]:
            found = ExactOmnibusTest(n_resamples=resamples)(p, np.random.default_rng(0))
            assert found.pvalue == 1 / (resamples + 1)
            assert math.isfinite(found.statistic)


# --- what it says ---------------------------------------------------------------------


def made(n: int, m: int, power: float, seed: int = 5) -> Predictions:
    """Calibrated predictions, raised to a power: too sure above 1, too unsure below."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(m), size=n)
    y = draw_labels(g, rng)
    said = g**power
    return Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), y, [str(k) for k in range(m)])


@pytest.mark.some(2)
@pytest.mark.parametrize(("power", "says"), [(1.6, "too sure"), (0.6, "too unsure")])
@pytest.mark.parametrize("m", [2, 3, 10])
def test_it_names_what_decides(power: float, says: str, m: int) -> None:
    found = ExactOmnibusTest()(made(2_000, m, power), np.random.default_rng(0))
    assert found.pvalue == 0.001
    assert found.promise == "exact"
    decided = found.decided_by
    assert decided is not None
    # The plainest of those that would decide alone.
    assert (decided.name, decided.direction, decided.as_extreme) == ("temperature", says, 0)
    assert decided.tail <= found.statistic
    weak = replace(found, pvalue=0.5)
    assert weak.decided_by.tail == found.statistic
    temperature = next(one for one in found.components if one.name == "temperature")
    assert temperature.direction == says
    more = [] if m == 2 else ["confidence-1", "confidence-2"]
    assert [one.name for one in found.components] == [
        *(f"kernel-{j}" for j in range(1, 6)), "temperature", "class-mix", *more
    ]  # fmt: skip


def test_temperature_score_is_negative_for_the_too_sure() -> None:
    assert temperature_score(made(500, 3, 2.0)) < 0 < temperature_score(made(500, 3, 0.5))


def test_the_same_seed_gives_the_same_p_whatever_the_threads(monkeypatch) -> None:
    from calibcore.numerics import engine

    p = made(3_000, 3, 1.1)
    found = ExactOmnibusTest()(p, np.random.default_rng(3))
    monkeypatch.setattr(engine, "threads", lambda: 1)
    again = ExactOmnibusTest()(p, np.random.default_rng(3))
    assert found.pvalue == again.pvalue
    assert found.statistic == again.statistic


# --- edges ----------------------------------------------------------------------------


def test_one_impossible_outcome_among_certain_predictions() -> None:
    g = np.eye(3)[np.arange(30) % 3]
    y = np.arange(30) % 3
    y[4] = 0
    p = Predictions.from_arrays(g, y, ["a", "b", "c"])
    found = ExactOmnibusTest(n_resamples=199)(p, np.random.default_rng(0))
    assert found.pvalue == 1 / 200
    assert found.decided_by is not None
    assert found.decided_by.name == "temperature"


def test_certain_predictions_that_come_true_are_no_evidence() -> None:
    p = Predictions.from_arrays(np.eye(2)[np.arange(20) % 2], np.arange(20) % 2, ["a", "b"])
    assert ExactOmnibusTest(n_resamples=99)(p, np.random.default_rng(0)).pvalue == 1.0


def test_predictions_that_are_all_alike_are_tested_by_how_often_classes_happen() -> None:
    g = np.broadcast_to([0.5, 0.3, 0.2], (900, 3)).copy()
    rng = np.random.default_rng(0)
    fair = Predictions.from_arrays(g, draw_labels(g, rng), ["a", "b", "c"])
    off = Predictions.from_arrays(g, rng.integers(3, size=900), ["a", "b", "c"])
    assert ExactOmnibusTest()(fair, np.random.default_rng(1)).pvalue > 0.05
    assert ExactOmnibusTest()(off, np.random.default_rng(1)).pvalue == 0.001


def test_early_stopping_keeps_p_and_stops() -> None:
    calibrated = made(400, 3, 1.0)
    found = ExactOmnibusTest(n_resamples=9_999, stop_at=10)(calibrated, np.random.default_rng(0))
    assert found.n_resamples < 2_000
    assert found.pvalue == pytest.approx(10 / found.n_resamples)
    off = ExactOmnibusTest(n_resamples=999, stop_at=10)(made(2_000, 3, 1.6), np.random.default_rng(0))
    assert off.pvalue == 0.001


def test_pooled_pairs_test_canonical_calibration() -> None:
    p = PooledLens()(made(300, 3, 1.0))
    found = ExactOmnibusTest(n_resamples=99)(p, np.random.default_rng(0))
    assert found.details["tests"] == "canonical calibration"
    assert found.pvalue > 0.01


@pytest.mark.slow
def test_another_null_than_calibration() -> None:
    """Predictions that are too sure by a temperature of 2 agree with just that."""
    p = made(2_000, 3, 2.0)
    assert ExactOmnibusTest()(p, np.random.default_rng(0)).pvalue == 0.001
    tempered = ExactOmnibusTest(null=Temperature(2.0))(p, np.random.default_rng(0))
    assert tempered.pvalue > 0.01


def test_what_it_refuses() -> None:
    p = made(20, 3, 1.0)
    for wrong in (
        lambda: ExactOmnibusTest(n_resamples=0)(p, np.random.default_rng(0)),
        lambda: ExactOmnibusTest(stop_at=0),
        lambda: ExactOmnibusTest()(p.with_rows([0]), np.random.default_rng(0)),
    ):
        with pytest.raises(InputError):
            wrong()


def test_progress_ends_at_1_and_may_stop_it() -> None:
    told: list[float] = []
    ExactOmnibusTest(n_resamples=199)(made(800, 3, 1.0), np.random.default_rng(0), told.append)
    assert told[-1] == 1.0
    assert told == sorted(told)

    class Stop(Exception):
        pass

    def stop(_fraction: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        ExactOmnibusTest(n_resamples=199)(made(800, 3, 1.0), np.random.default_rng(0), stop)


@pytest.mark.parametrize("seed", range(8))
def test_redraws_that_tie_with_what_happened_are_as_extreme(seed: int) -> None:
    """Of two classes the class mix knows the number of hits alone: of whole numbers none is rounded."""
    rng = np.random.default_rng(seed)
    g = rng.uniform(0.05, 0.95, 300)
    p = Predictions.from_arrays(np.column_stack([g, 1 - g]), rng.random(300) > g)
    test = ExactOmnibusTest(n_resamples=999)
    statistics, variance = statistics_of(p, test.kernel), float(np.sum(g * (1 - g)))
    place = statistics.names.index("class-mix")
    redraws = test.redraws(p, np.random.default_rng(5))[place]
    found = next(c for c in test(p, np.random.default_rng(5)).components if c.name == "class-mix")
    away, here = np.sqrt(redraws * variance), math.sqrt(found.statistic * variance)
    assert np.count_nonzero(np.abs(away - here) < 1e-6) > 5
    assert found.as_extreme == np.count_nonzero(away > here - 1e-6)


def test_a_score_of_0_points_no_way() -> None:
    """As often right as it says: its sum is 0 but for rounding, which differs between processors."""
    rows, labels = [], []
    for share in range(1, 10):
        rows += [[share / 10, 1 - share / 10]] * 70
        labels += [0] * (7 * share) + [1] * (70 - 7 * share)
    p = Predictions.from_arrays(rows, labels)
    assert 0 < abs(temperature_score(p)) < 1e-9
    (score,) = (c for c in ExactOmnibusTest(n_resamples=99)(p, 0).components if c.name == "temperature")
    assert score.direction == ""
